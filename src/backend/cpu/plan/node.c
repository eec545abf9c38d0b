/* SPDX-License-Identifier: MIT
 * Chooses the form of a node. Its readers and its inputs decide whether pixels are split into planes and whether values stay
 * integers. */
#include "backend/cpu/plan/stage_builder.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/point/program.h"
#include "base/status.h"
#include "filter/help/whole_weights.h"

/* The image of node n as a whole: a graph input or one that an earlier stage kept. */
static struct whole whole_of(const struct making *m, int32_t n) {
    const struct weft_graph_node *node = &m->b.typed->graph->nodes[n];
    return (struct whole){node->filter ? -1 : node->input, node->filter ? n : -1, m->b.typed->info[n]};
}

weft_status weft_rows_of(struct making *m, int32_t n, bool native, int32_t *step, weft_error *error) {
    weft_status status = WEFT_OK;
    if (!m->member[n] && m->native[n] < 0) { /* a source */
        const struct kept *kept = &m->plan->kept[n];
        struct whole whole = whole_of(m, n);
        enum weft_row_type type = whole.input >= 0 ? weft_integer_row(whole.info.format.type) : kept->type;
        if (whole.input >= 0 && !native && type != WEFT_ROW_F32) { /* converted to f32 at once, without integer rows between */
            if (m->f32[n] < 0)
                status = weft_lower_source(&m->b, &whole, WEFT_ROW_F32, false, &m->f32[n], error);
            *step = m->f32[n];
            return status;
        }
        status = weft_lower_source(&m->b, &whole, type, false, &m->native[n], error);
    }
    if (status != WEFT_OK)
        return status;
    *step = m->native[n];
    if (!native) {
        if (m->f32[n] < 0) {
            m->f32[n] = m->native[n];
            status = weft_stage_widen(&m->b, &m->f32[n], error);
        }
        *step = m->f32[n];
    }
    return status;
}

bool weft_only_stored(const struct making *m, int32_t n) {
    const struct weft_typed_graph *typed = m->b.typed;
    if (!weft_is_output(typed, n) || m->plan->schedule.keep[n])
        return false;
    for (int32_t c = n + 1; c < typed->graph->count; c++)
        for (int32_t i = 0; m->member[c] && i < typed->graph->nodes[c].filter->info.inputs; i++)
            if (typed->graph->nodes[c].inputs[i] == n)
                return false;
    for (int32_t i = 0; i < typed->graph->output_count; i++)
        if (typed->graph->outputs[i] == n && typed->output_types[i] != typed->info[n].format.type)
            return false;
    return true;
}

static weft_status lower_program(struct making *m, int32_t n, weft_error *error) {
    const struct weft_typed_graph *typed = m->b.typed;
    weft_status joined = weft_lower_joined(m, n, &m->native[n], error);
    if (joined != WEFT_OK || m->native[n] >= 0)
        return joined;
    for (int32_t k = 0; k <= n; k++)
        for (int32_t i = 0; m->group[k] == n && i < typed->graph->nodes[k].filter->info.inputs; i++) {
            int32_t in = typed->graph->nodes[k].inputs[i], step;
            if (m->group[in] == n)
                continue;
            weft_status status = weft_rows_of(m, in, false, &step, error);
            if (status != WEFT_OK)
                return status;
        }
    weft_status status = weft_lower_program(&m->b, n, m->group, m->f32, m->b.bodies, &m->native[n], error);
    m->f32[n] = m->native[n];
    return status;
}

/* True when integer rows cannot hold the border's constant. Where the result is rounded to integers anyway nothing is lost: these
 * filters choose among values and make no new ones. */
static bool border_needs_f32(const struct making *m, int32_t n) {
    const struct weft_graph_node *node = &m->b.typed->graph->nodes[n];
    if (weft_filter_border(node->filter, node->block) != WEFT_BORDER_CONSTANT || weft_only_stored(m, n))
        return false;
    float full = m->b.typed->info[n].format.type == WEFT_U8 ? 255.0f : 65535.0f;
    float value = weft_filter_border_value(node->filter, node->block) * full;
    return value < 0 || value > full || value != (float)(int32_t)value;
}

/* True for filters that move and compare pixels in rows of whole ones as well as in planes. */
static bool takes_pixels(const struct weft_graph_node *node) {
    const struct weft_filter *filter = node->filter;
    switch (filter->kind) {
    case WEFT_KIND_EXTREMUM: return true;
    case WEFT_KIND_RANK: return weft_rank_takes_pixels(node);
    case WEFT_KIND_RESAMPLE:
        return filter->info.exact && weft_filter_border(filter, node->block) != WEFT_BORDER_CONSTANT;
    default: return false;
    }
}

