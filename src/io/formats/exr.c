/* SPDX-License-Identifier: MIT
 * OpenEXR by its C core: light of f16 and f32, gray or RGB with or without alpha, which is premultiplied. Scan lines
 * and tiles are read, scan lines are written, a chunk of rows at a time. A picture is the data
 * window of one part; where that lies in the display window goes along with its metadata. */
#include <string.h>
#include <openexr.h>
#include "base/memory.h"
#include "io/formats/exr_layers.h"
#include "io/format.h"

enum { CHUNK_COPIES = 3 }; /* of rows that are decoded at once: compressed, packed, and ours */

#define HAS_DWA (OPENEXR_VERSION_MAJOR > 3 || (OPENEXR_VERSION_MAJOR == 3 && OPENEXR_VERSION_MINOR >= 2))

enum { COMPRESSION };
static const exr_compression_t compressions[] = {EXR_COMPRESSION_ZIP, EXR_COMPRESSION_ZIPS, EXR_COMPRESSION_RLE,
                                                 EXR_COMPRESSION_PIZ, EXR_COMPRESSION_NONE};
static const weft_file_option writer_options[] = {
    [COMPRESSION] = {"compression", "without loss", "zip zips rle piz none", 0, 0, 0},
};

/* The channels of our pixels, by their number. */
static const char *const names[5][4] = {{NULL}, {"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}};

typedef struct exr_state {
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
} exr_state;

static bool probe(const unsigned char *bytes, size_t count) {
    return count >= 4 && memcmp(bytes, "\x76\x2f\x31\x01", 4) == 0;
}

static void on_error(exr_const_context_t context, exr_result_t code, const char *message) {
    void *user = NULL;
    (void)code;
    if (exr_get_user_data(context, &user) == EXR_ERR_SUCCESS && user)
        weft_coding_note(user, "%s", message);
}

static int64_t on_size(exr_const_context_t context, void *user) {
    const exr_state *state = user;
    (void)context;
    return state->coding.input->size;
}

/* As many bytes as there are: the library looks further than short files go. */
static int64_t on_read(exr_const_context_t context, void *user, void *bytes, uint64_t size, uint64_t offset,
                       exr_stream_error_func_ptr_t report) {
    exr_state *state = user;
    weft_input *input = state->coding.input;
    const uint64_t left = offset < (uint64_t)input->size ? (uint64_t)input->size - offset : 0;
    size = size < left ? size : left;
    if (size > 0 && !weft_input_read_at(input, (int64_t)offset, bytes, size)) {
        report(context, EXR_ERR_READ_IO, "unreadable");
        return -1;
    }
    return (int64_t)size;
}

static int64_t on_write(exr_const_context_t context, void *user, const void *bytes, uint64_t size, uint64_t offset,
                        exr_stream_error_func_ptr_t report) {
    exr_state *state = user;
    (void)context, (void)report; /* which would wait for the lock of the context that writes */
    bool written = offset <= INT64_MAX && weft_output_write_at(state->coding.output, (int64_t)offset, bytes, size);
    return written ? (int64_t)size : -1;
}

static exr_context_initializer_t initializer(exr_state *state) {
    exr_context_initializer_t result = EXR_DEFAULT_CONTEXT_INITIALIZER;
    result.user_data = state;
    result.error_handler_fn = on_error;
    result.read_fn = on_read;
    result.size_fn = on_size;
    result.write_fn = on_write;
    return result;
}

static weft_status failed(exr_state *state, exr_result_t code, weft_error *error) {
    weft_coding_note(&state->coding, "%s", exr_get_default_error_message(code));
    return weft_coding_failed(&state->coding, error);
}

/* Which channels are ours, and what they are made of. */
static weft_status read_channels(exr_state *state, weft_error *error) {
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
static weft_status check_compression(exr_state *state, weft_error *error) {
    exr_compression_t compression;
    exr_result_t code = exr_get_compression(state->context, state->part, &compression);
    if (code != EXR_ERR_SUCCESS)
        return failed(state, code, error);
    if (!HAS_DWA && (compression == EXR_COMPRESSION_DWAA || compression == EXR_COMPRESSION_DWAB))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "%s: compressed by %s, which OpenEXR reads from C from version 3.2 on; save it as ZIP or PIZ",
                         state->coding.input->name, compression == EXR_COMPRESSION_DWAA ? "DWAA" : "DWAB");
    return WEFT_OK;
}

/* Where the picture lies, unless that is all there is. */
static weft_status read_frame(exr_state *state, weft_metadata *metadata, weft_error *error) {
    exr_attr_box2i_t display;
    const exr_attr_box2i_t *data = &state->window;
    exr_result_t code = exr_get_display_window(state->context, state->part, &display);
    if (code != EXR_ERR_SUCCESS)
        return failed(state, code, error);
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

static weft_status read_layout(exr_state *state, weft_error *error) {
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
        return failed(state, code, error);
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

static weft_status open_reader(void *pointer, weft_header *header, weft_error *error) {
    int parts = 0;
    exr_state *state = pointer;
    exr_context_initializer_t start = initializer(state);
    exr_result_t code;
    weft_status status = weft_input_gather(state->coding.input, error);
    if (status != WEFT_OK)
        return status;
    code = exr_start_read(&state->context, state->coding.input->name, &start);
    if (code != EXR_ERR_SUCCESS)
        return failed(state, code, error);
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

/* Where a channel's pixels lie in `rows`; other channels than ours are passed over. */
static void place(const exr_state *state, exr_coding_channel_info_t *channel, unsigned char *rows) {
    const size_t size = weft_type_size(state->info.format.type);
    channel->decode_to_ptr = NULL;
    for (int32_t c = 0; c < state->info.format.channels; c++)
        if (strcmp(channel->channel_name, state->names[c]) == 0)
            channel->decode_to_ptr = rows + (size_t)c * size;
    channel->user_bytes_per_element = (int16_t)size;
    channel->user_data_type = size == 2 ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT;
    channel->user_pixel_stride = (int32_t)(size * (size_t)state->info.format.channels);
    channel->user_line_stride = (int32_t)state->row_size;
}

static exr_result_t decode_chunk(exr_state *state, const exr_chunk_info_t *chunk, unsigned char *rows) {
    exr_decode_pipeline_t *decoding = &state->decoding;
    exr_result_t code = state->prepared ? exr_decoding_update(state->context, state->part, chunk, decoding)
                                        : exr_decoding_initialize(state->context, state->part, chunk, decoding);
    if (code != EXR_ERR_SUCCESS)
        return code;
    state->prepared = true;
    for (int16_t c = 0; c < decoding->channel_count; c++)
        place(state, &decoding->channels[c], rows);
    code = exr_decoding_choose_default_routines(state->context, state->part, decoding);
    return code == EXR_ERR_SUCCESS ? exr_decoding_run(state->context, state->part, decoding) : code;
}

/* The rows of the chunk or of the tiles that begin at the next row. */
static weft_status read_chunks(exr_state *state, weft_error *error) {
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
    return code == EXR_ERR_SUCCESS ? WEFT_OK : failed(state, code, error);
}

static weft_status get_rows(exr_state *state, weft_error *error) {
    const int64_t rows = state->chunk < state->info.height ? state->chunk : state->info.height;
    state->rows = weft_reallocate(NULL, state->row_size, (size_t)rows);
    if (!state->rows)
        return weft_fail_memory(error, state->row_size * (size_t)rows, "rows of an OpenEXR image");
    return WEFT_OK;
}

static weft_status read_row(void *pointer, void *row, weft_error *error) {
    exr_state *state = pointer;
    const int64_t inside = state->next % state->chunk;
    weft_status status = state->rows ? WEFT_OK : get_rows(state, error);
    if (status == WEFT_OK && inside == 0)
        status = read_chunks(state, error);
    if (status != WEFT_OK)
        return status;
    memcpy(row, state->rows + (size_t)inside * state->row_size, state->row_size);
    state->next++;
    return WEFT_OK;
}

static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    (void)word;
    (void)error;
    nearest->format.type = nearest->format.type == WEFT_F16 ? WEFT_F16 : WEFT_F32;
    /* Two or four channels end in alpha, and channels that are none are kept as if. */
    nearest->alpha = nearest->format.channels % 2 == 0 ? WEFT_ALPHA_PREMULTIPLIED : WEFT_ALPHA_NONE;
    return WEFT_OK;
}

/* Both windows are the picture, unless it lies in a frame. */
static exr_result_t set_windows(exr_state *state, const weft_writing *writing, int part) {
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
                                        EXR_LINEORDER_INCREASING_Y, compressions[writing->settings[COMPRESSION]]);
}

static weft_status open_writer(void *pointer, const weft_writing *writing, weft_error *error) {
    exr_state *state = pointer;
    exr_context_initializer_t start = initializer(state);
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
        return failed(state, code, error);
    return get_rows(state, error);
}

/* Readers take a chunk that is as long as its pixels for the pixels themselves, but the library lets compressed ones of
 * that length pass. */
static exr_result_t compress(exr_encode_pipeline_t *encoding) {
    const exr_state *state = encoding->encoding_user_data;
    exr_result_t code = state->compress(encoding);
    if (code == EXR_ERR_SUCCESS && encoding->compressed_bytes == encoding->packed_bytes)
        memcpy(encoding->compressed_buffer, encoding->packed_buffer, encoding->packed_bytes);
    return code;
}

static exr_result_t write_chunk(exr_state *state) {
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
        place(state, &encoding->channels[c], state->rows);
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

static weft_status write_row(void *pointer, const void *row, weft_error *error) {
    exr_state *state = pointer;
    exr_result_t code = EXR_ERR_SUCCESS;
    memcpy(state->rows + (size_t)(state->next++ % state->chunk) * state->row_size, row, state->row_size);
    if (state->next % state->chunk == 0 || state->next == state->info.height)
        code = write_chunk(state);
    return code == EXR_ERR_SUCCESS && !*state->coding.message ? WEFT_OK : failed(state, code, error);
}

/* Ends the context, which writes where the chunks lie. */
static exr_result_t close_context(exr_state *state) {
    exr_result_t code = EXR_ERR_SUCCESS;
    if (state->prepared && state->coding.input)
        exr_decoding_destroy(state->context, &state->decoding);
    else if (state->prepared)
        exr_encoding_destroy(state->context, &state->encoding);
    state->prepared = false;
    if (state->context)
        code = exr_finish(&state->context);
    state->context = NULL;
    return code;
}

static weft_status finish_writer(void *pointer, weft_error *error) {
    exr_state *state = pointer;
    exr_result_t code = close_context(state);
    return code == EXR_ERR_SUCCESS && !*state->coding.message ? WEFT_OK : failed(state, code, error);
}

static void close_state(void *pointer) {
    exr_state *state = pointer;
    close_context(state);
    weft_free(state->rows);
}

const weft_codec weft_codec_exr = {
    .format = {"exr", "exr", "OpenEXR: linear light, gray and RGB, premultiplied alpha, f16 and f32", true, true,
               WEFT_FILE_OPTIONS(writer_options), WEFT_FILE_OPTIONS(weft_exr_reader_options), true},
    .probe = probe,
    .reader_size = sizeof(exr_state),
    .open_reader = open_reader,
    .read = read_row,
    .close_reader = close_state,
    .largest_side = WEFT_LARGEST_SIDE,
    .linear = true,
    .premultiplied = true,
    .accepts = accepts,
    .writer_size = sizeof(exr_state),
    .open_writer = open_writer,
    .write = write_row,
    .finish_writer = finish_writer,
    .close_writer = close_state,
};
