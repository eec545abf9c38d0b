/* SPDX-License-Identifier: MIT
 * Pixels have an order: column by column from the left, each from the top. With `one` a pixel must be larger than its earlier
 * neighbors and not smaller than its later ones, which leaves one of two equal neighbors. */
#define NAME local_maxima
#define SUMMARY "Keep local maxima and make all else 0, per channel; nms does so whatever lies outside"
#define EXAMPLE "sobel,gaussian=1.5,local_maxima=3:0.3:result=mask,dilate=1"
#define TOLERANCE 1
#define PARAMS MAXIMA_PARAMS
#define RADIUS 3
#define KEEP_ALPHA
#include "filters/feature/maxima.h"
#include "filter/stencil.h"

FN float larger(float a, float b) { return a > b ? a : b; }
BODY {
    float own = AT(0, 0);
    float before = larger(larger(AT(-1, -1), AT(-1, 0)), larger(AT(-1, 1), AT(0, -1)));
    float after = larger(larger(AT(1, -1), AT(1, 0)), larger(AT(1, 1), AT(0, 1)));
    if (P.radius > 1) {
        before = larger(before, larger(larger(AT(-2, -2), AT(-2, -1)), larger(AT(-2, 0), AT(-2, 1))));
        before = larger(before, larger(larger(AT(-2, 2), AT(-1, -2)), larger(AT(-1, 2), AT(0, -2))));
        after = larger(after, larger(larger(AT(2, -2), AT(2, -1)), larger(AT(2, 0), AT(2, 1))));
        after = larger(after, larger(larger(AT(2, 2), AT(1, -2)), larger(AT(1, 2), AT(0, 2))));
    }
    if (P.radius > 2) {
        before = larger(before, larger(larger(AT(-3, -3), AT(-3, -2)), larger(AT(-3, -1), AT(-3, 0))));
        before = larger(before, larger(larger(AT(-3, 1), AT(-3, 2)), larger(AT(-3, 3), AT(-2, -3))));
        before = larger(before, larger(larger(AT(-2, 3), AT(-1, -3)), larger(AT(-1, 3), AT(0, -3))));
        after = larger(after, larger(larger(AT(3, -3), AT(3, -2)), larger(AT(3, -1), AT(3, 0))));
        after = larger(after, larger(larger(AT(3, 1), AT(3, 2)), larger(AT(3, 3), AT(2, -3))));
        after = larger(after, larger(larger(AT(2, 3), AT(1, -3)), larger(AT(1, 3), AT(0, 3))));
    }
    bool first = own > before || (P.ties == 2 && own == before);
    bool last = own > after || (P.ties != 1 && own == after);
    return first && last && own >= P.threshold ? (P.result == 0 ? own : 1.0f) : 0.0f;
}
