/* SPDX-License-Identifier: MIT */
#define NAME blend_source_over
#define SUMMARY "Lay the second image over the first by its alpha"
#define ALIASES "blend_normal normal over"
#define EXAMPLE "split[a][b];[b]invert,opacity=0.4[c];[a][c]blend_source_over"
#include "filter/blend.h"

BODY { return s; }
