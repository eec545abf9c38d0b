/* SPDX-License-Identifier: MIT
 * What a box filter's sums are made of; indexes the kernels in box.inc. */
#ifndef KERNELS_BOX_H
#define KERNELS_BOX_H
enum weft_box_sums { WEFT_BOX_U32, WEFT_BOX_U64, WEFT_BOX_F64 };
#endif
