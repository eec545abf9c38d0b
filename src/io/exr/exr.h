/* SPDX-License-Identifier: MIT
 * What is known of an OpenEXR file that is read or written, and the steps of both, as its codec has them. */
#ifndef IO_EXR_EXR_H
#define IO_EXR_EXR_H
#include <openexr.h>
#include "io/format.h"

enum { EXR_COMPRESSION_OPTION }; /* of files that are written */

typedef struct weft_exr_state {
    weft_coding coding;
    exr_context_t context;
    weft_image_info info;
    const char *names[4]; /* of our channels */
    int part;
    exr_attr_box2i_t window;
    size_t row_size;
    int32_t chunk;        /* rows */
    unsigned char *rows;  /* of a chunk, or of a row of tiles */
    int64_t next;         /* row */
    bool tiled, prepared; /* the pipeline is there */
    int32_t tile_width;
    exr_decode_pipeline_t decoding;
    exr_encode_pipeline_t encoding;
    exr_result_t (*compress)(exr_encode_pipeline_t *encoding); /* the library's */
} weft_exr_state;

/* exr_context.c: how the library reads, writes and reports. */
exr_context_initializer_t weft_exr_initializer(weft_exr_state *state);
weft_status weft_exr_failed(weft_exr_state *state, exr_result_t code, weft_error *error);
/* Where a channel's pixels lie in `rows`; other channels than ours are passed over. */
void weft_exr_place(const weft_exr_state *state, exr_coding_channel_info_t *channel, unsigned char *rows);
/* Memory for the rows of a chunk. */
weft_status weft_exr_get_rows(weft_exr_state *state, weft_error *error);
/* Ends the context, which writes where the chunks lie. */
exr_result_t weft_exr_close_context(weft_exr_state *state);
void weft_exr_close_state(void *pointer);

weft_status weft_exr_open_reader(void *pointer, weft_header *header, weft_error *error);
weft_status weft_exr_read_row(void *pointer, void *row, weft_error *error);

weft_status weft_exr_open_writer(void *pointer, const weft_writing *writing, weft_error *error);
weft_status weft_exr_write_row(void *pointer, const void *row, weft_error *error);
weft_status weft_exr_finish_writer(void *pointer, weft_error *error);

#endif
