/* SPDX-License-Identifier: MIT
 * WebP by libwebp: RGB with or without alpha, 8 bit, decoded and encoded as a whole. Of animations a frame is read, as
 * it is shown. */
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>
#include "io/format.h"

enum { RIFF_HEADER = 12 };
/* Bytes a pixel that pictures without loss take; others less. */
enum { WORKING = 4 };

enum { QUALITY, LOSSLESS, EFFORT, METADATA };
static const weft_file_option writer_options[] = {
    [QUALITY] = {"quality", "how little is lost", NULL, 1, 100, 80},
    [LOSSLESS] = {"lossless", "the pixels as they are", "off on", 0, 0, 0},
    [EFFORT] = {"effort", "how long it may take", NULL, 0, 6, 4},
    [METADATA] = WEFT_EXIF_OPTION,
};

enum { PAGE, REDUCE };
static const weft_file_option reader_options[] = {[PAGE] = WEFT_PAGE_OPTION, [REDUCE] = WEFT_REDUCE_OPTION};

typedef struct webp_reader {
    weft_coding coding;
    WebPData file; /* in the input's buffer */
    bool alpha;
    bool animated;
    int width, height; /* of the smaller image that is wanted; 0 for all of it */
    WebPAnimDecoder *animation;
} webp_reader;

typedef struct webp_writer {
    weft_coding coding;
    const weft_writing *writing;
    WebPPicture picture;
    WebPMemoryWriter memory;
    WebPMux *mux;
    WebPData assembled;
} webp_writer;

static bool probe(const unsigned char *bytes, size_t count) {
    return count >= RIFF_HEADER && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0;
}

static const char *status_text(VP8StatusCode status) {
    static const char *const texts[] = {
        "no error", "out of memory", "an invalid parameter", "a damaged picture", "an unsupported form", "suspended",
        "stopped",  "truncated"};
    return (size_t)status < sizeof texts / sizeof *texts ? texts[status] : "a damaged picture";
}

static weft_status read_metadata(webp_reader *reader, weft_metadata *metadata, weft_error *error) {
    WebPMux *mux = WebPMuxCreate(&reader->file, 0);
    WebPData chunk;
    weft_status status = WEFT_OK;
    if (!mux)
        return WEFT_OK; /* the picture may be all there is of it, and sound */
    if (WebPMuxGetChunk(mux, "ICCP", &chunk) == WEBP_MUX_OK)
        status = weft_metadata_set_profile(metadata, chunk.bytes, chunk.size, error);
    if (status == WEFT_OK && WebPMuxGetChunk(mux, "EXIF", &chunk) == WEBP_MUX_OK)
        status = weft_metadata_set_exif(metadata, chunk.bytes, chunk.size, error);
    if (status == WEFT_OK && WebPMuxGetChunk(mux, "XMP ", &chunk) == WEBP_MUX_OK)
        status = weft_metadata_set_xmp(metadata, chunk.bytes, chunk.size, error);
    WebPMuxDelete(mux);
    return status;
}

/* 0 for what is not there. */
static double seconds_of(const WebPDemuxer *demuxer, int32_t page) {
    WebPIterator frame = {.duration = 0};
    const double seconds = demuxer && page > 0 && WebPDemuxGetFrame(demuxer, page, &frame) ? frame.duration * 1e-3 : 0;
    WebPDemuxReleaseIterator(&frame);
    return seconds;
}

/* Counts frames; what holds their pixels comes later, when the limits have been asked. */
static weft_status open_animation(webp_reader *reader, weft_header *header, weft_error *error) {
    const int32_t page = reader->coding.values[PAGE];
    weft_input *input = reader->coding.input;
    WebPDemuxer *demuxer = WebPDemux(&reader->file);
    const unsigned frames = demuxer ? (unsigned)WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT) : 0;
    header->seconds = seconds_of(demuxer, page);
    WebPDemuxDelete(demuxer);
    if (frames == 0)
        return weft_input_fail(input, error, "a damaged animation");
    if (page > 0 && (unsigned)page > frames)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: there is no page %d, it has %u frame%s", input->name,
                         (int)page, frames, frames == 1 ? "" : "s");
    reader->animated = true;
    header->pictures = frames;
    header->chosen = page > 0;
    header->working *= 3; /* what is shown, what was, and a frame */
    return WEFT_OK;
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    webp_reader *reader = state;
    weft_input *input = reader->coding.input;
    WebPBitstreamFeatures features;
    VP8StatusCode code;
    uint64_t claimed = 8;
    weft_status status = weft_input_load(input, &reader->file.bytes, &reader->file.size, error);
    if (status != WEFT_OK)
        return status;
    for (int i = 0; i < 4 && reader->file.size >= RIFF_HEADER; i++)
        claimed += (uint64_t)reader->file.bytes[4 + i] << 8 * i;
    if (claimed > reader->file.size)
        return weft_input_fail(input, error, "truncated, %zu of %llu bytes are there", reader->file.size,
                               (unsigned long long)claimed);
    code = WebPGetFeatures(reader->file.bytes, reader->file.size, &features);
    if (code != VP8_STATUS_OK)
        return weft_input_fail(input, error, "%s", status_text(code));
    reader->alpha = features.has_alpha || features.has_animation; /* what no frame covers is transparent */
    if (!features.has_animation && reader->coding.values[PAGE] > 1)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: there is no page %d, it has 1 picture", input->name,
                         (int)reader->coding.values[PAGE]);
    header->info.width = features.width;
    header->info.height = features.height;
    header->info.format = (weft_format){WEFT_U8, reader->alpha ? 4 : 3};
    header->info.alpha = reader->alpha ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
    header->working = (uint64_t)features.width * (uint64_t)features.height * WORKING;
    header->whole = true;
    if (features.has_animation)
        status = open_animation(reader, header, error);
    if (status != WEFT_OK)
        return status;
    return read_metadata(reader, &header->metadata, error);
}

