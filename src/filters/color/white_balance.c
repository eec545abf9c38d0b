/* SPDX-License-Identifier: MIT
 * Colors are adapted from the light of the scene to that of `reference` as eyes are: the responses of three kinds of
 * cones are scaled so that what was white there is white here (von Kries), in linear light. A light is a black body's
 * of a temperature, moved off the line of those by tint / 10000 (Duv) in the CIE 1960 diagram. */
#define NAME white_balance
#define SUMMARY "Make white what was white in the light of the scene, given by its temperature and tint"
#define ALIASES "color_temperature"
#define SOURCE "CAT16 of Li et al. 2017; Krystek 1985 for the light of a temperature"
#define EXAMPLE "white_balance=6500:20"
#define TOLERANCE 3e-4
#define PARAMS                                                                                                         \
    FLOAT(temperature, 5000, 2500, 15000, "K", "of the light of the scene; above `reference` the image gets warmer")   \
    FLOAT(tint, 0, -200, 200, "Duv / 10000", "of that light; above 0 it was greener, and the image gets more magenta") \
    FLOAT(reference, 5000, 2500, 15000, "K", "the light for which the image was made: temperature=reference keeps it") \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: shift and overlay of the stored values, neutral at 5000 K")
#include <math.h>
#include "filter/help/subgraph.h"
#include "filter/composite.h"

/* A black body's place in the CIE 1960 diagram, for 1000 to 15000 K. */
static void black_body(double t, double *u, double *v) {
    *u = (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t) / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t);
    *v = (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t) / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t);
}

static const double cones_of_xyz[9] = {0.401288, 0.650173,  -0.051461, -0.250268, 1.204414,
                                       0.045854, -0.002079, 0.048952,  0.953127};
/* sRGB's primaries and white, IEC 61966-2-1. */
static const double xyz_of_rgb[9] = {0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505};

/* What the cones answer to the light, of luminance 1. */
static void cones_of_light(double temperature, double duv, double cones[3]) {
    double u, v, before[2], after[2];
    black_body(temperature, &u, &v);
    black_body(temperature - 1, &before[0], &before[1]);
    black_body(temperature + 1, &after[0], &after[1]);
    double du = before[0] - after[0], dv = before[1] - after[1], length = hypot(du, dv);
    u -= duv * dv / length, v += duv * du / length; /* across the line, to where v is larger */
    double over = 2 * u - 8 * v + 4, x = 3 * u / over, y = 2 * v / over;
    for (int i = 0; i < 3; i++)
        cones[i] = (cones_of_xyz[3 * i] * x + cones_of_xyz[3 * i + 1] * y + cones_of_xyz[3 * i + 2] * (1 - x - y)) / y;
}

/* The product of two matrices of 3 x 3, row by row. */
static void multiply(const double *a, const double *b, double *product) {
    for (int i = 0; i < 9; i++) {
        const double *row = a + i / 3 * 3, *column = b + i % 3;
        product[i] = row[0] * column[0] + row[1] * column[3] + row[2] * column[6];
    }
}

/* By minors, whose signs come right when rows and columns are counted round. */
static void invert(const double *a, double *inverse) {
    double determinant = 0;
    for (int k = 0; k < 9; k++) {
        int row = k / 3, column = k % 3, left = (column + 1) % 3, right = (column + 2) % 3;
        const double *below = a + (row + 1) % 3 * 3, *last = a + (row + 2) % 3 * 3;
        double minor = below[left] * last[right] - below[right] * last[left];
        inverse[column * 3 + row] = minor;
        determinant += row == 0 ? a[column] * minor : 0;
    }
    for (int k = 0; k < 9; k++)
        inverse[k] /= determinant;
}

static weft_status adapt(weft_graph *graph, const struct BLOCK *p, const weft_node *inputs, weft_node *result,
                         weft_error *error) {
    double cones[9], back[9], from[3], to[3], adapted[9], matrix[16] = {[15] = 1};
    const double linear = 1;
    cones_of_light(p->temperature, p->tint / 10000, from);
    cones_of_light(p->reference, 0, to);
    multiply(cones_of_xyz, xyz_of_rgb, cones);
    invert(cones, back);
    for (int i = 0; i < 9; i++)
        cones[i] *= to[i / 3] / from[i / 3];
    multiply(back, cones, adapted);
    for (int i = 0; i < 9; i++)
        matrix[i / 3 * 4 + i % 3] = adapted[i];
    weft_status status = weft_graph_add(graph, "color_matrix", inputs, 1, result, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *result, "matrix", matrix, 16, error);
    return status == WEFT_OK ? weft_graph_set(graph, *result, "space", &linear, 1, error) : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double warmth = (p->temperature - 5000) * (p->temperature < 5000 ? 0.0004 : 0.00006);
    if (p->compat)
        return SUBGRAPH_ADD("warm_tint", inputs, 1, result, {"warmth", warmth}, {"tint", p->tint / 100});
    return adapt(graph, p, inputs, result, error);
}
