/* SPDX-License-Identifier: MIT
 * The mean of four pixels of bytes, in whole numbers: weights are 65535ths, so that a byte is off by a hundredth before it is
 * rounded. Colors that alpha weighs need no premultiplied image: alpha is a factor of the weights.
 *
 *   WARPS_BYTES        whether the launch reads bytes, writes the same and converts alpha both ways or not at all
 *   BYTES_MARGIN       so many columns and more are there beside a place where pixels are mixed
 *   CALL0(mixes_bytes) whether places inside may be mixed: the image has pixels enough, as words, and offsets fit 32 bits
 *   CALL0(first_of_bytes)                          where its pixels lie, less what `pixel_of` counts too much
 *   CALL(mixed_bytes, first, x, y, v)              the pixels to store of BYTES_AT_ONCE places, a byte a channel
 *   CALL(bytes_of_pixel, v)                        the same of numbers */
#ifndef KERNELS_GPU_WARP_BYTES_H
#define KERNELS_GPU_WARP_BYTES_H
#include "kernels/gpu/dialect/byte_numbers.h"
#include "kernels/gpu/dialect/packed.h"
#include "kernels/gpu/dialect/pixel_arithmetic.h"

#if defined(__CUDA_ARCH__) && defined(FEW_REGISTERS) && defined(FORMAT_TYPE) && FORMAT_TYPE == TYPE_U8 && FORMAT_CHANNELS != 3
#define BYTES_AT_ONCE 4
#else
#define BYTES_AT_ONCE 2
#endif
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
/* The whole number next to a product, in the last bits of a float. Rounded once where products are fused. */
#define BYTES_WHOLE 8388608.0f
FN uint placed_weight(float a, float b) {
#if defined(__CUDA_ARCH__)
    return bits_of_uint(__fmaf_rn(a, b, BYTES_WHOLE));
#elif defined(GLSL)
    PRECISE float placed = product_of(a, b) + BYTES_WHOLE;
    return bits_of_uint(placed);
#else
    return bits_of_uint(__builtin_fmaf(a, b, BYTES_WHOLE));
#endif
}
/* A place from 0 on: its pixel, more by the bits of BYTES_WHOLE, and how far beyond that it is. */
#define BYTES_BEFORE 0x4b000000u
FN uint pixel_of(float v, INOUT(float) share) {
#if defined(__CUDA_ARCH__)
    float whole = __fadd_rd(v, BYTES_WHOLE);
    share = v - (whole - BYTES_WHOLE);
    return bits_of_uint(whole);
#else
    int whole = to_int(v);
    share = v - to_float(whole);
    return uint(whole) + BYTES_BEFORE;
#endif
}
/* Word or byte n from an address on; the compiler does not see otherwise that these are in global memory. */
#if defined(__CUDA_ARCH__)
template <int bytes> FN uint read_word_at(address first) {
    uint v;
    asm("ld.global.nc.u32 %0, [%1+%2];" : "=r"(v) : "l"(first), "n"(bytes));
    return v;
}
template <int bytes> FN uint read_byte_at(address first) {
    uint v;
    asm("ld.global.nc.u8 %0, [%1+%2];" : "=r"(v) : "l"(first), "n"(bytes));
    return v;
}
#define WORD_AT(first, n) read_word_at<4 * (n)>(first)
#define BYTE_AT(first, n) read_byte_at<n>(first)
#else
#define WORD_AT(first, n) read_u32(first, n)
#define BYTE_AT(first, n) read_u8(first, n)
#endif

