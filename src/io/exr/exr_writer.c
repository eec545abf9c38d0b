/* SPDX-License-Identifier: MIT
 * Writes OpenEXR files: scan lines, a chunk of rows at a time. */
#include <string.h>
#include "base/memory.h"
#include "io/exr/exr.h"

/* In the order of the option's words. */
static const exr_compression_t compressions[] = {EXR_COMPRESSION_ZIP, EXR_COMPRESSION_ZIPS, EXR_COMPRESSION_RLE,
                                                 EXR_COMPRESSION_PIZ, EXR_COMPRESSION_NONE};

/* The channels of our pixels, by their number. */
static const char *const names[5][4] = {{NULL}, {"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}};

/* Both windows are the picture, unless it lies in a frame. */
static exr_result_t set_windows(weft_exr_state *state, const weft_writing *writing, int part) {
    const weft_frame *frame = &writing->metadata.frame;
    const exr_attr_v2f_t center = {.x = 0, .y = 0};
    exr_attr_box2i_t display;
    if (frame->width > 0) {
        state->window.min.x = (int32_t)frame->x;
        state->window.min.y = (int32_t)frame->y;
    }
    state->window.max.x = (int32_t)(state->window.min.x + state->info.width - 1);
    state->window.max.y = (int32_t)(state->window.min.y + state->info.height - 1);
    display = state->window;
    if (frame->width > 0) {
        display.min.x = (int32_t)frame->left;
        display.min.y = (int32_t)frame->top;
        display.max.x = (int32_t)(frame->left + frame->width - 1);
        display.max.y = (int32_t)(frame->top + frame->height - 1);
    }
    return exr_initialize_required_attr(state->context, part, &display, &state->window, 1.0f, &center, 1.0f,
                                        EXR_LINEORDER_INCREASING_Y, compressions[writing->settings[EXR_COMPRESSION_OPTION]]);
}

weft_status weft_exr_open_writer(void *pointer, const weft_writing *writing, weft_error *error) {
    weft_exr_state *state = pointer;
    exr_context_initializer_t start = weft_exr_initializer(state);
    exr_result_t code;
    int part = 0;
    state->info = writing->info;
    state->row_size = weft_row_size(&state->info);
    memcpy(state->names, names[state->info.format.channels], sizeof state->names);
    if (state->row_size > INT32_MAX)
        return weft_fail(error, WEFT_ERROR_FORMAT, "%s: rows of %zu bytes are more than an OpenEXR file holds",
                         state->coding.output->name, state->row_size);
    code = exr_start_write(&state->context, state->coding.output->name, EXR_WRITE_FILE_DIRECTLY, &start);
    if (code == EXR_ERR_SUCCESS)
        code = exr_add_part(state->context, "", EXR_STORAGE_SCANLINE, &part);
    if (code == EXR_ERR_SUCCESS)
        code = set_windows(state, writing, part);
    for (int32_t c = 0; code == EXR_ERR_SUCCESS && c < state->info.format.channels; c++)
        code = exr_add_channel(state->context, part, state->names[c],
                               state->info.format.type == WEFT_F16 ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
                               EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    if (code == EXR_ERR_SUCCESS)
        code = exr_write_header(state->context);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_scanlines_per_chunk(state->context, part, &state->chunk);
    if (code != EXR_ERR_SUCCESS || *state->coding.message)
        return weft_exr_failed(state, code, error);
    return weft_exr_get_rows(state, error);
}

/* Readers take a chunk that is as long as its pixels for the pixels themselves, but the library lets compressed ones of
 * that length pass. */
static exr_result_t compress(exr_encode_pipeline_t *encoding) {
    const weft_exr_state *state = encoding->encoding_user_data;
    exr_result_t code = state->compress(encoding);
    if (code == EXR_ERR_SUCCESS && encoding->compressed_bytes == encoding->packed_bytes)
        memcpy(encoding->compressed_buffer, encoding->packed_buffer, encoding->packed_bytes);
    return code;
}

static exr_result_t write_chunk(weft_exr_state *state) {
    const int64_t first = (state->next - 1) / state->chunk * state->chunk;
    exr_encode_pipeline_t *encoding = &state->encoding;
    exr_chunk_info_t chunk;
    exr_result_t code = exr_write_scanline_chunk_info(state->context, 0, (int)(state->window.min.y + first), &chunk);
    if (code == EXR_ERR_SUCCESS)
        code = state->prepared ? exr_encoding_update(state->context, 0, &chunk, encoding)
                               : exr_encoding_initialize(state->context, 0, &chunk, encoding);
    if (code != EXR_ERR_SUCCESS)
        return code;
    state->prepared = true;
    for (int16_t c = 0; c < encoding->channel_count; c++)
        weft_exr_place(state, &encoding->channels[c], state->rows);
    code = exr_encoding_choose_default_routines(state->context, 0, encoding);
    if (code != EXR_ERR_SUCCESS)
        return code;
    if (encoding->compress_fn && encoding->compress_fn != compress) {
        state->compress = encoding->compress_fn;
        encoding->compress_fn = compress;
        encoding->encoding_user_data = state;
    }
    return exr_encoding_run(state->context, 0, encoding);
}

weft_status weft_exr_write_row(void *pointer, const void *row, weft_error *error) {
    weft_exr_state *state = pointer;
    exr_result_t code = EXR_ERR_SUCCESS;
    memcpy(state->rows + (size_t)(state->next++ % state->chunk) * state->row_size, row, state->row_size);
    if (state->next % state->chunk == 0 || state->next == state->info.height)
        code = write_chunk(state);
    return code == EXR_ERR_SUCCESS && !*state->coding.message ? WEFT_OK : weft_exr_failed(state, code, error);
}

weft_status weft_exr_finish_writer(void *pointer, weft_error *error) {
    weft_exr_state *state = pointer;
    exr_result_t code = weft_exr_close_context(state);
    return code == EXR_ERR_SUCCESS && !*state->coding.message ? WEFT_OK : weft_exr_failed(state, code, error);
}
