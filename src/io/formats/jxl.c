/* SPDX-License-Identifier: MIT
 * JPEG XL by libjxl, decoded and encoded as a whole: grey and RGB with or without alpha; integers up to 16 bit, and
 * floating point numbers, which are only read. libjxl turns pictures upright by itself. Of an animation one frame is
 * read, as it is shown: over those before it. */
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <string.h>
#include "base/memory.h"
#include "io/format.h"

/* The calls about profiles lost a parameter that was never used. */
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define PROFILE_OF(decoder) (decoder), JXL_COLOR_PROFILE_TARGET_DATA
#else
#define PROFILE_OF(decoder) (decoder), NULL, JXL_COLOR_PROFILE_TARGET_DATA
#endif

enum { OUTPUT_CHUNK = 1 << 16, LARGEST_PROFILE = 64 << 20, FIRST_EXIF = 1 << 16, LARGEST_EXIF = 16 << 20 };
enum { WORKING = 8 };     /* bytes a sample: it is computed in f32, and in two places at worst */
enum { KEPT_FRAMES = 4 }; /* that frames of an animation may refer to, in f32 */
enum { EXIF_OFFSET = 4 }; /* a number before EXIF that says how far behind itself it begins */
static const JxlBoxType exif_box = {'E', 'x', 'i', 'f'}, xmp_box = {'x', 'm', 'l', ' '};

enum { QUALITY, LOSSLESS, EFFORT, METADATA };
static const weft_file_option writer_options[] = {
    [QUALITY] = {"quality", "how little is lost", NULL, 1, 100, 90},
    [LOSSLESS] = {"lossless", "the pixels as they are", "off on", 0, 0, 0},
    [EFFORT] = {"effort", "how long it may take", NULL, 1, 9, 5},
    [METADATA] = WEFT_EXIF_OPTION,
};
enum { PAGE };
static const weft_file_option reader_options[] = {[PAGE] = WEFT_PAGE_OPTION};

typedef struct jxl_reader {
    weft_coding coding;
    JxlDecoder *decoder;
    JxlPixelFormat format;
    bool animated;
} jxl_reader;

typedef struct jxl_writer {
    weft_coding coding;
    const weft_writing *writing;
    JxlEncoder *encoder;
    bool starved; /* of memory of our own */
    unsigned char bytes[OUTPUT_CHUNK];
} jxl_writer;

/* A codestream by itself, or in a container. */
static bool probe(const unsigned char *bytes, size_t count) {
    return (count >= 2 && memcmp(bytes, "\xff\x0a", 2) == 0) ||
           (count >= 12 && memcmp(bytes, "\0\0\0\x0cJXL \x0d\x0a\x87\x0a", 12) == 0);
}

static weft_status failed(jxl_reader *reader, JxlDecoderStatus code, weft_error *error) {
    return weft_input_fail(reader->coding.input, error, code == JXL_DEC_NEED_MORE_INPUT ? "truncated" : "damaged");
}

