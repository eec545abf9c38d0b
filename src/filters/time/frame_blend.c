/* SPDX-License-Identifier: MIT */
#define NAME frame_blend
#define SUMMARY "The mean of the last frames, as a long exposure has it"
#define EXAMPLE "frame_blend=4"
#define TOLERANCE 1e-5
#define PARAMS INT(frames, 4, 1, 16, "frames", "how many; before there are so many the present one stands for those missing")
#include "filters/time/time.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    weft_status status = WEFT_OK;
    weft_node pair[2] = {*inputs, -1};
    for (int i = 1; status == WEFT_OK && i < ((const struct BLOCK *)block)->frames; i++) {
        status = delay(graph, *inputs, i, &pair[1], error);
        if (status == WEFT_OK) /* the mean of i + 1 frames, i of them known */
            status = SUBGRAPH_ADD("frame_mix", pair, 2, &pair[0], {"strength", 1.0 / (i + 1)});
    }
    *result = pair[0];
    return status;
}
