/* SPDX-License-Identifier: MIT
 * Writes JPEG files. */
#include "io/jpeg/jpeg.h"
#include <string.h>

enum { FULL_CHROMA_QUALITY = 90, LONGEST_MARKER = 65533 };
static const char exif_signature[6] = JPEG_EXIF_SIGNATURE, xmp_signature[] = JPEG_XMP_SIGNATURE,
                  adobe_signature[] = JPEG_ADOBE_SIGNATURE;

static void on_begin(j_compress_ptr jpeg) {
    weft_jpeg_writer *writer = jpeg->client_data;
    writer->destination.next_output_byte = writer->bytes;
    writer->destination.free_in_buffer = JPEG_OUTPUT_CHUNK;
}

static boolean on_empty(j_compress_ptr jpeg) {
    weft_jpeg_writer *writer = jpeg->client_data;
    if (!weft_output_write(writer->coding.output, writer->bytes, JPEG_OUTPUT_CHUNK))
        weft_jpeg_fail((j_common_ptr)jpeg, "unwritable");
    on_begin(jpeg);
    return TRUE;
}

static void on_end(j_compress_ptr jpeg) {
    weft_jpeg_writer *writer = jpeg->client_data;
    if (!weft_output_write(writer->coding.output, writer->bytes, JPEG_OUTPUT_CHUNK - writer->destination.free_in_buffer))
        weft_jpeg_fail((j_common_ptr)jpeg, "unwritable");
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
    const unsigned char start[12] = {'8', 'B', 'I', 'M', JPEG_IPTC_BLOCK >> 8, JPEG_IPTC_BLOCK & 0xFF, 0, 0, 0, 0,
                                     (unsigned char)(size >> 8), (unsigned char)size};
    if (!metadata->iptc || size > LONGEST_MARKER - head - 1)
        return;
    jpeg_write_m_header(jpeg, JPEG_ADOBE_MARKER, (unsigned)(head + size + size % 2));
    write_bytes(jpeg, adobe_signature, sizeof adobe_signature);
    write_bytes(jpeg, start, sizeof start);
    write_bytes(jpeg, metadata->iptc, size);
    write_bytes(jpeg, "", size % 2);
}

weft_status weft_jpeg_open_writer(void *state, const weft_writing *writing, weft_error *error) {
    const weft_image_info *info = &writing->info;
    const weft_metadata *metadata = &writing->metadata;
    int32_t subsampling = writing->settings[JPEG_SUBSAMPLING];
    weft_jpeg_writer *writer = state;
    struct jpeg_compress_struct *jpeg = &writer->jpeg;
    (void)error;
    jpeg->err = weft_jpeg_start_errors(&writer->errors);
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
    jpeg_set_quality(jpeg, writing->settings[JPEG_QUALITY], TRUE);
    /* Who asks for quality does not want colors at half the resolution. */
    if (subsampling == JPEG_SUBSAMPLING_AUTO)
        subsampling = writing->settings[JPEG_QUALITY] >= FULL_CHROMA_QUALITY ? JPEG_SUBSAMPLING_444 : JPEG_SUBSAMPLING_420;
    if (info->format.channels == 3) {
        jpeg->comp_info[0].h_samp_factor = subsampling == JPEG_SUBSAMPLING_444 ? 1 : 2;
        jpeg->comp_info[0].v_samp_factor = subsampling == JPEG_SUBSAMPLING_420 ? 2 : 1;
    }
    if (writing->settings[JPEG_PROGRESSIVE])
        jpeg_simple_progression(jpeg);
    if (metadata->x_resolution >= 1 && metadata->y_resolution >= 1 && metadata->x_resolution < 65535 &&
        metadata->y_resolution < 65535) {
        jpeg->density_unit = 1;
        jpeg->X_density = (UINT16)(metadata->x_resolution + 0.5);
        jpeg->Y_density = (UINT16)(metadata->y_resolution + 0.5);
    }
    jpeg_start_compress(jpeg, TRUE);
    write_marker(jpeg, JPEG_EXIF_MARKER, exif_signature, sizeof exif_signature, metadata->exif, metadata->exif_size);
    write_marker(jpeg, JPEG_EXIF_MARKER, xmp_signature, sizeof xmp_signature, metadata->xmp, metadata->xmp_size);
    write_iptc(jpeg, metadata);
    if (metadata->profile)
        jpeg_write_icc_profile(jpeg, metadata->profile, (unsigned)metadata->profile_size);
    return WEFT_OK;
}

weft_status weft_jpeg_write_row(void *state, const void *row, weft_error *error) {
    weft_jpeg_writer *writer = state;
    JSAMPROW source = (JSAMPROW)row; /* libjpeg does not write to it */
    (void)error;
    jpeg_write_scanlines(&writer->jpeg, &source, 1);
    return WEFT_OK;
}

weft_status weft_jpeg_finish_writer(void *state, weft_error *error) {
    weft_jpeg_writer *writer = state;
    (void)error;
    jpeg_finish_compress(&writer->jpeg);
    return WEFT_OK;
}

void weft_jpeg_close_writer(void *state) {
    weft_jpeg_writer *writer = state;
    jpeg_destroy_compress(&writer->jpeg);
}