/* An address that compilers take as it is: they would add what was taken off to a factor of 64 bits. */
FN address opaque(address a) {
#if defined(__CUDA_ARCH__)
    asm volatile("" : "+l"(a));
#endif
    return a;
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

/* Two pixels side by side. Of three channels, words that lie on multiples of 4 bytes hold them wherever a row begins; the last two
 * bytes of six are in `right` then. */
struct byte_pair { uint left, right; };
FN byte_pair read_byte_pair(address first, int channels) {
    byte_pair p;
    if (channels == 4) {
        p.left = WORD_AT(first, 0);
        p.right = WORD_AT(first, 1);
    } else if (channels == 3) {
        uint from = uint(first);
        first = first & ~address(3u);
        uint a = WORD_AT(first, 0), b = WORD_AT(first, 1), c = WORD_AT(first, 2);
        p.left = bytes_from(a, b, from);
        p.right = bytes_from(b, c, from);
    } else {
        p.left = BYTE_AT(first, 0);
        p.right = BYTE_AT(first, 1);
    }
    return p;
}

/* The mean of the upper and the lower two pixels by the shares of what lies to the right and below. `seen`: one is not opaque. */
FN uint mixed_pixel(byte_pair upper, byte_pair lower, float right, float below, int channels, bool by_alpha, bool seen) {
    uint steps = by_alpha ? 255u : 0u, above, under; /* three channels are written with nothing above them */
    if (by_alpha && seen) {
        float lower_right = right * below, upper_right = right - lower_right, lower_left = below - lower_right;
        float upper_left = 1.0f - right - lower_left;
        float a = upper_left * to_float(int(upper.left >> 24)), b = upper_right * to_float(int(upper.right >> 24));
        float c = lower_left * to_float(int(lower.left >> 24)), d = lower_right * to_float(int(lower.right >> 24));
        float alpha = a + b + (c + d), share = 1.0f;
        steps = bits_of_uint(alpha + BYTES_WHOLE); /* the nearest byte in the last bits */
        if (alpha > 0.0f) { /* else colors are those of hidden pixels */
            share = near_reciprocal(alpha);
            upper_left = a;
            upper_right = b;
            lower_left = c;
            lower_right = d;
        }
        share = share * 65535.0f;
        above = pick_bytes(placed_weight(upper_left, share), placed_weight(upper_right, share), 0x5410u);
        under = pick_bytes(placed_weight(lower_left, share), placed_weight(lower_right, share), 0x5410u);
    } else { /* both rows together have 65535 - q and q, which is 65535 + 65535 q; the bits before q cancel out */
        uint q = placed_weight(right, 65535.0f);
        PRECISE float across = float_of_uint(q) - BYTES_WHOLE;
#if defined(GLSL)
        under = pick_bytes(placed_weight(65535.0f - across, below), placed_weight(across, below), 0x5410u);
#else /* p - n and n; rounded once, p - n is at most 65535 - q */
        under = placed_weight(across, below) * 65535u + placed_weight(65535.0f, below);
#endif
        above = q * 65535u + (0x4b00ffffu - under);
    }
    uint first_two = channels == 3 ? 0x4130u : 0x5140u, last_two = channels == 3 ? 0x0052u : 0x7362u;
    uint w = pick_bytes(upper.left, upper.right, first_two), v = pick_bytes(lower.left, lower.right, first_two);
    uint x = weigh_two(under, v, false, weigh_two(above, w, false, 0x8000u));
    if (channels == 1)
        return x >> 16;
    uint y = weigh_two(under, v, true, weigh_two(above, w, true, 0x8000u));
    w = pick_bytes(upper.left, upper.right, last_two);
    v = pick_bytes(lower.left, lower.right, last_two);
    uint z = weigh_two(under, v, false, weigh_two(above, w, false, 0x8000u));
    if (channels == 4 && !by_alpha) {
        uint a = weigh_two(under, v, true, weigh_two(above, w, true, 0x8000u));
        return pick_bytes(pick_bytes(x, y, 0x0062u), pick_bytes(z, a, 0x0062u), 0x5410u);
    }
    return pick_bytes(pick_bytes(x, y, 0x0062u), z + (steps << 24), 0x7610u);
}

LFN0(bool, mixes_bytes) {
    long_int pitch = L.image[SOURCE_IMAGE].pitch;
    bool words_lie = source_channels != 4 || lies_on(L.image[SOURCE_IMAGE].first, pitch, 4);
    bool few = L.in_width < 8388608 && L.in_height < 8388608 && pitch > 0 && pitch * long_int(L.in_height) < long_int(0xffffffffu);
    return words_lie && few && L.in_width > BYTES_MARGIN && L.in_height > 1;
}

LFN0(address, first_of_bytes) {
    address pitch = address(uint(L.image[SOURCE_IMAGE].pitch)), more = address(BYTES_BEFORE) * (pitch + address(in_channels_known));
    return opaque(L.image[SOURCE_IMAGE].first - more);
}
LFN(void, mixed_bytes, address first, INOUT_ARRAY(float, x, BYTES_AT_ONCE), INOUT_ARRAY(float, y, BYTES_AT_ONCE),
    INOUT_ARRAY(uint, mixed, BYTES_AT_ONCE)) {
    int channels = in_channels_known;
    uint pitch = uint(L.image[SOURCE_IMAGE].pitch), alphas = 0xffffffffu;
    float right[BYTES_AT_ONCE], below[BYTES_AT_ONCE];
    byte_pair upper[BYTES_AT_ONCE], lower[BYTES_AT_ONCE];
    UNROLL for (int n = 0; n < BYTES_AT_ONCE; n++) {
        address place_there = first + address(pixel_of(y[n], below[n])) * address(pitch) +
                              address(pixel_of(x[n], right[n])) * address(channels);
        upper[n] = read_byte_pair(place_there, channels);
        lower[n] = read_byte_pair(place_there + address(pitch), channels);
    }
    UNROLL for (int n = 0; n < BYTES_AT_ONCE; n++)
        alphas &= upper[n].left & upper[n].right & lower[n].left & lower[n].right;
    if (BYTES_BY_ALPHA && alphas < 0xff000000u) {
        UNROLL for (int n = 0; n < BYTES_AT_ONCE; n++)
            mixed[n] = mixed_pixel(upper[n], lower[n], right[n], below[n], channels, true, true);
    } else {
        UNROLL for (int n = 0; n < BYTES_AT_ONCE; n++)
            mixed[n] = mixed_pixel(upper[n], lower[n], right[n], below[n], channels, BYTES_BY_ALPHA, false);
    }
}

LFN(uint, bytes_of_pixel, vec4 v) {
    if (v.w != 1.0f) /* else it would stay */
        v = CALL(hand_out, v);
    int channels = in_channels_known;
    return placed_bytes(placed_byte(v.x), channels > 1 ? placed_byte(v.y) : 0u, channels > 1 ? placed_byte(v.z) : 0u,
                        channels > 3 ? placed_byte(v.w) : 0u);
}

#endif
