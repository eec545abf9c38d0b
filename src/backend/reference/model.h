/* SPDX-License-Identifier: MIT
 * The reference: every kind of filter by its definition, on whole images of planar doubles, one node after another. The
 * other backends are tested against it, so each function here prefers being evidently right to being fast. */
#ifndef BACKEND_REFERENCE_MODEL_H
#define BACKEND_REFERENCE_MODEL_H
#include "backend/backend.h"
#include "image/border.h"
#include "kernels/reference.h"

struct reference_image {
    weft_image_info info;
    bool integral; /* every value is a whole number of steps of the integer type in info, up to rounding in double */
    double *data;  /* plane after plane, row after row; from weft_allocate */
};

/* One node to evaluate: all that a kind's function needs. */
struct reference_call {
    const struct weft_filter *filter;
    const struct weft_reference_body *body; /* NULL for kinds without one */
    const void *block;
    const struct reference_image *in[WEFT_NODE_INPUTS];
    struct reference_image *out; /* info, integral and zeroed data are there */
};

static inline double *reference_row(const struct reference_image *image, int32_t plane, int64_t y) {
    return image->data + ((size_t)plane * (size_t)image->info.height + (size_t)y) * (size_t)image->info.width;
}

/* point.c: red, green, blue and alpha of a pixel of any number of channels. Grey is red = green = blue; alpha that is not
 * there is 1. Where the last of two or four channels is not alpha, it takes alpha's place all the same: channels are then
 * just numbers. And back. */
void reference_gather(const struct reference_image *image, int64_t x, int64_t y, double *rgba);
void reference_scatter(const struct reference_image *image, int64_t x, int64_t y, const double *rgba);

/* image.c: memory, and the way between stored components and doubles. */
weft_status reference_image_create(const weft_image_info *info, struct reference_image *image, weft_error *error);
weft_status reference_image_load(struct reference_image *image, const weft_run_input *input, weft_error *error);
weft_status reference_image_store(const struct reference_image *image, weft_type type, const weft_run_output *output,
                                  weft_error *error);
/* Steps in full scale: 255 for u8, 65535 for u16, 0 for the types that have none. */
double reference_steps(weft_type type);

/* neighborhood.c: the neighbor dx to the right and dy below of the view's pixel, by the filter's border. */
struct reference_surroundings {
    const struct reference_image *image;
    int32_t first_plane; /* which plane of the image the body knows as plane 0 */
    weft_border border;
    double border_value;
};
struct reference_surroundings reference_around(const struct reference_call *call);
double reference_look(const struct weft_reference_view *view, int plane, int64_t dx, int64_t dy, int *counts);

/* body.c: the reference form of a filter's body, NULL when the filter has none. */
const struct weft_reference_body *reference_body(const struct weft_filter *filter);

/* kind.c: makes call->out by the function of the filter's kind. */
weft_status reference_evaluate(const struct reference_call *call, weft_error *error);

/* A kind each. All return WEFT_OK or have written the error. */
weft_status reference_point(const struct reference_call *call, weft_error *error);
weft_status reference_stencil(const struct reference_call *call, weft_error *error);
weft_status reference_window(const struct reference_call *call, weft_error *error);
weft_status reference_patch(const struct reference_call *call, weft_error *error); /* of windows, those by patches */
weft_status reference_squares(const struct reference_call *call, weft_error *error); /* and those of squares */
weft_status reference_separable(const struct reference_call *call, weft_error *error);
weft_status reference_box(const struct reference_call *call, weft_error *error);
weft_status reference_extremum(const struct reference_call *call, weft_error *error);
weft_status reference_rank(const struct reference_call *call, weft_error *error);
weft_status reference_resample(const struct reference_call *call, weft_error *error);
weft_status reference_warp(const struct reference_call *call, weft_error *error);
weft_status reference_lookup(const struct reference_call *call, weft_error *error);
weft_status reference_reduce(const struct reference_call *call, weft_error *error);
weft_status reference_global(const struct reference_call *call, weft_error *error);
/* A filter of the program's own, whatever its kind. */
weft_status reference_custom(const struct reference_call *call, weft_error *error);

/* run.c, print.c */
weft_status reference_run(const void *compiled, const struct weft_run_request *request, weft_error *error);
weft_status reference_print(const void *compiled, weft_plan_format format, char **text, weft_error *error);

#endif
