/* SPDX-License-Identifier: MIT
 * Bit k says whether neighbor k is at least as bright as the center; neighbors are counted from the right one
 * counterclockwise. Pixels are taken in whole steps of 16 bits, in which those of 8 bits are whole too, and only their
 * differences from the center are interpolated, so that what is equal compares equal on every device. */
#define NAME color_local_binary_pattern
#define SUMMARY "Describe texture per channel: which of 8 neighbors are at least as bright, as a code of full scale 255"
#define ALIASES "color_lbp"
#define EXAMPLE "gaussian=1.5,color_local_binary_pattern"
#define RADIUS 1
#define KEEP_ALPHA
#define PARAMS PATTERN_PARAMS
#include "filters/feature/binary_pattern.h"
#include "filter/stencil.h"

FN float steps_of(float v) { return floor(v * 65535.0f + 0.5f); }
/* The neighbor between two pixels beside the center and their corner, or the corner; all less the center. */
FN float diagonal(float side, float other, float corner, int circle) {
    return circle != 0 ? 0.20710678f * (side + other) + 0.5f * corner : corner;
}
FN float rotated(float code) { return 2.0f * code - (code >= 128.0f ? 255.0f : 0.0f); }

BODY {
    float middle = steps_of(AT(0, 0)), right = steps_of(AT(1, 0)) - middle, up = steps_of(AT(0, -1)) - middle;
    float left = steps_of(AT(-1, 0)) - middle, down = steps_of(AT(0, 1)) - middle;
    float b0 = step(0.0f, right), b2 = step(0.0f, up), b4 = step(0.0f, left), b6 = step(0.0f, down);
    float b1 = step(0.0f, diagonal(right, up, steps_of(AT(1, -1)) - middle, P.neighbors));
    float b3 = step(0.0f, diagonal(up, left, steps_of(AT(-1, -1)) - middle, P.neighbors));
    float b5 = step(0.0f, diagonal(left, down, steps_of(AT(-1, 1)) - middle, P.neighbors));
    float b7 = step(0.0f, diagonal(down, right, steps_of(AT(1, 1)) - middle, P.neighbors));
    float code = b0 + 2.0f * b1 + 4.0f * b2 + 8.0f * b3 + 16.0f * b4 + 32.0f * b5 + 64.0f * b6 + 128.0f * b7;
    float changes = abs(b0 - b1) + abs(b1 - b2) + abs(b2 - b3) + abs(b3 - b4) + abs(b4 - b5) + abs(b5 - b6) +
                    abs(b6 - b7) + abs(b7 - b0);
    float runs = changes > 2.0f ? 9.0f : b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7;
    float r1 = rotated(code), r2 = rotated(r1), r3 = rotated(r2), r4 = rotated(r3), r5 = rotated(r4);
    float r6 = rotated(r5), r7 = rotated(r6);
    float smallest = min(min(min(code, r1), min(r2, r3)), min(min(r4, r5), min(r6, r7)));
    float chosen = P.code == 0 ? r7 : (P.code == 1 ? code : (P.code == 2 ? smallest : runs));
    return chosen * (1.0f / 255.0f);
}
