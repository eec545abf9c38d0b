/* SPDX-License-Identifier: MIT
 * JPEG by libjpeg: grey and RGB of 8 bit; CMYK is converted to RGB when read. */
#include "io/format.h"
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>
#include <jerror.h>
#include <string.h>
#include "base/memory.h"
#include "io/formats/jpeg_pictures.h"

enum { OUTPUT_CHUNK = 1 << 14, SCAN_LIMIT = 500, FULL_CHROMA_QUALITY = 90, LONGEST_MARKER = 65533, IPTC_BLOCK = 0x0404 };
#define EXIF_MARKER (JPEG_APP0 + 1)
#define PROFILE_MARKER (JPEG_APP0 + 2)
#define ADOBE_MARKER (JPEG_APP0 + 13)
static const char exif_signature[6] = "Exif\0", xmp_signature[] = "http://ns.adobe.com/xap/1.0/",
                  adobe_signature[] = "Photoshop 3.0";

enum { QUALITY, SUBSAMPLING, PROGRESSIVE, METADATA };
enum { SUBSAMPLING_AUTO, SUBSAMPLING_444, SUBSAMPLING_422, SUBSAMPLING_420 };
static const weft_file_option writer_options[] = {
    [QUALITY] = {"quality", "how little is lost", NULL, 1, 100, 90},
    [SUBSAMPLING] = {"subsampling", "of colors; auto is 444 from quality 90 on and 420 below", "auto 444 422 420", 0, 0,
                     SUBSAMPLING_AUTO},
    [PROGRESSIVE] = {"progressive", "in several scans, which wait in memory", "off on", 0, 0, 0},
    [METADATA] = WEFT_EXIF_OPTION,
};

enum { REDUCE };
static const weft_file_option reader_options[] = {[REDUCE] = WEFT_REDUCE_OPTION};

/* Both begin with what libjpeg's errors need, whichever of them it is. */
typedef struct jpeg_reader {
    weft_coding coding;
    struct jpeg_error_mgr errors;
    struct jpeg_decompress_struct jpeg;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    bool started;
    bool inverted;       /* Adobe's CMYK: 255 is no ink */
    unsigned char *inks; /* one row of CMYK; NULL for other images */
} jpeg_reader;

typedef struct jpeg_writer {
    weft_coding coding;
    struct jpeg_error_mgr errors;
    struct jpeg_compress_struct jpeg;
    struct jpeg_destination_mgr destination;
    unsigned char bytes[OUTPUT_CHUNK];
} jpeg_writer;

static bool probe(const unsigned char *bytes, size_t count) {
    return count >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0;
}

/* Hands the bytes that libjpeg holds but has not consumed back to the input, whose offset is then right. */
static void return_bytes(jpeg_reader *reader) {
    weft_input_return(reader->coding.input, reader->source.bytes_in_buffer);
    reader->source.bytes_in_buffer = 0;
}

_Noreturn static void fail_with(j_common_ptr common, const char *message) {
    if (common->is_decompressor)
        return_bytes(common->client_data);
    weft_coding_fail(common->client_data, message); /* with which a state begins */
}

_Noreturn static void on_error(j_common_ptr common) {
    char message[JMSG_LENGTH_MAX];
    common->err->format_message(common, message);
    fail_with(common, message);
}

/* libjpeg only warns of corrupt data and makes up the pixels. Pixels that were made up are a failure here; harmless
 * oddities, which cameras do produce, are not. */
static void on_message(j_common_ptr common, int level) {
    const int code = common->err->msg_code;
    if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_ADOBE_XFORM && code != JWRN_TOO_MUCH_DATA &&
        code != JWRN_JFIF_MAJOR && code != JWRN_BOGUS_ICC)
        on_error(common);
}

static void on_print(j_common_ptr common) { (void)common; }

static struct jpeg_error_mgr *start_errors(struct jpeg_error_mgr *errors) {
    jpeg_std_error(errors);
    errors->error_exit = on_error;
    errors->emit_message = on_message;
    errors->output_message = on_print;
    return errors;
}

