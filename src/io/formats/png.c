/* SPDX-License-Identifier: MIT
 * PNG: every color type read by libpng, as u8 or u16 with 1 to 4 channels; of animations a frame as it is shown. */
#include "io/format.h"
#include <png.h>
#include <string.h>
#include "base/memory.h"
#include "io/png/png_messages.h"
#include "io/png/png_frames.h"
#include "io/png/png_writer.h"

/* Deflate makes at most 1032 bytes of one: a file that claims more pixels than that is lying. */
enum { DEFLATE_RATIO = 1032, CHUNK_LIMIT = 16 << 20, MOST_CHUNKS = 32, WIDE_ROW = 16 << 20 };

/* Chunks of an animation: acTL has the number of frames, fcTL stands before each frame. */
static const char animation_chunks[] = "acTL\0fcTL";
static const char used_chunks[] = "iCCP\0eXIf\0pHYs\0iTXt"; /* each with a 0 after it */

enum { PAGE };
static const weft_file_option reader_options[] = {[PAGE] = WEFT_PAGE_OPTION};

typedef struct png_state {
    weft_coding coding;
    weft_png_frames frames; /* where a page is asked for: the file */
    size_t at;              /* in that */
    int64_t frame;          /* that is wanted; 0 for the picture that all programs read */
    png_structp png;
    png_infop info;
    int64_t height;
    int passes; /* over an interlaced image */
} png_state;

static bool probe(const unsigned char *bytes, size_t count) { return count >= 8 && png_sig_cmp(bytes, 0, 8) == 0; }

static void on_read(png_structp png, png_bytep bytes, size_t size) {
    png_state *state = png_get_io_ptr(png);
    if (state->frames.bytes) {
        if (size > state->frames.size - state->at)
            png_error(png, "truncated");
        memcpy(bytes, state->frames.bytes + state->at, size);
        state->at += size;
    } else if (weft_input_read(state->coding.input, bytes, size) < size)
        png_error(png, "truncated");
}

/* Refuses a header whose rows, or for interlaced images whose pixels, the rest of the file cannot hold. */
static weft_status check_size(png_state *state, weft_error *error) {
    const bool interlaced = png_get_interlace_type(state->png, state->info) != PNG_INTERLACE_NONE;
    size_t needed = png_get_rowbytes(state->png, state->info);
    weft_status status = WEFT_OK;
    if (state->coding.input->size < 0 && (interlaced || needed > WIDE_ROW))
        status = weft_input_gather(state->coding.input, error);
    if (status != WEFT_OK || state->coding.input->size < 0)
        return status;
    if ((interlaced && !weft_multiply(needed, (size_t)state->height, &needed)) ||
        needed / DEFLATE_RATIO > (size_t)state->coding.input->size)
        return weft_input_fail(state->coding.input, error, "truncated, %lld bytes cannot hold %lldx%lld pixels",
                               (long long)state->coding.input->size,
                               (long long)png_get_image_width(state->png, state->info), (long long)state->height);
    return WEFT_OK;
}

static weft_status read_xmp(png_state *state, weft_metadata *metadata, weft_error *error) {
    png_textp texts = NULL;
    const int count = png_get_text(state->png, state->info, &texts, NULL);
    for (int i = 0; i < count; i++)
        if (texts[i].compression >= PNG_ITXT_COMPRESSION_NONE && strcmp(texts[i].key, weft_png_xmp) == 0)
            return weft_metadata_set_xmp(metadata, texts[i].text, texts[i].itxt_length, error);
    return WEFT_OK;
}

static weft_status read_metadata(png_state *state, weft_metadata *metadata, weft_error *error) {
    png_charp name;
    png_bytep profile = NULL, exif = NULL;
    png_uint_32 size = 0, x = 0, y = 0;
    int method, unit = PNG_RESOLUTION_UNKNOWN;
    weft_status status = WEFT_OK;
    if (png_get_iCCP(state->png, state->info, &name, &method, &profile, &size))
        status = weft_metadata_set_profile(metadata, profile, size, error);
    if (status == WEFT_OK && png_get_eXIf_1(state->png, state->info, &size, &exif))
        status = weft_metadata_set_exif(metadata, exif, size, error);
    if (status == WEFT_OK)
        status = read_xmp(state, metadata, error);
    if (png_get_pHYs(state->png, state->info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER) {
        metadata->x_resolution = x * WEFT_PNG_INCH;
        metadata->y_resolution = y * WEFT_PNG_INCH;
    }
    return status;
}

#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
/* Counts the pictures of a file: the frames of an animation, which are in chunks that libpng does not know, and the picture
 * that every program reads. That picture is itself a frame if a chunk fcTL stands before its pixels. */
static int64_t count_pictures(png_state *state) {
    png_unknown_chunkp chunks = NULL;
    const int count = png_get_unknown_chunks(state->png, state->info, &chunks);
    int64_t frames = 0;
    bool one_of_them = false;
    for (int i = 0; i < count; i++) {
        const unsigned char *data = chunks[i].data;
        if (memcmp(chunks[i].name, "acTL", 4) == 0 && chunks[i].size >= 4)
            frames = (int64_t)data[0] << 24 | (int64_t)data[1] << 16 | (int64_t)data[2] << 8 | (int64_t)data[3];
        one_of_them = one_of_them || memcmp(chunks[i].name, "fcTL", 4) == 0;
    }
    return frames + (frames == 0 || !one_of_them);
}
#endif

/* Chooses among the pictures that are there, whatever the file says of their number. */
static weft_status choose_page(png_state *state, weft_header *header, weft_error *error) {
    const int32_t page = state->coding.values[PAGE];
    bool first;
    const int64_t frames = weft_png_frames_count(&state->frames, &first), pictures = frames + (frames == 0 || !first);
    if (page > pictures)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: there is no page %d, it has %lld picture%s",
                         state->coding.input->name, (int)page, (long long)pictures, pictures == 1 ? "" : "s");
    header->pictures = pictures;
    header->chosen = true;
    state->frame = page > 1 ? page - !first : 0;
    header->seconds = page > 1 || first ? weft_png_frames_seconds(&state->frames, page - !first) : 0;
    return WEFT_OK;
}

