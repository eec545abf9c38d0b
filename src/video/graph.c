/* SPDX-License-Identifier: MIT
 * A graph for frames. */
#include "video/graph.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "filters/video/conversions.h"
#include "graph/graph.h"

enum { WHOLE, LOW, HIGH }; /* `storage` of the filters */

static struct video_samples samples_of(const weft_video_format *format) {
    bool whole = format->planes[0].format.type == WEFT_U8 || format->bits == 16;
    return (struct video_samples){.bits = format->bits,
                                  .storage = whole          ? WHOLE
                                             : format->high ? HIGH
                                                            : LOW,
                                  .matrix = (int32_t)format->matrix,
                                  .range = format->full_range,
                                  .siting = (int32_t)format->siting,
                                  .x = format->chroma_x,
                                  .y = format->chroma_y};
}

/* Samples that are as they are shown: of alpha, or of gray pictures. */
static struct video_samples full(const weft_video_format *format) {
    struct video_samples samples = samples_of(format);
    samples.range = 1;
    return samples;
}

/* What the caller's graph sees of an input. */
static weft_status begin(weft_graph *graph, struct weft_video_end *end, bool luma, weft_node *node, weft_error *error) {
    const weft_video_format *format = end->format;
    weft_node planes[WEFT_VIDEO_PLANES];
    weft_status status = WEFT_OK;
    end->first = weft_graph_inputs(graph);
    end->count = format && !luma ? format->plane_count : 1;
    for (int32_t i = 0; i < end->count && status == WEFT_OK; i++)
        status = weft_graph_input(graph, &planes[i], error);
    *node = planes[0];
    if (status != WEFT_OK || !format)
        return status;
    struct video_samples samples = samples_of(format);
    if (luma)
        return format->kind == WEFT_VIDEO_YUV || samples.storage != WHOLE
                   ? video_luma(graph, samples, false, node, error)
                   : WEFT_OK;
    if (format->kind != WEFT_VIDEO_YUV)
        return samples.storage != WHOLE ? video_luma(graph, full(format), false, node, error) : WEFT_OK;
    status = video_decode(graph, samples, planes, format->plane_count == 2 ? 2 : 3, node, error);
    if (status == WEFT_OK && format->alpha && samples.storage != WHOLE)
        status = video_luma(graph, full(format), false, &planes[3], error);
    return status == WEFT_OK && format->alpha ? video_join_alpha(graph, *node, planes[3], node, error) : status;
}

/* A copy of a filter's node, reading what became of its inputs. */
static weft_status copy_node(weft_graph *graph, const struct weft_graph_node *from, weft_node *map, weft_node *made,
                             weft_error *error) {
    weft_node inputs[WEFT_NODE_INPUTS];
    for (int32_t i = 0; i < from->filter->info.inputs; i++)
        inputs[i] = map[from->inputs[i]];
    weft_status status = weft_graph_append(graph, from->filter, inputs, from->filter->info.inputs, made, error);
    void *block = status == WEFT_OK ? weft_block_copy(from->filter, from->block) : NULL;
    if (status != WEFT_OK || !block)
        return status != WEFT_OK ? status : weft_fail_memory(error, from->filter->block_size, "parameters");
    struct weft_graph_node *node = &graph->nodes[*made];
    weft_block_destroy(from->filter, node->block);
    node->block = block;
    node->space = from->space;
    node->offset = from->offset, node->length = from->length;
    for (int32_t i = 0; i < from->binding_count && status == WEFT_OK; i++) {
        const struct weft_binding *binding = &from->bindings[i];
        status = weft_graph_bind_number(graph, *made, binding->parameter, binding->component, map[binding->from],
                                        binding->index, binding->scale, error);
    }
    return status;
}

/* Brings what the graph made to the colors and the alpha that a format has. */
static weft_status suit(weft_graph *graph, const weft_video_format *format, const weft_image_info *info,
                        weft_node *node, weft_error *error) {
    weft_status status = WEFT_OK;
    bool alpha = info->alpha != WEFT_ALPHA_NONE;
    int32_t colors = info->format.channels - alpha;
    if (colors == 2 || colors > 3)
        return weft_fail(error, WEFT_ERROR_FORMAT,
                         "the graph makes %d channels, and video has one or three; swizzle takes those that are wanted",
                         (int)colors);
    if (format->kind == WEFT_VIDEO_GRAY && colors == 3)
        status = video_make_gray(graph, node, error);
    else if (format->kind == WEFT_VIDEO_RGB && colors == 1)
        status = video_make_color(graph, node, error);
    if (status == WEFT_OK && format->alpha && !alpha)
        status = video_make_opaque(graph, node, error);
    if (status == WEFT_OK && !format->alpha && alpha)
        status = video_drop_alpha(graph, node, error);
    return status;
}

