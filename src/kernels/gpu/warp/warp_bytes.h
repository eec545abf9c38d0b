/* SPDX-License-Identifier: MIT
 * The mean of four pixels of bytes, in whole numbers: weights are 65535ths, so that a byte is off by a hundredth before it is
 * rounded. Colors that alpha weighs need no premultiplied image: alpha is a factor of the weights.
 *
 *   WARPS_BYTES        whether the launch reads bytes, writes the same and converts alpha both ways or not at all
 *   BYTES_MARGIN       so many columns and more are there beside a place where CALL(mixed_bytes, ...) may be called
 *   CALL(mixed_bytes, column, row, right, below)   the pixel to store, a byte a channel: of that column and row, the next column
 *                      and the next row, by a place's shares of what lies to the right and below
 *   CALL(bytes_of_pixel, v)                        the same of numbers
 *   CALL(deliver_bytes, x, y, a, b, c, d)          stores four of them, x a multiple of 4 */
#ifndef KERNELS_GPU_WARP_BYTES_H
#define KERNELS_GPU_WARP_BYTES_H
#include "kernels/gpu/dialect/byte_numbers.h"
#include "kernels/gpu/dialect/packed.h"

#define BYTES_BY_ALPHA LOADS_CONVERTED
#define WARPS_BYTES                                                                                                    \
    (LOADS_PLAIN && STORES_PLAIN && source_type == TYPE_U8 && stored_type == TYPE_U8 && in_channels_known != 2 &&      \
     source_channels == in_channels_known && stored_channels == in_channels_known &&                                   \
     LOADS_CONVERTED == STORES_CONVERTED &&                                                                            \
     (!LOADS_CONVERTED || (load_count_known == 1 && LOAD_0(op) == OP_PREMULTIPLY_HIDDEN &&                             \
                           STORE_0(op) == OP_UNPREMULTIPLY_HIDDEN)))
#define BYTES_MARGIN (in_channels_known == 3 ? 3 : 1)

/* Adds to `sum` the lower or the upper two bytes of a word, each times a half of `weights`. */
FN uint weigh_two(uint weights, uint w, bool upper, uint sum) {
#if defined(__CUDA_ARCH__)
    return upper ? __dp2a_hi(weights, w, sum) : __dp2a_lo(weights, w, sum);
#else
    uint two = upper ? w >> 16 : w;
    return sum + (weights & 0xffffu) * (two & 255u) + (weights >> 16) * (two >> 8 & 255u);
#endif
}
/* Two weights in the halves of a word. */
FN uint two_weights(float low, float high) {
#if defined(__CUDA_ARCH__)
    uint upper = bits_of_uint(__fmaf_rn(high, 65535.0f, 8388608.0f));
    return __byte_perm(bits_of_uint(__fmaf_rn(low, 65535.0f, 8388608.0f)), upper, 0x5410);
#else
    return uint(low * 65535.0f + 0.5f) | uint(high * 65535.0f + 0.5f) << 16;
#endif
}
FN float near_reciprocal(float v) {
#if defined(__CUDA_ARCH__)
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
    return r;
#else
    return 1.0f / v;
#endif
}

/* Four bytes of two words, from byte `first` modulo 4 on. */
FN uint bytes_from(uint low, uint high, uint first) {
#if defined(__CUDA_ARCH__)
    return __funnelshift_r(low, high, 8 * first);
#else
    int shift = int(first & 3u) * 8;
    return low >> shift | (high << 1) << (31 - shift);
#endif
}

/* Two pixels side by side. Of three channels, words that lie on multiples of 4 bytes hold them wherever a row begins. */
struct byte_pair { uint left, right; };
FN byte_pair read_byte_pair(address row, int column, int channels) {
    byte_pair p;
    if (channels == 4) {
        p.left = read_u32(row, column);
        p.right = read_u32(row, column + 1);
    } else if (channels == 3) {
        row = row + address(uint(column)) * address(3u);
        uint first = uint(row);
        row = row & ~address(3u);
        uint a = read_u32(row, 0), b = read_u32(row, 1), c = read_u32(row, 2);
        p.left = bytes_from(a, b, first);
        p.right = pick_bytes(p.left, bytes_from(b, c, first), 0x6543u);
    } else {
        p.left = read_u8(row, column);
        p.right = read_u8(row, column + 1);
    }
    return p;
}

LFN(uint, mixed_bytes, int column, int row, float right, float below) {
    int channels = in_channels_known;
    long_int pitch = L.image[SOURCE_IMAGE].pitch;
    address from = L.image[SOURCE_IMAGE].first + address(uint(row)) * address(pitch);
    byte_pair upper = read_byte_pair(from, column, channels), lower = read_byte_pair(from + address(pitch), column, channels);
    float lower_right = right * below, upper_right = right - lower_right, lower_left = below - lower_right;
    float upper_left = 1.0f - right - lower_left;
    uint steps = 0u;
    if (BYTES_BY_ALPHA && (upper.left & upper.right & lower.left & lower.right) < 0xff000000u) {
        float a = upper_left * to_float(int(upper.left >> 24)), b = upper_right * to_float(int(upper.right >> 24));
        float c = lower_left * to_float(int(lower.left >> 24)), d = lower_right * to_float(int(lower.right >> 24));
        float alpha = a + b + (c + d);
        steps = bits_of_uint(alpha + 8388608.0f); /* the nearest byte in the last bits */
        if (alpha > 0.0f) { /* else colors are those of hidden pixels */
            float share = near_reciprocal(alpha);
            upper_left = a * share;
            upper_right = b * share;
            lower_left = c * share;
            lower_right = d * share;
        }
    } else if (BYTES_BY_ALPHA) {
        steps = 255u;
    }
    uint above = two_weights(upper_left, upper_right), under = two_weights(lower_left, lower_right);
    uint w = pick_bytes(upper.left, upper.right, 0x5140u), v = pick_bytes(lower.left, lower.right, 0x5140u);
    uint x = weigh_two(under, v, false, weigh_two(above, w, false, 0x8000u));
    if (channels == 1)
        return x >> 16;
    uint y = weigh_two(under, v, true, weigh_two(above, w, true, 0x8000u));
    w = pick_bytes(upper.left, upper.right, 0x7362u);
    v = pick_bytes(lower.left, lower.right, 0x7362u);
    uint z = weigh_two(under, v, false, weigh_two(above, w, false, 0x8000u));
    if (channels == 4 && !BYTES_BY_ALPHA)
        steps = weigh_two(under, v, true, weigh_two(above, w, true, 0x8000u)) >> 16;
    return pick_bytes(pick_bytes(x, y, 0x0062u), z + (steps << 24), 0x7610u);
}

LFN(uint, bytes_of_pixel, vec4 v) {
    v = CALL(hand_out, v);
    int channels = in_channels_known;
    return bits_of_four(rgba(v.x, channels > 1 ? v.y : 0.0f, channels > 1 ? v.z : 0.0f, channels > 3 ? v.w : 0.0f), TYPE_U8).x;
}

LFN(void, deliver_bytes, int x, int y, uint a, uint b, uint c, uint d) {
    address row;
    if (CALL(packed_result, y, row))
        write_byte_pixels(row, x, L.width, in_channels_known, PACKED_OUT_WHOLE(4),
                          PACKED_OUT_WHOLE(in_channels_known == 4 ? 16 : 4), words(a, b, c, d));
}

#endif
