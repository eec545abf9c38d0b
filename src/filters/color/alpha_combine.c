/* SPDX-License-Identifier: MIT */
#define NAME alpha_combine
#define SUMMARY "The colors of the first image with the red or grey of the second as alpha"
#define ALIASES "alphamerge"
#define EXAMPLE "split[a][b];[b]grayscale[m];[a][m]alpha_combine"
#define CHANNELS ADD_ALPHA
#define EXACT true
#include "filter/pixel2.h"

BODY { return rgba(base.x, base.y, base.z, over.x); }
