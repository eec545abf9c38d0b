/* SPDX-License-Identifier: MIT
 * Reading JPEG XL files: the header, the color profile, the frame that is asked for. */
#include "io/jxl/jxl.h"
#include "base/memory.h"

/* The calls about profiles lost a parameter that was never used. */
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define PROFILE_OF(decoder) (decoder), JXL_COLOR_PROFILE_TARGET_DATA
#else
#define PROFILE_OF(decoder) (decoder), NULL, JXL_COLOR_PROFILE_TARGET_DATA
#endif

enum { LARGEST_PROFILE = 64 << 20 };
enum { WORKING = 8 };     /* bytes a sample: it is computed in f32, and in two places at worst */
enum { KEPT_FRAMES = 4 }; /* that frames of an animation may refer to, in f32 */

enum { PAGE };
const weft_file_option weft_jxl_reader_options[] = {[PAGE] = WEFT_PAGE_OPTION};

static weft_status failed(weft_jxl_reader *reader, JxlDecoderStatus code, weft_error *error) {
    return weft_input_fail(reader->coding.input, error, code == JXL_DEC_NEED_MORE_INPUT ? "truncated" : "damaged");
}

static weft_status read_info(weft_jxl_reader *reader, weft_header *header, weft_error *error) {
    JxlBasicInfo basic;
    weft_image_info *info = &header->info;
    uint32_t channels;
    if (JxlDecoderGetBasicInfo(reader->decoder, &basic) != JXL_DEC_SUCCESS)
        return failed(reader, JXL_DEC_ERROR, error);
    reader->animated = basic.have_animation;
    if (basic.have_animation && basic.animation.tps_numerator > 0)
        reader->tick = (double)basic.animation.tps_denominator / (double)basic.animation.tps_numerator;
    channels = basic.num_color_channels + (basic.alpha_bits > 0);
    info->width = basic.xsize; /* as it is upright */
    info->height = basic.ysize;
    info->format.channels = (int32_t)channels;
    info->format.type = basic.exponent_bits_per_sample == 0 ? basic.bits_per_sample <= 8 ? WEFT_U8 : WEFT_U16
                        : basic.bits_per_sample <= 16       ? WEFT_F16
                                                            : WEFT_F32;
    info->alpha = basic.alpha_bits == 0       ? WEFT_ALPHA_NONE
                  : basic.alpha_premultiplied ? WEFT_ALPHA_PREMULTIPLIED
                                              : WEFT_ALPHA_STRAIGHT;
    header->orientation = 1;
    header->working = (uint64_t)basic.xsize * basic.ysize * channels *
                      (WORKING + (basic.have_animation ? KEPT_FRAMES * sizeof(float) : 0));
    header->whole = true;
    reader->format = (JxlPixelFormat){.num_channels = channels,
                                      .data_type = info->format.type == WEFT_U8    ? JXL_TYPE_UINT8
                                                   : info->format.type == WEFT_U16 ? JXL_TYPE_UINT16
                                                   : info->format.type == WEFT_F16 ? JXL_TYPE_FLOAT16
                                                                                   : JXL_TYPE_FLOAT,
                                      .endianness = JXL_NATIVE_ENDIAN};
    return WEFT_OK;
}

/* libjxl makes up a profile for files without one. sRGB is the default, so its profile is left out. */
static weft_status read_profile(weft_jxl_reader *reader, weft_metadata *metadata, weft_error *error) {
    JxlColorEncoding color;
    unsigned char *profile;
    size_t size = 0;
    weft_status status;
    if (JxlDecoderGetColorAsEncodedProfile(PROFILE_OF(reader->decoder), &color) == JXL_DEC_SUCCESS &&
        color.transfer_function == JXL_TRANSFER_FUNCTION_SRGB && color.white_point == JXL_WHITE_POINT_D65 &&
        (color.color_space == JXL_COLOR_SPACE_GRAY || color.primaries == JXL_PRIMARIES_SRGB))
        return WEFT_OK;
    if (JxlDecoderGetICCProfileSize(PROFILE_OF(reader->decoder), &size) != JXL_DEC_SUCCESS || size == 0 ||
        size > LARGEST_PROFILE)
        return WEFT_OK;
    profile = weft_allocate(size, 1);
    if (!profile)
        return weft_fail_memory(error, size, "a color profile");
    status = JxlDecoderGetColorAsICCProfile(PROFILE_OF(reader->decoder), profile, size) == JXL_DEC_SUCCESS
                 ? weft_metadata_set_profile(metadata, profile, size, error)
                 : WEFT_OK;
    weft_free(profile);
    return status;
}

/* How many frames an animation shows, as far as it is whole, and for how many ticks that of number `page`: a decoder that is asked
 * for no pixels skips them. */
