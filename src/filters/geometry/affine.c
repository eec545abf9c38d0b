/* SPDX-License-Identifier: MIT */
#define NAME affine
#define SUMMARY "Move, turn, scale and shear the image by a matrix of two rows"
#define ALIASES "warp_affine"
#define SOURCE "the matrix is that of OpenCV's warpAffine"
#define EXAMPLE "affine=0.8|0.3|0|-0.2|0.9|60"
#define TOLERANCE 1 /* the nearest of two pixels that are equally near */
#define STEADY_TOLERANCE 1e-2
#define PARAMS                                                                                                         \
    FLOATS(matrix, 6, "1|0|0|0|1|0", -UNBOUNDED, UNBOUNDED,                                                            \
           "where a pixel goes, by rows: x' = a x + b y + c, y' = d x + e y + f; the first pixel's center is 0, 0")    \
    BOOL(inverse, 0, "the matrix says where a pixel of the result comes from instead")                                 \
    AUTO_INT(width, 1, 16777216, "px", "columns of the result; auto is as many as the image's")                        \
    AUTO_INT(height, 1, 16777216, "px", "rows of the result; auto is as many as the image's")                          \
    PROJECTIVE_GRAPH_PARAMS
#include "filters/geometry/projective_graph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double given[9] = {0, 0, 0, 0, 0, 0, 0, 0, 1}, map[9];
    for (int i = 0; i < 6; i++)
        given[i] = map[i] = p->matrix[i];
    map[6] = map[7] = 0, map[8] = 1;
    if (!projective_invert(given, p->inverse ? given : map)) {
        weft_fail(error, WEFT_ERROR_PARAMETER, "the matrix has no inverse: it takes all pixels to one line or point");
        weft_error_at(error, -1, NULL, "matrix");
        return WEFT_ERROR_PARAMETER;
    }
    struct projective_settings settings = {p->method, p->border, p->border_value};
    return projective_add(graph, *inputs, info, map, p->width > 0 ? p->width : info->width,
                          p->height > 0 ? p->height : info->height, settings, result, error);
}
