/* SPDX-License-Identifier: MIT
 * Exact distances: in each column how far the nearest dark pixel is, first within pieces of so many rows, then in all; then the
 * least square along each row. */
#ifndef KERNELS_GPU_DISTANCE_H
#define KERNELS_GPU_DISTANCE_H

#define DISTANCE_ROWS 64
#define DISTANCE_SIDE 32767 /* the largest side of an image: sums of two squares are whole numbers of 32 bits */
#define DISTANCE_NONE 1.0e9f

#endif
