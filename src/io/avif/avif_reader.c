/* SPDX-License-Identifier: MIT
 * Reading AVIF: the picture is decoded as a whole, into planes of luma, chroma and alpha, when the first row is asked for, and
 * becomes pixels a strip of rows at a time. */
#include "io/avif/avif.h"
#include <string.h>
#include "base/memory.h"

const weft_file_option weft_avif_reader_options[] = {[WEFT_AVIF_PAGE] = WEFT_PAGE_OPTION};

/* Bytes a pixel that libaom was seen to take, of colors and again of alpha. */
enum { WORKING = 16, WORKING_WIDE = 20 };
/* The same of libdav1d. */
enum { DAV1D = 4, DAV1D_WIDE = 8 };
/* Rows of a strip; and of the planes above and below it, since chroma of half the height is interpolated. Both are even. */
enum { STRIP = 64, MARGIN = 2 };

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

/* A decoder by libdav1d where it may be: of one picture without alpha, whose bytes lie together. */
static weft_status choose_decoder(weft_avif_reader *reader, const unsigned char *bytes, size_t size, weft_error *error) {
    const avifDecoder *decoder = reader->decoder;
    const avifImage *image = decoder->image;
    const avifPixelFormat format = image->yuvFormat;
    const struct weft_av1_layout layout = {
        .width = image->width,
        .height = image->height,
        .bits = (int)image->depth,
        .colored = format != AVIF_PIXEL_FORMAT_YUV400,
        .halved_across = format == AVIF_PIXEL_FORMAT_YUV422 || format == AVIF_PIXEL_FORMAT_YUV420,
        .halved_down = format == AVIF_PIXEL_FORMAT_YUV420,
    };
    avifExtent extent;
    if (decoder->imageCount != 1 || decoder->alphaPresent || decoder->progressiveState != AVIF_PROGRESSIVE_STATE_UNAVAILABLE ||
        reader->avif.avifDecoderNthImageMaxExtent(decoder, 0, &extent) != AVIF_RESULT_OK || extent.size == 0 ||
        extent.size != decoder->ioStats.colorOBUSize || extent.offset > size || extent.size > size - extent.offset)
        return WEFT_OK;
    return weft_dav1d_open(&reader->dav1d, bytes + extent.offset, extent.size, &layout, error);
}

/* What decoding takes beside the rows. */
static uint64_t working(const weft_avif_reader *reader) {
    const uint64_t pixels = (uint64_t)reader->width * reader->height;
    if (reader->dav1d)
        return pixels * (reader->wide ? DAV1D_WIDE : DAV1D);
    return pixels * (reader->wide ? WORKING_WIDE : WORKING) * (reader->alpha ? 2 : 1);
}

static double seconds_of(const weft_avif_reader *reader, uint32_t index) {
    avifImageTiming timing = {.duration = 0};
    return reader->avif.avifDecoderNthImageTiming(reader->decoder, index, &timing) == AVIF_RESULT_OK ? timing.duration : 0;
}

weft_status weft_avif_open_reader(void *state, weft_header *header, weft_error *error) {
    weft_avif_reader *reader = state;
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
        return weft_avif_failed(&reader->coding, &reader->avif, code, error);
    image = reader->decoder->image;
    header->info.width = reader->width = image->width;
    header->info.height = reader->height = image->height;
    reader->wide = image->depth > 8;
    reader->alpha = reader->decoder->alphaPresent;
    header->info.format = (weft_format){reader->wide ? WEFT_U16 : WEFT_U8, reader->alpha ? 4 : 3};
    header->info.alpha = reader->alpha ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
    header->pictures = reader->decoder->imageCount;
    header->chosen = reader->coding.values[WEFT_AVIF_PAGE] > 0;
    if (reader->coding.values[WEFT_AVIF_PAGE] > reader->decoder->imageCount)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: there is no page %d, it has %d picture%s",
                         reader->coding.input->name, (int)reader->coding.values[WEFT_AVIF_PAGE], reader->decoder->imageCount,
                         reader->decoder->imageCount == 1 ? "" : "s");
    if (header->chosen && header->pictures > 1)
        header->seconds = seconds_of(reader, (uint32_t)reader->coding.values[WEFT_AVIF_PAGE] - 1);
    status = choose_decoder(reader, bytes, size, error);
    if (status != WEFT_OK)
        return status;
    header->working = working(reader);
    header->orientation = orientation(image); /* which counts, and not what the EXIF says */
    status = weft_metadata_set_profile(&header->metadata, image->icc.data, image->icc.size, error);
    if (status == WEFT_OK)
        status = weft_metadata_set_exif(&header->metadata, image->exif.data, image->exif.size, error);
    return status == WEFT_OK ? weft_metadata_set_xmp(&header->metadata, image->xmp.data, image->xmp.size, error)
                             : status;
}

