/* SPDX-License-Identifier: MIT
 * HEIF of HEVC pictures, as cameras write it, by libheif: RGB with or without alpha, 8 bit, and 10 and 12 bit as u16,
 * decoded and encoded as a whole. libheif turns pictures upright by itself. Of several pictures in a file one is read:
 * the one that the file says is its first, or by its place among them. */
#include <libheif/heif.h>
#include <limits.h>
#include <string.h>
#include "base/memory.h"
#include "io/format.h"
#include "io/formats/heif_items.h"

enum { QUALITY, LOSSLESS, SUBSAMPLING, PRESET, METADATA };
static const weft_file_option writer_options[] = {
    [QUALITY] = {"quality", "how little is lost", NULL, 1, 100, 75},
    [LOSSLESS] = {"lossless", "the pixels as they are, of 8 bit; u16 becomes 12 bit", "off on", 0, 0, 0},
    [SUBSAMPLING] = {"subsampling", "of colors", "444 422 420", 0, 0, 0},
    [PRESET] = {"preset", "how long x265 may take", "ultrafast veryfast medium slow veryslow", 0, 0, 2},
    [METADATA] = WEFT_EXIF_OPTION,
};
enum { PAGE };
static const weft_file_option reader_options[] = {[PAGE] = WEFT_PAGE_OPTION};
static const char *const subsamplings[] = {"444", "422", "420"};
static const char *const presets[] = {"ultrafast", "veryfast", "medium", "slow", "veryslow"};

enum { WIDE_BITS = 12, EXIF_OFFSET = 4 };
/* Bytes a pixel that decoding was seen to take, of colors and again of alpha. */
enum { WORKING = 12, WORKING_WIDE = 20 };
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { WIDE_RGB = heif_chroma_interleaved_RRGGBB_BE, WIDE_RGBA = heif_chroma_interleaved_RRGGBBAA_BE };
#else
enum { WIDE_RGB = heif_chroma_interleaved_RRGGBB_LE, WIDE_RGBA = heif_chroma_interleaved_RRGGBBAA_LE };
#endif

typedef struct heif_file_reader {
    weft_coding coding;
    weft_image_info info;
    bool begun; /* libheif counts who uses it */
    struct heif_context *context;
    struct heif_image_handle *handle;
    struct heif_decoding_options *options;
    struct heif_image *image;
} heif_file_reader;

typedef struct heif_file_writer {
    weft_coding coding;
    const weft_writing *writing;
    bool begun;
    struct heif_context *context;
    struct heif_encoder *encoder;
    struct heif_encoding_options *options;
    struct heif_color_profile_nclx *colors;
    struct heif_image *image;
    struct heif_image_handle *handle;
} heif_file_writer;

/* A file type box whose brand is a picture, or one with alpha or more than 8 bit, coded by HEVC; or one of any coding
 * that also claims to be that, in the four brands that follow. */
static bool probe(const unsigned char *bytes, size_t count) {
    static const char brands[] = "heic heix heim heis";
    if (count < 12 || memcmp(bytes + 4, "ftyp", 4) != 0)
        return false;
    for (size_t at = 8; at + 4 <= count; at += at == 8 ? 8 : 4) { /* a version number follows the first */
        for (const char *brand = brands; brand < brands + sizeof brands - 1; brand += 5)
            if (memcmp(bytes + at, brand, 4) == 0)
                return true;
        if (memcmp(bytes + 8, "mif1", 4) != 0)
            return false;
    }
    return false;
}

static bool good(struct heif_error result) { return result.code == heif_error_Ok; }

static weft_status failed(weft_coding *coding, struct heif_error result, weft_error *error) {
    weft_coding_note(coding, "%s", result.message ? result.message : "damaged");
    return weft_coding_failed(coding, error);
}

static weft_status read_profile(const struct heif_image_handle *handle, weft_metadata *metadata, weft_error *error) {
    const size_t size = heif_image_handle_get_raw_color_profile_size(handle);
    unsigned char *profile = size > 0 ? weft_reallocate(NULL, size, 1) : NULL;
    weft_status status = WEFT_OK;
    if (size == 0)
        return WEFT_OK;
    if (!profile)
        return weft_fail_memory(error, size, "a color profile");
    if (good(heif_image_handle_get_raw_color_profile(handle, profile)))
        status = weft_metadata_set_profile(metadata, profile, size, error);
    weft_free(profile);
    return status;
}