/* Forms for nodes that make an output from an input of the graph, both of one format. *result is -1 where there is none. */
static weft_status lower_image(struct making *m, int32_t n, int32_t *result, weft_error *error) {
    const struct weft_typed_graph *typed = m->b.typed;
    const struct weft_graph_node *node = &typed->graph->nodes[n];
    int32_t in = node->filter->info.inputs == 1 ? node->inputs[0] : -1;
    *result = -1;
    if (in < 0 || typed->graph->nodes[in].filter || !weft_only_stored(m, n) ||
        typed->info[in].format.type != typed->info[n].format.type ||
        typed->info[in].format.channels != typed->info[n].format.channels)
        return WEFT_OK;
    struct whole image = whole_of(m, in);
    switch (node->filter->kind) {
    case WEFT_KIND_SEPARABLE: return weft_lower_convolve_fixed(&m->b, n, &image, result, error);
    case WEFT_KIND_STENCIL: return weft_lower_stencil_fixed(&m->b, n, &image, result, error);
    case WEFT_KIND_BOX: return weft_lower_box_image(&m->b, n, &image, result, error);
    case WEFT_KIND_RESAMPLE: {
        weft_status whole = weft_lower_resample_whole(&m->b, n, &image, result, error);
        if (whole == WEFT_OK && *result < 0 && m->b.kernels->has_fixed)
            whole = weft_lower_resample_fixed(&m->b, n, &image, result, error);
        if (whole != WEFT_OK || *result >= 0)
            return whole;
        break;
    }
    default: break;
    }
    weft_format format = image.info.format;
    int32_t input;
    if (node->filter->kind == WEFT_KIND_WARP)
        return weft_lower_transposed(&m->b, n, &image, result, error);
    if (format.channels == 1 || format.type == WEFT_F16 || !takes_pixels(node))
        return WEFT_OK;
    weft_status status = weft_lower_source(&m->b, &image, weft_integer_row(format.type), true, &input, error);
    if (status != WEFT_OK)
        return status;
    switch (node->filter->kind) {
    case WEFT_KIND_EXTREMUM: return weft_lower_extremum(&m->b, n, &input, result, error);
    case WEFT_KIND_RANK: return weft_lower_rank(&m->b, n, &input, result, error);
    default: return weft_lower_resample(&m->b, n, &input, result, error);
    }
}

/* A reduction of an input of the graph that reads interleaved pixels; *result is -1 otherwise. */
static weft_status lower_reduced_image(struct making *m, int32_t n, int32_t *result, weft_error *error) {
    const struct weft_graph_node *node = &m->b.typed->graph->nodes[n];
    int32_t in = node->inputs[0], input;
    weft_format format = m->b.typed->info[in].format;
    *result = -1;
    if (m->b.typed->graph->nodes[in].filter || format.channels == 1 || !weft_reduce_takes_pixels(node, format.type))
        return WEFT_OK;
    struct whole image = whole_of(m, in);
    weft_status status = weft_lower_source(&m->b, &image, WEFT_ROW_U8, true, &input, error);
    return status == WEFT_OK ? weft_lower_reduce(&m->b, n, &input, result, error) : status;
}

/* A lookup that makes bytes of bytes. */
static bool looks_bytes_up(const struct making *m, int32_t n) {
    const struct weft_graph *graph = m->b.typed->graph;
    return graph->nodes[n].filter->kind == WEFT_KIND_LOOKUP &&
           weft_lookup_takes_bytes(m->b.typed, n,
                                   !graph->nodes[graph->nodes[n].inputs[0]].filter && weft_only_stored(m, n));
}

static weft_status is_mean(const struct weft_graph_node *node, bool *mean, weft_error *error) {
    *mean = node->filter->averages;
    for (int d = 0; node->filter->kind == WEFT_KIND_SEPARABLE && d < 2; d++) {
        struct weft_taps taps = {0};
        weft_status status = node->filter->taps(node->block, d ? WEFT_Y : WEFT_X, false, &taps, error);
        if (status != WEFT_OK)
            return status;
        *mean = (*mean || d == 0) && weft_taps_are_mean(&taps);
        weft_free(taps.weight);
    }
    return WEFT_OK;
}

/* Whether all that reads node n are means, until their bytes are stored: then an error of node n does not grow. */
static weft_status ends_in_bytes(const struct making *m, int32_t n, bool *ends, weft_error *error) {
    const struct weft_typed_graph *typed = m->b.typed;
    *ends = false;
    while (!weft_is_output(typed, n)) {
        int32_t reader = -1, readers = 0;
        for (int32_t c = n + 1; c < typed->graph->count; c++)
            for (int32_t i = 0; typed->graph->nodes[c].filter && i < typed->graph->nodes[c].filter->info.inputs; i++)
                if (typed->graph->nodes[c].inputs[i] == n)
                    reader = c, readers++;
        bool mean = false;
        if (readers == 1 && m->member[reader] && !m->plan->schedule.keep[n]) {
            weft_status status = is_mean(&typed->graph->nodes[reader], &mean, error);
            if (status != WEFT_OK)
                return status;
        }
        if (!mean)
            return WEFT_OK;
        n = reader;
    }
    *ends = typed->info[n].format.type == WEFT_U8 && weft_only_stored(m, n);
    return WEFT_OK;
}

