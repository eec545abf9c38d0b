/* SPDX-License-Identifier: MIT */
#define NAME replace_luminance
#define SUMMARY "Give the first image the luminance of the second; its differences of color stay"
#define EXAMPLE "split[a][b];[b]median=8[c];[a][c]replace_luminance"
#define TOLERANCE 4e-6
#include "filter/pixel2.h"

BODY {
    float change = luminance(over) - luminance(base);
    return rgba(base.x + change, base.y + change, base.z + change, base.w);
}
