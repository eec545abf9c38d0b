/* SPDX-License-Identifier: MIT */
#define NAME temporal_denoise
#define SUMMARY "Take noise out of what stands still: a low_pass that lets go where a color changes by more than noise does"
#define EXAMPLE "temporal_denoise=0.8:0.05"
#define TOLERANCE 1e-5
#define PARAMS                                                                                                         \
    FLOAT(strength, 0.8, 0, 1, "", "weight of the frame before where nothing changes")                                 \
    FLOAT(sigma, 0.05, 0.0001, 10, "",                              \
          "standard deviation of the noise; the weight falls as a gaussian of the change over it")
#include "filters/time/time.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    return smooth(graph, *inputs, (double)p->strength, (double)p->sigma, result, error);
}