/* EXIF stands behind a number that says how far behind. */
static weft_status read_exif(const struct heif_image_handle *handle, weft_metadata *metadata, weft_error *error) {
    heif_item_id item = 0;
    unsigned char *exif;
    weft_status status = WEFT_OK;
    size_t size;
    if (heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &item, 1) < 1)
        return WEFT_OK;
    size = heif_image_handle_get_metadata_size(handle, item);
    if (size <= EXIF_OFFSET)
        return WEFT_OK;
    exif = weft_reallocate(NULL, size, 1);
    if (!exif)
        return weft_fail_memory(error, size, "EXIF");
    if (good(heif_image_handle_get_metadata(handle, item, exif))) {
        const uint32_t skip = (uint32_t)exif[0] << 24 | (uint32_t)exif[1] << 16 | (uint32_t)exif[2] << 8 | exif[3];
        if (skip < size - EXIF_OFFSET)
            status = weft_metadata_set_exif(metadata, exif + EXIF_OFFSET + skip, size - EXIF_OFFSET - skip, error);
    }
    weft_free(exif);
    return status;
}

static weft_status read_xmp(const struct heif_image_handle *handle, weft_metadata *metadata, weft_error *error) {
    heif_item_id items[8];
    const int count = heif_image_handle_get_list_of_metadata_block_IDs(handle, "mime", items, 8);
    weft_status status = WEFT_OK;
    for (int i = 0; i < count && !metadata->xmp && status == WEFT_OK; i++) {
        const char *content = heif_image_handle_get_metadata_content_type(handle, items[i]);
        const size_t size = heif_image_handle_get_metadata_size(handle, items[i]);
        unsigned char *xmp;
        if (!content || strcmp(content, "application/rdf+xml") != 0 || size == 0)
            continue;
        xmp = weft_reallocate(NULL, size, 1);
        if (!xmp)
            return weft_fail_memory(error, size, "XMP");
        if (good(heif_image_handle_get_metadata(handle, items[i], xmp)))
            status = weft_metadata_set_xmp(metadata, xmp, size, error);
        weft_free(xmp);
    }
    return status;
}

/* Takes hold of the picture that is asked for. */
static weft_status choose_page(heif_file_reader *reader, weft_header *header, weft_error *error) {
    const int32_t page = reader->coding.values[PAGE];
    const int count = heif_context_get_number_of_top_level_images(reader->context);
    struct heif_error result;
    heif_item_id *items;
    header->pictures = count;
    header->chosen = page > 0;
    if (page > count)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: there is no page %d, it has %d picture%s",
                         reader->coding.input->name, (int)page, count, count == 1 ? "" : "s");
    if (page == 0) {
        result = heif_context_get_primary_image_handle(reader->context, &reader->handle);
        return good(result) ? WEFT_OK : failed(&reader->coding, result, error);
    }
    items = weft_allocate((size_t)count, sizeof *items);
    if (!items)
        return weft_fail_memory(error, (size_t)count * sizeof *items, "the pictures of a HEIF file");
    heif_context_get_list_of_top_level_image_IDs(reader->context, items, count);
    result = heif_context_get_image_handle(reader->context, items[page - 1], &reader->handle);
    weft_free(items);
    return good(result) ? WEFT_OK : failed(&reader->coding, result, error);
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    heif_file_reader *reader = state;
    weft_image_info *info = &header->info;
    const unsigned char *bytes;
    struct heif_error result;
    bool alpha;
    size_t size;
    weft_status status = weft_input_load(reader->coding.input, &bytes, &size, error);
    bool sound;
    if (status == WEFT_OK)
        status = weft_heif_items_sound(bytes, size, &sound, error);
    if (status != WEFT_OK)
        return status;
    if (!sound)
        return weft_fail(error, WEFT_ERROR_FILE, "%s: pictures in it are made of one another without an end",
                         reader->coding.input->name);
    reader->begun = good(heif_init(NULL));
    reader->context = reader->begun ? heif_context_alloc() : NULL;
    reader->options = reader->context ? heif_decoding_options_alloc() : NULL;
    if (!reader->options)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libheif could not start");
    reader->options->strict_decoding = 1;
    if (!heif_have_decoder_for_format(heif_compression_HEVC))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: this libheif reads no HEVC", reader->coding.input->name);
    result = heif_context_read_from_memory_without_copy(reader->context, bytes, size, NULL);
    if (!good(result))
        return failed(&reader->coding, result, error);
    status = choose_page(reader, header, error);
    if (status != WEFT_OK)
        return status;
    alpha = heif_image_handle_has_alpha_channel(reader->handle);
    info->width = heif_image_handle_get_width(reader->handle);
    info->height = heif_image_handle_get_height(reader->handle);
    info->format.type = heif_image_handle_get_luma_bits_per_pixel(reader->handle) > 8 ? WEFT_U16 : WEFT_U8;
    info->format.channels = alpha ? 4 : 3;
    info->alpha = !alpha                                                     ? WEFT_ALPHA_NONE
                  : heif_image_handle_is_premultiplied_alpha(reader->handle) ? WEFT_ALPHA_PREMULTIPLIED
                                                                             : WEFT_ALPHA_STRAIGHT;
    header->working = (uint64_t)info->width * (uint64_t)info->height *
                      (info->format.type == WEFT_U8 ? WORKING : WORKING_WIDE) * (alpha ? 2 : 1);
    header->whole = true;
    header->orientation = 1;
    reader->info = *info;
    status = read_profile(reader->handle, &header->metadata, error);
    if (status == WEFT_OK)
        status = read_exif(reader->handle, &header->metadata, error);
    return status == WEFT_OK ? read_xmp(reader->handle, &header->metadata, error) : status;
}

