/* SPDX-License-Identifier: MIT
 * Where the divisor is a step or two of u16, an error in its last bit is as large as the tolerance. */
#define NAME blend_divide
#define SUMMARY "Divide the first image by the second: undoes an uneven light that the second shows"
#define SOURCE "the quotient, composited as W3C Compositing and Blending Level 1 does"
#define EXAMPLE "split[a][b];[b]gaussian=40[light];[a][light]blend_divide=0.8"
#define TOLERANCE 4e-3
#include "filter/blend.h"

BODY { return b <= 0.0f ? 0.0f : (b < s ? b / s : 1.0f); }
COMPAT { return sa == 0.0f || b * sa > ba * s ? sa * ba + rest : b * sa * sa / (s > 0.0f ? s : 1.0f) + rest; }
