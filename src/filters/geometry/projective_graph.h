/* SPDX-License-Identifier: MIT
 * What rotate, affine and perspective share: the graph that shows an image through a projective map. The map takes places of the
 * result to places of the input, by rows, where the centers of pixels are whole numbers. */
#ifndef GEOMETRY_PROJECTIVE_GRAPH_H
#define GEOMETRY_PROJECTIVE_GRAPH_H
#include <math.h>
#include "base/status.h"
#include "filter/help/subgraph.h"
#include "filters/geometry/projective.h"

#define PROJECTIVE_GRAPH_PARAMS                                                                                        \
    CHOICE(method, 1, "nearest|bilinear|bicubic|lanczos3",                                                             \
           "the interpolation; but for nearest, where the image shrinks it is the mean over several places")           \
    FIXED_CHOICE(border, 4, "replicate|mirror|symmetric|wrap|constant",                                                \
                 "what lies outside the image")                                                                        \
    FLOAT(border_value, 0, -UNBOUNDED, UNBOUNDED, "", "the value outside for border=constant, 1 is full scale; 0 is transparent")
#define PROJECTIVE_MOST_SAMPLES 16

struct projective_settings {
    int32_t method, border;
    double border_value;
};

static inline void projective_multiply(const double *a, const double *b, double *product) {
    for (int i = 0; i < 9; i++)
        product[i] = a[i / 3 * 3] * b[i % 3] + a[i / 3 * 3 + 1] * b[3 + i % 3] + a[i / 3 * 3 + 2] * b[6 + i % 3];
}

/* Returns false where the matrix has no inverse. */
static inline bool projective_invert(const double *m, double *inverse) {
    double c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8], c2 = m[3] * m[7] - m[4] * m[6];
    double determinant = m[0] * c0 + m[1] * c1 + m[2] * c2, size = 0;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fabs(m[i]));
    if (!isfinite(determinant) || fabs(determinant) <= 1e-14 * size * size * size)
        return false;
    const double adjugate[9] = {c0, m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                                c1, m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                                c2, m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
    for (int i = 0; i < 9; i++)
        inverse[i] = adjugate[i] / determinant;
    return true;
}

/* How many input pixels a step of one result pixel goes at most, over 5 x 5 places of the result: the longest column of the
 * map's Jacobian. `map` counts from the middles. */
static inline double projective_stretch(const double *map, double width, double height) {
    double longest = 0;
    for (int i = 0; i < 25; i++) {
        double u = (i % 5 / 4.0 - 0.5) * (width - 1), v = (i / 5 / 4.0 - 0.5) * (height - 1);
        double w = map[6] * u + map[7] * v + map[8];
        if (w < (double)PROJECTIVE_HORIZON)
            continue;
        double x = (map[0] * u + map[1] * v + map[2]) / w, y = (map[3] * u + map[4] * v + map[5]) / w;
        for (int axis = 0; axis < 2; axis++)
            longest = fmax(longest, hypot(map[axis] - x * map[6 + axis], map[3 + axis] - y * map[6 + axis]) / w);
    }
    return longest;
}

/* Whether a map takes every place to itself: then colors under an alpha of 0 stay, too, which no interpolation keeps. */
static inline bool projective_keeps(const double *pixels, double width, double height) {
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, sizes[3] = {width, height, 1};
    double off = 0;
    for (int i = 0; i < 9; i++)
        off = fmax(off, fabs(pixels[i] / pixels[8] - identity[i]) * sizes[i % 3] * (i < 6 ? 1 : fmax(width, height)));
    return off < 1e-9;
}

static inline weft_status projective_add(weft_graph *graph, weft_node input, const weft_image_info *info, const double *pixels,
                                         int64_t width, int64_t height, struct projective_settings settings,
                                         weft_node *result, weft_error *error) {
    const double most = 16777216;
    if (width < 1 || height < 1 || (double)width > most || (double)height > most)
        return weft_fail(error, WEFT_ERROR_FORMAT, "the result of %lld x %lld pixels is too large: a side has at most 16777216",
                         (long long)width, (long long)height);
    if (width == info->width && height == info->height && projective_keeps(pixels, (double)width, (double)height)) {
        *result = input;
        return WEFT_OK;
    }
    double from[9] = {1, 0, 0.5 * (double)(width - 1), 0, 1, 0.5 * (double)(height - 1), 0, 0, 1}, map[9], half[9];
    double to[9] = {1, 0, -0.5 * (double)(info->width - 1), 0, 1, -0.5 * (double)(info->height - 1), 0, 0, 1};
    projective_multiply(pixels, from, half);
    projective_multiply(to, half, map);
    double nearest = fabs(map[8]);
    for (int corner = 0; corner < 4; corner++)
        nearest = fmax(nearest, (corner & 1 ? 0.5 : -0.5) * (double)width * map[6] +
                                    (corner & 2 ? 0.5 : -0.5) * (double)height * map[7] + map[8]);
    for (int i = 0; i < 9; i++)
        map[i] /= nearest;
    const double horizon[3] = {map[6] * 0.5 * (double)width, map[7] * 0.5 * (double)height, map[8]};
    double samples = fmin(fmax(ceil(projective_stretch(map, (double)width, (double)height) - 0.05), 1), PROJECTIVE_MOST_SAMPLES);
    bool several = settings.method > 1 || (settings.method == 1 && samples > 1);
    bool affine = settings.method == 1 && !several && map[6] == 0 && map[7] == 0 && map[8] == 1;
    const char *filter = settings.method == 0   ? "projective_nearest"
                         : settings.method == 2 ? "projective_bicubic"
                         : settings.method == 3 ? "projective_lanczos3"
                         : several              ? "projective_several"
                         : affine               ? "projective_affine"
                                                : "projective";
    weft_status status =
        SUBGRAPH_ADD(filter, &input, 1, result, {"width", (double)width}, {"height", (double)height},
                     {"border", settings.border}, {"border_value", settings.border_value});
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *result, "matrix", map, 6, error);
    if (status == WEFT_OK && !affine)
        status = weft_graph_set(graph, *result, "horizon", horizon, 3, error);
    return status == WEFT_OK && several ? weft_graph_set(graph, *result, "samples", &samples, 1, error) : status;
}

#endif
