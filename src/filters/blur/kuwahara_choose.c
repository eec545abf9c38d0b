/* SPDX-License-Identifier: MIT */
#define NAME kuwahara_choose
#define SUMMARY "Of two images the pixel whose fourth channel is smaller, the first's where they are equal"
#define STEP_OF "kuwahara"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]kuwahara_choose"
#define ALPHA ANY
#define ALPHA_DOC "the fourth channel decides"
#define TOLERANCE 1
#include "filter/pixel2.h"

BODY {
    bool second = over.w < base.w;
    return rgba(second ? over.x : base.x, second ? over.y : base.y, second ? over.z : base.z, second ? over.w : base.w);
}
