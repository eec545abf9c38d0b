/* SPDX-License-Identifier: MIT */
#define NAME lines
#define SUMMARY "Draw straight lines from place to place, or by slope and offset"
#define ALIASES "line_generator"
#define SOURCE "GPUImage's GPUImageLineGenerator, with smooth edges"
#define EXAMPLE "lines=0.1|0.2|0.9|0.3|0.3|0.9|0.6|0.1:4:yellow"
#define CHANNELS COLOR
#define TOLERANCE 1
#define STEADY_TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    LIST(ends, "0.25|0.25|0.75|0.75", "x and y of both ends of each line; of slopes: slope, offset, and two numbers 0")\
    FLOAT(width, 1, 0, 100000, "px", "of the lines, whose edge is smooth over a pixel")                                \
    COLOR(color, 0, 1, 0, 1, -UNBOUNDED, UNBOUNDED, "of the lines; with its alpha over the image")                     \
    CHOICE(unit, 0, "share|pixel|slope",                                                                               \
           "shares of the image's sides, from 0|0 at the top left to 1|1; pixels; or y = slope x + offset where sides " \
           "go from -1 to 1, y down, and a slope above 9000 is the line x = offset")
#define CHECK check
#define MARKS ends
#define EACH 4
#define STEP "lines_marks"
#include "filters/generate/marks_graph.h"

static void place(const struct BLOCK *p, const weft_image_info *info, double *mark) {
    if (p->unit == 2) {
        double slope = mark[0], offset = mark[1];
        bool upright = slope > 9000;
        const double ends[4] = {upright ? offset : -1, upright ? -1 : offset - slope, upright ? offset : 1,
                                upright ? 1 : offset + slope};
        for (int i = 0; i < 4; i++)
            mark[i] = 0.5 + 0.5 * ends[i];
    }
    for (int i = 0; i < 4 && p->unit != 1; i++)
        mark[i] = mark[i] * (double)(i % 2 ? info->height : info->width) - 0.5;
}
static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    *result = *inputs;
    return draw_all(graph, p, info, (double)p->width, place, result, error);
}