/* The planes of an output. */
static weft_status end_planes(weft_graph *graph, struct weft_video_end *end, const weft_image_info *info, bool luma,
                              weft_node node, weft_error *error) {
    const weft_video_format *format = end->format;
    struct video_samples samples = samples_of(format);
    weft_node planes[WEFT_VIDEO_PLANES] = {0};
    weft_node alpha = -1;
    bool yuv = format->kind == WEFT_VIDEO_YUV;
    end->count = luma ? 1 : format->plane_count;
    weft_status status = suit(graph, format, info, &node, error);
    if (status == WEFT_OK && luma && info->format.channels - (info->alpha != WEFT_ALPHA_NONE) > 1)
        status = video_make_gray(graph, &node, error);
    if (status == WEFT_OK && yuv && format->alpha && !luma) {
        status = video_take_alpha(graph, node, &alpha, error);
        if (status == WEFT_OK)
            status = video_drop_alpha(graph, &node, error);
        if (status == WEFT_OK && samples.storage != WHOLE)
            status = video_luma(graph, full(format), true, &alpha, error);
        planes[3] = alpha;
    }
    planes[0] = node;
    if (luma && status == WEFT_OK && (yuv || samples.storage != WHOLE))
        status = video_luma(graph, samples, true, &planes[0], error);
    else if (!yuv && status == WEFT_OK && samples.storage != WHOLE)
        status = video_luma(graph, full(format), true, &planes[0], error);
    if (yuv && !luma && status == WEFT_OK)
        status = video_encode(graph, samples, node, planes, format->plane_count == 2 ? 2 : 3, error);
    for (int32_t i = 0; i < end->count && status == WEFT_OK; i++)
        status = weft_graph_output(graph, planes[i], error);
    return status;
}

/* Samples of 16 bits that are not whole ones, to full scale or back. */
static weft_status scale_plane(weft_graph *graph, const weft_video_format *format, int32_t p, bool encode,
                               weft_node *node, weft_error *error) {
    return p == 1 && format->plane_count == 2 ? video_pair(graph, full(format), encode, node, error)
                                              : video_luma(graph, full(format), encode, node, error);
}

/* What the caller's graph becomes on plane p of its inputs, `nodes[i * WEFT_VIDEO_PLANES + p]`. */
static weft_status copy_on_plane(weft_graph *graph, const weft_graph *given, const struct weft_video_end *inputs,
                                 const weft_node *nodes, int32_t p, weft_node *map, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t n = 0; n < given->count && status == WEFT_OK; n++) {
        const struct weft_graph_node *node = &given->nodes[n];
        const weft_video_format *format = node->filter ? NULL : inputs[node->input].format;
        if (node->filter) {
            status = copy_node(graph, node, map, &map[n], error);
            continue;
        }
        map[n] = nodes[node->input * WEFT_VIDEO_PLANES + p];
        if (format && samples_of(format).storage != WHOLE)
            status = scale_plane(graph, format, p, false, &map[n], error);
    }
    if (status == WEFT_OK)
        weft_graph_map_kept(graph, given, map);
    return status;
}

/* Plane p of an output; of numbers and pictures there is the first alone. */
static weft_status end_plane(weft_graph *graph, const struct weft_video_end *end, int32_t p, weft_node node,
                             weft_error *error) {
    weft_status status = WEFT_OK;
    if (end->format && samples_of(end->format).storage != WHOLE)
        status = scale_plane(graph, end->format, p, true, &node, error);
    return status == WEFT_OK ? weft_graph_output(graph, node, error) : status;
}

/* The graph once for each plane, or that of chroma. Before it is known what the outputs are, those of the first planes
 * come first. */
