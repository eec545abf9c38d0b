/* SPDX-License-Identifier: MIT
 * What local_binary_pattern and its form for colors share. */
#define PATTERN_PARAMS                                                                                                 \
    CHOICE(neighbors, 0, "square|circle",                                                                              \
           "the 8 pixels around, or 8 places at distance 1, those on diagonals interpolated between 4 pixels")         \
    CHOICE(code, 0, "upper_right|right|smallest|uniform",                                                              \
           "8 bits counterclockwise from the upper right neighbor or from the right one; the smallest of the 8 "       \
           "rotations; or how many bits are set where they form at most one run, else 9")
#define SOURCE "Ojala, Pietikainen and Maenpaa 2002; upper_right is the order of GPUImage, right that of scikit-image"
#define TOLERANCE 1
