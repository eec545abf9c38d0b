/* SPDX-License-Identifier: MIT
 * Areas are a histogram of the numbers, so made that each falls into the middle of its bin. */
#define NAME connected_components
#define SUMMARY                                                                                                                    \
    "Number the components of bright pixels that hang together, or tell how many there are, how large and where they are"
#define ALIASES "label"
#define SOURCE "SciPy's ndimage.label, OpenCV's connectedComponents"
#define EXAMPLE "gaussian=2,connected_components=0.6,exposure=-7"
#define TOLERANCE 1
#include "filters/feature/components.h"
#define PARAMS                                                                                                         \
    COMPONENT_PARAMS                                                                                                   \
    CHOICE(result, 0, "labels|count|areas|boxes|centroids",                                                            \
           "labels: each component's number, 1 being full scale, from 1 on in the order of their first pixels, 0 elsewhere; " \
           "count: how many there are; areas: how many pixels have each number, 0 first; "                             \
           "boxes: left, top, width and height of each; centroids: x and y of their middle; 0 where there are none")   \
    INT(most, 1024, 1, 65535, "", "of areas, boxes and centroids: numbers beyond count with it")
#define ALPHA_DOC "reads the luminance over black, where colors count by their alpha; the result has none"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double bins = p->most + 1.0, gain = 1 / bins;
    (void)info;
    weft_status status = SUBGRAPH_ADD("component_labels", inputs, 1, result, {"threshold", (double)p->threshold},
                                      {"neighbors", p->neighbors});
    if (status == WEFT_OK && p->result == 1)
        return SUBGRAPH_ADD("reduce", result, 1, result, {"op", 1});
    if (status != WEFT_OK || p->result == 0)
        return status;
    if (p->result >= 3)
        return SUBGRAPH_ADD("component_table", result, 1, result, {"table", p->result - 3}, {"most", p->most});
    status = SUBGRAPH_ADD("brightness", result, 1, result, {"brightness", 1});
    if (status == WEFT_OK) /* (number + 1 - 0.5) / bins + 0.5 */
        status = SUBGRAPH_ADD("contrast", result, 1, result, {"contrast", gain});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("brightness", result, 1, result, {"brightness", -0.5});
    return status == WEFT_OK ? SUBGRAPH_ADD("histogram", result, 1, result, {"bins", bins}) : status;
}
