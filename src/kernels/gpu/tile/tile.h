/* SPDX-License-Identifier: MIT
 * Tiles of pixels that kernels and the host size alike: blocks of 32 x 8 threads, each thread TILE_STEPS(channels)
 * pixels one below the other, so that images of few channels have less halo for the same shared memory. */
#ifndef KERNELS_GPU_TILE_H
#define KERNELS_GPU_TILE_H

#define TILE_COLUMNS 32
#define TILE_THREAD_ROWS 8
#define TILE_THREADS (TILE_COLUMNS * TILE_THREAD_ROWS)
#define TILE_STEPS(channels) ((channels) == 1 ? 4 : (channels) == 2 ? 2 : 1)
#define TILE_ROWS(channels) (TILE_THREAD_ROWS * TILE_STEPS(channels))

/* Columns of a strip, a thread each (strip.h). */
#define STRIP_COLUMNS 256

/* Numbers of a tile with a halo, all channels: the largest that any count of channels takes. */
#define TILE_OF(radius, channels) ((TILE_COLUMNS + 2 * (radius)) * (TILE_ROWS(channels) + 2 * (radius)) * (channels))
#define TILE_NUMBERS(radius)                                                                                           \
    (TILE_OF(radius, 1) > TILE_OF(radius, 4)                                                                           \
         ? TILE_OF(radius, 1)                                                                                          \
         : (TILE_OF(radius, 2) > TILE_OF(radius, 4) ? TILE_OF(radius, 2) : TILE_OF(radius, 4)))

/* A warp's tile: pixels of a thread one below the other share what a block finds once; of several places a pixel few do, as some
 * drivers end loops early. A pixel of bytes is one word there. */
#define WARP_STEPS(words, several) ((several) ? TILE_STEPS(words) : (words) == 1 ? 4 : 2)
#define WARP_ROWS(words, several) (TILE_THREAD_ROWS * WARP_STEPS(words, several))
#define WARP_NUMBERS (WARP_ROWS(4, false) * 4) /* of a column of the tile, at most */
/* A block makes tiles one below the other, WARP_ROWS(1, ...) rows of them at least, as long as there are so many blocks for each
 * multiprocessor. */
#define WARP_MOST_TILES 4
#define WARP_BLOCKS 16

/* Columns of a block of point programs, and bytes of a row of one that goes by tables. */
#define POINT_COLUMNS 128
#define POINT_BYTES 4096

/* Rows that `separable` makes in a step, and columns that a block reads on each side: whole sectors of 32 bytes of f32. */
#define SEPARABLE_HALO(radius) (((radius) + 7) / 8 * 8)
#define SEPARABLE_ROWS(radius, planes) ((planes) > 1 ? 4 : (radius) > 9 ? 8 : 16)
/* The least radius along both axes of filters that a variant is for; it skips weights beyond the filter's radius. Some variants are
 * for their own radius alone, since these tests take a tenth to a fifth of the time. */
#define SEPARABLE_LEAST(radius)                                                                                        \
    ((radius) == 18 ? 15 : (radius) == 14 ? 10 : (radius) == 9 ? 6 : (radius) == 5 ? 3 : (radius))
/* Blocks per multiprocessor that its registers allow; so does its tile, where drivers have 48 KB of shared memory. */
#define SEPARABLE_BLOCKS_PER_SM(radius, planes) ((planes) == 1 ? ((radius) > 4 ? 2 : 3) : (radius) > 9 ? 1 : (radius) > 2 ? 2 : 3)

/* `convolve_line`: outputs along the axis of a thread and of a block, and pixels across it. */
#define CONVOLVE_MADE 16
#define CONVOLVE_LINE 128
#define CONVOLVE_ACROSS(planes) (32 / (planes))

/* The most that `interpolate` enlarges by, pixels of the input that a thread needs, and quads of weights along y. */
#define INTERPOLATE_STEPS 8
#define INTERPOLATE_MOST_REACH 11
#define INTERPOLATE_MOST_QUADS 3

