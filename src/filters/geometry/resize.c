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
    CHOICE(gravity, 0, GRAVITIES "|attention",                                                                         \
           "which part of the image fill keeps; attention: the one with the most edges, strong colors and skin")       \
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
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "fit and fill are both given; give one of them");
    else if (boxed && (p->width > 0 || p->height > 0 || p->scale != 1))
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "%s gives the size: remove width, height and scale", name);
    else if (given(p->fill) && (p->fill[0] <= 0 || p->fill[1] <= 0))
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "fill needs two sides, as in fill=200x200");
    if (status != WEFT_OK)
        weft_error_at(error, -1, NULL, name);
    return status;
}

/* The choice behind the nine places of GRAVITIES; and the larger side of what is looked at. */
enum { ATTENTION = 9, LOOKED_AT = 96 };

/* The image that is resized is `scaled`, of which `kept` pixels stay. A small copy is looked at: of the image and not of the scaled
 * one, so that small images are looked at as they are. */
static weft_status attend(weft_graph *graph, weft_node image, weft_node scaled, const weft_image_info *info,
                          const double size[2], const double kept[2], weft_node *result, weft_error *error) {
    const double width = (double)info->width, height = (double)info->height;
    const double shrink = fmin(1, LOOKED_AT / fmax(width, height));
    const double looked[2] = {side(width * shrink), side(height * shrink)};
    const int axis = size[1] - kept[1] > size[0] - kept[0];
    weft_node copy = -1, sheet = -1, dot = -1, first = -1, pair[2] = {-1, -1}, map = -1;
    weft_status status = SUBGRAPH_ADD("resample", &image, 1, &copy, {"width", looked[0]}, {"height", looked[1]}, {"method", 4});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("attention_energy", &copy, 1, &pair[1], {"grey", info->format.channels < 3});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gradient", NULL, 0, &dot, {"width", 1}, {"height", 1}, {"channels", 3});
    pair[0] = dot;
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("attention_place", pair, 2, &first, {"axis", axis}, {"room", size[axis] - kept[axis]},
                              {"window", side(looked[axis] * kept[axis] / size[axis])});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("resample", &first, 1, &pair[1], {"width", kept[0]}, {"height", kept[1]}, {"method", 0});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gradient", NULL, 0, &sheet, {"width", kept[0]}, {"height", kept[1]}, {"channels", 1});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "place_map", &sheet, 1, &pair[0], error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "sum_of", pair, 2, &map, error);
    pair[0] = map;
    pair[1] = scaled;
    return status == WEFT_OK ? SUBGRAPH_ADD("remap_look", pair, 2, result, {"interpolation", 0}) : status;
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
    if (p->gravity == ATTENTION && (width > kept_width || height > kept_height))
        return attend(graph, inputs[0], *result, info, (double[]){width, height}, (double[]){kept_width, kept_height},
                      result, error);
    return SUBGRAPH_ADD("crop", result, 1, result,
                        {"x", weft_gravity_place(weft_gravity_x(p->gravity), width, kept_width, 0)},
                        {"y", weft_gravity_place(weft_gravity_y(p->gravity), height, kept_height, 0)},
                        {"width", kept_width}, {"height", kept_height});
}
