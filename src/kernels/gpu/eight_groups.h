/* SPDX-License-Identifier: MIT
 * What a thread has of a row (eight.h) to the same place of the result: in one access of memory where pixels lie so.
 *
 *   CALL(deliver_group, n, y, numbers)   numbers n .. n + GROUP - 1 of row y, n a multiple of GROUP; those that the row has */
#ifndef KERNELS_GPU_EIGHT_GROUPS_H
#define KERNELS_GPU_EIGHT_GROUPS_H
#include "kernels/gpu/eight.h"

LFN(uvec4, group_bits, vec4 v) {
    if (in_channels_known == 4)
        v = CALL(hand_out, v);
    if (stored_type == TYPE_U8)
        return words(byte_word(v), 0u, 0u, 0u);
    if (stored_type == TYPE_U16)
        return words(placed_two(v.x, v.y), placed_two(v.z, v.w), 0u, 0u);
    return bits_of_four(v, stored_type);
}
LFN(void, deliver_group, int n, int y, numbers v) {
    int image = STORED_IMAGE, channels = in_channels_known, size = GROUP * bytes_of(stored_type);
    bool whole = STORES_PLAIN && stored_channels == channels && (channels == 4 || (channels == 1 && !STORES_CONVERTED)) &&
                 n + GROUP <= L.width * channels &&
                 lies_on(L.image[image].first, L.image[image].pitch, size < 16 ? size : 16);
    if (whole) {
        if (y >= L.image[image].from_y && y < L.image[image].to_y) {
            address row = row_of(L.image[image].first, L.image[image].pitch, y);
            uvec4 a = CALL(group_bits, v.a), b = a;
            if (EIGHTS)
                b = CALL(group_bits, v.b);
            if (stored_type == TYPE_F32) {
                write_u32x4(row, n >> 2, a);
                if (EIGHTS)
                    write_u32x4(row, (n >> 2) + 1, b);
            } else if (stored_type == TYPE_U8) {
                if (EIGHTS)
                    write_u32x2(row, n >> 3, words(a.x, b.x, 0u, 0u));
                else
                    write_u32(row, n >> 2, a.x);
            } else if (EIGHTS) {
                write_u32x4(row, n >> 3, words(a.x, a.y, b.x, b.y));
            } else {
                write_u32x2(row, n >> 2, a);
            }
        }
    } else if (channels == 1) {
        CALL(deliver_line, n, L.width, y, v.a);
        if (EIGHTS)
            CALL(deliver_line, n + 4, L.width, y, v.b);
    } else { /* four */
        if (n < L.width * channels)
            CALL(deliver_pixel, n >> 2, y, v.a);
        if (EIGHTS && n + 4 < L.width * channels)
            CALL(deliver_pixel, (n >> 2) + 1, y, v.b);
    }
}

#endif
