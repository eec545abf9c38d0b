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

/* Numbers of a tile with a halo, all channels: the largest that any count of channels takes. */
#define TILE_OF(radius, channels) ((TILE_COLUMNS + 2 * (radius)) * (TILE_ROWS(channels) + 2 * (radius)) * (channels))
#define TILE_NUMBERS(radius)                                                                                           \
    (TILE_OF(radius, 1) > TILE_OF(radius, 4)                                                                           \
         ? TILE_OF(radius, 1)                                                                                          \
         : (TILE_OF(radius, 2) > TILE_OF(radius, 4) ? TILE_OF(radius, 2) : TILE_OF(radius, 4)))

/* Numbers that a window's tile takes; 6 KB. */
#define WINDOW_NUMBERS 1536

/* The same of a median's. */
#define RANK_NUMBERS 1536

#endif
