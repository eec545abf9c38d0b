/* SPDX-License-Identifier: MIT */
#define NAME overlay
#define SUMMARY "Lay the second image, of any size, over the first by its alpha: watermarks, logos, captions"
#define ALIASES "watermark"
#define EXAMPLE "split[a][b];[b]resize=160,sepia[c];[a][c]overlay=southeast:margin=16|16"
#define TOLERANCE 1e-5
#define INPUTS 2
#define PARAMS                                                                                                         \
    CHOICE(gravity, 0, GRAVITIES, "the edge or corner that it lies at")                                                \
    FLOATS(margin, 2, "0|0", -2147483647, 2147483647,                                                                  \
           "pixels from the left or right edge, and from the top or bottom; from the middle, to the right and down")   \
    FLOAT(opacity, 1, 0, 1, "", "scales the alpha of the second image")                                                \
    FLOAT(share, 0, 0, 100, "", "its width as a share of the first image's, its shape being kept; 0: as it is")          \
    FLOATS(box, 4, "0|0|0|0", -2147483647, 2147483647,                                                                 \
           "x|y|width|height of a rectangle of the first image that it is shrunk into and lies in; sides of 0: all")
#define ALPHA_DOC "colors count by their alpha; the result has alpha where the first image has it"
#include "filters/geometry/gravity.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double room[2] = {(double)info[0].width, (double)info[0].height};
    double size[2] = {(double)info[1].width, (double)info[1].height};
    weft_node pair[2] = {inputs[0], inputs[1]};
    bool boxed = p->box[2] >= 1 && p->box[3] >= 1;
    double at[2] = {0, 0}, box[2] = {room[0], room[1]}, scale = 1;
    weft_status status = WEFT_OK;
    if (boxed) {
        for (int i = 0; i < 2; i++)
            at[i] = floor(p->box[i] + 0.5), box[i] = floor(p->box[2 + i] + 0.5);
        scale = fmin(1, fmin(box[0] / size[0], box[1] / size[1]));
    }
    if (p->share > 0) {
        double width = fmax(floor(room[0] * p->share + 0.5), 1);
        size[1] = fmax(floor(size[1] * width / size[0] + 0.5), 1);
        size[0] = width;
    } else if (scale < 1) {
        for (int i = 0; i < 2; i++)
            size[i] = fmax(floor(size[i] * scale + 0.5), 1);
    }
    if (size[0] != (double)info[1].width || size[1] != (double)info[1].height)
        status = SUBGRAPH_ADD("resample", &pair[1], 1, &pair[1], {"width", size[0]}, {"height", size[1]});
    double x = at[0] + weft_gravity_place(weft_gravity_x(p->gravity), box[0], size[0], floor(p->margin[0] + 0.5));
    double y = at[1] + weft_gravity_place(weft_gravity_y(p->gravity), box[1], size[1], floor(p->margin[1] + 0.5));
    bool beside = x >= room[0] || y >= room[1] || x + size[0] <= 0 || y + size[1] <= 0;
    double edge[4] = {x, y, x + size[0], y + size[1]};
    if (beside) /* nothing of it is seen: any pixels do, which the empty rectangle hides */
        x = y = edge[0] = edge[1] = edge[2] = edge[3] = 0;
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("pad", &pair[1], 1, &pair[1], {"left", x}, {"top", y},
                              {"right", room[0] - (x + size[0])}, {"bottom", room[1] - (y + size[1])},
                              {"border", WEFT_BORDER_CONSTANT});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("inset", pair, 2, result, {"opacity", p->opacity});
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *result, "edges", edge, 4, error);
    if (status == WEFT_OK && info[0].alpha == WEFT_ALPHA_NONE)
        status = weft_graph_add(graph, "alpha_remove", result, 1, result, error);
    return status;
}
