/* SPDX-License-Identifier: MIT
 * Where colors are next to grey their hue is a quotient of small differences, hence the tolerance. */
#define NAME blend_hue
#define SUMMARY "The hue of the second image with the saturation and luminosity of the first"
#define SOURCE "W3C Compositing and Blending Level 1"
#define EXAMPLE "split[a][b];[b]color_matrix=0|0|1|0|1|0|0|0|0|1|0|0|0|0|0|1[c];[a][c]blend_hue"
#define TOLERANCE 4e-3
#define PARAMS BLEND_PARAMS
#include "filter/help/blend_params.h"
#include "filter/pixel2.h"
#include "filters/blend/hue_modes.h"

BODY {
    vec4 mixed = mode_set_luminosity(mode_set_saturation(over, mode_saturation(base), P.compat), mode_luminosity(base));
    return mode_composite(base, over, mixed, P.opacity, P.compat);
}
