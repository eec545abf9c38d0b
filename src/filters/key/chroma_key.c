/* SPDX-License-Identifier: MIT
 * The distance is that of Cr and Cb of BT.601, so shadows on the screen are keyed too. */
#define NAME chroma_key
#define SUMMARY "Make the pixels of one color transparent; colors stay as they are"
#define ALIASES "chromakey"
#define EXAMPLE "chroma_key=0.45|0.6|0.1|1:0.12:0.1"
#define CHANNELS ADD_ALPHA
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    COLOR(color, 0, 1, 0, 1, 0, 1, "the color that goes")                                                              \
    FLOAT(threshold, 0.4, 0, 1, "", "chroma that is nearer to the color's is transparent")                             \
    FLOAT(smoothing, 0.1, 0, 1, "", "from there to opaque; 0 is a hard edge")
#include "filter/pixel.h"
#include "filters/key/chroma.h"

BODY { return rgba(c.x, c.y, c.z, c.w * chroma_unlike(c, P.color, P.threshold, P.smoothing)); }
