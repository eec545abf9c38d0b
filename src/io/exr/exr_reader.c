/* SPDX-License-Identifier: MIT
 * Reads OpenEXR files: scan lines and tiles, a chunk of rows at a time. */
#include <string.h>
#include "base/memory.h"
#include "io/exr/exr.h"
#include "io/exr/exr_layers.h"

enum { CHUNK_COPIES = 3 }; /* of rows that are decoded at once: compressed, packed, and ours */

#define HAS_DWA (OPENEXR_VERSION_MAJOR > 3 || (OPENEXR_VERSION_MAJOR == 3 && OPENEXR_VERSION_MINOR >= 2))

/* Which channels are ours, and what they are made of. */
static weft_status read_channels(weft_exr_state *state, weft_error *error) {
    weft_exr_layer layer;
    bool wide = false;
    weft_status status = weft_exr_choose(state->context, &state->coding, &layer, error);
    if (status != WEFT_OK)
        return status;
    state->part = layer.part;
    for (int32_t c = 0; c < layer.count; c++) {
        const exr_attr_chlist_entry_t *channel = layer.channels[c];
        state->names[c] = channel->name.str;
        if (channel->x_sampling != 1 || channel->y_sampling != 1)
            return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: channel %.40s has not every pixel",
                             state->coding.input->name, state->names[c]);
        wide = wide || channel->pixel_type != EXR_PIXEL_HALF;
    }
    state->info.format = (weft_format){wide ? WEFT_F32 : WEFT_F16, layer.count};
    state->info.alpha = layer.count % 2 == 0 ? WEFT_ALPHA_PREMULTIPLIED : WEFT_ALPHA_NONE;
    state->info.space = WEFT_SPACE_LINEAR;
    return WEFT_OK;
}

/* What this version of the library compresses but does not decompress would fail at the first row. */
static weft_status check_compression(weft_exr_state *state, weft_error *error) {
    exr_compression_t compression;
    exr_result_t code = exr_get_compression(state->context, state->part, &compression);
    if (code != EXR_ERR_SUCCESS)
        return weft_exr_failed(state, code, error);
    if (!HAS_DWA && (compression == EXR_COMPRESSION_DWAA || compression == EXR_COMPRESSION_DWAB))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "%s: compressed by %s, which OpenEXR reads from C from version 3.2 on; save it as ZIP or PIZ",
                         state->coding.input->name, compression == EXR_COMPRESSION_DWAA ? "DWAA" : "DWAB");
    return WEFT_OK;
}

/* Where the picture lies, unless that is all there is. */
static weft_status read_frame(weft_exr_state *state, weft_metadata *metadata, weft_error *error) {
    exr_attr_box2i_t display;
    const exr_attr_box2i_t *data = &state->window;
    exr_result_t code = exr_get_display_window(state->context, state->part, &display);
    if (code != EXR_ERR_SUCCESS)
        return weft_exr_failed(state, code, error);
    if (memcmp(&display, data, sizeof display) == 0 && data->min.x == 0 && data->min.y == 0)
        return WEFT_OK;
    metadata->frame = (weft_frame){.x = data->min.x,
                                   .y = data->min.y,
                                   .left = display.min.x,
                                   .top = display.min.y,
                                   .width = (int64_t)display.max.x - display.min.x + 1,
                                   .height = (int64_t)display.max.y - display.min.y + 1,
                                   .picture_width = state->info.width,
                                   .picture_height = state->info.height};
    if (metadata->frame.width < 1 || metadata->frame.height < 1)
        metadata->frame = (weft_frame){.width = 0};
    return WEFT_OK;
}

static weft_status read_layout(weft_exr_state *state, weft_error *error) {
    exr_storage_t storage;
    exr_result_t code = exr_get_storage(state->context, state->part, &storage);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_data_window(state->context, state->part, &state->window);
    if (code == EXR_ERR_SUCCESS && storage == EXR_STORAGE_SCANLINE)
        code = exr_get_scanlines_per_chunk(state->context, state->part, &state->chunk);
    if (code == EXR_ERR_SUCCESS && storage == EXR_STORAGE_TILED) {
        state->tiled = true;
        code = exr_get_tile_sizes(state->context, state->part, 0, 0, &state->tile_width, &state->chunk);
    }
    if (code != EXR_ERR_SUCCESS)
        return weft_exr_failed(state, code, error);
    if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: deep pixels are not read", state->coding.input->name);
    state->info.width = (int64_t)state->window.max.x - state->window.min.x + 1;
    state->info.height = (int64_t)state->window.max.y - state->window.min.y + 1;
    state->row_size = weft_row_size(&state->info);
    if (state->info.width < 1 || state->info.height < 1 || state->row_size > INT32_MAX || state->chunk < 1 ||
        (state->tiled && state->tile_width < 1))
        return weft_input_fail(state->coding.input, error, "rows of %lld pixels in chunks of %d",
                               (long long)state->info.width, (int)state->chunk);
    return WEFT_OK;
}

