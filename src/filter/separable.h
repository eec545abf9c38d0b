/* SPDX-License-Identifier: MIT
 * Kind: separable, weights along x times weights along y. The file defines `taps` (filter/filter.h). border=shrink
 * divides by the weight that lies inside (weft_weight_inside). With KEEP_ALPHA alpha is copied where colors come straight. */
#include "filter/help/border.h"
#define KIND_PARAMS BORDER_PARAMS
#define KIND_DYNAMIC false
#ifndef ALPHA
#define ALPHA PREMULTIPLIED
#endif
#ifdef KEEP_ALPHA
#define KEEP_ALPHA_FLAG true
#else
#define KEEP_ALPHA_FLAG false
#endif
#include "filter/template.h"
static weft_status taps(const void *block, enum weft_direction direction, bool precise, struct weft_taps *taps,
                        weft_error *error);
DESCRIPTOR("separable", 1)
    .kind = WEFT_KIND_SEPARABLE, .border = BORDER_INDEX, .per_channel = KEEP_ALPHA_FLAG, .taps = taps };