static enum heif_chroma layout(weft_format format) {
    const bool alpha = format.channels == 4;
    if (format.type == WEFT_U8)
        return alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    return alpha ? (enum heif_chroma)WIDE_RGBA : (enum heif_chroma)WIDE_RGB;
}

/* Samples of so many bits, 2 bytes each, from one full scale to another. */
static void rescale(const uint8_t *from, uint8_t *to, size_t count, uint32_t from_full, uint32_t to_full) {
    for (size_t i = 0; i < count; i++) {
        uint16_t sample;
        memcpy(&sample, from + 2 * i, sizeof sample);
        uint32_t clipped = sample < from_full ? sample : from_full;
        sample = (uint16_t)((clipped * to_full + from_full / 2) / from_full);
        memcpy(to + 2 * i, &sample, sizeof sample);
    }
}

static weft_status decode(void *state, void *pixels, size_t stride, weft_error *error) {
    heif_file_reader *reader = state;
    const weft_image_info *info = &reader->info;
    const size_t samples = (size_t)info->width * (size_t)info->format.channels;
    const uint8_t *plane;
    int line = 0, bits;
    struct heif_error result =
        heif_decode_image(reader->handle, &reader->image, heif_colorspace_RGB, layout(info->format), reader->options);
    if (!good(result))
        return failed(&reader->coding, result, error);
    plane = heif_image_get_plane_readonly(reader->image, heif_channel_interleaved, &line);
    bits = heif_image_get_bits_per_pixel_range(reader->image, heif_channel_interleaved);
    if (!plane || heif_image_get_width(reader->image, heif_channel_interleaved) != info->width ||
        heif_image_get_height(reader->image, heif_channel_interleaved) != info->height || bits < 8 || bits > 16 ||
        line < 0 || (size_t)line < weft_row_size(info))
        return weft_input_fail(reader->coding.input, error, "its picture is not of the size that it claims");
    for (int64_t y = 0; y < info->height; y++) {
        const uint8_t *from = plane + (size_t)y * (size_t)line;
        uint8_t *to = (uint8_t *)pixels + (size_t)y * stride;
        if (info->format.type == WEFT_U8)
            memcpy(to, from, samples);
        else
            rescale(from, to, samples, (UINT32_C(1) << bits) - 1, UINT16_MAX);
    }
    return WEFT_OK;
}

static void close_reader(void *state) {
    heif_file_reader *reader = state;
    heif_image_release(reader->image);
    heif_decoding_options_free(reader->options);
    heif_image_handle_release(reader->handle);
    if (reader->context)
        heif_context_free(reader->context);
    if (reader->begun)
        heif_deinit();
}

