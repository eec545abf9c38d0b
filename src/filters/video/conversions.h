/* SPDX-License-Identifier: MIT
 * What stands before and behind a graph that works on frames of video: planes to red, green and blue, and back. Used by
 * src/video; the settings of a format are numbers in the order of the filters' choices. */
#ifndef FILTERS_VIDEO_CONVERSIONS_H
#define FILTERS_VIDEO_CONVERSIONS_H
#include "filter/help/subgraph.h"

/* How samples lie: their bits, `storage` as the filters have it, and what they mean. */
struct video_samples {
    int32_t bits, storage, matrix, range, siting, x, y;
};

/* Luma alone, as gray of full scale, or back. */
static inline weft_status video_luma(weft_graph *graph, struct video_samples s, bool encode, weft_node *node,
                                     weft_error *error) {
    return SUBGRAPH_ADD("luma_decode", node, 1, node, {"range", s.range}, {"bits", s.bits}, {"storage", s.storage},
                        {"encode", encode});
}

/* The same with a plane of two channels. */
static inline weft_status video_pair(weft_graph *graph, struct video_samples s, bool encode, weft_node *node,
                                     weft_error *error) {
    weft_node pair[2] = {-1, -1};
    weft_status status = WEFT_OK;
    for (int i = 0; i < 2 && status == WEFT_OK; i++) {
        status = SUBGRAPH_ADD("take_channel", node, 1, &pair[i], {"channel", i == 0 ? 0 : 3});
        if (status == WEFT_OK)
            status = video_luma(graph, s, encode, &pair[i], error);
    }
    return status == WEFT_OK ? weft_graph_add(graph, "chroma_join", pair, 2, node, error) : status;
}

/* Luma and chroma, in one plane or in two, as red, green and blue. */
static inline weft_status video_decode(weft_graph *graph, struct video_samples s, const weft_node *planes,
                                       int32_t count, weft_node *node, weft_error *error) {
    weft_node pair[2] = {planes[0], planes[1]};
    weft_status status = count > 2 ? weft_graph_add(graph, "chroma_join", planes + 1, 2, &pair[1], error) : WEFT_OK;
    return status == WEFT_OK ? SUBGRAPH_ADD("yuv_to_rgb", pair, 2, node, {"matrix", s.matrix}, {"range", s.range},
                                            {"bits", s.bits}, {"storage", s.storage}, {"siting", s.siting})
                             : status;
}

/* Luma, then chroma in one plane or in two. */
static inline weft_status video_encode(weft_graph *graph, struct video_samples s, weft_node from, weft_node *planes,
                                       int32_t count, weft_error *error) {
    weft_node coded = -1, chroma = -1;
    weft_status status = SUBGRAPH_ADD("yuv_encode", &from, 1, &coded, {"matrix", s.matrix}, {"range", s.range},
                                      {"bits", s.bits}, {"storage", s.storage});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "take_channel", &coded, 1, &planes[0], error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "yuv_chroma", &coded, 1, &chroma, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("chroma_resample", &chroma, 1, &chroma, {"direction", 1}, {"x", s.x}, {"y", s.y},
                              {"siting", s.siting});
    planes[1] = chroma;
    if (status == WEFT_OK && count > 2)
        status = SUBGRAPH_ADD("take_channel", &chroma, 1, &planes[1], {"channel", 0});
    return status == WEFT_OK && count > 2 ? SUBGRAPH_ADD("take_channel", &chroma, 1, &planes[2], {"channel", 3})
                                          : status;
}

static inline weft_status video_join_alpha(weft_graph *graph, weft_node colors, weft_node alpha, weft_node *node,
                                           weft_error *error) {
    const weft_node both[2] = {colors, alpha};
    return weft_graph_add(graph, "alpha_combine", both, 2, node, error);
}
static inline weft_status video_take_alpha(weft_graph *graph, weft_node from, weft_node *node, weft_error *error) {
    return weft_graph_add(graph, "alpha_extract", &from, 1, node, error);
}
static inline weft_status video_drop_alpha(weft_graph *graph, weft_node *node, weft_error *error) {
    return weft_graph_add(graph, "alpha_remove", node, 1, node, error);
}
/* Three colors of one, one of three, and alpha where there was none. */
static inline weft_status video_make_color(weft_graph *graph, weft_node *node, weft_error *error) {
    return weft_graph_add(graph, "swizzle", node, 1, node, error);
}
static inline weft_status video_make_gray(weft_graph *graph, weft_node *node, weft_error *error) {
    return weft_graph_add(graph, "grayscale", node, 1, node, error);
}
static inline weft_status video_make_opaque(weft_graph *graph, weft_node *node, weft_error *error) {
    return weft_graph_add(graph, "opacity", node, 1, node, error);
}

#endif
