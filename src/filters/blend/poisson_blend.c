/* SPDX-License-Identifier: MIT
 * Sweeps of Jacobi's method: each lets a pixel be the mean of its four neighbors, changed as the second image changes
 * there. Far from the border of the mask many are needed. */
#define NAME poisson_blend
#define SUMMARY "Lay the second image over the first by its gradients, so that its colors become those around it"
#define ALIASES "seamless_clone"
#define SOURCE "Perez, Gangnet and Blake 2003; GPUImage's GPUImagePoissonBlendFilter"
#define EXAMPLE "split[a][b];[b]flip,opacity=0.9[c];[a][c]poisson_blend=1:20"
#define INPUTS 2
#define TOLERANCE 1e-4
#define ALPHA_DOC "colors are taken straight; the second image's alpha says where, the first one's is kept"
#define PARAMS                                                                                                         \
    FLOAT(mix, 0.5, 0, 1, "", "how far each sweep goes, times the alpha of the second image")                          \
    INT(iterations, 10, 1, 500, "", "sweeps")                                                                          \
    BORDER_PARAMS
#define BORDERS "replicate|mirror|symmetric|wrap|constant"
#define BORDER_DOC "what lies outside the images"
#define BORDER_FIRST 0
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status weigh(weft_graph *graph, const struct BLOCK *p, weft_node input, const double *kernel, weft_node *node,
                         weft_error *error) {
    weft_status status = SUBGRAPH_ADD("convolve3x3", &input, 1, node, {"border", p->border},
                                      {"border_value", p->border_value});
    return status == WEFT_OK ? weft_graph_set(graph, *node, "kernel", kernel, 9, error) : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    static const double change[9] = {0, -0.25, 0, -0.25, 1, -0.25, 0, -0.25, 0}, mean[9] = {0, 0.25, 0, 0.25, 0, 0.25, 0, 0.25, 0};
    const struct BLOCK *p = block;
    weft_node colors = -1, ahead = -1, step[2] = {inputs[0], -1}, sum[2] = {-1, -1};
    weft_status status = weft_graph_add(graph, "alpha_remove", &inputs[1], 1, &colors, error);
    if (status == WEFT_OK)
        status = weigh(graph, p, colors, change, &ahead, error);
    const weft_node with_alpha[2] = {ahead, inputs[1]};
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "poisson_target", with_alpha, 2, &ahead, error);
    for (int i = 0; status == WEFT_OK && i < p->iterations; i++) {
        status = weigh(graph, p, step[0], mean, &sum[0], error);
        sum[1] = ahead;
        if (status == WEFT_OK)
            status = weft_graph_add(graph, "poisson_sum", sum, 2, &step[1], error);
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("poisson_step", step, 2, &step[0], {"mix", p->mix});
    }
    *result = step[0];
    return status;
}
