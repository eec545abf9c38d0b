/* SPDX-License-Identifier: MIT */
#define NAME perspective
#define SUMMARY "Make a rectangle of what lies between four corners: square a photographed page; or map by a matrix"
#define ALIASES "warp_perspective transform"
#define SOURCE "corners as OpenCV's getPerspectiveTransform, the matrix as its warpPerspective"
#define EXAMPLE "perspective=120|60|540|100|600|420|60|380"
#define TOLERANCE 1 /* the nearest of two pixels that are equally near */
#define STEADY_TOLERANCE 1e-2
#define PARAMS                                                                                                         \
    FLOATS(corners, 8, "0|0|0|0|0|0|0|0", -UNBOUNDED, UNBOUNDED,                                                       \
           "x and y of the top left, top right, bottom right, bottom left corner, in pixels; all 0: by the matrix")    \
    FLOATS(matrix, 9, "1|0|0|0|1|0|0|0|1", -UNBOUNDED, UNBOUNDED,                                                      \
           "where a pixel goes, by rows, where there are no corners; the first pixel's center is 0, 0")                \
    BOOL(inverse, 0, "the matrix says where a pixel of the result comes from instead")                                 \
    AUTO_INT(width, 1, 16777216, "px", "columns of the result; auto is what lies between the corners, or the image's") \
    AUTO_INT(height, 1, 16777216, "px", "rows of the result; auto is what lies between the corners, or the image's")   \
    PROJECTIVE_GRAPH_PARAMS
#define CHECK check
#include "filters/geometry/projective_graph.h"
#include "filter/composite.h"

static weft_status refuse(const char *parameter, const char *message, weft_error *error) {
    weft_fail(error, WEFT_ERROR_PARAMETER, "%s", message);
    weft_error_at(error, -1, NULL, parameter);
    return WEFT_ERROR_PARAMETER;
}

/* The map that takes the unit square's corners, in order around it, to four places (Heckbert 1989). */
static bool square_to(const double *c, double *map) {
    double sx = c[0] - c[2] + c[4] - c[6], sy = c[1] - c[3] + c[5] - c[7];
    double dx1 = c[2] - c[4], dx2 = c[6] - c[4], dy1 = c[3] - c[5], dy2 = c[7] - c[5], d = dx1 * dy2 - dx2 * dy1;
    if (d == 0)
        return false;
    double g = (sx * dy2 - dx2 * sy) / d, h = (dx1 * sy - sx * dy1) / d;
    const double all[9] = {c[2] - c[0] + g * c[2], c[6] - c[0] + h * c[6], c[0],
                           c[3] - c[1] + g * c[3], c[7] - c[1] + h * c[7], c[1],
                           g,                      h,                      1};
    for (int i = 0; i < 9; i++)
        map[i] = all[i];
    return true;
}

/* Every three of the corners go around the same way, none of them on a line. */
static bool convex(const double *c) {
    int positive = 0, negative = 0;
    for (int i = 0; i < 4; i++) {
        const double *a = c + 2 * i, *b = c + 2 * ((i + 1) % 4), *e = c + 2 * ((i + 2) % 4);
        double cross = (b[0] - a[0]) * (e[1] - b[1]) - (b[1] - a[1]) * (e[0] - b[0]);
        double size = hypot(b[0] - a[0], b[1] - a[1]) * hypot(e[0] - b[0], e[1] - b[1]);
        positive += cross > 1e-9 * size, negative += cross < -1e-9 * size;
    }
    return positive == 4 || negative == 4;
}

/* The corners that were given, if any. */
static bool has_corners(const struct BLOCK *p, double *c) {
    bool any = false;
    for (int i = 0; i < 8; i++)
        c[i] = (double)p->corners[i], any |= c[i] != 0;
    return any;
}

static weft_status check(const void *block, weft_error *error) {
    double c[8];
    if (has_corners(block, c) && !convex(c))
        return refuse("corners", "the corners are not those of a convex figure, one after the other around it", error);
    return WEFT_OK;
}

static int64_t side(const double *c, int a, int b, int d, int e) {
    double one = hypot(c[2 * a] - c[2 * b], c[2 * a + 1] - c[2 * b + 1]);
    double other = hypot(c[2 * d] - c[2 * e], c[2 * d + 1] - c[2 * e + 1]);
    return (int64_t)fmin(floor(fmax(one, other) + 1.5), 16777216);
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    int64_t width = p->width > 0 ? p->width : info->width, height = p->height > 0 ? p->height : info->height;
    double map[9], given[9], c[8];
    if (has_corners(p, c)) {
        width = p->width > 0 ? p->width : side(c, 0, 1, 3, 2), height = p->height > 0 ? p->height : side(c, 0, 3, 1, 2);
        const double shrink[9] = {width > 1 ? 1 / (double)(width - 1) : 1, 0, 0, 0,
                                  height > 1 ? 1 / (double)(height - 1) : 1, 0, 0, 0, 1};
        if (!square_to(c, given))
            return refuse("corners", "three of the corners lie on one line", error);
        projective_multiply(given, shrink, map);
    } else {
        for (int i = 0; i < 9; i++)
            given[i] = map[i] = (double)p->matrix[i];
        if (!projective_invert(given, p->inverse ? given : map))
            return refuse("matrix", "the matrix has no inverse: it takes all pixels to one line or point", error);
    }
    struct projective_settings settings = {p->method, p->border, p->border_value};
    return projective_add(graph, *inputs, info, map, width, height, settings, result, error);
}
