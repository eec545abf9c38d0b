/* SPDX-License-Identifier: MIT */
#define NAME blend_exclusion
#define SUMMARY "As difference, with less contrast: where both are grey the result is grey"
#define EXAMPLE "split[a][b];[b]flip[c];[a][c]blend_exclusion"
#define COMPAT_ALPHA ba
#include "filter/blend.h"

BODY { return b + s - 2.0f * b * s; }
COMPAT { return s * ba + b * sa - 2.0f * s * b + rest; }
