/* SPDX-License-Identifier: MIT */
#define NAME yuv_to_rgb
#define SUMMARY "Red, green and blue of video's luma and chroma, two channels of full, half or a quarter of the size"
#define SOURCE "ITU-R BT.601, BT.709, BT.2020"
#define EXAMPLE "split[a][b];[a]rgb_to_yuv=y[y];[b]rgb_to_yuv=uv[c];[y][c]yuv_to_rgb"
#define INPUTS 2
#define TOLERANCE 1e-5
#include "filters/video/yuv.h"
#define PARAMS                                                                                                         \
    YUV_FIXED_CHOICES                                                                                                  \
    FIXED_INT(bits, 8, 8, 16, "", "of a sample")                                                                       \
    FIXED_CHOICE(storage, 0, "whole|low|high",                                                                         \
                 "whole: full scale is the largest sample; low and high: samples are the lower or upper bits of 16")   \
    YUV_SITING                                                                                                         \
    BOOL(limit, 1, "limit colors to what can be shown")
#include "base/status.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

/* How many pixels share a sample; 0 for sizes that do not go together. */
static int64_t shared(int64_t pixels, int64_t samples) {
    for (int64_t factor = 1; factor <= 4; factor *= 2)
        if ((pixels + factor - 1) / factor == samples)
            return factor;
    return 0;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    int64_t x = shared(info[0].width, info[1].width), y = shared(info[0].height, info[1].height);
    weft_node pair[2] = {inputs[0], inputs[1]};
    if (!x || !y)
        return weft_fail(
            error, WEFT_ERROR_FORMAT,
            "yuv_to_rgb needs chroma of full, half or a quarter of the sides of luma, which is %lldx%lld, not of "
            "%lldx%lld",
            (long long)info[0].width, (long long)info[0].height, (long long)info[1].width, (long long)info[1].height);
    weft_status status = SUBGRAPH_ADD("chroma_resample", &inputs[1], 1, &pair[1], {"x", (double)x}, {"y", (double)y},
                                      {"cut_x", (double)(info[1].width * x - info[0].width)},
                                      {"cut_y", (double)(info[1].height * y - info[0].height)}, {"siting", p->siting});
    return status == WEFT_OK ? SUBGRAPH_ADD("yuv_decode", pair, 2, result, {"matrix", p->matrix}, {"range", p->range},
                                            {"bits", p->bits}, {"storage", p->storage}, {"limit", p->limit})
                             : status;
}
