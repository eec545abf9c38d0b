/* SPDX-License-Identifier: MIT
 * SPREAD x SPREAD pixels around a place by the weights of the filter's body, which sum to 1 along each axis.
 *
 *   CALL(add_spread, F, from, whole, sums)   adds them. Opaque bytes are weighed in whole numbers along rows, two pixels by
 *                                                  one product, in 16384ths; sums of rows are floats, and so is all else */
#ifndef KERNELS_GPU_WARP_SPREAD_H
#define KERNELS_GPU_WARP_SPREAD_H
#include "kernels/gpu/warp/warp_bytes.h"

#define SPREAD_HALF (SPREAD / 2)
/* Pixels that may be read behind the last, where words hold several. */
#define SPREAD_MARGIN (!WARPS_BYTES ? 0 : in_channels_known == 1 ? 6 : in_channels_known == 3 ? 2 : 0)

FN void spread_weights(float share, INOUT_ARRAY(float, w, SPREAD)) {
    vec4 low = weights_of(share), high = weights_of(1.0f - share);
    w[SPREAD_HALF - 1] = low.x;
    w[SPREAD_HALF] = high.x;
    w[SPREAD_HALF - 2] = low.y;
    w[SPREAD_HALF + 1] = high.y;
#if SPREAD == 6
    w[0] = low.z;
    w[5] = high.z;
#endif
}

/* Two weights of signed 16384ths in the halves of a word; and adds to `sum` the lower or the upper two bytes of a word, each times
 * one of them. */
