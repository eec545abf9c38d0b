/* SPDX-License-Identifier: MIT */
#define NAME premultiply_hidden
#define SUMMARY "Multiply the colors by alpha, those of hidden pixels by next to nothing"
#define STEP_OF "every warp that mixes pixels"
#define ROLE PREMULTIPLY_HIDDEN
#define ALPHA ANY
#define INFER multiplied
#include "filter/pixel.h"
#include "filters/color/alpha_form.h"
#include "filter/help/hidden.h"

BODY {
    float alpha = c.w == 0.0f ? HIDDEN_ALPHA : c.w;
    return rgba(c.x * alpha, c.y * alpha, c.z * alpha, alpha);
}
