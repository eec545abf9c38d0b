/* SPDX-License-Identifier: MIT
 * Dilation and erosion: in one step first down the columns into a row with pads, then along that row, piece by piece.
 *
 * A radius larger than the image is cut, which changes nothing: an extremum does not count how often it sees a value.
 * For the same reason replicate, mirror and symmetric are shrink: what they repeat is within the rectangle already. So
 * outside lies either the neutral element or border_value, or with wrap the image again.
 *
 * Down the columns there are several ways, of which choose/extremum.c chooses. */
#include "backend/cpu/choose/extremum.h"
#include "backend/cpu/steps/extremum/extremum.h"
#include "base/status.h"

/* The least radius from which on nothing changes any more. */
static int64_t cut(int64_t radius, int64_t size, weft_border border) {
    int64_t enough = border == WEFT_BORDER_WRAP ? size / 2 : border == WEFT_BORDER_CONSTANT ? size : size - 1;
    return radius < enough ? radius : enough;
}

weft_status weft_lower_extremum(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                                weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    struct step step = {.inputs = {inputs[0]},
                        .input_count = 1,
                        .node = node,
                        .type = b->stage->steps[inputs[0]].type,
                        .planes = b->stage->steps[inputs[0]].planes,
                        .interleave = b->stage->steps[inputs[0]].interleave,
                        .width = info->width,
                        .height = info->height};
    struct extremum *e = weft_allocate(1, sizeof *e);
    if (!e)
        return weft_fail_memory(error, sizeof *e, "an extremum");
    e->border = weft_filter_border(n->filter, n->block);
    e->maximum = n->filter->maximum;
    e->radius_x = cut(n->filter->reach(n->block, WEFT_X), info->width, e->border);
    e->radius_y = cut(n->filter->reach(n->block, WEFT_Y), info->height, e->border);
    e->window_y = 2 * e->radius_y + 1;
    if (e->radius_x == 0 && e->radius_y == 0) {
        weft_free(e);
        *result = inputs[0];
        return WEFT_OK;
    }
    step.data = e;
    static const struct step_kind *const kinds[] = {
        [CPU_EXTREMUM_SQUARE] = &weft_extremum_square,
        [CPU_EXTREMUM_DIRECT] = &weft_extremum_direct,
        [CPU_EXTREMUM_BLOCKS] = &weft_extremum_blocks,
    };
    const struct weft_rung *rung = weft_cpu_choose_extremum(&(struct cpu_extremum_case){e->radius_x, e->radius_y, e->border});
    step.kind = kinds[rung->choice];
    step.why = rung->when;
    step.late = step.kind != &weft_extremum_square;
    /* Past the caches a 3x3 square of bytes of one channel takes 1.1 of its time, of three and four 0.95. */
    bool bytes = step.type == WEFT_ROW_U8 && step.interleave < 3;
    step.divisible = step.kind == &weft_extremum_direct || (step.kind == &weft_extremum_square && !bytes);
    size_t size = step.kind->state_size ? step.kind->state_size(&step, info->width, info->width) : 0;
    if (size > PTRDIFF_MAX) {
        weft_free(e);
        return weft_fail_memory(error, size, "the rows of an extremum");
    }
    return weft_stage_add(b, &step, result, error);
}
