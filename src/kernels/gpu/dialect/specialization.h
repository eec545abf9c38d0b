/* SPDX-License-Identifier: MIT
 * The ids of what Vulkan fixes when it makes a pipeline, for kernels and the host. */
#ifndef KERNELS_GPU_SPECIALIZATION_H
#define KERNELS_GPU_SPECIALIZATION_H

#define LAUNCH_FOLDED 16 /* instructions of a program that Vulkan folds into the pipeline; longer ones are read */

/* Numbers that Vulkan fixes in the pipeline (CONSTANT, KNOWN), by id. 0..7 here, 8..14 the kernel's own, then 15, then four for
 * each instruction of the two programs: op, operands, shape, block. */
#define SPECIAL_FOLDED 0    /* 1: programs are in the pipeline; 0: they are read from the launch */
#define SPECIAL_IN_TYPE 1
#define SPECIAL_IN_CHANNELS 2
#define SPECIAL_CHANNELS 3
#define SPECIAL_LOAD_COUNT 4
#define SPECIAL_STORE_COUNT 5
#define SPECIAL_BORDER 6
#define SPECIAL_REDUCE_COUNT 7
#define SPECIAL_KERNEL 8
#define SPECIAL_CONVERTS 15
#define SPECIAL_LOAD 16
#define SPECIAL_STORE (SPECIAL_LOAD + 4 * LAUNCH_FOLDED)
#define SPECIAL_HALVES (SPECIAL_STORE + 4 * LAUNCH_FOLDED) /* 1: the device's own conversions of half floats are IEEE's */
#define SPECIAL_UNITS (SPECIAL_HALVES + 1) /* 1: its units for exp2 and log2 are as exact as the dialect's polynomials */
#define SPECIALS (SPECIAL_UNITS + 1)

#endif
