/* SPDX-License-Identifier: MIT
 * Writing JPEG XL files. */
#include "io/jxl/jxl.h"
#include <string.h>
#include "base/memory.h"

enum { QUALITY, LOSSLESS, EFFORT, METADATA };
const weft_file_option weft_jxl_options[] = {
    [QUALITY] = {"quality", "how little is lost", NULL, 1, 100, 90},
    [LOSSLESS] = {"lossless", "the pixels as they are", "off on", 0, 0, 0},
    [EFFORT] = {"effort", "how long it may take", NULL, 1, 9, 5},
    [METADATA] = WEFT_EXIF_OPTION,
};

weft_status weft_jxl_open_writer(void *state, const weft_writing *writing, weft_error *error) {
    weft_jxl_writer *writer = state;
    writer->writing = writing;
    writer->encoder = JxlEncoderCreate(NULL);
    return writer->encoder ? WEFT_OK : weft_fail(error, WEFT_ERROR_MEMORY, "libjxl could not start");
}

/* What the file says before its pixels. */
static JxlEncoderStatus write_header(weft_jxl_writer *writer) {
    const weft_image_info *info = &writer->writing->info;
    const weft_metadata *metadata = &writer->writing->metadata;
    const bool alpha = info->alpha != WEFT_ALPHA_NONE, lossless = writer->writing->settings[LOSSLESS];
    JxlBasicInfo basic;
    JxlColorEncoding color;
    JxlEncoderStatus code;
    JxlEncoderInitBasicInfo(&basic);
    basic.xsize = (uint32_t)info->width;
    basic.ysize = (uint32_t)info->height;
    basic.bits_per_sample = info->format.type == WEFT_U8 ? 8 : 16;
    basic.num_color_channels = (uint32_t)info->format.channels - alpha;
    basic.num_extra_channels = alpha;
    basic.alpha_bits = alpha ? basic.bits_per_sample : 0;
    basic.uses_original_profile = lossless ? JXL_TRUE : JXL_FALSE;
    code = JxlEncoderSetBasicInfo(writer->encoder, &basic);
    JxlColorEncodingSetToSRGB(&color, basic.num_color_channels == 1);
    if (code == JXL_ENC_SUCCESS)
        code = metadata->profile ? JxlEncoderSetICCProfile(writer->encoder, metadata->profile, metadata->profile_size)
                                 : JxlEncoderSetColorEncoding(writer->encoder, &color);
    if (code != JXL_ENC_SUCCESS && metadata->profile)
        weft_coding_note(&writer->coding, "libjxl does not take it, perhaps for its color profile");
    return code;
}

static JxlEncoderStatus add_boxes(weft_jxl_writer *writer) {
    const weft_metadata *metadata = &writer->writing->metadata;
    JxlEncoderStatus code = JXL_ENC_SUCCESS;
    if (metadata->exif || metadata->xmp)
        code = JxlEncoderUseBoxes(writer->encoder);
    if (code == JXL_ENC_SUCCESS && metadata->exif) {
        unsigned char *box = weft_allocate(JXL_EXIF_OFFSET + metadata->exif_size, 1);
        if (!box) {
            writer->starved = true;
            return JXL_ENC_ERROR;
        }
        memcpy(box + JXL_EXIF_OFFSET, metadata->exif, metadata->exif_size);
        code = JxlEncoderAddBox(writer->encoder, JXL_EXIF_BOX, box, JXL_EXIF_OFFSET + metadata->exif_size, JXL_FALSE);
        weft_free(box);
    }
    if (code == JXL_ENC_SUCCESS && metadata->xmp)
        code = JxlEncoderAddBox(writer->encoder, JXL_XMP_BOX, metadata->xmp, metadata->xmp_size, JXL_FALSE);
    return code;
}

/* The distance that libjxl's own tool takes for a quality: 1 is where the eye begins to see what is lost. */
static float distance(int32_t quality) {
    const float lost = (float)(100 - quality);
    return quality >= 30 ? 0.1f + 0.09f * lost : 6.4f + 0.19f * (lost - 70.0f);
}

static JxlEncoderStatus add_pixels(weft_jxl_writer *writer, const void *pixels, size_t stride) {
    const weft_image_info *info = &writer->writing->info;
    const int32_t *settings = writer->writing->settings;
    const JxlPixelFormat format = {.num_channels = (uint32_t)info->format.channels,
                                   .data_type = info->format.type == WEFT_U8 ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16,
                                   .endianness = JXL_NATIVE_ENDIAN};
    JxlEncoderFrameSettings *frame = JxlEncoderFrameSettingsCreate(writer->encoder, NULL);
    JxlEncoderStatus code = frame ? JXL_ENC_SUCCESS : JXL_ENC_ERROR;
    if (code == JXL_ENC_SUCCESS)
        code = JxlEncoderFrameSettingsSetOption(frame, JXL_ENC_FRAME_SETTING_EFFORT, settings[EFFORT]);
    if (code == JXL_ENC_SUCCESS)
        code = settings[LOSSLESS] ? JxlEncoderSetFrameLossless(frame, JXL_TRUE)
                                  : JxlEncoderSetFrameDistance(frame, distance(settings[QUALITY]));
    if (code == JXL_ENC_SUCCESS)
        code = JxlEncoderAddImageFrame(frame, &format, pixels, stride * (size_t)info->height);
    JxlEncoderCloseInput(writer->encoder);
    return code;
}

weft_status weft_jxl_encode(void *state, const void *pixels, size_t stride, weft_error *error) {
    weft_jxl_writer *writer = state;
    JxlEncoderStatus code = write_header(writer);
    if (code == JXL_ENC_SUCCESS)
        code = add_boxes(writer);
    if (code == JXL_ENC_SUCCESS)
        code = add_pixels(writer, pixels, stride);
    if (code == JXL_ENC_SUCCESS)
        code = JXL_ENC_NEED_MORE_OUTPUT;
    while (code == JXL_ENC_NEED_MORE_OUTPUT) {
        unsigned char *next = writer->bytes;
        size_t room = JXL_OUTPUT_CHUNK;
        code = JxlEncoderProcessOutput(writer->encoder, &next, &room);
        if (code != JXL_ENC_ERROR && !weft_output_write(writer->coding.output, writer->bytes, JXL_OUTPUT_CHUNK - room))
            return weft_output_fail(writer->coding.output, error);
    }
    if (code == JXL_ENC_SUCCESS)
        return WEFT_OK;
    if (writer->starved)
        return weft_fail_memory(error, writer->writing->metadata.exif_size, "EXIF");
    weft_coding_note(&writer->coding, "libjxl could not weft_jxl_encode it");
    return weft_coding_failed(&writer->coding, error);
}

void weft_jxl_close_writer(void *state) {
    weft_jxl_writer *writer = state;
    if (writer->encoder)
        JxlEncoderDestroy(writer->encoder);
}