/* What is read of a frame. */
static void set_frame(png_state *state, weft_header *header) {
    weft_image_info *info = &header->info;
    state->frames.width = info->width;
    state->frames.height = info->height;
    state->frames.wide = info->format.type == WEFT_U16;
    info->format.channels = 4;
    info->alpha = WEFT_ALPHA_STRAIGHT;
    header->whole = true;
    header->working = 2 * weft_row_size(info) * (uint64_t)info->height + state->frames.size; /* a frame, what was before */
}

static weft_status open_reader(void *pointer, weft_header *header, weft_error *error) {
    png_state *state = pointer;
    weft_image_info *info = &header->info;
    weft_status status = WEFT_OK;
    if (state->coding.values[PAGE] > 0)
        status = weft_input_load(state->coding.input, &state->frames.bytes, &state->frames.size, error);
    if (status != WEFT_OK)
        return status;
    state->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &state->coding, weft_png_error, weft_png_warning);
    state->info = state->png ? png_create_info_struct(state->png) : NULL;
    if (!state->info)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libpng could not start");
    png_set_read_fn(state->png, state, on_read);
    png_set_user_limits(state->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(state->png, CHUNK_LIMIT);
    png_set_chunk_cache_max(state->png, MOST_CHUNKS); /* a little compressed text may become much */
    png_set_crc_action(state->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
    /* Most chunks are not used: not parsing them leaves less for a hostile file to play with. */
    png_set_keep_unknown_chunks(state->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(state->png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep)used_chunks,
                                sizeof used_chunks / 5);
    png_set_keep_unknown_chunks(state->png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep)animation_chunks,
                                sizeof animation_chunks / 5);
#endif
    png_read_info(state->png, state->info);
    state->height = (int64_t)png_get_image_height(state->png, state->info);
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
    header->pictures = count_pictures(state);
    png_set_keep_unknown_chunks(state->png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep)animation_chunks,
                                sizeof animation_chunks / 5);
#endif
    status = state->frames.bytes ? choose_page(state, header, error) : WEFT_OK;
    if (status == WEFT_OK)
        status = check_size(state, error);
    if (status != WEFT_OK)
        return status;
    png_set_expand(state->png);
    if (header->chosen && header->pictures > 1) { /* as the frames behind it are */
        png_set_gray_to_rgb(state->png);
        png_set_add_alpha(state->png, 0xffff, PNG_FILLER_AFTER);
    }
    if (png_get_bit_depth(state->png, state->info) == 16 && weft_png_host_is_little())
        png_set_swap(state->png);
    state->passes = png_set_interlace_handling(state->png);
    png_read_update_info(state->png, state->info);
    info->width = (int64_t)png_get_image_width(state->png, state->info);
    info->height = state->height;
    info->format.type = png_get_bit_depth(state->png, state->info) == 16 ? WEFT_U16 : WEFT_U8;
    info->format.channels = png_get_channels(state->png, state->info);
    info->alpha = info->format.channels % 2 == 0 ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
    header->whole = state->passes > 1;
    if (state->frame > 0)
        set_frame(state, header);
    return read_metadata(state, &header->metadata, error);
}

/* Passes over an interlaced image fill in its pixels bit by bit. */
static weft_status decode(void *pointer, void *pixels, size_t stride, weft_error *error) {
    png_state *state = pointer;
    if (state->frame > 0)
        return weft_png_frames_draw(&state->frames, &state->coding, state->frame, pixels, stride, error);
    for (int pass = 0; pass < state->passes; pass++)
        for (int64_t row = 0; row < state->height; row++) {
            state->coding.input->row = row;
            png_read_row(state->png, (png_bytep)pixels + (size_t)row * stride, NULL);
        }
    return WEFT_OK;
}

static weft_status read_row(void *pointer, void *row, weft_error *error) {
    png_state *state = pointer;
    (void)error;
    png_read_row(state->png, row, NULL);
    return WEFT_OK;
}

static weft_status finish_reader(void *pointer, weft_error *error) {
    png_state *state = pointer;
    (void)error;
    if (state->frame == 0)
        png_read_end(state->png, NULL);
    return WEFT_OK;
}

static void close_reader(void *pointer) {
    png_state *state = pointer;
    png_destroy_read_struct(&state->png, &state->info, NULL);
    weft_png_frames_close(&state->frames);
}

const weft_codec weft_codec_png = {
    .format = {"png", "png", "Portable Network Graphics: 1 to 4 channels, alpha, 8 and 16 bit", true, true,
               weft_png_options, WEFT_PNG_OPTIONS, WEFT_FILE_OPTIONS(reader_options), false},
    .probe = probe,
    .reader_size = sizeof(png_state),
    .open_reader = open_reader,
    .read = read_row,
    .decode = decode,
    .finish_reader = finish_reader,
    .close_reader = close_reader,
    .largest_side = WEFT_LARGEST_SIDE,
    .accepts = weft_accept_integers,
    .writer_size = sizeof(weft_png_writer),
    .open_writer = weft_png_open_writer,
    .write = weft_png_write_row,
    .finish_writer = weft_png_finish_writer,
    .close_writer = weft_png_close_writer,
};
