/* SPDX-License-Identifier: MIT
 * Writing HEIF files. */
#include "io/heif/heif.h"
#include <limits.h>
#include <string.h>

enum { QUALITY, LOSSLESS, SUBSAMPLING, PRESET, METADATA };
const weft_file_option weft_heif_options[] = {
    [QUALITY] = {"quality", "how little is lost", NULL, 1, 100, 75},
    [LOSSLESS] = {"lossless", "the pixels as they are, of 8 bit; u16 becomes 12 bit", "off on", 0, 0, 0},
    [SUBSAMPLING] = {"subsampling", "of colors", "444 422 420", 0, 0, 0},
    [PRESET] = {"preset", "how long x265 may take", "ultrafast veryfast medium slow veryslow", 0, 0, 2},
    [METADATA] = WEFT_EXIF_OPTION,
};
static const char *const subsamplings[] = {"444", "422", "420"};
static const char *const presets[] = {"ultrafast", "veryfast", "medium", "slow", "veryslow"};

/* What x265 is told. Encoders of other libraries may not know all of it, and do without. */
static weft_status set_encoder(weft_heif_writer *writer, weft_error *error) {
    const int32_t *settings = writer->writing->settings;
    const bool lossless = settings[LOSSLESS];
    struct heif_error result = heif_encoder_set_logging_level(writer->encoder, 0);
    heif_encoder_set_parameter_string(writer->encoder, "preset", presets[settings[PRESET]]);
    heif_encoder_set_parameter_string(writer->encoder, "chroma", subsamplings[lossless ? 0 : settings[SUBSAMPLING]]);
    if (weft_heif_good(result))
        result = heif_encoder_set_lossy_quality(writer->encoder, settings[QUALITY]);
    if (weft_heif_good(result))
        result = heif_encoder_set_lossless(writer->encoder, lossless);
    writer->colors->color_primaries = heif_color_primaries_ITU_R_BT_709_5;
    writer->colors->transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1;
    writer->colors->matrix_coefficients =
        lossless ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_ITU_R_BT_601_6;
    writer->colors->full_range_flag = 1;
    if (weft_heif_good(result))
        result = heif_image_set_nclx_color_profile(writer->image, writer->colors);
    writer->options->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
    if (lossless) /* some versions of macOS want no word about the matrix, but then it is that of YCbCr */
        writer->options->macOS_compatibility_workaround_no_nclx_profile = 0;
    return weft_heif_good(result) ? WEFT_OK : weft_heif_failed(&writer->coding, result, error);
}

weft_status weft_heif_open_writer(void *state, const weft_writing *writing, weft_error *error) {
    weft_heif_writer *writer = state;
    const weft_image_info *info = &writing->info;
    const weft_metadata *metadata = &writing->metadata;
    const int width = (int)info->width, height = (int)info->height; /* a side is at most 16384 */
    struct heif_error result;
    writer->writing = writing;
    writer->begun = weft_heif_good(heif_init(NULL));
    writer->context = writer->begun ? heif_context_alloc() : NULL;
    writer->options = writer->context ? heif_encoding_options_alloc() : NULL;
    writer->colors = writer->options ? heif_nclx_color_profile_alloc() : NULL;
    if (!writer->colors)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libheif could not start");
    if (!weft_heif_good(heif_context_get_encoder_for_format(writer->context, heif_compression_HEVC, &writer->encoder)))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: this libheif reads HEIF files, but writes none",
                         writer->coding.output->name);
    result = heif_image_create(width, height, heif_colorspace_RGB, weft_heif_chroma(info->format), &writer->image);
    if (weft_heif_good(result))
        result = heif_image_add_plane(writer->image, heif_channel_interleaved, width, height,
                                      info->format.type == WEFT_U8 ? 8 : HEIF_WIDE_BITS);
    if (weft_heif_good(result) && metadata->profile)
        result = heif_image_set_raw_color_profile(writer->image, "prof", metadata->profile, metadata->profile_size);
    return weft_heif_good(result) ? set_encoder(writer, error) : weft_heif_failed(&writer->coding, result, error);
}

static struct heif_error on_write(struct heif_context *context, const void *bytes, size_t size, void *user) {
    weft_output *output = user;
    (void)context;
    return weft_output_write(output, bytes, size)
               ? (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, ""}
               : (struct heif_error){heif_error_Encoding_error, heif_suberror_Cannot_write_output_data, "not written"};
}

weft_status weft_heif_encode(void *state, const void *pixels, size_t stride, weft_error *error) {
    weft_heif_writer *writer = state;
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
            weft_heif_rescale(from, to, samples, UINT16_MAX, (UINT32_C(1) << HEIF_WIDE_BITS) - 1);
    }
    result =
        heif_context_encode_image(writer->context, writer->image, writer->encoder, writer->options, &writer->handle);
    if (weft_heif_good(result) && metadata->exif && metadata->exif_size <= INT_MAX)
        result =
            heif_context_add_exif_metadata(writer->context, writer->handle, metadata->exif, (int)metadata->exif_size);
    if (weft_heif_good(result) && metadata->xmp && metadata->xmp_size <= INT_MAX)
        result = heif_context_add_XMP_metadata(writer->context, writer->handle, metadata->xmp, (int)metadata->xmp_size);
    if (weft_heif_good(result))
        result = heif_context_write(writer->context, &sink, writer->coding.output);
    return weft_heif_good(result) ? WEFT_OK : weft_heif_failed(&writer->coding, result, error);
}

void weft_heif_close_writer(void *state) {
    weft_heif_writer *writer = state;
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
