/* SPDX-License-Identifier: MIT
 * A graph ready for a backend: no composites, sizes and formats known, every conversion of alpha, color space and
 * channels written out as a node. What is still implied: a point filter sees grey as red = green = blue, and alpha that is
 * not there as 1. */
#ifndef GRAPH_TYPED_H
#define GRAPH_TYPED_H
#include "graph/graph.h"

/* Pixels that a side may have: indices along a side fit an int everywhere. */
#define WEFT_SIDE_LIMIT 2147483647

struct weft_typed_graph {
    struct weft_graph *graph; /* owned */
    weft_image_info *info;    /* of each node's image; its type is the one that an integer-exact result would have */
    weft_type *output_types;  /* what each output is stored as */
    int32_t output_count;
    uint64_t memory;          /* what a run may take; 0: anything */
};

/* Number of color planes: channels without alpha. */
static inline int32_t weft_color_channels(const weft_image_info *info) {
    return info->format.channels - (info->alpha != WEFT_ALPHA_NONE);
}

/* graph/infer.c: the info of every node from the inputs' (`inputs[i]` of input i); info has graph->count elements. */
weft_status weft_graph_infer(const struct weft_graph *graph, const weft_image_info *inputs, weft_image_info *info,
                             weft_error *error);
/* The info of one filter's result. */
weft_status weft_node_infer(const struct weft_graph_node *node, const weft_image_info *inputs, weft_image_info *info,
                            weft_error *error);

/* An image that is kept from frame to frame: an input of the expanded graph beside the caller's, and an output. */
struct weft_recall {
    int32_t frames; /* how long ago */
    int32_t output; /* which of the outputs behind the caller's makes it */
    weft_node recall, kept; /* while the graph is expanded: who reads it, of role RECALL, and who makes it */
};

/* The images that a graph reads: the caller's, then those that it recalls. */
struct weft_recalls {
    weft_image_info *inputs;
    int32_t input_count;
    struct weft_recall *list; /* one for each input behind the caller's */
    int32_t count;
    int32_t output_count; /* behind the caller's: what is recalled twice is made once */
};
/* graph/frame_feedback.c. Adds one, whose image is so, at the end. */
weft_status weft_recalls_add(struct weft_recalls *recalls, const struct weft_recall *added, const weft_image_info *info,
                             weft_error *error);
/* What the DELAYs of `graph` are to recall, once map says what its nodes have become; recalls NULL: nothing. */
void weft_recalls_map(struct weft_recalls *recalls, const struct weft_graph *graph, const weft_node *map);
/* Makes what is kept outputs of the expanded graph, whose nodes' images are `info`. */
weft_status weft_recalls_finish(struct weft_recalls *recalls, struct weft_graph *graph, const weft_image_info *info,
                                weft_error *error);
void weft_recalls_clear(struct weft_recalls *recalls);

struct weft_device;
/* Whether a device computes node n as it is, rather than in the cheaper form that its filter may have. */
typedef weft_status weft_keeps(const struct weft_device *device, const struct weft_graph *graph,
                               const weft_image_info *info, int32_t n, bool *kept, weft_error *error);
/* A graph without composites, and the info of its nodes. */
struct weft_expanded {
    struct weft_graph *graph;
    weft_image_info *info;
};
/* graph/expand.c: replaces composites by their sub-graphs until none is left. What the graph recalls is added to `recalls`,
 * which holds the inputs, and is read and made by inputs and outputs behind the caller's. */
weft_status weft_graph_expand(const struct weft_graph *graph, struct weft_recalls *recalls, struct weft_expanded *expanded,
                              weft_error *error);
/* Replaces filters that know a cheaper form by that, but those that the device keeps; keeps NULL: it keeps none. */
weft_status weft_graph_cheapen(const struct weft_expanded *expanded, const weft_image_info *inputs, weft_keeps *keeps,
                               const struct weft_device *device, struct weft_graph **cheap, weft_error *error);
void weft_expanded_clear(struct weft_expanded *expanded);

/* graph/identity.c: whether a filter keeps its image, `input`, whatever that shows. */
weft_status weft_graph_is_identity(const struct weft_graph_node *node, const weft_image_info *input, bool *keeps,
                                   weft_error *error);

/* graph/convert.c: puts in the conversions that filters need before them and outputs after them. */
weft_status weft_graph_convert(const struct weft_graph *graph, const weft_image_info *inputs,
                               struct weft_typed_graph *typed, weft_error *error);

void weft_typed_graph_clear(struct weft_typed_graph *typed);

#endif
