/* SPDX-License-Identifier: MIT
 * Launch data of the kernels around reductions: what becomes of partial results and of the numbers found. */
#ifndef KERNELS_GPU_REDUCE_LAUNCH_H
#define KERNELS_GPU_REDUCE_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct reduced_launch {
    address partials; /* reduce_finish: the partial results, or the table of counts, which is zero again afterwards */
    address blocks; /* bind: where the pass finds its parameter blocks */
    int numbers; /* bind: how many there are */
    int copies_words; /* bind: 1: copy the launch's own words there first */
    int what; /* reduce_finish: REDUCE_* */
    int channels; /* of the image */
    int partial_count; /* of a channel */
    int bins; /* of a histogram */
    /* what sums are divided by, as two floats: pixels of the image for a mean, times the steps of whole numbers */
    float divisor, divisor_rest;
    /* count_image: columns of counters for a bin, as a power of two; of bytes COUNTER_COLUMNS_LOG stands for it */
    int columns_log;
};
#undef LAUNCH_OF
#define LAUNCH_OF reduced

#endif
