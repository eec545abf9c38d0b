/* SPDX-License-Identifier: MIT */
#define NAME blend_source_over
#define SUMMARY "Lay the second image over the first by its alpha"
#define ALIASES "blend_normal normal over overlay_points"
#define EXAMPLE "split[a][b];[b]invert,opacity=0.4[c];[a][c]blend_source_over"
#define COMPAT_ALPHA mix(ba, sa, sa)
#define MEAN
#include "filter/blend.h"

BODY { return s; }
COMPAT { return mix(b, s, sa); }