static weft_status read_info(jxl_reader *reader, weft_header *header, weft_error *error) {
    JxlBasicInfo basic;
    weft_image_info *info = &header->info;
    uint32_t channels;
    if (JxlDecoderGetBasicInfo(reader->decoder, &basic) != JXL_DEC_SUCCESS)
        return failed(reader, JXL_DEC_ERROR, error);
    reader->animated = basic.have_animation;
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

/* A profile is made up for files without one; that of sRGB goes without saying. */
static weft_status read_profile(jxl_reader *reader, weft_metadata *metadata, weft_error *error) {
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

/* What a box holds, at most LARGEST_EXIF bytes of it, since it may be compressed; *contents is the caller's to free. */
static weft_status read_box(JxlDecoder *decoder, unsigned char **contents, size_t *size, JxlDecoderStatus *code,
                            weft_error *error) {
    size_t room = 0;
    *contents = NULL;
    do {
        const size_t more = room ? 2 * room : FIRST_EXIF;
        unsigned char *grown = weft_reallocate(*contents, more, 1);
        if (!grown)
            return weft_fail_memory(error, more, "EXIF");
        *contents = grown;
        *code = JxlDecoderSetBoxBuffer(decoder, grown + room, more - room);
        if (*code == JXL_DEC_SUCCESS)
            *code = JxlDecoderProcessInput(decoder);
        *size = more - JxlDecoderReleaseBoxBuffer(decoder);
        room = more;
    } while (*code == JXL_DEC_BOX_NEED_MORE_OUTPUT && room < LARGEST_EXIF);
    return WEFT_OK;
}

/* A number before EXIF says how far behind itself it begins. */
static weft_status set_exif(weft_metadata *metadata, const unsigned char *box, size_t size, weft_error *error) {
    const uint32_t skip = size > EXIF_OFFSET
                              ? (uint32_t)box[0] << 24 | (uint32_t)box[1] << 16 | (uint32_t)box[2] << 8 | box[3]
                              : UINT32_MAX;
    if (size <= EXIF_OFFSET || skip >= size - EXIF_OFFSET)
        return WEFT_OK;
    return weft_metadata_set_exif(metadata, box + EXIF_OFFSET + skip, size - EXIF_OFFSET - skip, error);
}

/* Takes the box at hand if it is the first of EXIF or XMP, and goes on to the next. */
static weft_status take_box(JxlDecoder *decoder, JxlDecoderStatus *code, weft_metadata *metadata, weft_error *error) {
    JxlBoxType type;
    unsigned char *box = NULL;
    size_t size = 0;
    weft_status status;
    const bool typed = JxlDecoderGetBoxType(decoder, type, JXL_TRUE) == JXL_DEC_SUCCESS;
    const bool exif = typed && memcmp(type, exif_box, 4) == 0 && !metadata->exif;
    const bool xmp = typed && memcmp(type, xmp_box, 4) == 0 && !metadata->xmp;
    if (!exif && !xmp) {
        *code = JxlDecoderProcessInput(decoder);
        return WEFT_OK;
    }
    status = read_box(decoder, &box, &size, code, error);
    if (status == WEFT_OK && (*code == JXL_DEC_BOX || *code == JXL_DEC_SUCCESS))
        status = exif ? set_exif(metadata, box, size, error) : weft_metadata_set_xmp(metadata, box, size, error);
    weft_free(box);
    return status;
}

/* Boxes may follow the picture, so a decoder of its own looks for them. Where they are damaged there are none: what the
 * picture's decoder says is of more use. */
static weft_status read_boxes(const unsigned char *bytes, size_t size, weft_metadata *metadata, weft_error *error) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    JxlDecoderStatus code = JXL_DEC_ERROR;
    weft_status status = WEFT_OK;
    if (!decoder)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libjxl could not start");
    if (JxlDecoderSubscribeEvents(decoder, JXL_DEC_BOX) == JXL_DEC_SUCCESS &&
        JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) == JXL_DEC_SUCCESS &&
        JxlDecoderSetInput(decoder, bytes, size) == JXL_DEC_SUCCESS) {
        JxlDecoderCloseInput(decoder);
        code = JxlDecoderProcessInput(decoder);
    }
    while (code == JXL_DEC_BOX && status == WEFT_OK)
        status = take_box(decoder, &code, metadata, error);
    JxlDecoderDestroy(decoder);
    return status;
}

/* How many frames an animation shows, as far as it is whole: a decoder that is asked for no pixels skips them. */
static weft_status count_frames(const unsigned char *bytes, size_t size, int64_t *frames, weft_error *error) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    if (!decoder)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libjxl could not start");
    *frames = 0;
    if (JxlDecoderSubscribeEvents(decoder, JXL_DEC_FRAME) == JXL_DEC_SUCCESS &&
        JxlDecoderSetInput(decoder, bytes, size) == JXL_DEC_SUCCESS) {
        JxlDecoderCloseInput(decoder);
        while (JxlDecoderProcessInput(decoder) == JXL_DEC_FRAME)
            ++*frames;
    }
    JxlDecoderDestroy(decoder);
    return WEFT_OK;
}

/* Goes to the frame that is asked for. */
static weft_status choose_page(jxl_reader *reader, const unsigned char *bytes, size_t size, weft_header *header,
                               weft_error *error) {
    const int32_t page = reader->coding.values[PAGE];
    const weft_status status = reader->animated ? count_frames(bytes, size, &header->pictures, error) : WEFT_OK;
    const int64_t frames = header->pictures > 0 ? header->pictures : 1;
    if (status != WEFT_OK)
        return status;
    header->chosen = page > 0;
    if (page > frames)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: there is no page %d, it has %lld %s%s",
                         reader->coding.input->name, (int)page, (long long)frames,
                         reader->animated ? "frame" : "picture", frames == 1 ? "" : "s");
    if (page > 1)
        JxlDecoderSkipFrames(reader->decoder, (size_t)page - 1);
    return WEFT_OK;
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    jxl_reader *reader = state;
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
    return status == WEFT_OK ? read_boxes(bytes, size, &header->metadata, error) : status;
}

