/* SPDX-License-Identifier: MIT
 * From an output back to an input, node by node: which of a node's pixels the output pixel at x depends on, as a straight
 * line, scale * x, and how far from it on either side. Nodes of other sizes, such as those of a wide gaussian's coarse grid,
 * have scales of their own; what a line leaves of the true places counts as distance. */
#include "graph/reach/reach.h"
#include <math.h>
#include "base/memory.h"
#include "base/status.h"

struct span {
    double scale, low, high;
};

struct seen {
    bool used, whole;
    struct span along[2]; /* by direction */
};

static int64_t side(const weft_image_info *info, int direction) {
    return direction == WEFT_X ? info->width : info->height;
}

/* Makes `span` hold another one, too, for x of an output of `size`. */
static void merge(struct span *span, struct span other, int64_t size) {
    const double end = (other.scale - span->scale) * (double)(size - 1);
    span->low = fmin(span->low, other.low + fmin(end, 0));
    span->high = fmax(span->high, other.high + fmax(end, 0));
}

static void look(struct seen *at, const struct seen *more, const weft_image_info *output) {
    at->whole = at->whole || more->whole;
    if (!at->used) {
        at->along[WEFT_X] = more->along[WEFT_X];
        at->along[WEFT_Y] = more->along[WEFT_Y];
    } else {
        for (int d = 0; d < 2; d++)
            merge(&at->along[d], more->along[d], side(output, d));
    }
    at->used = true;
}

/* Through a table of weights: its first places are a line, and distances from it. Averages are those of gaussians on a
 * coarse grid, where it does not show where that begins. */
static weft_status through_axis(const struct weft_graph_node *node, int direction, int64_t size, struct span *span,
                                bool *whole, weft_error *error) {
    struct weft_axis axis = {0};
    weft_status status = node->filter->axis(node->block, (enum weft_direction)direction, size, &axis, error);
    if (status != WEFT_OK)
        return status;
    const double slope =
        axis.size > 1 ? (double)(axis.first[axis.size - 1] - axis.first[0]) / (double)(axis.size - 1) : (double)size;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < axis.size; i++) {
        low = fmin(low, (double)axis.first[i] - slope * (double)i);
        high = fmax(high, (double)(axis.first[i] + axis.count - 1) - slope * (double)i);
    }
    weft_axis_clear(&axis);
    if (!node->filter->averages && slope != 1) /* the size changes, or the order: where a pixel is counts */
        *whole = true;
    const double before = slope * span->low, behind = slope * span->high;
    *span = (struct span){slope * span->scale, fmin(before, behind) + low, fmax(before, behind) + high};
    return WEFT_OK;
}

/* The radius of a node that looks around a pixel. */
static weft_status radius_of(const struct weft_graph_node *node, int direction, int64_t *radius, weft_error *error) {
    const struct weft_filter *filter = node->filter;
    struct weft_taps taps = {0};
    weft_status status = WEFT_OK;
    *radius = filter->kind == WEFT_KIND_STENCIL ? filter->radius : 0;
    if (filter->kind == WEFT_KIND_SEPARABLE) {
        status = filter->taps(node->block, (enum weft_direction)direction, false, &taps, error);
        *radius = taps.radius;
        weft_free(taps.weight);
    } else if (filter->reach) {
        *radius = filter->reach(node->block, (enum weft_direction)direction);
    }
    return status;
}