static weft_status graph_of_each(const weft_graph *given, const weft_graph *chroma, struct weft_video_end *inputs,
                                 struct weft_video_end *outputs, bool known, weft_graph *graph, weft_node *map,
                                 weft_error *error) {
    const weft_graph *of[WEFT_VIDEO_PLANES] = {given, chroma, chroma, given};
    size_t count = (size_t)(given->count > chroma->count ? given->count : chroma->count);
    int32_t planes = inputs[0].format ? inputs[0].format->plane_count : 1;
    weft_node *nodes = weft_allocate((size_t)given->input_count * WEFT_VIDEO_PLANES, sizeof *nodes);
    weft_node *maps = weft_allocate(count * WEFT_VIDEO_PLANES, sizeof *maps);
    weft_status status = nodes && maps ? WEFT_OK : weft_fail_memory(error, count * sizeof *maps, "a graph");
    for (int32_t i = 0; i < given->input_count && status == WEFT_OK; i++) {
        inputs[i].first = weft_graph_inputs(graph);
        inputs[i].count = inputs[i].format ? inputs[i].format->plane_count : 1;
        if (inputs[i].count != planes)
            status =
                weft_fail(error, WEFT_ERROR_FORMAT, "a graph on every plane by itself needs inputs of as many planes");
        for (int32_t p = 0; p < planes && status == WEFT_OK; p++)
            status = weft_graph_input(graph, &nodes[i * WEFT_VIDEO_PLANES + p], error);
    }
    for (int32_t p = 0; p < planes && status == WEFT_OK; p++)
        status = copy_on_plane(graph, of[p], inputs, nodes, p, maps + (size_t)p * count, error);
    for (int32_t i = 0; i < given->output_count && status == WEFT_OK; i++) {
        outputs[i].first = weft_graph_outputs(graph);
        outputs[i].count = known ? planes : 1;
        for (int32_t p = 0; p < outputs[i].count && status == WEFT_OK; p++)
            status = end_plane(graph, &outputs[i], p, maps[(size_t)p * count + (size_t)of[p]->outputs[i]], error);
    }
    for (int32_t i = 0; i < given->output_count && !known; i++)
        for (int32_t p = 1; p < planes && status == WEFT_OK; p++)
            status = weft_graph_output(graph, maps[(size_t)p * count + (size_t)of[p]->outputs[i]], error);
    if (status == WEFT_OK)
        memcpy(map, maps, (size_t)given->count * sizeof *map);
    weft_free(nodes);
    weft_free(maps);
    return status;
}

static weft_status graph_of_colors(const weft_graph *given, struct weft_video_end *inputs,
                                   struct weft_video_end *outputs, const weft_image_info *made_infos, bool luma,
                                   weft_graph *graph, weft_node *map, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t n = 0; n < given->count && status == WEFT_OK; n++) {
        const struct weft_graph_node *node = &given->nodes[n];
        status = node->filter ? copy_node(graph, node, map, &map[n], error)
                              : begin(graph, &inputs[node->input], luma, &map[n], error);
    }
    if (status == WEFT_OK)
        weft_graph_map_kept(graph, given, map);
    for (int32_t i = 0; i < given->output_count && status == WEFT_OK; i++) {
        weft_node node = map[given->outputs[i]];
        outputs[i].first = weft_graph_outputs(graph);
        outputs[i].count = 1;
        status = made_infos && outputs[i].format ? end_planes(graph, &outputs[i], &made_infos[i], luma, node, error)
                                                 : weft_graph_output(graph, node, error);
    }
    return status;
}

weft_status weft_video_graph(const weft_graph *given, struct weft_video_end *inputs, struct weft_video_end *outputs,
                             const weft_image_info *made_infos, weft_video_planes seen, const weft_graph *chroma,
                             weft_graph **graph, weft_node **map, weft_error *error) {
    weft_status status = weft_catalog_graph(given->catalog, graph, error);
    *map = NULL;
    if (status != WEFT_OK)
        return status;
    *map = weft_allocate((size_t)given->count, sizeof **map);
    if (!*map)
        status = weft_fail_memory(error, (size_t)given->count * sizeof **map, "a graph");
    else if (seen == WEFT_PLANES_EACH)
        status = graph_of_each(given, chroma ? chroma : given, inputs, outputs, made_infos != NULL, *graph, *map, error);
    else
        status = graph_of_colors(given, inputs, outputs, made_infos, seen == WEFT_PLANES_LUMA, *graph, *map, error);
    if (status != WEFT_OK) {
        weft_graph_destroy(graph);
        weft_free(*map);
        *map = NULL;
    }
    return status;
}
