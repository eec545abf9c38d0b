/* SPDX-License-Identifier: MIT
 * Reductions: a sink that adds each row to its tile's partial result. Histograms of u8 count the components of interleaved pixels
 * in place: splitting pixels into planes would take 0.3 of the time on u8x3. */
#include <math.h>
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/steps/reduce/places.h"
#include "backend/cpu/steps/reduce/reduce.h"
#include "base/memory.h"
#include "base/status.h"

/* Longer tables are not made several times: among so many bins neighbouring pixels rarely fall into the same one. */
#define LONG_TABLE 1024

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct reduce *reduce = step->data;
    const struct weft_kernels *kernels = lane->kernels;
    int32_t input = step->inputs[0];
    int32_t apart = lane->stage->steps[input].interleave;
    size_t size = weft_step_element(&lane->stage->steps[input]);
    int64_t first = weft_lane_first(lane, step);
    int count = (int)(weft_lane_end(lane, step) - first);
    struct row in = weft_lane_fetch(lane, input, y);
    double *partial = weft_lane_partial(lane, step);
    (void)out;
    if (weft_reduces_places(reduce->what)) {
        weft_places_row(reduce, weft_reduce_counters(reduce, partial, 0),
                        (const float *)in.plane[0] + (first - lane->first[input]), first, y, count);
        return;
    }
    if (reduce->what == WEFT_REDUCE_HISTOGRAM && apart > 1) {
        kernels->reduce_count_bytes((const uint8_t *)in.plane[0] + (size_t)(first - lane->first[input]) * size, apart,
                                    weft_reduce_counters(reduce, partial, 0), count);
        return;
    }
    for (int32_t k = 0; k < step->planes; k++) {
        const void *row = (const unsigned char *)in.plane[k] + (size_t)(first - lane->first[input]) * size;
        double value;
        switch (reduce->what) {
        case WEFT_REDUCE_MIN:
            value = kernels->reduce_min[step->type](row, count);
            if (value < partial[k] || isnan(partial[k]))
                partial[k] = value;
            break;
        case WEFT_REDUCE_MAX:
            value = kernels->reduce_max[step->type](row, count);
            if (value > partial[k] || isnan(partial[k]))
                partial[k] = value;
            break;
        case WEFT_REDUCE_SUM:
        case WEFT_REDUCE_MEAN:
            partial[k] += kernels->reduce_sum[step->type](row, count);
            break;
        case WEFT_REDUCE_HISTOGRAM:
            if (step->type == WEFT_ROW_U8)
                kernels->reduce_count_bytes(row, 1, weft_reduce_counters(reduce, partial, k), count);
            else
                kernels->reduce_count[step->type](row, reduce->steps, reduce->bins,
                                                  weft_reduce_counters(reduce, partial, k),
                                                  reduce->tables > 1 ? reduce->stride : 0, count);
            break;
        case WEFT_REDUCE_BOXES:
        case WEFT_REDUCE_CENTROIDS:
            break;
        }
    }
}

static const struct step_kind kind = {.name = "reduce", .run = run};

bool weft_reduce_takes_pixels(const struct weft_graph_node *node, weft_type type) {
    int32_t bins;
    return type == WEFT_U8 && node->filter->reduction(node->block, &bins) == WEFT_REDUCE_HISTOGRAM;
}

bool weft_reduces_numbers(const struct weft_graph_node *node) {
    int32_t bins;
    return weft_reduces_places(node->filter->reduction(node->block, &bins));
}

weft_status weft_lower_reduce(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                              weft_error *error) {
    const struct weft_graph_node *of = &b->typed->graph->nodes[node];
    struct step like = b->stage->steps[inputs[0]];
    struct reduce *reduce = weft_allocate(1, sizeof *reduce);
    if (!reduce)
        return weft_fail_memory(error, sizeof *reduce, "a reduction");
    weft_type type = b->typed->info[of->inputs[0]].format.type;
    reduce->what = of->filter->reduction(of->block, &reduce->bins);
    reduce->steps = type == WEFT_U8 ? 255 : type == WEFT_U16 ? 65535 : 0;
    if (reduce->what == WEFT_REDUCE_HISTOGRAM) {
        /* The counter behind the bins is for values in no bin. */
        size_t counters = like.type == WEFT_ROW_U8 ? 256 : (size_t)weft_reduce_bins_counted(reduce) + 1;
        reduce->tables = like.type == WEFT_ROW_U8  ? WEFT_BYTE_COUNTERS(like.interleave)
                         : counters > LONG_TABLE ? 1
                                                 : WEFT_COUNTERS;
        reduce->stride = (counters + 7) / 8 * 8;
    } else if (weft_reduces_places(reduce->what)) {
        reduce->tables = 1;
        reduce->stride = (size_t)reduce->bins * (size_t)weft_reduction_counters(reduce->what);
    }
    return weft_stage_add(b,
                          &(struct step){.kind = &kind,
                                         .inputs = {inputs[0]},
                                         .input_count = 1,
                                         .node = node,
                                         .data = reduce,
                                         .type = like.type,
                                         .planes = like.planes * like.interleave,
                                         .width = like.width,
                                         .height = like.height,
                                         .sink = true,
                                         .pad_node = -1},
                          result, error);
}
