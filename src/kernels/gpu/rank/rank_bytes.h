/* SPDX-License-Identifier: MIT
 * Bytes of images in and out of kernels that work on whole numbers, one channel by itself.
 *   READS_BYTES, STORES_BYTES   they lie as the kernel takes them and leaves them
 *   hand_on                     delivers a pixel of up to four */
#ifndef KERNELS_GPU_RANK_BYTES_H
#define KERNELS_GPU_RANK_BYTES_H
#include "kernels/gpu/program/program.h"

#define READS_BYTES (LOADS_PLAIN && !LOADS_CONVERTED && source_type == TYPE_U8)
#define STORES_BYTES (STORES_PLAIN && !STORES_CONVERTED && stored_type == TYPE_U8)

/* Bytes of a pixel where they lie; `whole`: rows lie on multiples of 4. */
FN void put_bytes(address row, int x, int channels, bool whole, uint a, uint b, uint c, uint d) {
    if (channels == 4 && whole) {
        write_u32(row, x, a | b << 8 | c << 16 | d << 24);
    } else {
        write_u8(row, x * channels, a);
        if (channels > 1)
            write_u8(row, x * channels + 1, b);
        if (channels > 2)
            write_u8(row, x * channels + 2, c);
        if (channels > 3)
            write_u8(row, x * channels + 3, d);
    }
}

LFN(void, hand_on, int x, int y, uint a, uint b, uint c, uint d) {
    if (STORES_BYTES) {
        int image = STORED_IMAGE;
        address first = L.image[image].first;
        long_int pitch = L.image[image].pitch;
        if (y >= L.image[image].from_y && y < L.image[image].to_y)
            put_bytes(row_of(first, pitch, y), x, stored_channels, lies_on(first, pitch, 4), a, b, c, d);
    } else {
        CALL(deliver, x, y, rgba(number_of_bits(a, TYPE_U8), number_of_bits(b, TYPE_U8), number_of_bits(c, TYPE_U8),
                                 number_of_bits(d, TYPE_U8)));
    }
}

#endif
