/* SPDX-License-Identifier: MIT
 * The samples of TIFF files, which have any number of bits and several meanings, as rows of pixels. */
#ifndef IO_TIFF_SAMPLES_H
#define IO_TIFF_SAMPLES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "weft/image.h"

typedef struct weft_tiff_samples {
    int64_t width;
    int32_t bits, channels;     /* of a sample, of a pixel, in the file */
    bool floats;                /* else unsigned integers */
    bool inverted;              /* 0 is white */
    bool inks;                  /* cyan, magenta, yellow, black; comes out as red, green, blue */
    const uint16_t *palette[3]; /* red, green, blue; NULL when samples are not indices */
    bool short_palette;         /* one of 8 bits, in 16 */
} weft_tiff_samples;

/* Whether samples of that kind can be read. */
bool weft_tiff_readable(const weft_tiff_samples *samples);
/* The component type that they come out as. */
weft_type weft_tiff_type(const weft_tiff_samples *samples);
/* True when a row of the file is a row of pixels as it is. */
bool weft_tiff_plain(const weft_tiff_samples *samples);

/* Unpacks `count` samples, packed without gaps, to every `step`th component from `component` on of `row`. */
void weft_tiff_unpack(const weft_tiff_samples *samples, const void *packed, size_t count, void *row, size_t component,
                      size_t step);
/* Makes pixels of a row of unpacked samples. */
void weft_tiff_finish(const weft_tiff_samples *samples, const void *unpacked, void *row);

#endif
