/* SPDX-License-Identifier: MIT
 * Boxes and centroids of numbers: what the kernel and the host size alike. */
#ifndef KERNELS_GPU_PLACES_H
#define KERNELS_GPU_PLACES_H

#define PLACES_ROWS 32 /* rows that a thread walks down */

#endif
