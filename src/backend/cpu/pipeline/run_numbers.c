/* SPDX-License-Identifier: MIT
 * The numbers of a run's reductions: partial results of tiles, totals, and where they go, parameters and outputs. */
#include "backend/cpu/pipeline/run.h"
#include <string.h>

static bool is_reduction(const struct step *step) { return step->sink && step->node >= 0; }

static double *partial(const struct cpu_run *run, const struct step *step, int32_t tile) {
    return (double *)(void *)(run->workspace + run->plan->partial[step->node] +
                              (size_t)tile * weft_round_up(weft_reduction_size(step)));
}

double *weft_lane_partial(struct lane *lane, const struct step *step) { return partial(lane->run, step, lane->tile); }

static double *total(const struct cpu_run *run, const struct step *step) {
    return partial(run, step, run->stage->bands * run->stage->strips); /* behind the tiles' partial results */
}

void weft_run_merge_reductions(const struct cpu_run *run) {
    const struct stage *stage = run->stage;
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        const int32_t tiles = run->grouped ? 1 : run->bands * stage->strips;
        for (int32_t tile = 0; is_reduction(step) && tile < tiles; tile++)
            weft_reduction_merge(step, total(run, step), partial(run, step, tile));
    }
}

void weft_lane_each_reduction(const struct lane *lane, int32_t first, int32_t end,
                              void (*work)(const struct step *step, double *partial)) {
    for (int32_t i = first; i < end; i++)
        if (is_reduction(&lane->stage->steps[i]))
            work(&lane->stage->steps[i], partial(lane->run, &lane->stage->steps[i], lane->tile));
}

void weft_run_clear_totals(const struct cpu_run *run) {
    for (int32_t i = 0; i < run->stage->count; i++)
        if (is_reduction(&run->stage->steps[i]))
            weft_reduction_clear_total(&run->stage->steps[i], total(run, &run->stage->steps[i]));
}

void weft_run_finish_reductions(const struct cpu_run *run) {
    const struct stage *stage = run->stage;
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        if (is_reduction(step))
            weft_reduction_finish(step, total(run, step),
                                  (double *)(void *)(run->workspace + run->plan->kept[step->node].offset));
    }
}

/* Number `index` of a kept image, component by component, pixel by pixel. */
static double kept_number(const struct cpu_run *run, int32_t node, int32_t index) {
    const struct kept *kept = &run->plan->kept[node];
    const weft_image_info *info = &run->plan->typed->info[node];
    const unsigned char *data = (kept->numbers ? run->workspace : run->kept) + kept->offset;
    int64_t pixel = index / info->format.channels, channel = index % info->format.channels;
    if (kept->numbers)
        return ((const double *)(const void *)data)[index];
    data += (size_t)channel * kept->plane_bytes + (size_t)(pixel / info->width) * (size_t)kept->row_bytes;
    switch (kept->type) {
    case WEFT_ROW_U8:
        return data[pixel % info->width] / 255.0;
    case WEFT_ROW_U16:
        return ((const uint16_t *)(const void *)data)[pixel % info->width] / 65535.0;
    default:
        return ((const float *)(const void *)data)[pixel % info->width];
    }
}

void weft_run_apply_bindings(const struct cpu_run *run, int32_t stage) {
    const struct weft_graph *graph = run->plan->typed->graph;
    for (int32_t n = 0; n < graph->count; n++) {
        const struct weft_graph_node *node = &graph->nodes[n];
        for (int32_t i = 0; i < node->binding_count; i++) {
            const struct weft_binding *b = &node->bindings[i];
            const struct weft_parameter *parameter = &node->filter->parameters[b->parameter];
            if (run->plan->schedule.stage[b->from] != stage)
                continue;
            double value = kept_number(run, b->from, b->index) * b->scale;
            value = value > parameter->info.minimum ? value : parameter->info.minimum;
            value = value < parameter->info.maximum ? value : parameter->info.maximum;
            float *first = (float *)(void *)(run->workspace + run->plan->block[n] + parameter->offset);
            first[b->component] = (float)value;
        }
    }
}

weft_status weft_run_write_numbers(const struct cpu_run *run, weft_error *error) {
    const struct weft_typed_graph *typed = run->plan->typed;
    for (int32_t i = 0; i < typed->output_count; i++) {
        int32_t n = typed->graph->outputs[i];
        const struct kept *kept = &run->plan->kept[n];
        const weft_run_output *output = &run->request->outputs[i];
        if (typed->output_types[i] != WEFT_F64)
            continue;
        const void *numbers = run->workspace + kept->offset;
        if (!output->sink.write) {
            memcpy(output->image.data, numbers, (size_t)kept->row_bytes);
            continue;
        }
        weft_status status = output->sink.write(output->sink.user, 0, 1, numbers, kept->row_bytes, error);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}