/* A resampling that reads bytes of an image, or makes those that are stored; *result is -1 otherwise. */
static weft_status lower_bytes(struct making *m, int32_t n, int32_t *result, weft_error *error) {
    const struct weft_graph *graph = m->b.typed->graph;
    const struct weft_graph_node *node = &graph->nodes[n];
    int32_t in = node->inputs[0], input;
    *result = -1;
    if (node->filter->kind != WEFT_KIND_RESAMPLE || node->filter->info.exact ||
        (node->filter->moves && node->filter->moves(node->block)))
        return WEFT_OK;
    if (!graph->nodes[in].filter) {
        struct whole image = whole_of(m, in);
        bool ends;
        weft_status status = ends_in_bytes(m, n, &ends, error);
        return status == WEFT_OK && ends ? weft_lower_decimate(&m->b, n, &image, result, error) : status;
    }
    if (m->b.typed->info[n].format.type != WEFT_U8 || !weft_only_stored(m, n))
        return WEFT_OK;
    weft_status status = weft_rows_of(m, in, false, &input, error);
    return status == WEFT_OK ? weft_lower_interpolate(&m->b, n, &input, result, error) : status;
}

weft_status weft_lower_node(struct making *m, int32_t n, weft_error *error) {
    const struct weft_graph_node *node = &m->b.typed->graph->nodes[n];
    int32_t inputs[WEFT_NODE_INPUTS], *result = &m->native[n];
    enum weft_kind kind = node->filter->kind;
    if (weft_union_of(m, n) >= 0)
        return WEFT_OK;
    weft_status status = kind == WEFT_KIND_REDUCE ? lower_reduced_image(m, n, result, error)
                                                  : lower_image(m, n, result, error);
    if (status == WEFT_OK && *result < 0)
        status = lower_bytes(m, n, result, error);
    if (status != WEFT_OK || *result >= 0)
        return status;
    bool native = kind == WEFT_KIND_BOX || kind == WEFT_KIND_EXTREMUM || kind == WEFT_KIND_RANK ||
                  kind == WEFT_KIND_RESAMPLE || looks_bytes_up(m, n) ||
                  (kind == WEFT_KIND_REDUCE && !weft_reduces_numbers(node));
    /* integers stay integers where pixels are only moved; otherwise it is best to load f32 at once */
    if (kind == WEFT_KIND_RESAMPLE)
        native = node->filter->info.exact || (node->filter->moves && node->filter->moves(node->block));
    if (kind == WEFT_KIND_SEPARABLE)
        status = weft_separable_takes_u16(node, m->b.typed->info[node->inputs[0]].format, &native, error);
    if (status != WEFT_OK)
        return status;
    if (kind == WEFT_KIND_EXTREMUM || kind == WEFT_KIND_RANK || kind == WEFT_KIND_RESAMPLE)
        native = native && !border_needs_f32(m, n);
    if (kind == WEFT_KIND_POINT)
        return m->group[n] == n ? lower_program(m, n, error) : WEFT_OK;
    for (int32_t i = 0; i < node->filter->info.inputs; i++) {
        if (weft_reads_whole(m->b.typed, n, i))
            continue;
        status = weft_rows_of(m, node->inputs[i], native, &inputs[i], error);
        if (status != WEFT_OK)
            return status;
    }
    switch (kind) {
    case WEFT_KIND_STENCIL: return weft_lower_stencil(&m->b, n, inputs, result, error);
    case WEFT_KIND_WINDOW:
        return (node->filter->expand ? weft_lower_patches : weft_lower_window)(&m->b, n, inputs, result, error);
    case WEFT_KIND_SEPARABLE: return weft_lower_separable(&m->b, n, inputs, result, error);
    case WEFT_KIND_BOX: return weft_lower_box(&m->b, n, inputs, weft_only_stored(m, n), result, error);
    case WEFT_KIND_EXTREMUM: return weft_lower_extremum(&m->b, n, inputs, result, error);
    case WEFT_KIND_RANK: return weft_lower_rank(&m->b, n, inputs, result, error);
    case WEFT_KIND_RESAMPLE: return weft_lower_resample(&m->b, n, inputs, result, error);
    case WEFT_KIND_REDUCE: return weft_lower_reduce(&m->b, n, inputs, result, error);
    case WEFT_KIND_WARP:
    case WEFT_KIND_GLOBAL: {
        struct whole whole = whole_of(m, node->inputs[0]);
        m->b.stage->reads_whole_input = m->b.stage->reads_whole_input || whole.input >= 0;
        status = (kind == WEFT_KIND_WARP ? weft_lower_warp : weft_lower_global)(&m->b, n, &whole, result, error);
        if (status == WEFT_OK && node->filter->info.inputs > 1) {
            struct whole second = whole_of(m, node->inputs[1]);
            m->b.stage->globals[m->b.stage->global_count - 1].second = second;
            m->b.stage->reads_whole_input = m->b.stage->reads_whole_input || second.input >= 0;
        }
        return status;
    }
    case WEFT_KIND_LOOKUP: {
        struct whole table = whole_of(m, node->inputs[1]);
        return weft_lower_lookup(&m->b, n, inputs, &table, result, error);
    }
    case WEFT_KIND_POINT:
    case WEFT_KIND_COMPOSITE: break;
    }
    return weft_fail(error, WEFT_ERROR_INTERNAL, "no step of the CPU makes the filter %s", node->filter->info.name);
}
