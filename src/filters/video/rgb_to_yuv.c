/* SPDX-License-Identifier: MIT */
#define NAME rgb_to_yuv
#define SUMMARY "Luma or chroma, of full, half or a quarter of the size, of red, green and blue"
#define SOURCE "ITU-R BT.601, BT.709, BT.2020"
#define EXAMPLE "rgb_to_yuv=y"
#define TOLERANCE 1e-5
#include "filters/video/yuv.h"
#define PARAMS                                                                                                         \
    FIXED_CHOICE(plane, 0, "y|uv|u|v", "luma; both planes of chroma as two channels; or one of them")                  \
    YUV_FIXED_CHOICES                                                                                                  \
    FIXED_INT(bits, 8, 8, 16, "", "of a sample")                                                                       \
    FIXED_CHOICE(storage, 0, "whole|low",                                                                              \
                 "whole: full scale is the largest sample; low: samples are the lower bits of 16")                     \
    FIXED_INT(x, 2, 1, 4, "", "pixels side by side that share a sample of chroma")                                     \
    FIXED_INT(y, 2, 1, 4, "", "pixels one below the other that share a sample of chroma")                              \
    YUV_SITING
#include "filter/help/subgraph.h"
#include "filter/composite.h"

enum plane { LUMA, CHROMA, BLUE, RED };

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node node = -1;
    (void)info;
    weft_status status = SUBGRAPH_ADD("yuv_encode", inputs, 1, &node, {"matrix", p->matrix}, {"range", p->range},
                                      {"bits", p->bits}, {"storage", p->storage});
    if (status == WEFT_OK && p->plane == LUMA)
        return weft_graph_add(graph, "take_channel", &node, 1, result, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "yuv_chroma", &node, 1, &node, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("chroma_resample", &node, 1, result, {"direction", 1}, {"x", p->x}, {"y", p->y},
                              {"siting", p->siting});
    return status == WEFT_OK && p->plane != CHROMA
               ? SUBGRAPH_ADD("take_channel", result, 1, result, {"channel", p->plane == BLUE ? 0 : 3})
               : status;
}
