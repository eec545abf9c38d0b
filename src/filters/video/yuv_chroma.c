/* SPDX-License-Identifier: MIT */
#define NAME yuv_chroma
#define SUMMARY "The second and the third channel as an image of two"
#define STEP_OF "rgb_to_yuv"
#define EXAMPLE "yuv_encode,yuv_chroma,swizzle=0:3:0:3"
#define CHANNELS PAIR
#define ALPHA_DOC ALPHA_DOC_STRAIGHT "; the result has none"
#define EXACT true
#include "filter/pixel.h"

BODY { return rgba(c.y, c.y, c.y, c.z); }
