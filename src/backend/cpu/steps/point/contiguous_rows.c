/* SPDX-License-Identifier: MIT
 * Where the rows of images are contiguous and all filters are point filters that do not use coordinates, many rows go through a
 * stage as one row, since the overhead of a row through the steps is as much as some hundred pixels. */
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/point/program.h"
#include "backend/cpu/pipeline/run.h"

#define MOST (1 << 24) /* pixels of such a row, which steps count in an int */

static bool asks_where(const struct weft_typed_graph *typed, const struct step *step) {
    int32_t nodes[2 * WEFT_PROGRAM_NODES], count;
    bool asks = false;
    weft_program_nodes(step, nodes, &count);
    for (int32_t i = 0; i < count; i++)
        asks = asks || typed->graph->nodes[nodes[i]].filter->placed;
    return asks;
}

bool weft_stage_joins(const struct stage *stage, const struct weft_typed_graph *typed) {
    bool joins = stage->count > 0 && stage->strips == 1 && stage->global_count == 0;
    for (int32_t i = 0; joins && i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        bool source = weft_source_input(step) >= 0 && (step->direct || step->inlined);
        bool program = step->kind == &weft_program_kind && step->inlined && !asks_where(typed, step);
        joins = (source || program || weft_sink_output(step) >= 0) && step->pad == 0 &&
                step->width == stage->steps[0].width && step->height == stage->steps[0].height;
    }
    return joins;
}

static bool is_packed(const struct view *view, const struct step *step, weft_format format) {
    return view->first == 0 && view->stride == (ptrdiff_t)((size_t)step->width * weft_format_size(format));
}

int64_t weft_run_joined_rows(const struct cpu_run *run) {
    const struct stage *stage = run->stage;
    const struct weft_run_request *request = run->request;
    bool packed = stage->joins;
    for (int32_t i = 0; packed && i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        int32_t input = weft_source_input(step), output = weft_sink_output(step);
        if (input >= 0)
            packed = is_packed(&run->inputs[input], step, request->inputs[input].image.info.format);
        else if (output >= 0)
            packed = is_packed(&run->outputs[output], step, request->outputs[output].image.info.format);
    }
    int64_t rows = packed ? MOST / stage->steps[0].width : 1;
    return rows < 1 ? 1 : rows > WEFT_PROGRESS_ROWS ? WEFT_PROGRESS_ROWS : rows;
}

void weft_lane_join(struct lane *lane, int64_t from, int64_t to) {
    for (int32_t i = 0; i < lane->stage->count; i++) {
        lane->first[i] = from * lane->stage->steps[i].width;
        lane->end[i] = to * lane->stage->steps[i].width;
    }
}
