/* SPDX-License-Identifier: MIT
 * Kernels that read an image of a known format once, for its reduction alone: what they and the host size alike. */
#ifndef KERNELS_GPU_COUNTERS_H
#define KERNELS_GPU_COUNTERS_H

/* Images are read in units of whole pixels: 16 bytes, or 48 of three channels; some of them at a time. */
#define UNIT_BYTES(planes) ((planes) == 3 ? 48 : 16)
#define UNITS_UNDER_WAY 4

/* A block's counters in shared memory, of 4 bytes each: those of a bin are COUNTER_COLUMNS at most, a memory bank each. */
#define COUNTERS 8192
#define COUNTER_COLUMNS_LOG 5

#endif
