/* SPDX-License-Identifier: MIT
 * The model behind "auto". It counts bytes and operations and divides them by rates that were measured on this machine.
 * The operations of each kind were fitted to what the filters' examples take on the CPU (weft bench --all, one thread,
 * 1920x1080 u8x3): of 50, 42 come within a factor of two and 48 of four. */
#include <math.h>
#include <stdio.h>
#include "backend/auto/auto.h"
#include "base/memory.h"

/* Numbers in one pixel row and column of weights that a separable or resampling filter multiplies. */
static double taps_of(const struct weft_filter *filter, const void *block) {
    double count = 0;
    for (int direction = WEFT_X; direction <= WEFT_Y; direction++) {
        struct weft_taps taps = {.weight = NULL};
        if (filter->taps(block, (enum weft_direction)direction, false, &taps, NULL) != WEFT_OK)
            continue;
        weft_free(taps.weight);
        count += taps.radius > 0 ? 2.0 * taps.radius + 1 : 0;
    }
    return count;
}

/* Rows are resampled first, all of the input's. */
static double weights_of(const struct weft_filter *filter, const void *block, const weft_image_info *in,
                         const weft_image_info *out) {
    double count = 0;
    for (int direction = WEFT_X; direction <= WEFT_Y; direction++) {
        struct weft_axis axis = {.first = NULL};
        int64_t size = direction == WEFT_X ? in->width : in->height;
        if (filter->axis(block, (enum weft_direction)direction, size, &axis, NULL) != WEFT_OK)
            continue;
        count +=
            (axis.exact ? 12 : 3.0 * axis.count) * (direction == WEFT_X ? (double)in->height / (double)out->height : 1);
        weft_axis_clear(&axis);
    }
    return count;
}

/* Operations for one component of the result. */
static double operations_of(const struct weft_graph_node *node, const weft_image_info *in, const weft_image_info *out) {
    const struct weft_filter *filter = node->filter;
    double x = filter->reach ? filter->reach(node->block, WEFT_X) : filter->radius;
    double y = filter->reach ? filter->reach(node->block, WEFT_Y) : filter->radius;
    switch (filter->kind) {
    case WEFT_KIND_POINT:
        return filter->per_channel ? 6 : 12;
    case WEFT_KIND_STENCIL:
        return 3 * (2 * x + 1) * (2 * y + 1);
    case WEFT_KIND_WINDOW: /* of squares: two box sums of each, and the choice; guided: box sums and lines of three channels */
        return filter->squares ? 100 : filter->guided ? 300 : 15 * (2 * x + 1) * (2 * y + 1);
    case WEFT_KIND_SEPARABLE:
        return 2 * taps_of(filter, node->block);
    case WEFT_KIND_BOX:
        return 40;
    case WEFT_KIND_EXTREMUM:
        return 30;
    case WEFT_KIND_RANK:
        return 180 * (2 * (x > y ? x : y) + 1);
    case WEFT_KIND_RESAMPLE:
        return weights_of(filter, node->block, in, out);
    case WEFT_KIND_WARP:
        return (50 + 10 * filter->spread * filter->spread) *
               (filter->places ? filter->places(node->block, in->width, in->height) : 1);
    case WEFT_KIND_LOOKUP:
        return 90;
    case WEFT_KIND_REDUCE:
        return 8;
    case WEFT_KIND_GLOBAL:
        return 40;
    case WEFT_KIND_COMPOSITE:
        break;
    }
    return 0;
}

static double components(const weft_image_info *info) {
    return (double)info->width * (double)info->height * info->format.channels;
}

void weft_auto_work_of(const struct weft_typed_graph *typed, struct auto_work *work) {
    const struct weft_graph *graph = typed->graph;
    *work = (struct auto_work){.steps = 0};
    for (int32_t n = 0; n < graph->count; n++) {
        const struct weft_graph_node *node = &graph->nodes[n];
        const weft_image_info *info = &typed->info[n];
        if (!node->filter) {
            work->in += components(info) * (double)weft_type_size(info->format.type);
            continue;
        }
        const weft_image_info *in = node->filter->info.inputs > 0 ? &typed->info[node->inputs[0]] : info;
        bool numbers = node->filter->kind == WEFT_KIND_REDUCE;
        work->operations += operations_of(node, in, info) * components(numbers ? in : info);
        work->steps += node->filter->kind != WEFT_KIND_POINT;
    }
    for (int32_t i = 0; i < typed->output_count; i++)
        work->out += components(&typed->info[graph->outputs[i]]) * (double)weft_type_size(typed->output_types[i]);
    work->steps += work->steps == 0;
}

struct auto_estimate weft_auto_estimate(const struct auto_work *work, const struct auto_rates *rates) {
    struct auto_estimate estimate = {.memory = (work->in + work->out) / 2 / rates->copy,
                                     .arithmetic = work->operations / rates->operations,
                                     .launches = work->steps * rates->launch};
    if (rates->upload > 0)
        estimate.transfer = work->in / rates->upload + work->out / rates->download;
    estimate.all = estimate.transfer + estimate.memory + estimate.arithmetic + estimate.launches;
    return estimate;
}

void weft_auto_explain(const struct auto_work *work, const struct auto_estimate *cpu, const char *gpu_name,
                       const struct auto_rates *gpu_rates, const struct auto_estimate *gpu, char *text, size_t size) {
    bool chose_gpu = gpu->all < cpu->all;
    snprintf(
        text, size,
        "auto chose %s: %.3g ms estimated against %.3g ms on %s (%s: upload %.4g MB at %.3g GB/s, download %.4g MB at "
        "%.3g GB/s, %.3g ms of work)",
        chose_gpu ? gpu_name : "cpu", 1e3 * (chose_gpu ? gpu->all : cpu->all), 1e3 * (chose_gpu ? cpu->all : gpu->all),
        chose_gpu ? "cpu" : gpu_name, gpu_name, work->in / 1e6, gpu_rates->upload / 1e9, work->out / 1e6,
        gpu_rates->download / 1e9, 1e3 * (gpu->all - gpu->transfer));
}
