/* SPDX-License-Identifier: MIT
 * The GPU kernel of a stencil, around the body of the filter that includes this. Each pixel that a block looks at comes
 * through the load program once, into shared memory, channel by channel; the body sees one channel at a time, or with PIXELS
 * all of them.
 *   path        STENCIL_BY_TILE, _WALKING: of radius 1 and of bytes or floats as stored (walk.h), _WHOLE: walking too and, if its
 *               weights allow, in whole numbers (walk_whole.h) */
#include "kernels/gpu/dialect/bits.h"
#include "kernels/gpu/tile/tile.h"
#include "kernels/gpu/dialect/code_path.h"

BLOCK_MEMORY(BLOCK)
#if defined(FORMAT_CHANNELS)
SHARED(float, tile, STENCIL_NUMBERS(RADIUS, FORMAT_CHANNELS));
#elif defined(GLSL)
SHARED(float, tile, IN_CHANNELS == 1 ? STENCIL_OF(RADIUS, 1) : STENCIL_NUMBERS(RADIUS, 4));
#else
SHARED(float, tile, STENCIL_NUMBERS(RADIUS, 4));
#endif
#include "kernels/gpu/tile/tile_pixel.h"
#ifdef PIXELS
/* As point filters see it: grey in red, green and blue, but for stencils of luminance, and of two channels the second is alpha. */
FN vec4 whole_pixel(int at, int plane, int channels) {
    vec4 v = tile_pixel(at, plane, channels);
    float of_grey = LUMINANCE_FLAG ? 0.0f : v.x;
    return channels < 3 ? rgba(v.x, of_grey, of_grey, v.y) : v;
}
#endif

#if RADIUS == 1 && !defined(PIXELS)
#define NEAR_NUMBERS
#if defined(GLSL)
#define NEAR float near[9]
#else
#define NEAR const float (&near)[9]
#endif
#endif
#if defined(NEAR_NUMBERS) && (defined(GLSL) || defined(FORMAT_CHANNELS) || defined(FORMAT_SOURCE))
#define CAN_WALK
#endif
/* The exact root of CUDA takes ten instructions. For results of bytes the nearly exact one, as in Vulkan, is enough. */
#if defined(__CUDA_ARCH__) && ((defined(FORMAT_STORED) && FORMAT_STORED == TYPE_U8) || defined(FORMAT_SOURCE))
FN float quick_root(float v) {
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(v));
    return root;
}
#undef sqrt
#define sqrt(v) quick_root(v)
#endif

BODY;
#ifdef CAN_WALK
#include "kernels/gpu/stencil/walk.h"
#if defined(LINEAR) && (defined(GLSL) || (defined(FORMAT_TYPE) && FORMAT_TYPE == TYPE_U8) || \
                        (defined(FORMAT_SOURCE) && FORMAT_SOURCE == 4 && FORMAT_SOURCE_TYPE == TYPE_U8))
#define CAN_WALK_WHOLE
#include "kernels/gpu/stencil/walk_whole.h"
#endif
/* The whole walk, by the body itself; on blocks of walk_whole.h piece by piece. */
LFN0(void, walk_block) {
    int piece = TILE_COLUMNS * WALK_MADE, first = BLOCK_X * piece, end = first + piece;
    bool walks = true;
#ifdef CAN_WALK_WHOLE
    if (path_known == STENCIL_WHOLE) {
        int bytes = 4 * TILE_COLUMNS * WHOLE_WORDS;
        BODY_BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
        first = BLOCK_X * bytes / WALK_SOURCE / WALK_MADE * WALK_MADE;
        end = ((BLOCK_X + 1) * bytes + WALK_SOURCE - 1) / WALK_SOURCE;
        walks = !CALL(walks_whole, P);
    }
#endif
    if (walks) {
        ROLLED for (int x = first; x < end; x += piece) {
            if (CALL(walk_lies_whole, x))
                CALL(walk, x, true);
            else
                CALL(walk, x, false);
        }
    }
}
#undef BLOCKS_PER_SM
#ifndef WALK_BLOCKS_PER_SM
#define WALK_BLOCKS_PER_SM 2
#endif
#define BLOCKS_PER_SM WALK_BLOCKS_PER_SM
#endif
#ifndef PIXELS
FN float filtered(int center, int k, int colors, BODY_BLOCK P) {
#ifdef NEAR_NUMBERS
    float near[9];
    UNROLL for (int j = 0; j < 9; j++)
        near[j] = tile[center + (j / 3 - 1) * TILE_WIDTH + j % 3 - 1];
    return k < colors ? body(near, P) : tile[center];
#else
    return k < colors ? body(center, P) : tile[center];
#endif
}
#endif

/* Pixels that a thread loads before it uses the first. */
#if defined(GLSL) || defined(PLAIN_FORM)
#define STENCIL_AT_ONCE 4
#else
#define STENCIL_AT_ONCE 1
#endif

LFN0(void, filter_tile) {
    int channels = in_channels_known, rows = STENCIL_ROWS(channels), plane = TILE_WIDTH * (rows + 2 * RADIUS);
    int left = BLOCK_X * TILE_COLUMNS, top = L.from_y + BLOCK_Y * rows;
    /* Rows further down than the last one's neighbors may not be there. */
    int right = L.width + RADIUS, bottom = L.to_y + RADIUS;
    for (int first = THREAD_Y * TILE_COLUMNS + THREAD_X; first < plane; first += STENCIL_AT_ONCE * TILE_THREADS) {
        vec4 v[STENCIL_AT_ONCE];
        UNROLL for (int k = 0; k < STENCIL_AT_ONCE; k++) {
            int i = first + k * TILE_THREADS, x = left - RADIUS + i % TILE_WIDTH, y = top - RADIUS + i / TILE_WIDTH, inside = 1;
            v[k] = rgba(0.0f, 0.0f, 0.0f, 0.0f);
            if (i < plane && x < right && y < bottom)
                v[k] = CALL(fetch_around, x, y, inside);
        }
        UNROLL for (int k = 0; k < STENCIL_AT_ONCE; k++) {
            if (first + k * TILE_THREADS < plane)
                tile_put(first + k * TILE_THREADS, plane, channels, v[k]);
        }
    }
    BARRIER;
    int x = left + THREAD_X;
#ifndef PIXELS
    int colors = L.stencil.channels;
#endif
    BODY_BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
    UNROLL for (int step = 0; step < STENCIL_STEPS(channels); step++) {
        int row = THREAD_Y * STENCIL_STEPS(channels) + step;
        int center = (row + RADIUS) * TILE_WIDTH + THREAD_X + RADIUS;
        if (x < L.width && top + row < L.to_y) {
#ifdef PIXELS
            vec4 v = channels_of(body(center, plane, channels, P), channels_known);
#else
            vec4 v = rgba(filtered(center, 0, colors, P), 0.0f, 0.0f, 0.0f);
            if (channels > 1)
                v.y = filtered(center + plane, 1, colors, P);
            if (channels > 2)
                v.z = filtered(center + 2 * plane, 2, colors, P);
            if (channels > 3)
                v.w = filtered(center + 3 * plane, 3, colors, P);
#endif
            CALL(deliver, x, top + row, v);
        }
    }
}

KERNEL(KERNEL_NAME, 32, 8) {
    BEGIN
#ifdef CAN_WALK
    if (path_known != STENCIL_BY_TILE)
        CALL0(walk_block);
    else
#endif
        CALL0(filter_tile);
    FINISH
}
