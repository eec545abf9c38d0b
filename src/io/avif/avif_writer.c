/* SPDX-License-Identifier: MIT
 * Writing AVIF: an image is encoded as a whole. */
#include "io/avif/avif.h"

enum { QUALITY, LOSSLESS, SUBSAMPLING, SPEED, METADATA };
const weft_file_option weft_avif_options[WEFT_AVIF_OPTIONS] = {
    [QUALITY] = {"quality", "how little is lost", NULL, 1, 100, 75},
    [LOSSLESS] = {"lossless", "the pixels as they are, of 8 bit; u16 becomes 12 bit", "off on", 0, 0, 0},
    [SUBSAMPLING] = {"subsampling", "of colors", "444 422 420", 0, 0, 0},
    [SPEED] = {"speed", "10 is fastest", NULL, 0, 10, 6},
    [METADATA] = WEFT_EXIF_OPTION,
};

weft_status weft_avif_open_writer(void *state, const weft_writing *writing, weft_error *error) {
    static const avifPixelFormat formats[] = {AVIF_PIXEL_FORMAT_YUV444, AVIF_PIXEL_FORMAT_YUV422,
                                              AVIF_PIXEL_FORMAT_YUV420};
    weft_avif_writer *writer = state;
    const weft_metadata *metadata = &writing->metadata;
    const bool lossless = writing->settings[LOSSLESS];
    avifImage *image;
    weft_status status = weft_avif_open(&writer->avif, writer->coding.output->name, error);
    if (status != WEFT_OK)
        return status;
    writer->writing = writing;
    if (!writer->avif.avifCodecName(AVIF_CODEC_CHOICE_AUTO, AVIF_CODEC_FLAG_CAN_ENCODE))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: this libavif reads AVIF files, but writes none",
                         writer->coding.output->name);
    writer->encoder = writer->avif.avifEncoderCreate();
    writer->image = image = writer->avif.avifImageCreate(
        (uint32_t)writing->info.width, (uint32_t)writing->info.height, writing->info.format.type == WEFT_U8 ? 8 : 12,
        lossless ? AVIF_PIXEL_FORMAT_YUV444 : formats[writing->settings[SUBSAMPLING]]);
    if (!writer->encoder || !image)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libavif could not start");
    image->yuvRange = AVIF_RANGE_FULL;
    image->colorPrimaries = AVIF_COLOR_PRIMARIES_BT709;
    image->transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_SRGB;
    image->matrixCoefficients = lossless ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601;
    if (metadata->profile)
        writer->avif.avifImageSetProfileICC(image, metadata->profile, metadata->profile_size);
    if (metadata->exif)
        writer->avif.avifImageSetMetadataExif(image, metadata->exif, metadata->exif_size);
    if (metadata->xmp)
        writer->avif.avifImageSetMetadataXMP(image, metadata->xmp, metadata->xmp_size);
    return WEFT_OK;
}

weft_status weft_avif_encode(void *state, const void *pixels, size_t stride, weft_error *error) {
    weft_avif_writer *writer = state;
    const weft_writing *writing = writer->writing;
    const int worst = AVIF_QUANTIZER_WORST_QUALITY;
    const int quantizer =
        writing->settings[LOSSLESS] ? AVIF_QUANTIZER_LOSSLESS : (100 - (int)writing->settings[QUALITY]) * worst / 100;
    avifRGBImage rgb;
    avifResult code;
    weft_avif_set_pixels(&writer->avif, &rgb, writer->image, writing->info.format.type != WEFT_U8,
                         writing->info.format.channels == 4, (void *)pixels, stride); /* it is only read */
    code = writer->avif.avifImageRGBToYUV(writer->image, &rgb);
    writer->encoder->maxThreads = writer->coding.threads;
    writer->encoder->speed = writing->settings[SPEED];
    writer->encoder->minQuantizer = writer->encoder->maxQuantizer = quantizer;
    writer->encoder->minQuantizerAlpha = writer->encoder->maxQuantizerAlpha = quantizer;
    if (code == AVIF_RESULT_OK)
        code = writer->avif.avifEncoderWrite(writer->encoder, writer->image, &writer->file);
    if (code != AVIF_RESULT_OK)
        return weft_avif_failed(&writer->coding, &writer->avif, code, error);
    return weft_output_write(writer->coding.output, writer->file.data, writer->file.size)
               ? WEFT_OK
               : weft_output_fail(writer->coding.output, error);
}

void weft_avif_close_writer(void *state) {
    weft_avif_writer *writer = state;
    if (writer->file.data)
        writer->avif.avifRWDataFree(&writer->file);
    if (writer->encoder)
        writer->avif.avifEncoderDestroy(writer->encoder);
    if (writer->image)
        writer->avif.avifImageDestroy(writer->image);
    weft_avif_close(&writer->avif);
}
