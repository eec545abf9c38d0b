/* SPDX-License-Identifier: MIT
 * weft generate effects: the filters that hosts of video effects can use, a name a line: from one picture to one of the same
 * size, with the parameters as they are. */
#include <stdio.h>
#include <string.h>
#include "generate/generate.h"
#include "weft/weft.h"

/* Whether the filter makes a picture like the one that it gets. */
static bool keeps_shape(weft_device *device, const weft_filter_info *filter) {
    const weft_image_info info = {.width = 64, .height = 48, .format = {WEFT_U8, 4}, .alpha = WEFT_ALPHA_STRAIGHT};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_image_info made = {.width = 0};
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    bool good = weft_graph_parse(filter->name, strlen(filter->name), &graph, NULL) == WEFT_OK &&
                weft_plan_create(device, graph, &options, &plan, NULL) == WEFT_OK &&
                !weft_plan_output_is_values(plan, 0) && weft_plan_output_info(plan, 0, &made, NULL) == WEFT_OK;
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    return good && made.width == info.width && made.height == info.height && made.format.type == WEFT_U8;
}

void generate_effects(void) {
    const weft_filter_info *filter;
    weft_device *device = NULL;
    if (weft_device_open("cpu", NULL, &device, NULL) != WEFT_OK)
        return;
    for (int32_t i = 0; (filter = weft_filter_at(i)) != NULL; i++) {
        if (filter->inputs == 1 && !filter->step_of[0] && keeps_shape(device, filter))
            puts(filter->name);
    }
    weft_device_close(&device);
}
