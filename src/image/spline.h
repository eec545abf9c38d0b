/* SPDX-License-Identifier: MIT
 * Natural cubic splines: a cubic between each two points, with slopes and curvatures that meet, and no curvature at the ends. */
#ifndef IMAGE_SPLINE_H
#define IMAGE_SPLINE_H
#include <stdint.h>

#define WEFT_SPLINE_POINTS 32 /* at most */

struct weft_spline_point {
    double x, y;
};

/* The second derivatives at points in order of x, by elimination in their tridiagonal system. */
static inline void weft_spline_bend(const struct weft_spline_point *points, int32_t count, double *second) {
    double above[WEFT_SPLINE_POINTS] = {0};
    second[0] = second[count - 1] = 0;
    for (int32_t k = 1; k < count - 1; k++) {
        double left = points[k].x - points[k - 1].x, right = points[k + 1].x - points[k].x;
        double rise = (points[k + 1].y - points[k].y) / right - (points[k].y - points[k - 1].y) / left;
        double pivot = 2 * (left + right) - left * above[k - 1];
        above[k] = right / pivot;
        second[k] = (6 * rise - left * second[k - 1]) / pivot;
    }
    for (int32_t k = count - 2; k > 0; k--)
        second[k] -= above[k] * second[k + 1];
}

/* The cubic from point k to the next: factors on the distance from there, its square and its cube. */
static inline void weft_spline_piece(const struct weft_spline_point *points, const double *second, int32_t k, double factor[3]) {
    double wide = points[k + 1].x - points[k].x;
    factor[0] = (points[k + 1].y - points[k].y) / wide - wide * (2 * second[k] + second[k + 1]) / 6;
    factor[1] = second[k] / 2;
    factor[2] = (second[k + 1] - second[k]) / (6 * wide);
}

#endif
