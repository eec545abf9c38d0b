/* SPDX-License-Identifier: MIT */
#define NAME pad
#define SUMMARY "Add columns and rows around the image, of what its border says; below 0 cut them off"
#define ALIASES "copy_make_border"
#define EXAMPLE "pad=40:40:40:40:symmetric"
#define EXACT true
#define BORDERS "replicate|mirror|symmetric|wrap|constant"
#define BORDER_DOC "what the new columns and rows are made of"
#define PARAMS                                                                                                         \
    INT(left, 0, -2147483647, 2147483647, "px", "columns before the first")                                            \
    INT(top, 0, -2147483647, 2147483647, "px", "rows above the first")                                                 \
    INT(right, 0, -2147483647, 2147483647, "px", "columns after the last")                                             \
    INT(bottom, 0, -2147483647, 2147483647, "px", "rows below the last")
#define ALPHA_DOC                                                                                                                  \
    "pixels are moved as they are, transparent ones with their colors; what border=constant adds has border_value as alpha too"
#include "filter/resample.h"

static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *table,
                        weft_error *error) {
    const struct BLOCK *p = block;
    bool x = direction == WEFT_X;
    int64_t before = x ? p->left : p->top, after = x ? p->right : p->bottom, count = before + size + after;
    if (count < 1) {
        weft_fail(error, WEFT_ERROR_FORMAT, "nothing is left of %lld %s", (long long)size, x ? "columns" : "rows");
        weft_error_at(error, -1, NULL, x ? "right" : "bottom");
        return WEFT_ERROR_FORMAT;
    }
    return weft_axis_pick(-before, 1, count, table, error);
}
