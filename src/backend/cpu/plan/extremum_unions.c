/* SPDX-License-Identifier: MIT
 * Extrema over rectangles around the same pixel, joined by minima or maxima, are the extremum over the union of the rectangles. It
 * is made in one step. */
#include "backend/cpu/plan/stage_builder.h"
#include "backend/cpu/pipeline/source_sink.h"

#define MOST 32 /* rectangles */

struct rectangles {
    int32_t input; /* the node that all of them are of */
    bool maximum;
    int32_t count, radius[MOST][2];
};

static int32_t cut(int32_t radius, int64_t size) { return radius < size ? radius : (int32_t)(size - 1); }

/* Whether node n is an extremum that only program `root` reads. */
static bool is_for(const struct making *m, int32_t n, int32_t root) {
    const struct weft_typed_graph *typed = m->b.typed;
    const struct weft_graph_node *node = &typed->graph->nodes[n];
    if (!node->filter || !m->member[n] || node->filter->kind != WEFT_KIND_EXTREMUM || m->plan->schedule.keep[n] ||
        weft_is_output(typed, n))
        return false;
    for (int32_t c = n + 1; c < typed->graph->count; c++)
        for (int32_t i = 0; typed->graph->nodes[c].filter && i < typed->graph->nodes[c].filter->info.inputs; i++)
            if (typed->graph->nodes[c].inputs[i] == n && !(m->member[c] && m->group[c] == root))
                return false;
    weft_border border = weft_filter_border(node->filter, node->block);
    return border != WEFT_BORDER_CONSTANT && border != WEFT_BORDER_WRAP;
}

static bool add(const struct making *m, int32_t n, struct rectangles *of) {
    const struct weft_graph_node *node = &m->b.typed->graph->nodes[n];
    const weft_image_info *info = &m->b.typed->info[n];
    int32_t x = cut(node->filter->reach(node->block, WEFT_X), info->width);
    int32_t y = cut(node->filter->reach(node->block, WEFT_Y), info->height);
    if (of->count == MOST || node->filter->maximum != of->maximum || y > WEFT_UNION_RADIUS ||
        (of->count > 0 && of->input != node->inputs[0]))
        return false;
    of->input = node->inputs[0];
    of->radius[of->count][0] = x, of->radius[of->count][1] = y;
    of->count++;
    return true;
}

/* The rectangles that program `root` joins; false where it does anything else. */
static bool find(const struct making *m, int32_t root, struct rectangles *of) {
    const struct weft_graph *graph = m->b.typed->graph;
    of->count = 0;
    for (int32_t k = 0, members = 0; k <= root; k++) {
        const struct weft_graph_node *node = &graph->nodes[k];
        int32_t bins;
        if (!m->member[k] || m->group[k] != root)
            continue;
        if (!node->filter->reduction || node->filter->info.inputs != 2)
            return false;
        bool maximum = node->filter->reduction(node->block, &bins) == WEFT_REDUCE_MAX;
        if (members++ > 0 && maximum != of->maximum)
            return false;
        of->maximum = maximum;
        for (int i = 0; i < 2; i++)
            if (m->group[node->inputs[i]] != root && !(is_for(m, node->inputs[i], root) && add(m, node->inputs[i], of)))
                return false;
    }
    return of->count > 0;
}

int32_t weft_union_of(const struct making *m, int32_t n) {
    const struct weft_graph *graph = m->b.typed->graph;
    struct rectangles of;
    for (int32_t c = n + 1; graph->nodes[n].filter->kind == WEFT_KIND_EXTREMUM && c < graph->count; c++)
        for (int32_t i = 0; graph->nodes[c].filter && i < graph->nodes[c].filter->info.inputs; i++)
            if (graph->nodes[c].inputs[i] == n)
                return m->member[c] && m->group[c] >= 0 && find(m, m->group[c], &of) ? m->group[c] : -1;
    return -1;
}

/* Whether whole pixels of node n, an input of the graph or made of one by unions alone, go to unions and to memory alone. */
static bool has_pixels(const struct making *m, int32_t n) {
    const struct weft_graph_node *node = &m->b.typed->graph->nodes[n];
    const weft_format format = m->b.typed->info[n].format;
    struct rectangles of;
    if (!node->filter)
        return format.channels > 1 && format.type != WEFT_F16;
    return m->member[n] && m->group[n] == n && find(m, n, &of) && has_pixels(m, of.input);
}
static bool leaves_pixels(const struct making *m, int32_t root) {
    const struct weft_graph *graph = m->b.typed->graph;
    int32_t next = -1;
    if (weft_only_stored(m, root))
        return true;
    if (weft_is_output(m->b.typed, root) || m->plan->schedule.keep[root])
        return false;
    for (int32_t c = root + 1; c < graph->count; c++)
        for (int32_t i = 0; graph->nodes[c].filter && i < graph->nodes[c].filter->info.inputs; i++) {
            int32_t of = graph->nodes[c].inputs[i] == root ? weft_union_of(m, c) : next;
            if (graph->nodes[c].inputs[i] == root && (of < 0 || (next >= 0 && of != next)))
                return false;
            next = of;
        }
    return next >= 0 && leaves_pixels(m, next);
}

weft_status weft_lower_joined(struct making *m, int32_t root, int32_t *result, weft_error *error) {
    struct rectangles of;
    int32_t input;
    *result = -1;
    if (!find(m, root, &of))
        return WEFT_OK;
    const weft_image_info *info = &m->b.typed->info[of.input];
    bool pixels = has_pixels(m, of.input) && leaves_pixels(m, root);
    weft_status status = WEFT_OK;
    if (!pixels)
        status = weft_rows_of(m, of.input, true, &input, error);
    else if (m->b.typed->graph->nodes[of.input].filter)
        input = m->native[of.input];
    else
        status = weft_lower_source(&m->b, &(struct whole){m->b.typed->graph->nodes[of.input].input, -1, *info},
                                   info->format.type == WEFT_U8    ? WEFT_ROW_U8
                                   : info->format.type == WEFT_U16 ? WEFT_ROW_U16
                                                                   : WEFT_ROW_F32,
                                   true, &input, error);
    return status == WEFT_OK ? weft_lower_union(&m->b, root, input, of.maximum, (const int32_t(*)[2])of.radius, of.count,
                                                result, error)
                             : status;
}