static weft_status count_frames(const unsigned char *bytes, size_t size, int32_t page, int64_t *frames, double *ticks,
                                weft_error *error) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    JxlFrameHeader frame;
    if (!decoder)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libjxl could not start");
    *frames = 0;
    if (JxlDecoderSubscribeEvents(decoder, JXL_DEC_FRAME) == JXL_DEC_SUCCESS &&
        JxlDecoderSetInput(decoder, bytes, size) == JXL_DEC_SUCCESS) {
        JxlDecoderCloseInput(decoder);
        while (JxlDecoderProcessInput(decoder) == JXL_DEC_FRAME)
            if (++*frames == page && JxlDecoderGetFrameHeader(decoder, &frame) == JXL_DEC_SUCCESS)
                *ticks = frame.duration;
    }
    JxlDecoderDestroy(decoder);
    return WEFT_OK;
}

/* Goes to the frame that is asked for. */
static weft_status choose_page(weft_jxl_reader *reader, const unsigned char *bytes, size_t size, weft_header *header,
                               weft_error *error) {
    const int32_t page = reader->coding.values[PAGE];
    double ticks = 0;
    const weft_status status =
        reader->animated ? count_frames(bytes, size, page, &header->pictures, &ticks, error) : WEFT_OK;
    const int64_t frames = header->pictures > 0 ? header->pictures : 1;
    if (status != WEFT_OK)
        return status;
    header->chosen = page > 0;
    header->seconds = ticks * reader->tick;
    if (page > frames)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: there is no page %d, it has %lld %s%s",
                         reader->coding.input->name, (int)page, (long long)frames,
                         reader->animated ? "frame" : "picture", frames == 1 ? "" : "s");
    if (page > 1)
        JxlDecoderSkipFrames(reader->decoder, (size_t)page - 1);
    return WEFT_OK;
}

weft_status weft_jxl_open_reader(void *state, weft_header *header, weft_error *error) {
    weft_jxl_reader *reader = state;
    const unsigned char *bytes;
    JxlDecoderStatus code;
    size_t size;
    weft_status status = weft_input_load(reader->coding.input, &bytes, &size, error);
    if (status != WEFT_OK)
        return status;
    reader->decoder = JxlDecoderCreate(NULL);
    if (!reader->decoder)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libjxl could not start");
    code = JxlDecoderSubscribeEvents(reader->decoder, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
    if (code == JXL_DEC_SUCCESS)
        code = JxlDecoderSetInput(reader->decoder, bytes, size);
    if (code != JXL_DEC_SUCCESS)
        return failed(reader, code, error);
    JxlDecoderCloseInput(reader->decoder);
    code = JxlDecoderProcessInput(reader->decoder);
    if (code != JXL_DEC_BASIC_INFO)
        return failed(reader, code, error);
    status = read_info(reader, header, error);
    if (status == WEFT_OK)
        status = choose_page(reader, bytes, size, header, error);
    if (status != WEFT_OK)
        return status;
    code = JxlDecoderProcessInput(reader->decoder);
    if (code != JXL_DEC_COLOR_ENCODING)
        return failed(reader, code, error);
    status = read_profile(reader, &header->metadata, error);
    return status == WEFT_OK ? weft_jxl_read_boxes(bytes, size, &header->metadata, error) : status;
}

weft_status weft_jxl_decode(void *state, void *pixels, size_t stride, weft_error *error) {
    weft_jxl_reader *reader = state;
    const size_t size = stride * (size_t)reader->coding.input->rows;
    size_t needed = 0;
    JxlDecoderStatus code = JxlDecoderProcessInput(reader->decoder);
    if (code != JXL_DEC_NEED_IMAGE_OUT_BUFFER)
        return failed(reader, code, error);
    code = JxlDecoderImageOutBufferSize(reader->decoder, &reader->format, &needed);
    if (code != JXL_DEC_SUCCESS || needed != size)
        return failed(reader, JXL_DEC_ERROR, error);
    code = JxlDecoderSetImageOutBuffer(reader->decoder, &reader->format, pixels, size);
    if (code == JXL_DEC_SUCCESS)
        code = JxlDecoderProcessInput(reader->decoder);
    if (code == JXL_DEC_FULL_IMAGE && reader->animated) /* what follows is the next frame, or the end */
        return WEFT_OK;
    if (code == JXL_DEC_FULL_IMAGE)
        code = JxlDecoderProcessInput(reader->decoder);
    return code == JXL_DEC_SUCCESS ? WEFT_OK : failed(reader, code, error);
}

void weft_jxl_close_reader(void *state) {
    weft_jxl_reader *reader = state;
    if (reader->decoder)
        JxlDecoderDestroy(reader->decoder);
}
