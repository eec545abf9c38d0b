/* SPDX-License-Identifier: MIT */
#define NAME crop
#define SUMMARY "Cut out a rectangle of whole pixels; with a border, one that reaches beyond the image too"
#define ALIASES "extract roi"
#define EXAMPLE "crop=64:48:256:192"
#define EXACT true
#define BORDERS "replicate|mirror|symmetric|wrap|constant|none"
#define BORDER_FIRST 5
#define BORDER_DOC "what lies outside the image; none: the rectangle must lie inside"
#define PARAMS                                                                                                         \
    INT(x, 0, -2147483647, 2147483647, "px", "first column; below 0 lies left of the image")                           \
    INT(y, 0, -2147483647, 2147483647, "px", "first row; below 0 lies above the image")                                \
    AUTO_INT(width, 0, 2147483647, "px", "columns; auto is all to the right edge, 0 takes one pixel")                  \
    AUTO_INT(height, 0, 2147483647, "px", "rows; auto is all to the bottom edge, 0 takes one pixel")
#define ALPHA_DOC "pixels are moved as they are, transparent ones with their colors"
#include "filter/resample.h"

static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *table,
                        weft_error *error) {
    const struct BLOCK *p = block;
    bool x = direction == WEFT_X;
    int64_t first = x ? p->x : p->y, wanted = x ? p->width : p->height;
    int64_t count = wanted < 0 ? size - first : wanted > 0 ? wanted : 1;
    bool inside = first >= 0 && first < size && count <= size - first;
    if (count < 1 || (!inside && p->border == WEFT_BORDER_NONE)) {
        int64_t last = first + (count > 0 ? count : 1) - 1;
        weft_fail(error, WEFT_ERROR_FORMAT, "%s %lld to %lld do not lie inside the image, which has %lld%s",
                  x ? "columns" : "rows", (long long)first, (long long)last, (long long)size,
                  count < 1 ? "" : "; border says what lies outside");
        weft_error_at(error, -1, NULL, first < 0 || first >= size ? (x ? "x" : "y") : x ? "width" : "height");
        return WEFT_ERROR_FORMAT;
    }
    return weft_axis_pick(first, 1, count, table, error);
}