static weft_status decode(void *state, void *pixels, size_t stride, weft_error *error) {
    jxl_reader *reader = state;
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

static void close_reader(void *state) {
    jxl_reader *reader = state;
    if (reader->decoder)
        JxlDecoderDestroy(reader->decoder);
}

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    jxl_writer *writer = state;
    writer->writing = writing;
    writer->encoder = JxlEncoderCreate(NULL);
    return writer->encoder ? WEFT_OK : weft_fail(error, WEFT_ERROR_MEMORY, "libjxl could not start");
}

/* What the file says before its pixels. */
static JxlEncoderStatus write_header(jxl_writer *writer) {
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

static JxlEncoderStatus add_boxes(jxl_writer *writer) {
    const weft_metadata *metadata = &writer->writing->metadata;
    JxlEncoderStatus code = JXL_ENC_SUCCESS;
    if (metadata->exif || metadata->xmp)
        code = JxlEncoderUseBoxes(writer->encoder);
    if (code == JXL_ENC_SUCCESS && metadata->exif) {
        unsigned char *box = weft_allocate(EXIF_OFFSET + metadata->exif_size, 1);
        if (!box) {
            writer->starved = true;
            return JXL_ENC_ERROR;
        }
        memcpy(box + EXIF_OFFSET, metadata->exif, metadata->exif_size);
        code = JxlEncoderAddBox(writer->encoder, exif_box, box, EXIF_OFFSET + metadata->exif_size, JXL_FALSE);
        weft_free(box);
    }
    if (code == JXL_ENC_SUCCESS && metadata->xmp)
        code = JxlEncoderAddBox(writer->encoder, xmp_box, metadata->xmp, metadata->xmp_size, JXL_FALSE);
    return code;
}

/* The distance that libjxl's own tool takes for a quality: 1 is where the eye begins to see what is lost. */
static float distance(int32_t quality) {
    const float lost = (float)(100 - quality);
    return quality >= 30 ? 0.1f + 0.09f * lost : 6.4f + 0.19f * (lost - 70.0f);
}

static JxlEncoderStatus add_pixels(jxl_writer *writer, const void *pixels, size_t stride) {
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

static weft_status encode(void *state, const void *pixels, size_t stride, weft_error *error) {
    jxl_writer *writer = state;
    JxlEncoderStatus code = write_header(writer);
    if (code == JXL_ENC_SUCCESS)
        code = add_boxes(writer);
    if (code == JXL_ENC_SUCCESS)
        code = add_pixels(writer, pixels, stride);
    if (code == JXL_ENC_SUCCESS)
        code = JXL_ENC_NEED_MORE_OUTPUT;
    while (code == JXL_ENC_NEED_MORE_OUTPUT) {
        unsigned char *next = writer->bytes;
        size_t room = OUTPUT_CHUNK;
        code = JxlEncoderProcessOutput(writer->encoder, &next, &room);
        if (code != JXL_ENC_ERROR && !weft_output_write(writer->coding.output, writer->bytes, OUTPUT_CHUNK - room))
            return weft_output_fail(writer->coding.output, error);
    }
    if (code == JXL_ENC_SUCCESS)
        return WEFT_OK;
    if (writer->starved)
        return weft_fail_memory(error, writer->writing->metadata.exif_size, "EXIF");
    weft_coding_note(&writer->coding, "libjxl could not encode it");
    return weft_coding_failed(&writer->coding, error);
}

static void close_writer(void *state) {
    jxl_writer *writer = state;
    if (writer->encoder)
        JxlEncoderDestroy(writer->encoder);
}

const weft_codec weft_codec_jxl = {
    .format = {"jxl", "jxl", "JPEG XL: 1 to 4 channels, alpha, 8 and 16 bit, lossy or not", true, true,
               WEFT_FILE_OPTIONS(writer_options), WEFT_FILE_OPTIONS(reader_options), false},
    .probe = probe,
    .reader_size = sizeof(jxl_reader),
    .open_reader = open_reader,
    .decode = decode,
    .close_reader = close_reader,
    .largest_side = INT64_C(1073741823),
    .unmeasured = true,
    .accepts = weft_accept_integers,
    .writer_size = sizeof(jxl_writer),
    .open_writer = open_writer,
    .encode = encode,
    .close_writer = close_writer,
};
