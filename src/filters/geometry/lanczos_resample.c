/* SPDX-License-Identifier: MIT */
#define NAME lanczos_resample
#define SUMMARY "Bring the image to a width and height by Lanczos' kernel of three lobes, without aliasing"
#define SOURCE "Duchon 1979; see resample"
#define EXAMPLE "lanczos_resample=320:240"
#define TOLERANCE 4e-6
#define PARAMS                                                                                                         \
    AUTO_INT(width, 1, 2147483647, "px", "width of the result; auto keeps it")                                         \
    AUTO_INT(height, 1, 2147483647, "px", "height of the result; auto keeps it")
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    enum { LANCZOS3 = 3 };
    return SUBGRAPH_ADD("resample", inputs, 1, result, {"width", p->width > 0 ? p->width : (double)info->width},
                        {"height", p->height > 0 ? p->height : (double)info->height}, {"method", LANCZOS3});
}
