/* SPDX-License-Identifier: MIT
 * Step 2 of planning: the size, channels, alpha and color space of every node's image, as the user sees them. In which
 * form of alpha or space an image really is between two filters is convert.c's business. */
#include <string.h>
#include "base/status.h"
#include "graph/typed.h"

/* The channels that the result has by its filter's rule; SAME is the input with the most. */
static void infer_channels(const struct weft_filter *filter, const weft_image_info *inputs, weft_image_info *info) {
    int32_t colors = weft_color_channels(info), pictures = filter->kind == WEFT_KIND_LOOKUP ? 1 : filter->info.inputs;
    for (int32_t i = 1; i < pictures; i++) { /* a table is no picture */
        if (weft_color_channels(&inputs[i]) > colors)
            colors = weft_color_channels(&inputs[i]);
        if (info->alpha == WEFT_ALPHA_NONE)
            info->alpha = inputs[i].alpha;
    }
    if (info->alpha != WEFT_ALPHA_NONE && colors > 3)
        colors = 3; /* an image with four data channels meets one with alpha */
    switch (filter->channels) {
    case WEFT_CHANNELS_SAME: break;
    case WEFT_CHANNELS_COLOR: colors = colors < 3 ? 3 : colors; break;
    case WEFT_CHANNELS_GREY: colors = 1; break;
    case WEFT_CHANNELS_PLANE:
        if (filter->luminance || filter->kind == WEFT_KIND_POINT) {
            colors = 1;
            info->alpha = WEFT_ALPHA_NONE;
        }
        break;
    case WEFT_CHANNELS_PAIR:
        colors = 2;
        info->alpha = WEFT_ALPHA_NONE;
        break;
    case WEFT_CHANNELS_ALPHA:
        if (info->alpha == WEFT_ALPHA_NONE) {
            info->alpha = WEFT_ALPHA_STRAIGHT;
            colors = colors == 2 ? 1 : colors > 3 ? 3 : colors;
        }
        break;
    }
    info->format.channels = colors + (info->alpha != WEFT_ALPHA_NONE);
}

/* All inputs of a point filter or a global filter must have the size of the first one. */
static weft_status check_sizes(const struct weft_filter *filter, const weft_image_info *inputs, weft_error *error) {
    for (int32_t i = 1; i < filter->info.inputs; i++)
        if (inputs[i].width != inputs[0].width || inputs[i].height != inputs[0].height)
            return weft_fail(error, WEFT_ERROR_FORMAT,
                             "%s needs images of one size, but input %d is %lldx%lld and input 1 is %lldx%lld: "
                             "cover brings one to the size of the other, overlay takes any",
                             filter->info.name, (int)i + 1, (long long)inputs[i].width, (long long)inputs[i].height,
                             (long long)inputs[0].width, (long long)inputs[0].height);
    return WEFT_OK;
}

static weft_status resample_sizes(const struct weft_filter *filter, const void *block, weft_image_info *info,
                                  weft_error *error) {
    for (int d = 0; d < 2; d++) {
        struct weft_axis axis = {0};
        int64_t *size = d == WEFT_X ? &info->width : &info->height;
        weft_status status = filter->axis(block, (enum weft_direction)d, *size, &axis, error);
        if (status != WEFT_OK)
            return status;
        *size = axis.size;
        weft_axis_clear(&axis);
    }
    return WEFT_OK;
}

weft_status weft_node_infer(const struct weft_graph_node *node, const weft_image_info *inputs, weft_image_info *info,
                            weft_error *error) {
    const struct weft_filter *filter = node->filter;
    weft_status status = WEFT_OK;
    if (filter->info.inputs > 0)
        *info = inputs[0];
    else
        *info = (weft_image_info){.width = 1, .height = 1, .format = {WEFT_U8, 1}};
    if (filter->kind == WEFT_KIND_POINT || filter->kind == WEFT_KIND_GLOBAL)
        status = check_sizes(filter, inputs, error);
    if (status == WEFT_OK) {
        infer_channels(filter, inputs, info);
        if (filter->kind == WEFT_KIND_RESAMPLE)
            status = resample_sizes(filter, node->block, info, error);
        if (status == WEFT_OK && filter->infer)
            status = filter->infer(node->block, inputs, info, error);
        if (filter->kind == WEFT_KIND_REDUCE) {
            info->format.type = WEFT_F64;
            if (info->alpha != WEFT_ALPHA_NONE) /* numbers are of the form that they were taken in */
                info->alpha = weft_filter_need(filter, node->block) == WEFT_NEED_PREMULTIPLIED ? WEFT_ALPHA_PREMULTIPLIED
                                                                                               : WEFT_ALPHA_STRAIGHT;
        }
        else if (info->format.type == WEFT_F64) /* a picture made of a reduction's numbers */
            info->format.type = WEFT_F32;
    }
    if (status == WEFT_OK && (info->width > WEFT_SIDE_LIMIT || info->height > WEFT_SIDE_LIMIT))
        status = weft_fail(error, WEFT_ERROR_FORMAT, "%s would make an image of %lldx%lld pixels; a side has at most %d",
                           filter->info.name, (long long)info->width, (long long)info->height, WEFT_SIDE_LIMIT);
    if (status == WEFT_OK && (filter->kind == WEFT_KIND_WARP || filter->kind == WEFT_KIND_LOOKUP)) {
        const weft_image_info *at = filter->kind == WEFT_KIND_WARP ? info : &inputs[1];
        int64_t limit = (int64_t)1 << 24, side = at->width > at->height ? at->width : at->height;
        if (side > limit)
            status = weft_fail(error, WEFT_ERROR_FORMAT, "%s works on %s of at most %lld pixels", filter->info.name,
                               filter->kind == WEFT_KIND_WARP ? "sides" : "tables with sides", (long long)limit);
    }
    if (status != WEFT_OK && error) {
        weft_error_at(error, node->origin, filter->info.name, NULL);
        error->offset = node->offset, error->length = node->length;
    }
    return status;
}

weft_status weft_graph_infer(const struct weft_graph *graph, const weft_image_info *inputs, weft_image_info *info,
                             weft_error *error) {
    for (int32_t n = 0; n < graph->count; n++) {
        const struct weft_graph_node *node = &graph->nodes[n];
        if (!node->filter) {
            info[n] = inputs[node->input];
            continue;
        }
        if (node->filter->kind == WEFT_KIND_COMPOSITE) { /* known once it is expanded */
            memset(&info[n], 0, sizeof info[n]);
            continue;
        }
        weft_image_info ins[WEFT_NODE_INPUTS];
        for (int32_t i = 0; i < node->filter->info.inputs; i++) {
            ins[i] = info[node->inputs[i]];
            if (ins[i].width == 0) { /* below a composite */
                memset(&info[n], 0, sizeof info[n]);
                goto next;
            }
        }
        weft_status status = weft_node_infer(node, ins, &info[n], error);
        if (status != WEFT_OK)
            return status;
    next:;
    }
    return WEFT_OK;
}
