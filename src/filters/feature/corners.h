/* SPDX-License-Identifier: MIT
 * What harris, noble and shi_tomasi are: gradients, their products, a mean of these, the measure of a corner, and its
 * largest values nearby. The file defines
 *   MEASURE        the number of its measure among those of corner_response
 *   OWN_PARAMS     k of harris, or nothing
 *   SHARPNESS      what k is, in terms of the parameters p
 *   SENSITIVITY    what GPUImage multiplies the response by
 * Gradients are Sobel's divided by 4, the difference between the pixels on both sides, and the weights of the window sum
 * to 1: responses are those of OpenCV on images of full scale 1. A window of one pixel would leave nothing but rounding:
 * the gradient of one place is an edge.
 *
 * Corners and masks of images of u8 and u16 are the same on every device, to the bit (corner_sums.h): gradients are whole
 * numbers of 4080ths, all of them for gray images of 8 bits, and a gaussian's weights of 4096ths. Not so with border=shrink,
 * in linear light, and behind filters that are not exact; there, in f16 and f32, and in result=response, all is in f32. */
#define PARAMS                                                                                                         \
    FLOAT(sigma, 2, 0.5, 1000, "px", "gradients are averaged by a gaussian of this width")                               \
    AUTO_INT(radius, 1, 1000, "px", "or, where given, over 2 radius + 1 pixels each way: the block size of OpenCV")    \
    OWN_PARAMS                                                                                                         \
    AUTO_FLOAT(threshold, 0, 1000, "", "least response of a corner; auto is `quality` of the largest in the image")    \
    FLOAT(quality, 0.01, 0, 1, "", "share of the largest response that a corner has to have")                          \
    INT(distance, 1, 1, 3, "px", "within this distance only the corner of the largest response stays")                 \
    CHOICE(result, 1, "corners|mask|response",                                                                         \
           "responses of corners, all else 0, of which integer formats lose the weak ones; 1 at corners; all responses") \
    AUTO_FLOAT(sensitivity, 0, 1000, "", "factor on responses; auto is 1, or what GPUImage has where that is asked for") \
    CHOICE(compat, 0, "none|gpuimage",                                                                                 \
           "gpuimage: gradients of Prewitt, all cut off where 8 bits end, and a threshold of 0.2 where that is auto")  \
    BORDER_PARAMS
#define TOLERANCE 1
#include <math.h>
#include "base/memory.h"
#include "base/status.h"
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

#define COMPAT_THRESHOLD 0.2
#define OUTSIDE -3.0e38 /* pixels outside suppress none inside */
#define TINY 1e-30      /* flat images have no corners, though each of their pixels is the largest */

/* Each makes its own luminance of color images: on GPUs that is cheaper than to keep one for both. */
static weft_status gradients(weft_graph *graph, const struct BLOCK *p, const weft_node *input, weft_node *pair,
                             weft_error *error) {
    const char *operator = p->compat ? "prewitt" : "sobel";
    weft_status status = WEFT_OK;
    for (int i = 0; i < 2 && status == WEFT_OK; i++)
        status = SUBGRAPH_ADD(operator, input, 1, &pair[i], {"component", 1 + i}, {"edge_strength", p->compat ? 1 : 0.25},
                              {"border", p->border}, {"border_value", p->border_value});
    return status;
}

#include "filters/feature/corner_sums.h"

static bool is_whole(const struct BLOCK *p, const weft_image_info *info) {
    return (info->format.type == WEFT_U8 || info->format.type == WEFT_U16) && p->border != WEFT_BORDER_SHRINK &&
           p->result != 2;
}

/* The measure at every pixel. */
static weft_status measure(weft_graph *graph, const struct BLOCK *p, const weft_node *input,
                           const weft_image_info *info, weft_node *result, weft_error *error) {
    weft_node pair[2], products, mean;
    double sensitivity = p->sensitivity >= 0 ? (double)p->sensitivity : p->compat ? SENSITIVITY : 1;
    if (is_whole(p, info))
        return whole_measure(graph, p, input, info, sensitivity, result, error);
    weft_status status = gradients(graph, p, input, pair, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gradient_products", pair, 2, &products, {"clip", p->compat});
    if (status == WEFT_OK && p->radius >= 0)
        status = SUBGRAPH_ADD("box", &products, 1, &mean, {"radius", p->radius}, {"border", p->border},
                              {"border_value", p->border_value});
    else if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gaussian", &products, 1, &mean, {"sigma", p->sigma}, {"border", p->border},
                              {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("corner_response", &mean, 1, result, {"measure", MEASURE}, {"k", SHARPNESS},
                              {"sensitivity", sensitivity}, {"clip", p->compat});
    return status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node node, largest;
    bool relative = p->threshold < 0 && !p->compat;
    weft_status status = measure(graph, p, inputs, info, result, error);
    if (status != WEFT_OK || p->result == 2)
        return status;
    node = *result;
    if (relative)
        status = SUBGRAPH_ADD("reduce", &node, 1, &largest, {"op", 1});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("local_maxima", &node, 1, result, {"radius", p->distance},
                              {"border", WEFT_BORDER_CONSTANT}, {"border_value", OUTSIDE},
                              {"threshold", p->threshold >= 0 ? p->threshold : COMPAT_THRESHOLD});
    if (status == WEFT_OK && relative)
        status = weft_graph_bind(graph, *result, "threshold", largest, 0, p->quality, error);
    if (status == WEFT_OK && p->result == 1) {
        node = *result;
        status = SUBGRAPH_ADD("luminance_threshold", &node, 1, result, {"threshold", TINY});
    }
    return status;
}
