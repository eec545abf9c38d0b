/* SPDX-License-Identifier: MIT
 * The standard form, OpenCV's: gradients by Sobel, thinned along one of four directions, and true hysteresis. On one
 * channel of 8 bits with sigma=0, unit=levels and the same thresholds, aperture and norm the result is that of cv::Canny,
 * pixel for pixel.
 *
 * Integer images are taken in whole steps, so that equal neighbors compare as equal on every device: those of 8 bits in
 * their own where they are not blurred, others in the finest of which sums stay below 2^24, where floats are exact, and
 * directions can be told (canny_suppress.c). */
#define NAME canny
#define SUMMARY "Find edges: thin lines where the gradient is large, and where connected to that not quite so large"
#define ALIASES "edgedetect canny_edge_detection"
#define SOURCE "Canny 1986, as in OpenCV; hysteresis reaches as far as edges do"
#define EXAMPLE "canny=0.3:0.8:sigma=1.5"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(low, 0.1, 0, UNBOUNDED, "", "edges go on while the gradient, the sums of Sobel's operator, is larger")       \
    FLOAT(high, 0.3, 0, UNBOUNDED, "", "edges begin where the gradient is larger; the larger of the two counts as high") \
    FLOAT(sigma, 1.4, 0, 10000, "px", "standard deviation of the blur before; 0 does without")                         \
    CHOICE(aperture, 0, "3|5|7", "pixels along a side of the operator")                                                \
    CHOICE(norm, 0, "l1|l2", "the length of a gradient: |x| + |y|, or the root of x^2 + y^2")                          \
    CHOICE(unit, 0, "full_scale|levels", "what low and high are counted in: full scale, or the 255 levels of 8 bits")  \
    CHOICE(compat, 0, "none|gpuimage",                                                                                 \
           "gpuimage: aperture 3 and l2, lengths end at 1, and what is weak stays where its 8 neighbors and it sum to 1.5") \
    FIXED_CHOICE(border, 0, "replicate|mirror|symmetric|wrap|constant|shrink",                                         \
                 "what lies outside the image; shrink counts only pixels inside; there is no edge outside")            \
    FLOAT(border_value, 0, -UNBOUNDED, UNBOUNDED, "", "the value outside for border=constant, 1 is full scale")
#include <math.h>
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static int32_t steps_of(const struct BLOCK *p, weft_type type) {
    static const int32_t finest[] = {65535, 85 * 255, 100 * 255}; /* gradients reach 4, 48 and 40 times as far */
    if (type == WEFT_U8 && p->sigma == 0)
        return 255;
    return type == WEFT_U8 || type == WEFT_U16 ? finest[p->aperture] : 0;
}

/* GPUImage's gaussian ends where its weights are below 1 / 256. */
static int32_t radius_of(double sigma) {
    double squared = -2 * sigma * sigma * log(sigma * 2.5066282746310002 / 256);
    int32_t radius = squared > 0 ? (int32_t)floor(sqrt(squared)) : 0;
    return radius + radius % 2;
}

static weft_status expand_compat(weft_graph *graph, const struct BLOCK *p, weft_node node, weft_node *result,
                                 weft_error *error) {
    weft_status status = weft_graph_add(graph, "grayscale", &node, 1, &node, error);
    if (status == WEFT_OK && p->sigma > 0)
        status = SUBGRAPH_ADD("gaussian", &node, 1, &node, {"sigma", p->sigma}, {"radius", radius_of(p->sigma)},
                              {"border", p->border}, {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("canny_gradient_3", &node, 1, &node, {"border", p->border},
                              {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("canny_suppress", &node, 1, &node, {"low", p->low}, {"high", p->high}, {"compat", 1},
                              {"border", WEFT_BORDER_REPLICATE});
    return status == WEFT_OK
               ? SUBGRAPH_ADD("weak_pixel_inclusion", &node, 1, result, {"border", WEFT_BORDER_REPLICATE})
               : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    static const char *const gradients[] = {"canny_gradient_3", "canny_gradient_5", "canny_gradient_7"};
    const struct BLOCK *p = block;
    int32_t steps = steps_of(p, info->format.type);
    double scale = (steps ? steps : 1) / (p->unit ? 255.0 : 1.0) / (p->aperture == 2 ? 16 : 1);
    double low = p->low < p->high ? p->low : p->high, high = p->low < p->high ? p->high : p->low;
    weft_node node = *inputs;
    weft_status status = WEFT_OK;
    if (p->compat)
        return expand_compat(graph, p, *inputs, result, error);
    if (info->format.channels >= 3 && (p->sigma > 0 || !steps))
        status = weft_graph_add(graph, "grayscale", &node, 1, &node, error);
    else if (info->format.channels >= 3)
        status = SUBGRAPH_ADD("luminance_steps", &node, 1, &node, {"steps", steps});
    if (status == WEFT_OK && p->sigma > 0)
        status = SUBGRAPH_ADD("gaussian", &node, 1, &node, {"sigma", p->sigma}, {"border", p->border},
                              {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD(gradients[p->aperture], &node, 1, &node, {"steps", steps}, {"border", p->border},
                              {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("canny_suppress", &node, 1, &node, {"low", low * scale}, {"high", high * scale},
                              {"norm", p->norm}, {"border", WEFT_BORDER_CONSTANT});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("hysteresis", &node, 1, result, {"low", 0.25}, {"high", 0.75});
    return status;
}
