/* SPDX-License-Identifier: MIT
 * Which part and which channels of an OpenEXR file make the picture. */
#ifndef IO_EXR_LAYERS_H
#define IO_EXR_LAYERS_H
#include <openexr.h>
#include "io/codec_error.h"

/* The format's options of reading. */
enum { WEFT_EXR_PART, WEFT_EXR_LAYER, WEFT_EXR_READER_OPTIONS };
extern const weft_file_option weft_exr_reader_options[WEFT_EXR_READER_OPTIONS];

typedef struct weft_exr_layer {
    int part;
    int32_t count; /* of channels, in the order of our pixels */
    const exr_attr_chlist_entry_t *channels[4];
} weft_exr_layer;

/* Chooses by the options of the coding: without any the first part, and of it the channels that are of no layer. */
weft_status weft_exr_choose(exr_const_context_t context, const weft_coding *coding, weft_exr_layer *layer,
                            weft_error *error);

#endif