static void on_start(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean on_fill(j_decompress_ptr jpeg) {
    jpeg_reader *reader = jpeg->client_data;
    const unsigned char *bytes;
    size_t count = weft_input_chunk(reader->coding.input, &bytes);
    reader->source.next_input_byte = bytes;
    reader->source.bytes_in_buffer = count;
    if (count == 0)
        fail_with((j_common_ptr)jpeg, "truncated");
    return TRUE;
}

static void on_skip(j_decompress_ptr jpeg, long count) {
    jpeg_reader *reader = jpeg->client_data;
    while (count > 0 && (size_t)count > reader->source.bytes_in_buffer) {
        count -= (long)reader->source.bytes_in_buffer;
        on_fill(jpeg);
    }
    if (count > 0) {
        reader->source.next_input_byte += count;
        reader->source.bytes_in_buffer -= (size_t)count;
    }
}

/* Every scan of a progressive file may touch all pixels, so a small file of many scans could keep us busy for hours. */
static void on_progress(j_common_ptr common) {
    if (((j_decompress_ptr)common)->input_scan_number > SCAN_LIMIT)
        fail_with(common, "too many scans");
}

/* A file of several scans is decoded into memory as a whole. Each of its blocks takes at least one bit in its first
 * scan, so a size that the file is too short for is a lie, and no reason to allocate. */
static weft_status check_size(jpeg_reader *reader, weft_header *header, weft_error *error) {
    uint64_t blocks = 0;
    if (!jpeg_has_multiple_scans(&reader->jpeg))
        return WEFT_OK;
    if (reader->coding.input->size < 0) {
        weft_status status;
        return_bytes(reader);
        status = weft_input_gather(reader->coding.input, error);
        if (status != WEFT_OK)
            return status;
    }
    for (int i = 0; i < reader->jpeg.num_components; i++)
        blocks += (uint64_t)reader->jpeg.comp_info[i].width_in_blocks * reader->jpeg.comp_info[i].height_in_blocks;
    header->working = blocks * sizeof(JBLOCK);
    if (blocks / 8 > (uint64_t)reader->coding.input->size)
        return weft_input_fail(reader->coding.input, error, "truncated, %lld bytes cannot hold %ux%u pixels",
                               (long long)reader->coding.input->size, reader->jpeg.image_width,
                               reader->jpeg.image_height);
    return WEFT_OK;
}

/* IPTC is one of Adobe's blocks: a signature, a number, a name and a length, both padded to be even. */
static weft_status read_adobe(const unsigned char *bytes, size_t size, weft_metadata *metadata, weft_error *error) {
    size_t at = sizeof adobe_signature;
    while (size - at >= 12 && memcmp(bytes + at, "8BIM", 4) == 0) {
        const int number = bytes[at + 4] << 8 | bytes[at + 5];
        const size_t name = (size_t)(bytes[at + 6] + 2) / 2 * 2; /* with the byte of its length */
        size_t length = 0;
        at += 6;
        if (size - at < name + 4)
            return WEFT_OK;
        at += name;
        for (int i = 0; i < 4; i++)
            length = length << 8 | bytes[at + (size_t)i];
        at += 4;
        if (length > size - at)
            return WEFT_OK;
        if (number == IPTC_BLOCK)
            return weft_metadata_set_iptc(metadata, bytes + at, length, error);
        at += length;
        at += length % 2 && at < size;
    }
    return WEFT_OK;
}

/* Reads the first marker of each kind. The other markers of XMP that is too long for one marker are not read. */
static weft_status read_marker(const struct jpeg_marker_struct *marker, weft_metadata *metadata, weft_error *error) {
    const unsigned char *bytes = marker->data;
    const size_t size = marker->data_length;
    if (marker->marker == EXIF_MARKER && !metadata->exif && size > sizeof exif_signature &&
        memcmp(bytes, exif_signature, sizeof exif_signature) == 0)
        return weft_metadata_set_exif(metadata, bytes + sizeof exif_signature, size - sizeof exif_signature, error);
    if (marker->marker == EXIF_MARKER && !metadata->xmp && size > sizeof xmp_signature &&
        memcmp(bytes, xmp_signature, sizeof xmp_signature) == 0)
        return weft_metadata_set_xmp(metadata, bytes + sizeof xmp_signature, size - sizeof xmp_signature, error);
    if (marker->marker == ADOBE_MARKER && !metadata->iptc && size > sizeof adobe_signature &&
        memcmp(bytes, adobe_signature, sizeof adobe_signature) == 0)
        return read_adobe(bytes, size, metadata, error);
    return WEFT_OK;
}

static weft_status read_metadata(jpeg_reader *reader, weft_metadata *metadata, weft_error *error) {
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    const double unit = jpeg->density_unit == 1 ? 1 : jpeg->density_unit == 2 ? 2.54 : 0;
    JOCTET *profile = NULL;
    unsigned size = 0;
    weft_status status = WEFT_OK;
    metadata->x_resolution = unit * jpeg->X_density;
    metadata->y_resolution = unit * jpeg->Y_density;
    for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker && status == WEFT_OK; marker = marker->next)
        status = read_marker(marker, metadata, error);
    if (status == WEFT_OK && jpeg_read_icc_profile(jpeg, &profile, &size)) {
        status = weft_metadata_set_profile(metadata, profile, size, error);
        free(profile);
    }
    return status;
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    jpeg_reader *reader = state;
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    weft_image_info *info = &header->info;
    weft_status status;
    jpeg->err = start_errors(&reader->errors);
    jpeg->client_data = reader;
    jpeg_create_decompress(jpeg);
    reader->source = (struct jpeg_source_mgr){.init_source = on_start,
                                              .fill_input_buffer = on_fill,
                                              .skip_input_data = on_skip,
                                              .resync_to_restart = jpeg_resync_to_restart,
                                              .term_source = on_start};
    jpeg->src = &reader->source;
    reader->progress.progress_monitor = on_progress;
    jpeg->progress = &reader->progress;
    jpeg_save_markers(jpeg, EXIF_MARKER, 0xFFFF);
    jpeg_save_markers(jpeg, PROFILE_MARKER, 0xFFFF);
    jpeg_save_markers(jpeg, ADOBE_MARKER, 0xFFFF);
    jpeg_read_header(jpeg, TRUE);
    *info = (weft_image_info){.width = jpeg->image_width, .height = jpeg->image_height, .format = {WEFT_U8, 3}};
    switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE:
        info->format.channels = 1;
        jpeg->out_color_space = JCS_GRAYSCALE;
        break;
    case JCS_RGB:
    case JCS_YCbCr:
        jpeg->out_color_space = JCS_RGB;
        break;
    case JCS_CMYK:
    case JCS_YCCK:
        jpeg->out_color_space = JCS_CMYK;
        reader->inverted = jpeg->saw_Adobe_marker;
        reader->inks = weft_allocate((size_t)info->width, 4);
        if (!reader->inks)
            return weft_fail_memory(error, 4 * (size_t)info->width, "a row of CMYK");
        break;
    default:
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: a JPEG of %d components is neither grey, RGB nor CMYK",
                         reader->coding.input->name, jpeg->num_components);
    }
    for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker && header->pictures < 2; marker = marker->next)
        if (marker->marker == PROFILE_MARKER)
            header->pictures = weft_jpeg_count_pictures(marker->data, marker->data_length);
    status = read_metadata(reader, &header->metadata, error);
    return status == WEFT_OK ? check_size(reader, header, error) : status;
}