/* libwebp makes means of what it decodes, row by row; of colors as they are, so pictures with alpha are not reduced. */
static bool reduce(void *state, int32_t times, weft_header *header) {
    webp_reader *reader = state;
    if (reader->coding.values[REDUCE] != 0 || reader->alpha)
        return false;
    header->info.width = (header->info.width + times - 1) / times;
    header->info.height = (header->info.height + times - 1) / times;
    reader->width = (int)header->info.width;
    reader->height = (int)header->info.height;
    return true;
}

/* Frames are drawn over one another, so those before come first. */
static weft_status decode_frame(webp_reader *reader, void *pixels, size_t stride, weft_error *error) {
    const int32_t page = reader->coding.values[PAGE];
    const size_t rows = (size_t)reader->coding.input->rows;
    WebPAnimDecoderOptions options;
    uint8_t *shown = NULL;
    int time;
    if (!WebPAnimDecoderOptionsInit(&options))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "this libwebp is older than the one weft was built with");
    options.color_mode = MODE_RGBA;
    reader->animation = WebPAnimDecoderNew(&reader->file, &options);
    if (!reader->animation)
        return weft_input_fail(reader->coding.input, error, "a damaged animation");
    for (int32_t i = 0; i < (page > 0 ? page : 1); i++)
        if (!WebPAnimDecoderGetNext(reader->animation, &shown, &time))
            return weft_input_fail(reader->coding.input, error, "a damaged frame %d", (int)i + 1);
    for (size_t y = 0; y < rows; y++)
        memcpy((unsigned char *)pixels + y * stride, shown + y * stride, stride); /* four bytes a pixel in both */
    return WEFT_OK;
}

static void close_reader(void *state) {
    webp_reader *reader = state;
    if (reader->animation)
        WebPAnimDecoderDelete(reader->animation);
}

static weft_status decode(void *state, void *pixels, size_t stride, weft_error *error) {
    webp_reader *reader = state;
    if (reader->animated)
        return decode_frame(reader, pixels, stride, error);
    WebPDecoderConfig config;
    VP8StatusCode code;
    if (!WebPInitDecoderConfig(&config))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "this libwebp is older than the one weft was built with");
    config.output.colorspace = reader->alpha ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.options.use_threads = reader->coding.threads > 1;
    config.options.use_scaling = reader->width > 0;
    config.options.scaled_width = reader->width;
    config.options.scaled_height = reader->height;
    config.output.u.RGBA.rgba = pixels;
    config.output.u.RGBA.stride = (int)stride; /* a side is at most 16383 */
    config.output.u.RGBA.size = stride * (size_t)reader->coding.input->rows;
    code = WebPDecode(reader->file.bytes, reader->file.size, &config);
    WebPFreeDecBuffer(&config.output);
    return code == VP8_STATUS_OK ? WEFT_OK : weft_input_fail(reader->coding.input, error, "%s", status_text(code));
}

static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    nearest->format.type = WEFT_U8;
    return weft_accept_rgb(word, nearest, error);
}

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    webp_writer *writer = state;
    writer->writing = writing;
    WebPMemoryWriterInit(&writer->memory);
    if (!WebPPictureInit(&writer->picture))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "this libwebp is older than the one weft was built with");
    return WEFT_OK;
}

static weft_status fail_writing(webp_writer *writer, const char *what, int code, weft_error *error) {
    weft_coding_note(&writer->coding, "libwebp could not %s it, error %d", what, code);
    return weft_coding_failed(&writer->coding, error);
}

