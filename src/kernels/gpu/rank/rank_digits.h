/* SPDX-License-Identifier: MIT
 * How kernels and host size blocks of medians by digits. */
#ifndef KERNELS_GPU_RANK_DIGITS_H
#define KERNELS_GPU_RANK_DIGITS_H

/* The largest radius: a square's places are counted in 16 bits, a side's in 8. */
#define RANK_DIGITS_RADIUS 127
/* Columns that a block counts, of which it makes those that are far enough from its sides; more where the radius leaves
 * few of 256. */
#define RANK_DIGITS_COLUMNS(radius) ((radius) > 63 ? 512 : 256)
#define RANK_DIGITS_OUTPUTS(radius) ((RANK_DIGITS_COLUMNS(radius) - 2 * (radius)) / 8 * 8)
#define RANK_DIGITS_GROUP 4 /* rows at a time */
#define RANK_DIGITS_WIDE_BYTES 44000 /* of shared memory that a block of 512 columns has, no less */
#define RANK_DIGITS_CHUNK 128 /* rows of a block, at most */
/* What comes and what goes differ by at most 127 in so many columns; parts of a side. */
#define RANK_DIGITS_PART 127
#define RANK_DIGITS_PARTS(radius) ((2 * (radius) + RANK_DIGITS_PART) / RANK_DIGITS_PART)

#endif
