/* SPDX-License-Identifier: MIT
 * GPUs have kernels for it (kernels/gpu/window/guided.h). */
#define NAME guided_by_itself
#define SUMMARY "The guided filter of an image by itself"
#define STEP_OF "guided_filter"
#define EXAMPLE "guided_by_itself=8:0.02"
#define TOLERANCE 5e-3
#define ALPHA ANY
#define ALPHA_DOC "as in the filters that it is made of"
#include "filters/blur/guided_graph.h"
#define PARAMS                                                                                                         \
    GUIDED_PARAMS                                                                                                      \
    CHOICE(guide, 0, "grey|channels", "the image's luminance for all channels, or each channel for itself")
#define GUIDED true
#include "filter/patch.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node guide = inputs[0];
    weft_status status = p->guide == 1 ? WEFT_OK : weft_graph_add(graph, "grayscale", inputs, 1, &guide, error);
    return status == WEFT_OK ? guided_add(graph, inputs[0], guide, p->radius, p->eps, result, error) : status;
}
