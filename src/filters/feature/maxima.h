/* SPDX-License-Identifier: MIT
 * The parameters that nms and local_maxima share. */
#define MAXIMA_PARAMS                                                                                                  \
    INT(radius, 1, 1, 3, "px", "compare with the square of 2 radius + 1 pixels around")                                \
    FLOAT(threshold, 0, -UNBOUNDED, UNBOUNDED, "", "smaller values are no maxima; 1 is full scale")                    \
    CHOICE(ties, 0, "one|none|all",                                                                                    \
           "which of equal neighbors stay: one of two; none; all, where whole plateaus are maxima")                    \
    CHOICE(result, 0, "value|mask", "the value of the maximum, or 1")