/* What node n, which is seen so, sees of its input i. */
static weft_status through(const struct weft_typed_graph *typed, int32_t n, int32_t i, struct seen *seen,
                           weft_error *error) {
    const struct weft_graph_node *node = &typed->graph->nodes[n];
    const struct weft_filter *filter = node->filter;
    weft_status status = WEFT_OK;
    switch (filter->kind) {
    case WEFT_KIND_POINT: seen->whole = seen->whole || filter->placed; break;
    case WEFT_KIND_LOOKUP: seen->whole = seen->whole || i > 0; break;
    case WEFT_KIND_RESAMPLE:
        for (int d = 0; status == WEFT_OK && d < 2; d++)
            status = through_axis(node, d, side(&typed->info[node->inputs[i]], d), &seen->along[d], &seen->whole,
                                  error);
        seen->whole = seen->whole || weft_filter_border(filter, node->block) == WEFT_BORDER_WRAP;
        break;
    case WEFT_KIND_STENCIL:
    case WEFT_KIND_WINDOW:
    case WEFT_KIND_SEPARABLE:
    case WEFT_KIND_BOX:
    case WEFT_KIND_EXTREMUM:
    case WEFT_KIND_RANK:
        for (int d = 0; status == WEFT_OK && d < 2; d++) {
            int64_t radius;
            status = radius_of(node, d, &radius, error);
            seen->along[d].low -= (double)radius;
            seen->along[d].high += (double)radius;
            if (radius > 0 && weft_filter_border(filter, node->block) == WEFT_BORDER_WRAP)
                seen->whole = true;
        }
        break;
    default: seen->whole = true; /* warps, reductions, what is connected */
    }
    return status;
}

/* Pixels on each side; everything where that is more than there is. */
static void finish(const struct seen *seen, const weft_image_info *output, const weft_image_info *input, weft_reach *reach) {
    int64_t *sides[2][2] = {{&reach->left, &reach->right}, {&reach->above, &reach->below}};
    reach->reads = seen->used;
    reach->whole = seen->used && seen->whole;
    for (int d = 0; d < 2 && seen->used && !reach->whole; d++) {
        const struct span *span = &seen->along[d];
        const double end = (span->scale - 1) * (double)(side(output, d) - 1), slack = 1e-6;
        const double low = span->low + fmin(end, 0), high = span->high + fmax(end, 0);
        const double size = (double)side(input, d);
        reach->whole = -low >= size || high >= size;
        *sides[d][0] = !reach->whole && low < 0 ? (int64_t)ceil(-low - slack) : 0;
        *sides[d][1] = !reach->whole && high > 0 ? (int64_t)ceil(high - slack) : 0;
    }
    if (reach->whole)
        reach->left = reach->right = reach->above = reach->below = 0;
}

weft_status weft_graph_reach(const struct weft_typed_graph *typed, int32_t output, int32_t input, weft_reach *reach,
                             weft_error *error) {
    const struct weft_graph *graph = typed->graph;
    const int32_t from = graph->outputs[output];
    const weft_image_info *info = &typed->info[from];
    struct seen *seen = weft_allocate((size_t)graph->count, sizeof *seen);
    weft_status status = WEFT_OK;
    bool generates = false;
    if (!seen)
        return weft_fail_memory(error, (size_t)graph->count * sizeof *seen, "the reach of a graph");
    seen[from] = (struct seen){.used = true, .along = {{1, 0, 0}, {1, 0, 0}}};
    *reach = (weft_reach){.reads = false};
    for (int32_t n = from; status == WEFT_OK && n >= 0; n--) {
        const struct weft_graph_node *node = &graph->nodes[n];
        if (!seen[n].used)
            continue;
        if (!node->filter) {
            if (node->input == input)
                finish(&seen[n], info, &typed->info[n], reach);
            continue;
        }
        generates = generates || node->filter->info.inputs == 0;
        for (int32_t i = 0; status == WEFT_OK && i < node->filter->info.inputs; i++) {
            struct seen more = seen[n];
            status = through(typed, n, i, &more, error);
            if (status == WEFT_OK)
                look(&seen[node->inputs[i]], &more, info);
        }
        for (int32_t i = 0; i < node->binding_count; i++) { /* a number may come from any pixel */
            struct seen more = seen[n];
            more.whole = true;
            look(&seen[node->bindings[i].from], &more, info);
        }
    }
    if (generates && reach->reads) /* pictures from nothing have the size of the whole */
        *reach = (weft_reach){.reads = true, .whole = true};
    weft_free(seen);
    return status;
}
