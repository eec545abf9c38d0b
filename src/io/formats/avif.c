/* SPDX-License-Identifier: MIT
 * AVIF by libavif: RGB with or without alpha, 8 bit, and 10 and 12 bit as u16, decoded and encoded as a whole. */
#include <string.h>
#include "io/format.h"
#include "io/formats/avif_library.h"

enum { QUALITY, LOSSLESS, SUBSAMPLING, SPEED, METADATA };
static const weft_file_option writer_options[] = {
    [QUALITY] = {"quality", "how little is lost", NULL, 1, 100, 75},
    [LOSSLESS] = {"lossless", "the pixels as they are, of 8 bit; u16 becomes 12 bit", "off on", 0, 0, 0},
    [SUBSAMPLING] = {"subsampling", "of colors", "444 422 420", 0, 0, 0},
    [SPEED] = {"speed", "10 is fastest", NULL, 0, 10, 6},
    [METADATA] = WEFT_EXIF_OPTION,
};

/* Bytes a pixel that decoders were seen to take, of colors and again of alpha. */
enum { WORKING = 16, WORKING_WIDE = 20 };

enum { PAGE };
static const weft_file_option reader_options[] = {[PAGE] = WEFT_PAGE_OPTION};

typedef struct avif_reader {
    weft_coding coding;
    struct weft_avif avif;
    avifDecoder *decoder;
} avif_reader;

typedef struct avif_writer {
    weft_coding coding;
    struct weft_avif avif;
    const weft_writing *writing;
    avifImage *image;
    avifEncoder *encoder;
    avifRWData file;
} avif_writer;

/* A file type box whose first brand is a still image or a sequence of them. */
static bool probe(const unsigned char *bytes, size_t count) {
    return count >= 12 && (memcmp(bytes + 4, "ftypavif", 8) == 0 || memcmp(bytes + 4, "ftypavis", 8) == 0);
}

static weft_status failed(weft_coding *coding, const struct weft_avif *avif, avifResult code, weft_error *error) {
    weft_coding_note(coding, "%s", avif->avifResultToString(code));
    return weft_coding_failed(coding, error);
}

/* As EXIF counts: the image is turned first, by quarters against the clock, and then mirrored. */
static int orientation(const avifImage *image) {
    static const int turned[4] = {1, 8, 3, 6}, upside_down[4] = {4, 5, 2, 7}, sideways[4] = {2, 7, 4, 5};
    const int quarters = image->transformFlags & AVIF_TRANSFORM_IROT ? image->irot.angle & 3 : 0;
    if (!(image->transformFlags & AVIF_TRANSFORM_IMIR))
        return turned[quarters];
#if AVIF_VERSION >= 1000000
    return image->imir.axis ? sideways[quarters] : upside_down[quarters];
#else
    return image->imir.mode ? sideways[quarters] : upside_down[quarters];
#endif
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    avif_reader *reader = state;
    const unsigned char *bytes;
    const avifImage *image;
    avifResult code;
    size_t size;
    weft_status status = weft_avif_open(&reader->avif, reader->coding.input->name, error);
    if (status == WEFT_OK)
        status = weft_input_load(reader->coding.input, &bytes, &size, error);
    if (status != WEFT_OK)
        return status;
    reader->decoder = reader->avif.avifDecoderCreate();
    if (!reader->decoder)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libavif could not start");
    /* Prefers libaom: the decoder dav1d, which libavif may use too, prints the errors that it finds. */
    if (reader->avif.avifCodecName(AVIF_CODEC_CHOICE_AOM, AVIF_CODEC_FLAG_CAN_DECODE))
        reader->decoder->codecChoice = AVIF_CODEC_CHOICE_AOM;
    reader->decoder->maxThreads = 1; /* by more, libaom takes twice the memory and no less time */
    code = reader->avif.avifDecoderSetIOMemory(reader->decoder, bytes, size);
    if (code == AVIF_RESULT_OK)
        code = reader->avif.avifDecoderParse(reader->decoder);
    if (code != AVIF_RESULT_OK)
        return failed(&reader->coding, &reader->avif, code, error);
    image = reader->decoder->image;
    header->info.width = image->width;
    header->info.height = image->height;
    header->info.format = (weft_format){image->depth > 8 ? WEFT_U16 : WEFT_U8, reader->decoder->alphaPresent ? 4 : 3};
    header->info.alpha = reader->decoder->alphaPresent ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
    header->working = (uint64_t)image->width * image->height * (image->depth > 8 ? WORKING_WIDE : WORKING) *
                      (reader->decoder->alphaPresent ? 2 : 1);
    header->pictures = reader->decoder->imageCount;
    header->chosen = reader->coding.values[PAGE] > 0;
    if (reader->coding.values[PAGE] > reader->decoder->imageCount)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: there is no page %d, it has %d picture%s",
                         reader->coding.input->name, (int)reader->coding.values[PAGE], reader->decoder->imageCount,
                         reader->decoder->imageCount == 1 ? "" : "s");
    header->whole = true;
    header->orientation = orientation(image); /* which counts, and not what the EXIF says */
    status = weft_metadata_set_profile(&header->metadata, image->icc.data, image->icc.size, error);
    if (status == WEFT_OK)
        status = weft_metadata_set_exif(&header->metadata, image->exif.data, image->exif.size, error);
    return status == WEFT_OK ? weft_metadata_set_xmp(&header->metadata, image->xmp.data, image->xmp.size, error)
                             : status;
}