/* libjpeg makes of each block of 8x8 pixels one of fewer, by fewer of its frequencies. */
static bool reduce(void *state, int32_t times, weft_header *header) {
    jpeg_reader *reader = state;
    if (reader->coding.values[REDUCE] != 0 || reader->started)
        return false;
    reader->jpeg.scale_num = 1;
    reader->jpeg.scale_denom = (unsigned)times;
    jpeg_calc_output_dimensions(&reader->jpeg);
    header->info.width = reader->jpeg.output_width;
    header->info.height = reader->jpeg.output_height;
    return true;
}

/* v / 255 to nearest, for v up to 255 * 255. */
static unsigned divide_255(unsigned v) { return (v + 127) / 255; }

static weft_status read_row(void *state, void *row, weft_error *error) {
    jpeg_reader *reader = state;
    const unsigned flip = reader->inverted ? 0 : 255;
    const unsigned char *inks = reader->inks;
    unsigned char *color = row;
    JSAMPROW target = reader->inks ? reader->inks : row;
    (void)error;
    if (!reader->started) {
        reader->started = true;
        jpeg_start_decompress(&reader->jpeg);
    }
    if (jpeg_read_scanlines(&reader->jpeg, &target, 1) != 1)
        fail_with((j_common_ptr)&reader->jpeg, "truncated");
    if (inks)
        for (size_t x = 0; x < reader->jpeg.output_width; x++, inks += 4, color += 3)
            for (int c = 0; c < 3; c++)
                color[c] = (unsigned char)divide_255((inks[c] ^ flip) * (inks[3] ^ flip));
    return WEFT_OK;
}