/* Puts the picture between the chunks that metadata go into. */
static weft_status add_metadata(webp_writer *writer, weft_error *error) {
    const weft_metadata *metadata = &writer->writing->metadata;
    const WebPData picture = {writer->memory.mem, writer->memory.size};
    const WebPData profile = {metadata->profile, metadata->profile_size};
    const WebPData exif = {metadata->exif, metadata->exif_size};
    const WebPData xmp = {metadata->xmp, metadata->xmp_size};
    WebPMuxError code = WEBP_MUX_MEMORY_ERROR;
    writer->mux = WebPMuxNew();
    if (writer->mux)
        code = WebPMuxSetImage(writer->mux, &picture, 0);
    if (code == WEBP_MUX_OK && profile.size > 0)
        code = WebPMuxSetChunk(writer->mux, "ICCP", &profile, 0);
    if (code == WEBP_MUX_OK && exif.size > 0)
        code = WebPMuxSetChunk(writer->mux, "EXIF", &exif, 0);
    if (code == WEBP_MUX_OK && xmp.size > 0)
        code = WebPMuxSetChunk(writer->mux, "XMP ", &xmp, 0);
    if (code == WEBP_MUX_OK)
        code = WebPMuxAssemble(writer->mux, &writer->assembled);
    return code == WEBP_MUX_OK ? WEFT_OK : fail_writing(writer, "assemble", code, error);
}

enum { LIMITING = 3 }; /* the least effort at which libwebp minds that limit */

/* What predicts the blocks of a large picture may not fit the 512 kB that a file has for that; simpler predictions do,
 * of a few more bytes, as cwebp's -partition_limit makes them. */
static bool encode_to_fit(WebPConfig *config, webp_writer *writer) {
    if (WebPEncode(config, &writer->picture))
        return true;
    if (writer->picture.error_code != VP8_ENC_ERROR_PARTITION0_OVERFLOW)
        return false;
    config->partition_limit = 100;
    config->method = config->method > LIMITING ? config->method : LIMITING;
    WebPMemoryWriterClear(&writer->memory);
    return WebPEncode(config, &writer->picture);
}

static weft_status encode(void *state, const void *pixels, size_t stride, weft_error *error) {
    webp_writer *writer = state;
    const int32_t *settings = writer->writing->settings;
    const weft_image_info *info = &writer->writing->info;
    const weft_metadata *metadata = &writer->writing->metadata;
    WebPPicture *picture = &writer->picture;
    WebPConfig config;
    int good;
    if (!WebPConfigInit(&config))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "this libwebp is older than the one weft was built with");
    config.quality = (float)settings[QUALITY];
    config.method = settings[EFFORT];
    config.thread_level = writer->coding.threads > 1;
    config.lossless = config.exact = settings[LOSSLESS];
    picture->use_argb = settings[LOSSLESS];
    picture->width = (int)info->width;
    picture->height = (int)info->height;
    picture->writer = WebPMemoryWrite;
    picture->custom_ptr = &writer->memory;
    good = info->format.channels == 4 ? WebPPictureImportRGBA(picture, pixels, (int)stride)
                                      : WebPPictureImportRGB(picture, pixels, (int)stride);
    if (!good || !encode_to_fit(&config, writer))
        return fail_writing(writer, "encode", picture->error_code, error);
    if (metadata->profile || metadata->exif || metadata->xmp) {
        weft_status status = add_metadata(writer, error);
        if (status != WEFT_OK)
            return status;
        good = weft_output_write(writer->coding.output, writer->assembled.bytes, writer->assembled.size);
    } else {
        good = weft_output_write(writer->coding.output, writer->memory.mem, writer->memory.size);
    }
    return good ? WEFT_OK : weft_output_fail(writer->coding.output, error);
}

static void close_writer(void *state) {
    webp_writer *writer = state;
    WebPDataClear(&writer->assembled);
    WebPMuxDelete(writer->mux);
    WebPPictureFree(&writer->picture);
    WebPMemoryWriterClear(&writer->memory);
}

const weft_codec weft_codec_webp = {
    .format = {"webp", "webp", "WebP: RGB, alpha, 8 bit, lossy or not", true, true, WEFT_FILE_OPTIONS(writer_options),
               WEFT_FILE_OPTIONS(reader_options), false},
    .probe = probe,
    .close_reader = close_reader,
    .reader_size = sizeof(webp_reader),
    .open_reader = open_reader,
    .reduce = reduce,
    .decode = decode,
    .largest_side = WEBP_MAX_DIMENSION,
    .unmeasured = true,
    .accepts = accepts,
    .writer_size = sizeof(webp_writer),
    .open_writer = open_writer,
    .encode = encode,
    .close_writer = close_writer,
};
