/* SPDX-License-Identifier: MIT
 * What a box filter's sums are made of, those down the columns and those along the row; indexes the kernels in box.inc. */
#ifndef KERNELS_BOX_H
#define KERNELS_BOX_H
enum weft_box_sums {
    WEFT_BOX_U16, /* columns u16, rows u32 */
    WEFT_BOX_U32,
    WEFT_BOX_U64, /* columns u32, rows u64 */
    WEFT_BOX_F32, /* columns summed in double precision, then f32 */
    WEFT_BOX_SUMS
};
#endif
