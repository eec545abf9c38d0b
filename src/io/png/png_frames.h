/* SPDX-License-Identifier: MIT
 * Animated PNG, of which libpng reads the first picture only. A frame is a picture of a part, and is drawn on what
 * those before left: each is made a PNG of its own in memory, which libpng reads. */
#ifndef IO_PNG_FRAMES_H
#define IO_PNG_FRAMES_H
#include <png.h>
#include "io/codec_error.h"
#include "weft/image.h"

typedef struct weft_png_frames {
    const unsigned char *bytes; /* the whole file, behind whose header nothing has been looked at */
    size_t size;
    int64_t width, height;
    bool wide; /* 16 bits */
    png_structp png;
    png_infop info;
    unsigned char *file; /* a PNG of one frame */
    size_t prefix, used, read;
    unsigned char *frame, *saved; /* its pixels, and those that it is drawn on */
} weft_png_frames;

/* How many frames there are, and whether the picture that all programs read is the first of them. */
int64_t weft_png_frames_count(const weft_png_frames *frames, bool *first);
/* How long frame `number`, from 1, is shown; 0 where it is not there. */
double weft_png_frames_seconds(const weft_png_frames *frames, int64_t number);
/* What is seen with frame `number`, from 1, four channels a pixel, in rows `stride` apart. May leave by
 * weft_coding_fail. */
weft_status weft_png_frames_draw(weft_png_frames *frames, weft_coding *coding, int64_t number, void *pixels,
                                 size_t stride, weft_error *error);
void weft_png_frames_close(weft_png_frames *frames);

#endif
