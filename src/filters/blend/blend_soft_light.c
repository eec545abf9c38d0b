/* SPDX-License-Identifier: MIT */
#define NAME blend_soft_light
#define SUMMARY "Darken or brighten the first image as the second is dark or bright: as a diffuse spotlight"
#define EXAMPLE "split[a][b];[b]grayscale,gaussian=4[c];[a][c]blend_soft_light"
#include "filter/blend.h"

BODY {
    float t = clamp(b, 0.0f, 1.0f), root = t <= 0.25f ? ((16.0f * t - 12.0f) * t + 4.0f) * t : sqrt(t);
    return s <= 0.5f ? b - (1.0f - 2.0f * s) * b * (1.0f - b) : b + (2.0f * s - 1.0f) * (root - b);
}
COMPAT {
    float share = b / (ba > 0.0f ? ba : 1.0f);
    return b * (sa * share + 2.0f * s * (1.0f - share)) + rest;
}