FN uint two_signed(float low, float high) {
    PRECISE float a = low * 16384.0f + 12582912.0f, b = high * 16384.0f + 12582912.0f;
    return pick_bytes(bits_of_uint(a), bits_of_uint(b), 0x5410u);
}
FN uint weigh_signed(uint weights, uint w, bool upper, uint sum) {
#if defined(__CUDA_ARCH__)
    if (upper)
        asm("dp2a.hi.s32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(weights), "r"(w));
    else
        asm("dp2a.lo.s32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(weights), "r"(w));
    return sum;
#else
    int two = int(upper ? w >> 16 : w & 0xffffu);
    return sum + uint((int(weights << 16) >> 16) * (two & 255) + (int(weights) >> 16) * (two >> 8));
#endif
}
#define SPREAD_BIAS 0x4b100000u /* the bits of a float to which a sum is added, which may be below 0 */
#define SPREAD_STEP (1.0f / (255.0f * 16384.0f))

/* What lies around pixel column, row, all of which is inside, by weights along both axes; `alphas` are those of all pixels. */
LFN(vec4, spread_bytes, int column, int row, INOUT_ARRAY(float, across, SPREAD), INOUT_ARRAY(float, down, SPREAD),
    INOUT(uint) alphas) {
    int channels = in_channels_known;
    long_int pitch = L.image[SOURCE_IMAGE].pitch;
    address from = L.image[SOURCE_IMAGE].first + address(uint(row)) * address(pitch) + address(uint(column * channels));
    uint first = uint(from), pairs[SPREAD_HALF], q[6];
    float start = -float_of_uint(SPREAD_BIAS);
    vec4 sums = rgba(start, start, start, start);
    UNROLL for (int i = 0; i < SPREAD_HALF; i++)
        pairs[i] = two_signed(across[2 * i], across[2 * i + 1]);
    alphas = 0xffffffffu;
    UNROLL for (int j = 0; j < SPREAD; j++) {
        address line = channels == 4 ? from : from & ~address(3u);
        int words_read = channels == 4 ? SPREAD : channels == 3 ? SPREAD * 3 / 4 + 1 + (SPREAD == 6 ? 1 : 0) : SPREAD_HALF;
        uint r = SPREAD_BIAS, g = SPREAD_BIAS, b = SPREAD_BIAS, a = SPREAD_BIAS;
        UNROLL for (int i = 0; i < 6; i++)
            q[i] = i < words_read ? read_u32(line, min(i, words_read - 1)) : 0u;
        if (channels != 4)
            UNROLL for (int i = 0; i < 5; i++)
                q[i] = bytes_from(q[i], q[i + 1], first);
        UNROLL for (int i = 0; i < SPREAD_HALF; i++) {
            uint x, y = 0u;
            if (channels == 4) {
                x = pick_bytes(q[2 * i], q[2 * i + 1], 0x5140u);
                y = pick_bytes(q[2 * i], q[2 * i + 1], 0x7362u);
                alphas &= q[2 * i] & q[2 * i + 1];
            } else if (channels == 3) { /* 6 bytes from byte 6 i on */
                int k = 6 * i / 4;
                x = pick_bytes(q[k], q[k + 1], i == 1 ? 0x6352u : 0x4130u);
                y = pick_bytes(q[k], q[k + 1], i == 1 ? 0x0074u : 0x0052u);
            } else {
                x = q[i / 2];
            }
            r = weigh_signed(pairs[i], x, channels == 1 && i == 1, r);
            if (channels > 1) {
                g = weigh_signed(pairs[i], x, true, g);
                b = weigh_signed(pairs[i], y, false, b);
            }
            if (channels == 4 && !BYTES_BY_ALPHA)
                a = weigh_signed(pairs[i], y, true, a);
        }
        sums.x += down[j] * float_of_uint(r);
        sums.y += down[j] * float_of_uint(g);
        sums.z += down[j] * float_of_uint(b);
        sums.w += down[j] * float_of_uint(a);
        from += address(pitch);
        first += uint(pitch);
    }
    return rgba(sums.x * SPREAD_STEP, sums.y * SPREAD_STEP, sums.z * SPREAD_STEP, BYTES_BY_ALPHA ? 1.0f : sums.w * SPREAD_STEP);
}

/* The sum around a place by any border, slow. */
LFN(vec4, spread_around, vec4 from) {
    from.x = CALL(within_reason, from.x);
    from.y = CALL(within_reason, from.y);
    float left = floor(from.x), above = floor(from.y), outside = border_known == BORDER_CONSTANT ? L.border_value : 0.0f;
    int columns[SPREAD], row = to_int(above) - (SPREAD_HALF - 1);
    float across[SPREAD], down[SPREAD];
    spread_weights(from.x - left, across);
    spread_weights(from.y - above, down);
    vec4 sums = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    UNROLL for (int k = 0; k < SPREAD; k++)
        columns[k] = border_place(to_int(left) - (SPREAD_HALF - 1) + k, L.in_width, border_known);
    ROLLED for (int j = 0; j < SPREAD; j++) {
        int y = border_place(row + j, L.in_height, border_known);
        vec4 line = rgba(0.0f, 0.0f, 0.0f, 0.0f);
        UNROLL for (int k = 0; k < SPREAD; k++) {
            vec4 v = rgba(outside, outside, outside, outside);
            if (columns[k] >= 0 && y >= 0)
                v = CALL(fetch, columns[k], y);
            line = add_pixel(line, across[k], v, FINITE);
        }
        sums = add_pixel(sums, down[0], line, FINITE);
        UNROLL for (int k = 0; k + 1 < SPREAD; k++)
            down[k] = down[k + 1];
    }
    return sums;
}

/* The same where all is inside, from the first pixel that counts on. */
LFN(vec4, spread_inside, vec4 from) {
    float right_share, below_share, across[SPREAD], down[SPREAD];
    int column = int(pixel_of(from.x, right_share) - BYTES_BEFORE), row = int(pixel_of(from.y, below_share) - BYTES_BEFORE);
    spread_weights(right_share, across);
    spread_weights(below_share, down);
    if (WARPS_BYTES) {
        uint alphas;
        vec4 v = CALL(spread_bytes, column, row, across, down, alphas);
        if (!BYTES_BY_ALPHA || alphas >= 0xff000000u)
            return v;
    }
    vec4 sums = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    ROLLED for (int j = 0; j < SPREAD; j++) {
        vec4 line = rgba(0.0f, 0.0f, 0.0f, 0.0f);
        UNROLL for (int k = 0; k < SPREAD; k++) {
            vec4 v = CALL(fetch_whole, column + k, row + j);
            line = add_pixel(line, across[k], v, FINITE);
        }
        sums = add_pixel(sums, down[0], line, FINITE);
        UNROLL for (int k = 0; k + 1 < SPREAD; k++)
            down[k] = down[k + 1];
    }
    return sums;
}

LFN(void, add_spread, warp_frame F, vec4 from, bool whole, INOUT(vec4) sums) {
    vec4 first = rgba(from.x - to_float(SPREAD_HALF - 1), from.y - to_float(SPREAD_HALF - 1), 0.0f, 0.0f), v;
    if (whole && lies_before(first.x, F.right) && lies_before(first.y, F.bottom))
        v = CALL(spread_inside, first);
    else if (lies_outside(from, F, border_known))
        v = CALL0(pixel_outside);
    else
        v = CALL(spread_around, from);
    sums = add_pixel(sums, from.z, v, FINITE);
}

#endif
