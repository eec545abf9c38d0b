/* SPDX-License-Identifier: MIT
 * PNG files that are written. */
#include "io/png/png_writer.h"
#include "base/memory.h"
#include "io/png/png_messages.h"

enum { COMPRESSION, METADATA };
enum { CHUNK = 1 << 30 }; /* no chunk may be as long as 2 GB */
const weft_file_option weft_png_options[WEFT_PNG_OPTIONS] = {
    [COMPRESSION] = {"compression", "how small and slow; 0 does not compress", NULL, 0, 9, 6},
    [METADATA] = WEFT_EXIF_OPTION,
};

static void on_write(png_structp png, png_bytep bytes, size_t size) {
    weft_png_writer *state = png_get_io_ptr(png);
    if (!weft_output_write(state->coding.output, bytes, size))
        png_error(png, "unwritable");
}

static void on_flush(png_structp png) { (void)png; }

static void on_pixels(void *user, const unsigned char *bytes, size_t size) {
    weft_png_writer *state = user;
    for (size_t part; size > 0; bytes += part, size -= part) {
        part = size < CHUNK ? size : CHUNK;
        png_write_chunk(state->png, (png_const_bytep) "IDAT", bytes, part);
    }
}

/* The text ends with a 0, which XMP has none of. */
static weft_status write_xmp(weft_png_writer *state, const weft_metadata *metadata, weft_error *error) {
    png_text text = {.compression = PNG_ITXT_COMPRESSION_NONE, .key = weft_png_xmp};
    if (!metadata->xmp || memchr(metadata->xmp, 0, metadata->xmp_size) || metadata->xmp_size > PNG_UINT_31_MAX / 2)
        return WEFT_OK;
    state->text = weft_duplicate_text(metadata->xmp, metadata->xmp_size);
    if (!state->text)
        return weft_fail_memory(error, metadata->xmp_size, "XMP");
    text.text = state->text;
    png_set_text(state->png, state->info, &text, 1);
    return WEFT_OK;
}

/* What libpng finds wrong with a profile is a warning, and the file goes without it. */
static void write_metadata(weft_png_writer *state, const weft_metadata *metadata) {
    const double x = metadata->x_resolution / WEFT_PNG_INCH + 0.5, y = metadata->y_resolution / WEFT_PNG_INCH + 0.5;
    png_set_benign_errors(state->png, 1);
    if (metadata->profile)
        png_set_iCCP(state->png, state->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, metadata->profile,
                     (png_uint_32)metadata->profile_size);
    if (metadata->exif && metadata->exif_size <= PNG_UINT_31_MAX)
        png_set_eXIf_1(state->png, state->info, (png_uint_32)metadata->exif_size, (png_bytep)metadata->exif);
    if (x >= 1 && y >= 1 && x < PNG_UINT_31_MAX && y < PNG_UINT_31_MAX)
        png_set_pHYs(state->png, state->info, (png_uint_32)x, (png_uint_32)y, PNG_RESOLUTION_METER);
}

weft_status weft_png_open_writer(void *pointer, const weft_writing *writing, weft_error *error) {
    const weft_image_info *info = &writing->info;
    static const int colors[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                 PNG_COLOR_TYPE_RGB_ALPHA};
    weft_png_writer *state = pointer;
    const weft_png_form form = {.row = weft_row_size(info),
                                .step = weft_format_size(info->format),
                                .height = info->height,
                                .level = writing->settings[COMPRESSION],
                                .turned = info->format.type == WEFT_U16 && weft_png_host_is_little(),
                                .threads = state->coding.threads};
    weft_status status;
    state->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &state->coding, weft_png_error, weft_png_warning);
    state->info = state->png ? png_create_info_struct(state->png) : NULL;
    if (!state->info)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libpng could not start");
    png_set_write_fn(state->png, state, on_write, on_flush);
    png_set_user_limits(state->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(state->png, state->info, (png_uint_32)info->width, (png_uint_32)info->height,
                 info->format.type == WEFT_U8 ? 8 : 16, colors[info->format.channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    write_metadata(state, &writing->metadata);
    status = write_xmp(state, &writing->metadata, error);
    if (status == WEFT_OK)
        status = weft_png_strips_open(&form, on_pixels, state, &state->strips, error);
    if (status != WEFT_OK)
        return status;
    png_write_info(state->png, state->info);
    return WEFT_OK;
}

weft_status weft_png_write_row(void *pointer, const void *row, weft_error *error) {
    weft_png_writer *state = pointer;
    return weft_png_strips_add(state->strips, row) ? WEFT_OK
                                                   : weft_fail(error, WEFT_ERROR_INTERNAL, "libdeflate failed");
}

weft_status weft_png_finish_writer(void *pointer, weft_error *error) {
    weft_png_writer *state = pointer;
    (void)error;
    png_write_chunk(state->png, (png_const_bytep) "IEND", NULL, 0);
    return WEFT_OK;
}

void weft_png_close_writer(void *pointer) {
    weft_png_writer *state = pointer;
    weft_png_strips_close(&state->strips);
    png_destroy_write_struct(&state->png, &state->info);
    weft_free(state->text);
}
