/* SPDX-License-Identifier: MIT */
#define NAME blend_multiply
#define SUMMARY "Multiply two images: as ink on paper, never brighter"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]blend_multiply"
#include "filter/blend.h"

BODY { return b * s; }
COMPAT { return s * b + rest; }