/* The most that `decimate` reduces by, columns of the input that a block takes, and how a row of them lies in shared memory. */
#define DECIMATE_STEPS 8
#define DECIMATE_THREADS 256
#define DECIMATE_COLUMNS(planes) ((planes) == 1 ? 1024 : 496)
#define DECIMATE_PITCH(columns, step) (((columns) + (step) - 1) / (step) | 1) /* odd, to avoid bank conflicts */
#define DECIMATE_SHARED(planes) ((planes) == 1 ? 1032 : 508)
#define DECIMATE_QUADS(active) (((active) + 3) / 4)
/* Columns of the result that a block makes. Words of four columns may begin 3 columns before the first. */
#define DECIMATE_MADE(planes, step, active) ((DECIMATE_COLUMNS(planes) - ((planes) == 1 ? 3 : 0)) / (step) - (active) + 1)

/* Threads of a block of `resample_down` and `resample_up`, and of `halve` and `doubling`. Each has up to 8 numbers of a row of the
 * input, of all channels, in shared memory; and quads of numbers there in `doubling`, of which 4 may be beyond the last. */
#define RESAMPLE_THREADS 256
#define HALVE_THREADS 128
#define DOUBLING_THREADS 128
#define DOUBLING_QUADS 140

/* A stencil's tile: each thread makes pixels one below the other, which look at much the same neighbors. */
#define STENCIL_STEPS(channels) ((channels) == 1 ? 4 : 2)
#define STENCIL_ROWS(channels) (TILE_THREAD_ROWS * STENCIL_STEPS(channels))
#define STENCIL_OF(radius, channels) ((TILE_COLUMNS + 2 * (radius)) * (STENCIL_ROWS(channels) + 2 * (radius)) * (channels))
#define STENCIL_NUMBERS(radius, channels)                                                                              \
    (STENCIL_OF(radius, 1) > STENCIL_OF(radius, channels) ? STENCIL_OF(radius, 1) : STENCIL_OF(radius, channels))

/* The columns and rows of the neighborhood that a window's kernel takes at a time: few columns, since those of neighboring
 * pixels overlap anyway, and then as many rows as the tile has room for. The tile is as wide for fewer, so that places in
 * it are known when kernels are compiled. `few`: a thread makes fewer pixels of several channels, one below the other, and
 * a tile takes 12 KB, else 9 to 23. */
#define WINDOW_MOST_STEPS 4
#define WINDOW_STEPS(channels, few) ((channels) == 4 || ((few) && (channels) > 1) ? 2 : WINDOW_MOST_STEPS)
#define WINDOW_ROWS(channels, few) (TILE_THREAD_ROWS * WINDOW_STEPS(channels, few))
#define WINDOW_COLUMNS(channels) ((channels) == 1 ? 17 : 9)
#define WINDOW_PITCH(channels) (TILE_COLUMNS - 1 + WINDOW_COLUMNS(channels))
#define WINDOW_PIECE_ROWS(channels, few)                                                                               \
    ((few) ? 3072 / (WINDOW_PITCH(channels) * (channels)) - WINDOW_ROWS(channels, few) + 1 : 17)
#define WINDOW_PLANE(channels, few)                                                                                    \
    (WINDOW_PITCH(channels) * (WINDOW_ROWS(channels, few) - 1 + WINDOW_PIECE_ROWS(channels, few)))
#define WINDOW_MOST_NUMBERS(few) ((few) ? 3072 : 3 * WINDOW_PLANE(3, few))
#define WINDOW_SHARES (WINDOW_COLUMNS(1) * WINDOW_PIECE_ROWS(1, true))

/* A stencil of radius 1 that walks (walk.h): pixels of a row that a thread makes of an image of `source` channels, of which
 * the body sees `channels`; `few`: so that arrays stay as small as compilers of Vulkan's drivers keep in registers. And rows
 * that the 8 threads of a column step by, as those of register_rows.h do. */
#define WALK_PIXELS(type, source, channels, few)                                                                       \
    ((type) != TYPE_U8 ? ((source) == 1 ? 4 : 1) : (few) ? 4 : (source) == 1 ? 16 : (source) != (channels) ? 8 : 4)
/* The same in whole numbers (walk_whole.h): words of a thread, and of a block bytes. */
#define WALK_WHOLE_WORDS(source, channels, few) ((source) != (channels) && !(few) ? 8 : 4)
#define WALK_WHOLE_BYTES(source, channels, few) (4 * TILE_COLUMNS * WALK_WHOLE_WORDS(source, channels, few))
#define WALK_ROWS 3
#define NEAR_MADE 4 /* that a thread of register_rows.h makes of a row */
#define WALK_STEP (WALK_ROWS * TILE_THREAD_ROWS)

/* The same of a median's. */
#define RANK_NUMBERS 1536

#endif
