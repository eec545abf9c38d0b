/* SPDX-License-Identifier: MIT
 * The definition of global filters: from every seed to all that it is connected to; numbers of components; distances; what grows
 * under another image. */
#include <math.h>
#include <stdlib.h>
#include "backend/reference/model.h"
#include "base/memory.h"
#include "base/status.h"

struct field {
    int64_t width, height;
    const double *in, *mask; /* the mask of what grows */
    double *out;
    int64_t *places; /* pixels to go on from */
};

/* Gives all pixels above `low` that are connected to those of `places` the value `label`, where they are still 0. */
static void flood(const struct field *f, int64_t waiting, double low, bool four, double label) {
    while (waiting > 0) {
        int64_t at = f->places[--waiting], x = at % f->width, y = at / f->width;
        for (int64_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < f->height; v++)
            for (int64_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < f->width; u++) {
                int64_t i = v * f->width + u;
                if (f->out[i] == 0 && f->in[i] > low && !(four && u != x && v != y)) {
                    f->out[i] = label;
                    f->places[waiting++] = i;
                }
            }
    }
}

static void connect(const struct field *f, const struct weft_connect *p) {
    int64_t waiting = 0;
    for (int64_t i = 0; i < f->width * f->height; i++)
        if (f->in[i] > (double)p->high) {
            f->out[i] = 1;
            f->places[waiting++] = i;
        }
    flood(f, waiting, (double)p->low, p->four, 1);
}

static void number(const struct field *f, const struct weft_threshold *p) {
    double label = 0;
    for (int64_t i = 0; i < f->width * f->height; i++)
        if (f->out[i] == 0 && f->in[i] > (double)p->above) {
            f->out[i] = ++label;
            f->places[0] = i;
            flood(f, 1, (double)p->above, p->form, label);
        }
}

/* For each pixel the nearest dark one of each column, and the nearest of these. */
static void measure(const struct field *f, const struct weft_threshold *p) {
    int64_t none = f->width + f->height, *nearest = f->places;
    for (int64_t x = 0; x < f->width; x++)
        for (int64_t y = 0; y < f->height; y++) {
            int64_t least = none;
            for (int64_t v = 0; v < f->height; v++)
                if (!(f->in[v * f->width + x] > (double)p->above) && llabs(v - y) < least)
                    least = llabs(v - y);
            nearest[y * f->width + x] = least;
        }
    for (int64_t y = 0; y < f->height; y++)
        for (int64_t x = 0; x < f->width; x++) {
            double least = 3e38;
            for (int64_t u = 0; u < f->width; u++) {
                double down = (double)nearest[y * f->width + u], across = (double)(u - x);
                if (nearest[y * f->width + u] < none)
                    least = fmin(least, down * down + across * across);
            }
            f->out[y * f->width + x] = p->form || least == 3e38 ? least : sqrt(least);
        }
}

/* The largest of the pixel and its neighbors. */
static double around(const struct field *f, int64_t x, int64_t y, bool four) {
    double most = f->out[y * f->width + x];
    for (int64_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < f->height; v++)
        for (int64_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < f->width; u++)
            if (!(four && u != x && v != y))
                most = fmax(most, f->out[v * f->width + u]);
    return most;
}

/* The first image grows under the second, pixel after pixel, there and back, until nothing changes. Shrinking is to grow upside
 * down. */
static void reconstruct(const struct field *f, const struct weft_reconstruct *p) {
    int64_t count = f->width * f->height;
    double sign = p->erosion ? -1 : 1;
    bool changed = true;
#define UPRIGHT(v) (isnan(v) ? -INFINITY : sign * (v)) /* a NaN is below all numbers */
    for (int64_t i = 0; i < count; i++)
        f->out[i] = fmin(UPRIGHT(f->in[i]), UPRIGHT(f->mask[i]));
    while (changed) {
        changed = false;
        for (int64_t k = 0; k < 2 * count; k++) {
            int64_t i = k < count ? k : 2 * count - 1 - k;
            double grown = fmin(around(f, i % f->width, i / f->width, p->four), UPRIGHT(f->mask[i]));
            changed = changed || grown > f->out[i];
            f->out[i] = grown;
        }
    }
#undef UPRIGHT
    for (int64_t i = 0; i < count; i++)
        f->out[i] *= sign;
}

weft_status reference_global(const struct reference_call *call, weft_error *error) {
    struct field f = {.width = call->out->info.width,
                      .height = call->out->info.height,
                      .in = reference_row(call->in[0], 0, 0),
                      .mask = call->filter->info.inputs > 1 ? reference_row(call->in[1], 0, 0) : NULL,
                      .out = reference_row(call->out, 0, 0)};
    size_t count = (size_t)f.width * (size_t)f.height;
    f.places = weft_allocate(count, sizeof *f.places);
    if (!f.places)
        return weft_fail_memory(error, count * sizeof *f.places, "pixels to go on from");
    switch (call->filter->global) {
    case WEFT_GLOBAL_CONNECT: connect(&f, call->block); break;
    case WEFT_GLOBAL_LABEL: number(&f, call->block); break;
    case WEFT_GLOBAL_DISTANCE: measure(&f, call->block); break;
    case WEFT_GLOBAL_RECONSTRUCT: reconstruct(&f, call->block); break;
    }
    weft_free(f.places);
    return WEFT_OK;
}
