/* SPDX-License-Identifier: MIT */
#define NAME low_pass
#define SUMMARY "Let pixels follow changes slowly: each frame is a mix of the present one and the one before, as it came out"
#define SOURCE "GPUImage's GPUImageLowPassFilter"
#define EXAMPLE "low_pass=0.8"
#define TOLERANCE 1e-5
#define PARAMS FLOAT(strength, 0.5, 0, 1, "", "weight of the frame before; the first frame is taken as it is")
#include "filters/time/time.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    return smooth(graph, *inputs, (double)((const struct BLOCK *)block)->strength, 0, result, error);
}