static weft_status finish_reader(void *state, weft_error *error) {
    jpeg_reader *reader = state;
    (void)error;
    jpeg_finish_decompress(&reader->jpeg);
    return_bytes(reader);
    return WEFT_OK;
}

static void close_reader(void *state) {
    jpeg_reader *reader = state;
    jpeg_destroy_decompress(&reader->jpeg);
    weft_free(reader->inks);
}

static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    (void)word;
    (void)error;
    nearest->format.type = WEFT_U8;
    nearest->format.channels = weft_nearest_opaque(nearest->format.channels, nearest->alpha);
    nearest->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}

static void on_begin(j_compress_ptr jpeg) {
    jpeg_writer *writer = jpeg->client_data;
    writer->destination.next_output_byte = writer->bytes;
    writer->destination.free_in_buffer = OUTPUT_CHUNK;
}

static boolean on_empty(j_compress_ptr jpeg) {
    jpeg_writer *writer = jpeg->client_data;
    if (!weft_output_write(writer->coding.output, writer->bytes, OUTPUT_CHUNK))
        fail_with((j_common_ptr)jpeg, "unwritable");
    on_begin(jpeg);
    return TRUE;
}

static void on_end(j_compress_ptr jpeg) {
    jpeg_writer *writer = jpeg->client_data;
    if (!weft_output_write(writer->coding.output, writer->bytes, OUTPUT_CHUNK - writer->destination.free_in_buffer))
        fail_with((j_common_ptr)jpeg, "unwritable");
}

static void write_bytes(struct jpeg_compress_struct *jpeg, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        jpeg_write_m_byte(jpeg, ((const unsigned char *)bytes)[i]);
}

/* In one marker; what is too long for that is of no JPEG file, and not written. */
static void write_marker(struct jpeg_compress_struct *jpeg, int marker, const char *signature, size_t length,
                         const void *bytes, size_t size) {
    if (!bytes || size > LONGEST_MARKER - length)
        return;
    jpeg_write_m_header(jpeg, marker, (unsigned)(length + size));
    write_bytes(jpeg, signature, length);
    write_bytes(jpeg, bytes, size);
}