/* What x265 is told. Encoders of other libraries may not know all of it, and do without. */
static weft_status set_encoder(heif_file_writer *writer, weft_error *error) {
    const int32_t *settings = writer->writing->settings;
    const bool lossless = settings[LOSSLESS];
    struct heif_error result = heif_encoder_set_logging_level(writer->encoder, 0);
    heif_encoder_set_parameter_string(writer->encoder, "preset", presets[settings[PRESET]]);
    heif_encoder_set_parameter_string(writer->encoder, "chroma", subsamplings[lossless ? 0 : settings[SUBSAMPLING]]);
    if (good(result))
        result = heif_encoder_set_lossy_quality(writer->encoder, settings[QUALITY]);
    if (good(result))
        result = heif_encoder_set_lossless(writer->encoder, lossless);
    writer->colors->color_primaries = heif_color_primaries_ITU_R_BT_709_5;
    writer->colors->transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1;
    writer->colors->matrix_coefficients =
        lossless ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_ITU_R_BT_601_6;
    writer->colors->full_range_flag = 1;
    if (good(result))
        result = heif_image_set_nclx_color_profile(writer->image, writer->colors);
    writer->options->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
    if (lossless) /* some versions of macOS want no word about the matrix, but then it is that of YCbCr */
        writer->options->macOS_compatibility_workaround_no_nclx_profile = 0;
    return good(result) ? WEFT_OK : failed(&writer->coding, result, error);
}

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    heif_file_writer *writer = state;
    const weft_image_info *info = &writing->info;
    const weft_metadata *metadata = &writing->metadata;
    const int width = (int)info->width, height = (int)info->height; /* a side is at most 16384 */
    struct heif_error result;
    writer->writing = writing;
    writer->begun = good(heif_init(NULL));
    writer->context = writer->begun ? heif_context_alloc() : NULL;
    writer->options = writer->context ? heif_encoding_options_alloc() : NULL;
    writer->colors = writer->options ? heif_nclx_color_profile_alloc() : NULL;
    if (!writer->colors)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libheif could not start");
    if (!good(heif_context_get_encoder_for_format(writer->context, heif_compression_HEVC, &writer->encoder)))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: this libheif reads HEIF files, but writes none",
                         writer->coding.output->name);
    result = heif_image_create(width, height, heif_colorspace_RGB, layout(info->format), &writer->image);
    if (good(result))
        result = heif_image_add_plane(writer->image, heif_channel_interleaved, width, height,
                                      info->format.type == WEFT_U8 ? 8 : WIDE_BITS);
    if (good(result) && metadata->profile)
        result = heif_image_set_raw_color_profile(writer->image, "prof", metadata->profile, metadata->profile_size);
    return good(result) ? set_encoder(writer, error) : failed(&writer->coding, result, error);
}

static struct heif_error on_write(struct heif_context *context, const void *bytes, size_t size, void *user) {
    weft_output *output = user;
    (void)context;
    return weft_output_write(output, bytes, size)
               ? (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, ""}
               : (struct heif_error){heif_error_Encoding_error, heif_suberror_Cannot_write_output_data, "not written"};
}

static weft_status encode(void *state, const void *pixels, size_t stride, weft_error *error) {
    heif_file_writer *writer = state;
    const weft_image_info *info = &writer->writing->info;
    const weft_metadata *metadata = &writer->writing->metadata;
    const size_t samples = (size_t)info->width * (size_t)info->format.channels;
    struct heif_writer sink = {1, on_write};
    struct heif_error result;
    int line = 0;
    uint8_t *plane = heif_image_get_plane(writer->image, heif_channel_interleaved, &line);
    for (int64_t y = 0; y < info->height; y++) {
        const uint8_t *from = (const uint8_t *)pixels + (size_t)y * stride;
        uint8_t *to = plane + (size_t)y * (size_t)line;
        if (info->format.type == WEFT_U8)
            memcpy(to, from, samples);
        else
            rescale(from, to, samples, UINT16_MAX, (UINT32_C(1) << WIDE_BITS) - 1);
    }
    result =
        heif_context_encode_image(writer->context, writer->image, writer->encoder, writer->options, &writer->handle);
    if (good(result) && metadata->exif && metadata->exif_size <= INT_MAX)
        result =
            heif_context_add_exif_metadata(writer->context, writer->handle, metadata->exif, (int)metadata->exif_size);
    if (good(result) && metadata->xmp && metadata->xmp_size <= INT_MAX)
        result = heif_context_add_XMP_metadata(writer->context, writer->handle, metadata->xmp, (int)metadata->xmp_size);
    if (good(result))
        result = heif_context_write(writer->context, &sink, writer->coding.output);
    return good(result) ? WEFT_OK : failed(&writer->coding, result, error);
}

static void close_writer(void *state) {
    heif_file_writer *writer = state;
    heif_image_handle_release(writer->handle);
    heif_image_release(writer->image);
    if (writer->colors)
        heif_nclx_color_profile_free(writer->colors);
    if (writer->options)
        heif_encoding_options_free(writer->options);
    if (writer->encoder)
        heif_encoder_release(writer->encoder);
    if (writer->context)
        heif_context_free(writer->context);
    if (writer->begun)
        heif_deinit();
}

const weft_codec weft_codec_heif = {
    .format = {"heif", "heic heif", "HEIF of HEVC: RGB, alpha, 8 and 12 bit, lossy or not", true, true,
               WEFT_FILE_OPTIONS(writer_options), WEFT_FILE_OPTIONS(reader_options), false},
    .probe = probe,
    .reader_size = sizeof(heif_file_reader),
    .open_reader = open_reader,
    .decode = decode,
    .close_reader = close_reader,
    .largest_side = 16384,
    .unmeasured = true,
    .accepts = weft_accept_rgb,
    .writer_size = sizeof(heif_file_writer),
    .open_writer = open_writer,
    .encode = encode,
    .close_writer = close_writer,
};
