/* SPDX-License-Identifier: MIT
 * How kernel and host size blocks of medians of few bytes. */
#ifndef KERNELS_GPU_RANK_FEW_BYTES_H
#define KERNELS_GPU_RANK_FEW_BYTES_H

/* Bytes of a row that a block makes, and rows that a thread does, four of which are one below the other. */
#define RANK_FEW_BYTES 512
#define RANK_FEW_ROWS 16

#endif
