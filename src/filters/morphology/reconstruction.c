/* SPDX-License-Identifier: MIT */
#define NAME reconstruction
#define SUMMARY                                                                                                                    \
    "Grow the first image, the marker, under the second, the mask, until nothing changes: what it touches comes back whole"
#define ALIASES "morphological_reconstruction geodesic_reconstruction"
#define SOURCE "Vincent 1993, scikit-image's morphology.reconstruction"
#define EXAMPLE "grayscale,split[mask][b];[b]brightness=-0.2[marker];[marker][mask]reconstruction"
#define PARAMS                                                                                                         \
    CHOICE(op, 0, "dilation|erosion",                                                                                  \
           "dilation: bright parts grow below the mask, which cuts off what exceeds it; erosion: dark ones above it")  \
    CHOICE(neighbors, 0, "8|4", "to how many neighbors they grow: with those on diagonals or without")
#define ALPHA_DOC                                                                                                      \
    "reads the luminance over black of both, where colors count by their alpha; the result has none; NaN is below all numbers, " \
    "with op=erosion above"
#define GLOBAL RECONSTRUCT
#define INPUTS 2
#include "filter/global.h"
