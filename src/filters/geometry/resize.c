/* SPDX-License-Identifier: MIT */
#define NAME resize
#define SUMMARY "Change the size of the image, without aliasing; one side alone keeps the shape"
#define ALIASES "scale thumbnail"
#define SOURCE "see resample"
#define EXAMPLE "resize=320"
#define TOLERANCE 4e-6
#define PARAMS                                                                                                         \
    AUTO_INT(width, 1, 2147483647, "px", "width of the result; auto follows from the height or the scale")             \
    AUTO_INT(height, 1, 2147483647, "px", "height of the result; auto follows from the width or the scale")            \
    FLOAT(scale, 1, 0.0001, 10000, "", "factor on both sides where width and height are auto")                         \
    CHOICE(method, 2, "nearest|bilinear|bicubic|lanczos3|area",                                                        \
           "the interpolation, widened where the image shrinks; area is the mean of what an output pixel covers")
#include <math.h>
#include "filter/composite.h"

static double side(double pixels) { return fmin(fmax(floor(pixels + 0.5), 1), 2147483647); }

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double in_width = (double)info->width, in_height = (double)info->height, method = p->method;
    double scale = p->width > 0 ? p->width / in_width : p->height > 0 ? p->height / in_height : p->scale;
    double width = p->width > 0 ? p->width : side(in_width * scale);
    double height = p->height > 0 ? p->height : side(in_height * scale);
    weft_status status = weft_graph_add(graph, "resample", inputs, 1, result, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *result, "width", &width, 1, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *result, "height", &height, 1, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *result, "method", &method, 1, error);
    return status;
}