static weft_status decode(weft_avif_reader *reader, weft_error *error) {
    const int32_t page = reader->coding.values[WEFT_AVIF_PAGE];
    avifImage *picture = &reader->picture;
    if (reader->dav1d) {
        struct weft_av1_planes planes;
        if (!weft_dav1d_decode(reader->dav1d, reader->coding.threads, &planes))
            return weft_input_fail(reader->coding.input, error, "its AV1 data are damaged");
        *picture = *reader->decoder->image;
        for (int i = 0; i < AVIF_PLANE_COUNT_YUV; i++) {
            picture->yuvPlanes[i] = planes.plane[i];
            picture->yuvRowBytes[i] = (uint32_t)planes.stride[i];
        }
        return WEFT_OK;
    }
    const avifResult code = reader->avif.avifDecoderNthImage(reader->decoder, page > 0 ? (uint32_t)page - 1 : 0);
    if (code != AVIF_RESULT_OK)
        return weft_avif_failed(&reader->coding, &reader->avif, code, error);
    *picture = *reader->decoder->image;
    if (picture->width != reader->width || picture->height != reader->height || (picture->depth > 8) != reader->wide)
        return weft_input_fail(reader->coding.input, error, "its picture is not of the size that it claims");
    return WEFT_OK;
}

static size_t row_size(const weft_avif_reader *reader) {
    return (size_t)reader->width * (reader->alpha ? 4 : 3) * (reader->wide ? 2 : 1);
}

/* Makes pixels of the rows from `next` on, and of those above and below that they need. */
static weft_status convert_strip(weft_avif_reader *reader, weft_error *error) {
    const avifImage *picture = &reader->picture;
    const uint32_t first = reader->next, left = reader->height - first;
    const uint32_t above = first < MARGIN ? first : MARGIN;
    const uint32_t rows = left > STRIP + MARGIN ? STRIP + MARGIN : left;
    avifImage strip = *picture;
    avifRGBImage rgb;
    reader->top = first - above;
    reader->bottom = first + (left > STRIP ? STRIP : left);
    strip.height = above + rows;
    for (int i = 0; i < AVIF_PLANE_COUNT_YUV; i++) {
        const uint32_t down = i > 0 && picture->yuvFormat == AVIF_PIXEL_FORMAT_YUV420 ? 2 : 1;
        if (strip.yuvPlanes[i])
            strip.yuvPlanes[i] += (size_t)(reader->top / down) * strip.yuvRowBytes[i];
    }
    if (strip.alphaPlane)
        strip.alphaPlane += (size_t)reader->top * strip.alphaRowBytes;
    weft_avif_set_pixels(&reader->avif, &rgb, &strip, reader->wide, reader->alpha, reader->rows, row_size(reader));
    const avifResult code = reader->avif.avifImageYUVToRGB(&strip, &rgb);
    return code == AVIF_RESULT_OK ? WEFT_OK : weft_avif_failed(&reader->coding, &reader->avif, code, error);
}

weft_status weft_avif_read_row(void *state, void *row, weft_error *error) {
    weft_avif_reader *reader = state;
    const size_t size = row_size(reader);
    weft_status status = WEFT_OK;
    if (!reader->decoded) {
        reader->rows = weft_reallocate(NULL, STRIP + 2 * MARGIN, size);
        if (!reader->rows)
            return weft_fail_memory(error, (STRIP + 2 * MARGIN) * size, "rows of an AVIF");
        status = decode(reader, error);
        reader->decoded = true;
    }
    if (status == WEFT_OK && reader->next == reader->bottom)
        status = convert_strip(reader, error);
    if (status == WEFT_OK)
        memcpy(row, reader->rows + (size_t)(reader->next++ - reader->top) * size, size);
    return status;
}

void weft_avif_close_reader(void *state) {
    weft_avif_reader *reader = state;
    weft_free(reader->rows);
    weft_dav1d_close(reader->dav1d);
    if (reader->decoder)
        reader->avif.avifDecoderDestroy(reader->decoder);
    weft_avif_close(&reader->avif);
}