/* As the only one of Adobe's blocks. */
static void write_iptc(struct jpeg_compress_struct *jpeg, const weft_metadata *metadata) {
    const size_t size = metadata->iptc_size, head = sizeof adobe_signature + 12;
    const unsigned char start[12] = {'8', 'B', 'I', 'M', IPTC_BLOCK >> 8, IPTC_BLOCK & 0xFF, 0, 0, 0, 0,
                                     (unsigned char)(size >> 8), (unsigned char)size};
    if (!metadata->iptc || size > LONGEST_MARKER - head - 1)
        return;
    jpeg_write_m_header(jpeg, ADOBE_MARKER, (unsigned)(head + size + size % 2));
    write_bytes(jpeg, adobe_signature, sizeof adobe_signature);
    write_bytes(jpeg, start, sizeof start);
    write_bytes(jpeg, metadata->iptc, size);
    write_bytes(jpeg, "", size % 2);
}

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    const weft_image_info *info = &writing->info;
    const weft_metadata *metadata = &writing->metadata;
    int32_t subsampling = writing->settings[SUBSAMPLING];
    jpeg_writer *writer = state;
    struct jpeg_compress_struct *jpeg = &writer->jpeg;
    (void)error;
    jpeg->err = start_errors(&writer->errors);
    jpeg->client_data = writer;
    jpeg_create_compress(jpeg);
    writer->destination = (struct jpeg_destination_mgr){
        .init_destination = on_begin, .empty_output_buffer = on_empty, .term_destination = on_end};
    jpeg->dest = &writer->destination;
    jpeg->image_width = (JDIMENSION)info->width;
    jpeg->image_height = (JDIMENSION)info->height;
    jpeg->input_components = info->format.channels;
    jpeg->in_color_space = info->format.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, writing->settings[QUALITY], TRUE);
    /* Who asks for quality does not want colors at half the resolution. */
    if (subsampling == SUBSAMPLING_AUTO)
        subsampling = writing->settings[QUALITY] >= FULL_CHROMA_QUALITY ? SUBSAMPLING_444 : SUBSAMPLING_420;
    if (info->format.channels == 3) {
        jpeg->comp_info[0].h_samp_factor = subsampling == SUBSAMPLING_444 ? 1 : 2;
        jpeg->comp_info[0].v_samp_factor = subsampling == SUBSAMPLING_420 ? 2 : 1;
    }
    if (writing->settings[PROGRESSIVE])
        jpeg_simple_progression(jpeg);
    if (metadata->x_resolution >= 1 && metadata->y_resolution >= 1 && metadata->x_resolution < 65535 &&
        metadata->y_resolution < 65535) {
        jpeg->density_unit = 1;
        jpeg->X_density = (UINT16)(metadata->x_resolution + 0.5);
        jpeg->Y_density = (UINT16)(metadata->y_resolution + 0.5);
    }
    jpeg_start_compress(jpeg, TRUE);
    write_marker(jpeg, EXIF_MARKER, exif_signature, sizeof exif_signature, metadata->exif, metadata->exif_size);
    write_marker(jpeg, EXIF_MARKER, xmp_signature, sizeof xmp_signature, metadata->xmp, metadata->xmp_size);
    write_iptc(jpeg, metadata);
    if (metadata->profile)
        jpeg_write_icc_profile(jpeg, metadata->profile, (unsigned)metadata->profile_size);
    return WEFT_OK;
}

static weft_status write_row(void *state, const void *row, weft_error *error) {
    jpeg_writer *writer = state;
    JSAMPROW source = (JSAMPROW)row; /* libjpeg does not write to it */
    (void)error;
    jpeg_write_scanlines(&writer->jpeg, &source, 1);
    return WEFT_OK;
}

static weft_status finish_writer(void *state, weft_error *error) {
    jpeg_writer *writer = state;
    (void)error;
    jpeg_finish_compress(&writer->jpeg);
    return WEFT_OK;
}

static void close_writer(void *state) {
    jpeg_writer *writer = state;
    jpeg_destroy_compress(&writer->jpeg);
}

const weft_codec weft_codec_jpeg = {
    .format = {"jpeg", "jpg jpeg", "JPEG: grey and RGB, 8 bit, lossy", true, true, WEFT_FILE_OPTIONS(writer_options),
               WEFT_FILE_OPTIONS(reader_options), false},
    .probe = probe,
    .reader_size = sizeof(jpeg_reader),
    .open_reader = open_reader,
    .reduce = reduce,
    .read = read_row,
    .finish_reader = finish_reader,
    .close_reader = close_reader,
    .largest_side = JPEG_MAX_DIMENSION,
    .accepts = accepts,
    .writer_size = sizeof(jpeg_writer),
    .open_writer = open_writer,
    .write = write_row,
    .finish_writer = finish_writer,
    .close_writer = close_writer,
};