weft_status weft_exr_open_reader(void *pointer, weft_header *header, weft_error *error) {
    int parts = 0;
    weft_exr_state *state = pointer;
    exr_context_initializer_t start = weft_exr_initializer(state);
    exr_result_t code;
    weft_status status = weft_input_gather(state->coding.input, error);
    if (status != WEFT_OK)
        return status;
    code = exr_start_read(&state->context, state->coding.input->name, &start);
    if (code != EXR_ERR_SUCCESS)
        return weft_exr_failed(state, code, error);
    status = read_channels(state, error);
    if (status == WEFT_OK)
        status = read_layout(state, error);
    if (status == WEFT_OK)
        status = check_compression(state, error);
    if (status == WEFT_OK)
        status = read_frame(state, &header->metadata, error);
    *state->coding.message = 0; /* what it found odd and could do without */
    if (exr_get_count(state->context, &parts) == EXR_ERR_SUCCESS)
        header->pictures = parts;
    header->chosen = state->coding.values[WEFT_EXR_PART] > 0 || state->coding.values[WEFT_EXR_LAYER] > 0;
    header->info = state->info;
    header->working = state->row_size *
                      (uint64_t)(state->chunk < state->info.height ? state->chunk : state->info.height) * CHUNK_COPIES;
    return status;
}

static exr_result_t decode_chunk(weft_exr_state *state, const exr_chunk_info_t *chunk, unsigned char *rows) {
    exr_decode_pipeline_t *decoding = &state->decoding;
    exr_result_t code = state->prepared ? exr_decoding_update(state->context, state->part, chunk, decoding)
                                        : exr_decoding_initialize(state->context, state->part, chunk, decoding);
    if (code != EXR_ERR_SUCCESS)
        return code;
    state->prepared = true;
    for (int16_t c = 0; c < decoding->channel_count; c++)
        weft_exr_place(state, &decoding->channels[c], rows);
    code = exr_decoding_choose_default_routines(state->context, state->part, decoding);
    return code == EXR_ERR_SUCCESS ? exr_decoding_run(state->context, state->part, decoding) : code;
}

/* The rows of the chunk or of the tiles that begin at the next row. */
static weft_status read_chunks(weft_exr_state *state, weft_error *error) {
    const int32_t left = (int32_t)(state->info.height - state->next);
    const int32_t height = state->chunk < left ? state->chunk : left;
    const size_t pixel = weft_format_size(state->info.format);
    exr_chunk_info_t chunk;
    exr_result_t code = EXR_ERR_SUCCESS;
    for (int64_t x = 0; code == EXR_ERR_SUCCESS && x < state->info.width;) {
        int64_t width = state->info.width;
        if (state->tiled) {
            width = state->tile_width < state->info.width - x ? state->tile_width : state->info.width - x;
            code = exr_read_tile_chunk_info(state->context, state->part, (int)(x / state->tile_width),
                                            (int)(state->next / state->chunk), 0, 0, &chunk);
        } else {
            code = exr_read_scanline_chunk_info(state->context, state->part, (int)(state->window.min.y + state->next),
                                                &chunk);
        }
        /* What does not lie where the next rows are would be written past them. */
        if (code == EXR_ERR_SUCCESS && (chunk.width != width || chunk.height != height))
            return weft_input_fail(state->coding.input, error, "a chunk of %dx%d pixels", (int)chunk.width,
                                   (int)chunk.height);
        if (code == EXR_ERR_SUCCESS)
            code = decode_chunk(state, &chunk, state->rows + (size_t)x * pixel);
        x += width;
    }
    return code == EXR_ERR_SUCCESS ? WEFT_OK : weft_exr_failed(state, code, error);
}

weft_status weft_exr_read_row(void *pointer, void *row, weft_error *error) {
    weft_exr_state *state = pointer;
    const int64_t inside = state->next % state->chunk;
    weft_status status = state->rows ? WEFT_OK : weft_exr_get_rows(state, error);
    if (status == WEFT_OK && inside == 0)
        status = read_chunks(state, error);
    if (status != WEFT_OK)
        return status;
    memcpy(row, state->rows + (size_t)inside * state->row_size, state->row_size);
    state->next++;
    return WEFT_OK;
}
