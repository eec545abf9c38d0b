/* SPDX-License-Identifier: MIT
 * The parameters that the steps of bilateral_levels share. */
#ifndef FILTERS_BLUR_BILATERAL_PARAMS_H
#define FILTERS_BLUR_BILATERAL_PARAMS_H
#define BILATERAL_PARAMS                                                                                               \
    FLOAT(level, 0.5, -UNBOUNDED, UNBOUNDED, "", "the sum of the channels that belongs to it wholly")                  \
    FLOAT(sigma_color, 0.2, 0.02, 1000, "", "how far away a sum is that belongs to it by 1 / e")                     \
    FLOATS(counts, 4, "1|1|1|0", 0, 1, "1 for those of red, green, blue and alpha that the image has, else 0")
#endif
