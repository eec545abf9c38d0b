/* SPDX-License-Identifier: MIT
 * What the reference asks of a body: one pixel at a time, in double precision, from the same text as every backend. */
#ifndef KERNELS_REFERENCE_H
#define KERNELS_REFERENCE_H
#include <stdint.h>

struct weft_reference_place { int64_t x, y, width, height; };

/* The neighbourhood of a pixel: plane `plane` at dx, dy, with the border applied; *counts is set to 0 where the pixel
 * lies outside and does not count. */
struct weft_reference_view {
    double (*at)(const struct weft_reference_view *view, int plane, int64_t dx, int64_t dy, int *counts);
    const void *user;
    int64_t x, y;
    int planes;
    int radius_x, radius_y;
};

/* The table of a lookup: its pixel x, y, which is inside, as red, green, blue, alpha. */
struct weft_reference_table {
    void (*at)(const struct weft_reference_table *table, int x, int y, double *rgba);
    const void *user;
    int width, height;
};

/* in[i] and out hold red, green, blue, alpha. */
struct weft_reference_body {
    void (*point)(const void *block, const double (*in)[4], struct weft_reference_place at, int has_alpha, double *out);
    void (*channel)(const void *block, double value, double *out);
    void (*stencil)(const void *block, const struct weft_reference_view *view, double *out);
    void (*window)(const void *block, const struct weft_reference_view *view, double *out);
    /* x, y and weight of place k of count. */
    void (*warp)(const void *block, struct weft_reference_place at, int64_t in_width, int64_t in_height, int k, int count,
                 double *from);
    double (*weight)(double distance); /* of a pixel along an axis, where more than two are mixed */
    /* `count` pixels of four numbers each. */
    void (*lookup)(const void *block, const struct weft_reference_table *table, int count, const double *in, double *out);
};

#endif
