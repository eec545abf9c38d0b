/* SPDX-License-Identifier: MIT
 * Reads JPEG files; CMYK is converted to RGB. */
#include "io/jpeg/jpeg.h"
#include <string.h>
#include "base/memory.h"
#include "io/jpeg/jpeg_pictures.h"

enum { SCAN_LIMIT = 500 };
static const char exif_signature[6] = JPEG_EXIF_SIGNATURE, xmp_signature[] = JPEG_XMP_SIGNATURE,
                  adobe_signature[] = JPEG_ADOBE_SIGNATURE;

static void on_start(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean on_fill(j_decompress_ptr jpeg) {
    weft_jpeg_reader *reader = jpeg->client_data;
    const unsigned char *bytes;
    size_t count = weft_input_chunk(reader->coding.input, &bytes);
    reader->source.next_input_byte = bytes;
    reader->source.bytes_in_buffer = count;
    if (count == 0)
        weft_jpeg_fail((j_common_ptr)jpeg, "truncated");
    return TRUE;
}

static void on_skip(j_decompress_ptr jpeg, long count) {
    weft_jpeg_reader *reader = jpeg->client_data;
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
        weft_jpeg_fail(common, "too many scans");
}

/* A file of several scans is decoded into memory as a whole. Each of its blocks takes at least one bit in its first
 * scan, so a size that the file is too short for is a lie, and no reason to allocate. */
static weft_status check_size(weft_jpeg_reader *reader, weft_header *header, weft_error *error) {
    uint64_t blocks = 0;
    if (!jpeg_has_multiple_scans(&reader->jpeg))
        return WEFT_OK;
    if (reader->coding.input->size < 0) {
        weft_status status;
        weft_jpeg_return_bytes(reader);
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
        if (number == JPEG_IPTC_BLOCK)
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
    if (marker->marker == JPEG_EXIF_MARKER && !metadata->exif && size > sizeof exif_signature &&
        memcmp(bytes, exif_signature, sizeof exif_signature) == 0)
        return weft_metadata_set_exif(metadata, bytes + sizeof exif_signature, size - sizeof exif_signature, error);
    if (marker->marker == JPEG_EXIF_MARKER && !metadata->xmp && size > sizeof xmp_signature &&
        memcmp(bytes, xmp_signature, sizeof xmp_signature) == 0)
        return weft_metadata_set_xmp(metadata, bytes + sizeof xmp_signature, size - sizeof xmp_signature, error);
    if (marker->marker == JPEG_ADOBE_MARKER && !metadata->iptc && size > sizeof adobe_signature &&
        memcmp(bytes, adobe_signature, sizeof adobe_signature) == 0)
        return read_adobe(bytes, size, metadata, error);
    return WEFT_OK;
}

static weft_status read_metadata(weft_jpeg_reader *reader, weft_metadata *metadata, weft_error *error) {
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

weft_status weft_jpeg_open_reader(void *state, weft_header *header, weft_error *error) {
    weft_jpeg_reader *reader = state;
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    weft_image_info *info = &header->info;
    weft_status status;
    jpeg->err = weft_jpeg_start_errors(&reader->errors);
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
    jpeg_save_markers(jpeg, JPEG_EXIF_MARKER, 0xFFFF);
    jpeg_save_markers(jpeg, JPEG_PROFILE_MARKER, 0xFFFF);
    jpeg_save_markers(jpeg, JPEG_ADOBE_MARKER, 0xFFFF);
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
        if (marker->marker == JPEG_PROFILE_MARKER)
            header->pictures = weft_jpeg_count_pictures(marker->data, marker->data_length);
    status = read_metadata(reader, &header->metadata, error);
    return status == WEFT_OK ? check_size(reader, header, error) : status;
}

/* libjpeg makes of each block of 8x8 pixels one of fewer, by fewer of its frequencies. */
bool weft_jpeg_reduce(void *state, int32_t times, weft_header *header) {
    weft_jpeg_reader *reader = state;
    if (reader->coding.values[JPEG_REDUCE] != 0 || reader->started)
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

weft_status weft_jpeg_read_row(void *state, void *row, weft_error *error) {
    weft_jpeg_reader *reader = state;
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
        weft_jpeg_fail((j_common_ptr)&reader->jpeg, "truncated");
    if (inks)
        for (size_t x = 0; x < reader->jpeg.output_width; x++, inks += 4, color += 3)
            for (int c = 0; c < 3; c++)
                color[c] = (unsigned char)divide_255((inks[c] ^ flip) * (inks[3] ^ flip));
    return WEFT_OK;
}

weft_status weft_jpeg_finish_reader(void *state, weft_error *error) {
    weft_jpeg_reader *reader = state;
    (void)error;
    jpeg_finish_decompress(&reader->jpeg);
    weft_jpeg_return_bytes(reader);
    return WEFT_OK;
}

void weft_jpeg_close_reader(void *state) {
    weft_jpeg_reader *reader = state;
    jpeg_destroy_decompress(&reader->jpeg);
    weft_free(reader->inks);
}
