/* SPDX-License-Identifier: MIT */
#define NAME tilt_shift
#define SUMMARY "Keep a band of rows sharp and blur what is above and below, as if the scene were a small model"
#define SOURCE "GPUImage's GPUImageTiltShiftFilter"
#define EXAMPLE "tilt_shift=7:0.45:0.65"
#define TOLERANCE 1
#define STEADY_TOLERANCE 4e-5
#define PARAMS                                                                                                         \
    FLOAT(sigma, 7, 0, 10000, "px", "standard deviation of the blur")                                                  \
    FLOAT(top, 0.4, -10, 10, "", "first row of the band, as a share of the image's height")                            \
    FLOAT(bottom, 0.6, -10, 10, "", "its last row")                                                                    \
    FLOAT(fall_off, 0.2, 0, 10, "", "how far from the band the blur is whole, as a share of the image's height")       \
    BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    if (p->sigma == 0) { /* then colors under an alpha of 0 stay, too */
        *result = *inputs;
        return WEFT_OK;
    }
    weft_node pair[2] = {*inputs, -1};
    weft_status status = SUBGRAPH_ADD("gaussian", inputs, 1, &pair[1], {"sigma", p->sigma}, {"border", p->border},
                                      {"border_value", p->border_value});
    return status == WEFT_OK ? SUBGRAPH_ADD("focus_mix", pair, 2, result, {"shape", 1}, {"top", p->top},
                                            {"bottom", p->bottom}, {"fall_off", p->fall_off})
                             : status;
}
