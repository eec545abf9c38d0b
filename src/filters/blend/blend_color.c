/* SPDX-License-Identifier: MIT */
#define NAME blend_color
#define SUMMARY "The hue and saturation of the second image with the luminosity of the first: to color a grey one"
#define SOURCE "W3C Compositing and Blending Level 1"
#define EXAMPLE "split[a][b];[b]gaussian=20[c];[a]grayscale[g];[g][c]blend_color"
#define TOLERANCE 1e-5
#define PARAMS BLEND_PARAMS
#include "filter/help/blend_params.h"
#include "filter/pixel2.h"
#include "filters/blend/hue_modes.h"

BODY {
    vec4 mixed = mode_set_luminosity(over, mode_luminosity(base));
    return mode_composite(base, over, mixed, P.opacity, P.compat);
}
