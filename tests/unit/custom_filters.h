/* SPDX-License-Identifier: MIT
 * Filters of a program's own, for test_custom.c: each as a function of a row and, for the reference, of a pixel. */
#ifndef TESTS_CUSTOM_FILTERS_H
#define TESTS_CUSTOM_FILTERS_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "weft/weft.h"

/* ---- a point filter: red and blue change places, then all is scaled; the place can be marked */
struct swap {
    float scale;
    int32_t places, mark;
    float color[4];
};
static void swap_row(const weft_custom_pixels *row) {
    const struct swap *p = row->parameters;
    for (int32_t i = 0; i < row->count; i++) {
        float v[3] = {row->in[0][2][i], row->in[0][1][i], row->in[0][0][i]};
        for (int32_t k = 0; k < row->colors; k++) {
            row->out[k][i] = v[k] * p->scale + p->color[k];
            if (p->places == 1 && row->x + i == row->y)
                row->out[k][i] = (float)p->mark;
        }
        if (row->alpha)
            row->out[3][i] = row->in[0][3][i];
    }
}
static void swap_pixel(weft_custom_pixel *pixel) {
    const struct swap *p = pixel->parameters;
    for (int k = 0; k < 3; k++)
        pixel->out[k] = p->places == 1 && pixel->x == pixel->y ? p->mark
                                                               : pixel->in[0][2 - k] * (double)p->scale +
                                                                     (double)p->color[k];
    pixel->out[3] = pixel->in[0][3];
}
static const weft_custom_parameter swap_parameters[] = {
    {{.name = "scale", .type = WEFT_PARAMETER_FLOAT, .maximum = 2, .defaults = {1}, .doc = "factor", .dynamic = true},
     offsetof(struct swap, scale)},
    {{.name = "places", .type = WEFT_PARAMETER_CHOICE, .choices = "none|diagonal"}, offsetof(struct swap, places)},
    {{.name = "mark", .type = WEFT_PARAMETER_BOOL, .defaults = {1}}, offsetof(struct swap, mark)},
    {{.name = "color", .type = WEFT_PARAMETER_COLOR, .maximum = 1}, offsetof(struct swap, color)},
};
static const weft_custom_filter swap_filter = {.name = "swap_ends",
                                               .summary = "Red and blue change places",
                                               .parameters = swap_parameters,
                                               .parameter_count = 4,
                                               .parameter_size = sizeof(struct swap),
                                               .pixels = swap_row,
                                               .pixel = swap_pixel};

/* ---- two inputs, one grey result, what it subtracts comes from `user` */
static void difference_row(const weft_custom_pixels *row) {
    const float *less = row->user;
    for (int32_t i = 0; i < row->count; i++) {
        row->out[0][i] = fabsf(row->in[0][0][i] - row->in[1][0][i]) - *less;
        if (row->alpha)
            row->out[3][i] = row->in[0][3][i];
    }
}

/* ---- a stencil of radius 2 */
struct slope {
    float gain;
};
static void slope_row(const weft_custom_around *row) {
    const struct slope *p = row->parameters;
    for (int32_t i = 0; i < row->count; i++)
        row->out[i] = p->gain * (row->rows[4][i + 2] - row->rows[0][i - 2]) + row->rows[2][i] * 0.5f;
}
static void slope_pixel(weft_custom_neighborhood *pixel) {
    const struct slope *p = pixel->parameters;
    pixel->out = (double)p->gain * (pixel->around[4][4] - pixel->around[0][0]) + pixel->around[2][2] * 0.5;
}
static const weft_custom_parameter slope_parameters[] = {
    {{.name = "gain", .type = WEFT_PARAMETER_FLOAT, .minimum = -4, .maximum = 4, .defaults = {0.25}, .dynamic = true},
     offsetof(struct slope, gain)}};
static const weft_custom_filter slope_filter = {.name = "slope",
                                                .parameters = slope_parameters,
                                                .parameter_count = 1,
                                                .parameter_size = sizeof(struct slope),
                                                .around = slope_row,
                                                .radius = 2,
                                                .neighborhood = slope_pixel};

#endif
