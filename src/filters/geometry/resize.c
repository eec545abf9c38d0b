/* SPDX-License-Identifier: MIT */
#define NAME resize
#define SUMMARY "Change the size of the image, without aliasing; one side alone keeps the shape, and so does a box"
#define ALIASES "scale thumbnail"
#define SOURCE "see resample"
#define EXAMPLE "resize=fit=320x320"
#define TOLERANCE 4e-6
#define PARAMS                                                                                                         \
    AUTO_INT(width, 1, 2147483647, "px", "width of the result; auto follows from the height or the scale")             \
    AUTO_INT(height, 1, 2147483647, "px", "height of the result; auto follows from the width or the scale")            \
    FLOAT(scale, 1, 0.0001, 10000, "", "factor on both sides where width and height are auto")                         \
    CHOICE(method, 2, "nearest|bilinear|bicubic|lanczos3|area",                                                        \
           "the interpolation, widened where the image shrinks; area is the mean of what an output pixel covers")      \
    FLOATS(fit, 2, "0|0", 0, 2147483647,                                                                               \
           "a box of WIDTHxHEIGHT that the image is shrunk into; a side of 0 is without limit")                        \
    FLOATS(fill, 2, "0|0", 0, 2147483647,                                                                              \
           "a box of WIDTHxHEIGHT that the image is shrunk to cover; what lies beyond it is cut off")                  \
    CHOICE(gravity, 0, GRAVITIES, "which part of the image fill keeps")                                                \
    BOOL(enlarge, 0, "fit and fill enlarge a smaller image, too; otherwise it keeps its size, and fill only cuts")
#define CHECK check
#include <math.h>
#include "filters/geometry/gravity.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static double side(double pixels) { return fmin(fmax(floor(pixels + 0.5), 1), 2147483647); }
static bool given(const float *box) { return box[0] > 0 || box[1] > 0; }

static weft_status check(const void *block, weft_error *error) {
    const struct BLOCK *p = block;
    const char *name = given(p->fill) ? "fill" : "fit";
    bool boxed = given(p->fit) || given(p->fill);
    weft_status status = WEFT_OK;
    if (given(p->fit) && given(p->fill))
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "fit and fill are both given; one of them has to go");
    else if (boxed && (p->width > 0 || p->height > 0 || p->scale != 1))
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "%s says the size, so width, height and scale have to go", name);
    else if (given(p->fill) && (p->fill[0] <= 0 || p->fill[1] <= 0))
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "fill needs two sides, as in fill=200x200");
    if (status != WEFT_OK)
        weft_error_at(error, -1, NULL, name);
    return status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double in_width = (double)info->width, in_height = (double)info->height;
    double scale = p->width > 0 ? p->width / in_width : p->height > 0 ? p->height / in_height : p->scale;
    if (given(p->fit))
        scale = fmin(p->fit[0] > 0 ? floor(p->fit[0]) / in_width : HUGE_VAL,
                     p->fit[1] > 0 ? floor(p->fit[1]) / in_height : HUGE_VAL);
    if (given(p->fill))
        scale = fmax(floor(p->fill[0]) / in_width, floor(p->fill[1]) / in_height);
    if ((given(p->fit) || given(p->fill)) && !p->enlarge)
        scale = fmin(scale, 1);
    double width = p->width > 0 ? p->width : side(in_width * scale);
    double height = p->height > 0 ? p->height : side(in_height * scale);
    weft_status status = SUBGRAPH_ADD("resample", inputs, 1, result, {"width", width}, {"height", height},
                                      {"method", p->method});
    if (status != WEFT_OK || !given(p->fill))
        return status;
    double kept_width = fmin(width, fmax(floor(p->fill[0]), 1)), kept_height = fmin(height, fmax(floor(p->fill[1]), 1));
    return SUBGRAPH_ADD("crop", result, 1, result,
                        {"x", weft_gravity_place(weft_gravity_x(p->gravity), width, kept_width, 0)},
                        {"y", weft_gravity_place(weft_gravity_y(p->gravity), height, kept_height, 0)},
                        {"width", kept_width}, {"height", kept_height});
}
