/* SPDX-License-Identifier: MIT
 * Where a warp looks: places of pixels, and whether all around one is inside, or nothing. The filter's body is declared before. */
#ifndef KERNELS_GPU_WARP_FRAME_H
#define KERNELS_GPU_WARP_FRAME_H
#include "kernels/gpu/warp/warp_bytes.h"

/* How many columns and rows from its own on there must be for a place to be mixed in the short way, and whether any may. */
#if SPREAD
#define WARP_BEHIND (SPREAD - 1 + SPREAD_MARGIN)
#define WARP_BELOW (SPREAD - 1)
#define WARPS_NEAR CALL0(reads_whole_pixels)
#elif defined(NEAREST)
#define WARP_BEHIND 0
#define WARP_BELOW 0
#define WARPS_NEAR false
#elif defined(SEVERAL)
#define WARP_BEHIND 1
#define WARP_BELOW 1
#define WARPS_NEAR CALL0(reads_whole_pixels)
#else
#define WARP_BEHIND (WARPS_BYTES ? BYTES_MARGIN : 1)
#define WARP_BELOW 1
#define WARPS_NEAR (WARPS_BYTES ? CALL0(mixes_bytes) : CALL0(reads_whole_pixels))
#endif

/* Places far outside, and NaN, stay within an int. */
#ifdef WITHIN
LFN0(float, farthest) { return WITHIN_OF(L.in_width, L.in_height); }
#else
LFN0(float, farthest) { return 1e9f; }
#endif
LFN(float, within_reason, float v) {
    float far = CALL0(farthest);
    return is_nan(v) || v < -far ? -far : v > far ? far : v;
}

/* An int that is the same for all threads, kept as it is: compilers would make again in a loop what they can. */
FN int kept(int i) {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(0xffffffffu, i, 0);
#else
    return i;
#endif
}

/* What is the same for all pixels. */
struct warp_frame {
    int width, height, in_width, in_height;
    uint right, bottom;         /* what places must lie before, so that all is inside that is mixed there */
    address first;              /* of the pixels that are read, less what `pixel_of` counts too much */
    int stored_from, stored_to; /* rows that are stored */
    bool whole;                 /* pixels of four channels lie on multiples of their size there */
};
/* The bits of as many pixels as a place may be away from the first, so that the others of `pixels` are inside, too. Beyond
 * 2^23 places are not found by a sum (`pixel_of`). */
FN uint room_of(int side, int pixels) { return bits_of_uint(to_float(min(max(side - pixels, 0), 8388607))); }
/* Whether a place is from 0 on and before `room`. Of floats from 0 on, the bits are in order; those of NaN, and of what is less,
 * are larger. */
FN bool lies_before(float v, uint room) { return bits_of_uint(v) < room; }

/* x, y and weight of place k of count. */
FN vec4 place_of(BODY_BLOCK P, warp_frame F, int x, int y, int k, int count) {
    place at = PLACE_AT(x, y, F.width, F.height);
    place source = PLACE_AT(0, 0, F.in_width, F.in_height);
#ifdef SEVERAL
    return body(at, source, k, count, P);
#else
    vec2 from = body(at, source, P);
    return rgba(from.x, from.y, 1.0f, 0.0f);
#endif
}

/* Whether nothing around a place is inside, and that is what border=constant says everywhere, or nothing. */
#define WARP_HALF (SPREAD != 0 ? SPREAD / 2 : 1)
FN bool lies_outside(vec4 from, warp_frame F, int border) {
    float low = to_float(-WARP_HALF);
    bool outside = from.x < low || from.y < low || from.x >= to_float(F.in_width + WARP_HALF - 1) ||
                   from.y >= to_float(F.in_height + WARP_HALF - 1);
    return outside && (border == BORDER_CONSTANT || border == BORDER_SHRINK);
}
LFN0(vec4, pixel_outside) {
    float v = border_known == BORDER_CONSTANT ? L.border_value : 0.0f;
    return rgba(v, v, v, v);
}

#endif