static void set_pixels(const struct weft_avif *avif, avifRGBImage *rgb, const avifImage *image, bool wide, bool alpha,
                       void *pixels, size_t stride) {
    avif->avifRGBImageSetDefaults(rgb, image);
    rgb->depth = wide ? 16 : 8;
    rgb->format = alpha ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB;
    rgb->pixels = pixels;
    rgb->rowBytes = (uint32_t)stride; /* a side is at most 65535 */
}

static weft_status decode(void *state, void *pixels, size_t stride, weft_error *error) {
    avif_reader *reader = state;
    const avifImage *image = reader->decoder->image;
    const int32_t page = reader->coding.values[PAGE];
    avifResult code = reader->avif.avifDecoderNthImage(reader->decoder, page > 0 ? (uint32_t)page - 1 : 0);
    avifRGBImage rgb;
    if (code != AVIF_RESULT_OK)
        return failed(&reader->coding, &reader->avif, code, error);
    set_pixels(&reader->avif, &rgb, image, image->depth > 8, reader->decoder->alphaPresent, pixels, stride);
    code = reader->avif.avifImageYUVToRGB(image, &rgb);
    return code == AVIF_RESULT_OK ? WEFT_OK : failed(&reader->coding, &reader->avif, code, error);
}

static void close_reader(void *state) {
    avif_reader *reader = state;
    if (reader->decoder)
        reader->avif.avifDecoderDestroy(reader->decoder);
    weft_avif_close(&reader->avif);
}

/* Gray becomes RGB, and a fourth channel is alpha. */
static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    const bool alpha = nearest->alpha != WEFT_ALPHA_NONE || nearest->format.channels == 4;
    (void)word;
    (void)error;
    nearest->format = (weft_format){weft_nearest_integer(nearest->format.type), alpha ? 4 : 3};
    nearest->alpha = alpha ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
    return WEFT_OK;
}

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    static const avifPixelFormat formats[] = {AVIF_PIXEL_FORMAT_YUV444, AVIF_PIXEL_FORMAT_YUV422,
                                              AVIF_PIXEL_FORMAT_YUV420};
    avif_writer *writer = state;
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

static weft_status encode(void *state, const void *pixels, size_t stride, weft_error *error) {
    avif_writer *writer = state;
    const weft_writing *writing = writer->writing;
    const int worst = AVIF_QUANTIZER_WORST_QUALITY;
    const int quantizer =
        writing->settings[LOSSLESS] ? AVIF_QUANTIZER_LOSSLESS : (100 - (int)writing->settings[QUALITY]) * worst / 100;
    avifRGBImage rgb;
    avifResult code;
    set_pixels(&writer->avif, &rgb, writer->image, writing->info.format.type != WEFT_U8,
               writing->info.format.channels == 4, (void *)pixels, stride); /* it is only read */
    code = writer->avif.avifImageRGBToYUV(writer->image, &rgb);
    writer->encoder->maxThreads = writer->coding.threads;
    writer->encoder->speed = writing->settings[SPEED];
    writer->encoder->minQuantizer = writer->encoder->maxQuantizer = quantizer;
    writer->encoder->minQuantizerAlpha = writer->encoder->maxQuantizerAlpha = quantizer;
    if (code == AVIF_RESULT_OK)
        code = writer->avif.avifEncoderWrite(writer->encoder, writer->image, &writer->file);
    if (code != AVIF_RESULT_OK)
        return failed(&writer->coding, &writer->avif, code, error);
    return weft_output_write(writer->coding.output, writer->file.data, writer->file.size)
               ? WEFT_OK
               : weft_output_fail(writer->coding.output, error);
}

static void close_writer(void *state) {
    avif_writer *writer = state;
    if (writer->file.data)
        writer->avif.avifRWDataFree(&writer->file);
    if (writer->encoder)
        writer->avif.avifEncoderDestroy(writer->encoder);
    if (writer->image)
        writer->avif.avifImageDestroy(writer->image);
    weft_avif_close(&writer->avif);
}

const weft_codec weft_codec_avif = {
    .format = {"avif", "avif", "AVIF: RGB, alpha, 8 and 12 bit, lossy or not", true, true,
               WEFT_FILE_OPTIONS(writer_options), WEFT_FILE_OPTIONS(reader_options), false},
    .probe = probe,
    .reader_size = sizeof(avif_reader),
    .open_reader = open_reader,
    .decode = decode,
    .close_reader = close_reader,
    .largest_side = 65535,
    .unmeasured = true,
    .accepts = accepts,
    .writer_size = sizeof(avif_writer),
    .open_writer = open_writer,
    .encode = encode,
    .close_writer = close_writer,
};
