/* SPDX-License-Identifier: MIT */
#define NAME blend_luminosity
#define SUMMARY "The luminosity of the second image with the hue and saturation of the first"
#define SOURCE "W3C Compositing and Blending Level 1"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]blend_luminosity"
#define TOLERANCE 1e-5
#define PARAMS BLEND_PARAMS
#include "filter/help/blend_params.h"
#include "filter/pixel2.h"
#include "filters/blend/hue_modes.h"

BODY {
    vec4 mixed = mode_set_luminosity(base, mode_luminosity(over));
    return mode_composite(base, over, mixed, P.opacity, P.compat);
}
