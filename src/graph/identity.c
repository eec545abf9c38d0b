/* SPDX-License-Identifier: MIT
 * Whether a filter keeps its image as it is, by what its descriptor tells of it: a radius of 0, weights of one pixel.
 * Only kinds whose parameters are fixed when a plan is made are asked. */
#include <math.h>
#include "base/memory.h"
#include "graph/typed.h"

#define NOTHING 1e-7 /* a weight that leaves no trace */

static weft_status taps_keep(const struct weft_graph_node *node, enum weft_direction direction, bool *keeps,
                             weft_error *error) {
    struct weft_taps taps = {0};
    weft_status status = node->filter->taps(node->block, direction, false, &taps, error);
    *keeps = status == WEFT_OK && taps.radius == 0 && fabs(taps.weight[0] - 1) < 1e-12;
    weft_free(taps.weight);
    return status;
}

static weft_status axis_keeps(const struct weft_graph_node *node, enum weft_direction direction, int64_t size,
                              bool *keeps, weft_error *error) {
    struct weft_axis axis = {0};
    weft_status status = node->filter->axis(node->block, direction, size, &axis, error);
    *keeps = status == WEFT_OK && axis.size == size;
    for (int64_t i = 0; *keeps && i < size; i++)
        for (int32_t k = 0; k < axis.count; k++) {
            double wanted = axis.first[i] + k == i ? 1 : 0;
            *keeps = *keeps && fabs((double)axis.weight[i * axis.count + k] - wanted) < NOTHING;
        }
    weft_axis_clear(&axis);
    return status;
}

weft_status weft_graph_is_identity(const struct weft_graph_node *node, const weft_image_info *input, bool *keeps,
                                   weft_error *error) {
    const struct weft_filter *filter = node->filter;
    weft_status status = WEFT_OK;
    *keeps =
        filter->info.inputs == 1 && !filter->infer && input->format.type != WEFT_F64; /* numbers become a picture */
    for (int d = WEFT_X; d <= WEFT_Y && *keeps; d++) {
        enum weft_direction direction = (enum weft_direction)d;
        switch (filter->kind) {
        case WEFT_KIND_SEPARABLE:
            status = taps_keep(node, direction, keeps, error);
            break;
        case WEFT_KIND_RESAMPLE:
            status = axis_keeps(node, direction, d == WEFT_X ? input->width : input->height, keeps, error);
            break;
        case WEFT_KIND_BOX:
        case WEFT_KIND_EXTREMUM:
        case WEFT_KIND_RANK:
        case WEFT_KIND_WINDOW: /* the mean of the pixel alone */
            *keeps = !filter->custom && filter->reach(node->block, direction) == 0;
            break;
        default:
            *keeps = false;
        }
    }
    return status;
}
