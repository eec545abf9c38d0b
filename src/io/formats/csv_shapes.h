/* SPDX-License-Identifier: MIT
 * Points, lines and rectangles, a line of CSV each, as a picture of them on nothing. */
#ifndef IO_FORMATS_CSV_SHAPES_H
#define IO_FORMATS_CSV_SHAPES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

enum weft_shape_kind { WEFT_SHAPE_POINT, WEFT_SHAPE_LINE, WEFT_SHAPE_RECTANGLE };

/* A point x,y; a line x,y to x,y; a rectangle x,y,width,height. Whole numbers of points and lines are the middles of pixels, of
 * rectangles their corners. */
struct weft_shape {
    enum weft_shape_kind kind;
    double at[4];
    unsigned char color[4];
};

struct weft_shapes {
    struct weft_shape *list;
    size_t count, room;
    double width, size; /* of lines, of points */
    bool filled;        /* rectangles */
    unsigned char color[4];
};

/* Reads a file's text; `name` is for messages. */
weft_status weft_shapes_read(struct weft_shapes *shapes, const char *text, size_t length, const char *name,
                             weft_error *error);
/* As many columns and rows as they reach. */
void weft_shapes_measure(const struct weft_shapes *shapes, int64_t *width, int64_t *height);
/* Draws them on a picture of u8x4 with straight alpha, one over the other. */
void weft_shapes_draw(const struct weft_shapes *shapes, unsigned char *pixels, size_t stride, int64_t width,
                      int64_t height);

#endif
