/* SPDX-License-Identifier: MIT
 * A graph for frames: the caller's, with what makes colors of planes before it and what makes planes of colors behind,
 * so that the plan fuses all of it. */
#ifndef VIDEO_GRAPH_H
#define VIDEO_GRAPH_H
#include "weft/graph.h"
#include "weft/plan.h"
#include "weft/video.h"

/* One end of the graph: input or output `index` of the caller's. */
struct weft_video_end {
    const weft_video_format *format; /* NULL: a picture, or numbers, as it is */
    int32_t first, count;            /* of its planes among the inputs or outputs of the graph that is made */
};

/* Makes the graph, tells each end's planes, and which node became of each of the caller's. `made_infos`, of the
 * caller's outputs, may be NULL: then nothing stands behind them. */
weft_status weft_video_graph(const weft_graph *given, struct weft_video_end *inputs, struct weft_video_end *outputs,
                             const weft_image_info *made_infos, weft_video_planes seen, const weft_graph *chroma,
                             weft_graph **graph, weft_node **map, weft_error *error);

#endif
