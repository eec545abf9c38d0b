/* SPDX-License-Identifier: MIT
 * Kind: global, a whole image in, or two (INPUTS) of one size, an image of that size out. The file has no body; it says which
 * operation by GLOBAL, a name of enum weft_global, and its parameters begin as that tells. Without GLOBAL it is CONNECT, pixels
 * that are connected to seeds: where the luminance exceeds `high` is a seed; the result is 1 at seeds and wherever the luminance
 * exceeds `low` and neighbors of which the same is true lead to a seed, however long the way, and 0 elsewhere. */
#ifndef GLOBAL
#define GLOBAL CONNECT
#define KIND_PARAMS                                                                                                    \
    FLOAT(low, 0.1, -UNBOUNDED, UNBOUNDED, "", "luminance that does not exceed it is black; 1 is full scale")          \
    FLOAT(high, 0.3, -UNBOUNDED, UNBOUNDED, "", "luminance that exceeds it is white; between the two, what is connected") \
    CHOICE(neighbors, 0, "8|4", "how many neighbors a pixel is connected to: with those on its diagonals or without")
#endif
#define CHANNELS PLANE
#ifndef ALPHA
#define ALPHA PREMULTIPLIED
#endif
#ifndef ALPHA_DOC
#define ALPHA_DOC "reads the luminance over black, where colors count by their alpha; the result has none"
#endif
#include "filter/template.h"
#ifndef INPUTS
#define INPUTS 1
#endif
DESCRIPTOR("global", INPUTS)
    .kind = WEFT_KIND_GLOBAL, .border = -1, .global = CAT(WEFT_GLOBAL_, GLOBAL), .luminance = true };
