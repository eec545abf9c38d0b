/* SPDX-License-Identifier: MIT
 * Text as glyphs at their places, and as the coverage of pixels. */
#ifndef IO_TEXT_LAYOUT_H
#define IO_TEXT_LAYOUT_H
#include <stdbool.h>
#include "io/text/text_library.h"

enum weft_text_align { WEFT_TEXT_LEFT, WEFT_TEXT_CENTER, WEFT_TEXT_RIGHT };

struct weft_text_glyph {
    FT_UInt index;
    FT_Pos x, y; /* where it begins, to the right and down, in 64ths of a pixel */
};

struct weft_text_lines {
    struct weft_text_library library;
    FT_Library freetype;
    FT_Face face;
    FT_Stroker stroker; /* NULL without an outline */
    struct weft_text_glyph *glyphs;
    size_t count, room;
    int64_t left, top, width, height; /* of the picture, in pixels */
};

/* Opens a font: a file, or a family by fontconfig; NULL for the family sans-serif. `length` is the name's. */
weft_status weft_text_open_font(struct weft_text_lines *lines, const char *font, size_t length, int32_t size,
                                int32_t outline, weft_error *error);
/* Places the glyphs of text, whose lines end in a newline character, and says how large a picture of them is. */
weft_status weft_text_place(struct weft_text_lines *lines, const char *text, size_t length,
                            enum weft_text_align align, weft_error *error);
/* Draws all glyphs, or their outlines, into bytes of a picture's size, which begin as zeros. */
weft_status weft_text_cover(struct weft_text_lines *lines, bool outlines, unsigned char *coverage, weft_error *error);
void weft_text_close(struct weft_text_lines *lines);

#endif
