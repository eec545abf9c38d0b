/* SPDX-License-Identifier: MIT
 * Writes TIFF and BigTIFF files, in strips or tiles. */
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "io/metadata/exif.h"
#include "io/tiff/tiff_writer.h"

/* Classic files end at 4 GB; the margin is for compressors that make noise longer, and for the directory. */
static const uint64_t classic_limit = UINT64_C(4000000000);
enum { STRIP_SIZE = 1 << 18 };

enum { COMPRESSION, TILE, BIG, METADATA };
static const uint16_t compressions[] = {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_ZSTD,
                                        COMPRESSION_PACKBITS};
const weft_file_option weft_tiff_options[WEFT_TIFF_OPTIONS] = {
    [COMPRESSION] = {"compression", "without loss", "none lzw deflate zstd packbits", 0, 0, 0},
    [TILE] = {"tile", "side of tiles, rounded up to a multiple of 16; 0 for strips of rows", NULL, 0, 16384, 0},
    [BIG] = {"big", "BigTIFF; auto where more than 4 GB might come", "auto on", 0, 0, 0},
    [METADATA] = WEFT_EXIF_OPTION,
};

static void write_metadata(TIFF *tiff, const weft_metadata *metadata) {
    if (metadata->x_resolution > 0 && metadata->y_resolution > 0) {
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, metadata->x_resolution);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, metadata->y_resolution);
    }
    if (metadata->profile && metadata->profile_size <= UINT32_MAX)
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)metadata->profile_size, metadata->profile);
    if (metadata->xmp && metadata->xmp_size <= UINT32_MAX)
        TIFFSetField(tiff, TIFFTAG_XMLPACKET, (uint32_t)metadata->xmp_size, metadata->xmp);
}

/* Some versions of libtiff take it for bytes, others for numbers of 4 bytes in this machine's order. */
static weft_status write_iptc(TIFF *tiff, const weft_metadata *metadata, weft_error *error) {
    const TIFFField *field = TIFFFieldWithTag(tiff, TIFFTAG_RICHTIFFIPTC);
    const size_t width = field && TIFFFieldDataType(field) == TIFF_LONG ? 4 : 1;
    const size_t count = metadata->iptc_size / width + (metadata->iptc_size % width != 0);
    unsigned char *bytes;
    if (!metadata->iptc || !field || count > UINT32_MAX)
        return WEFT_OK;
    bytes = weft_allocate(count, width);
    if (!bytes)
        return weft_fail_memory(error, metadata->iptc_size, "IPTC");
    memcpy(bytes, metadata->iptc, metadata->iptc_size);
    TIFFSetField(tiff, TIFFTAG_RICHTIFFIPTC, (uint32_t)count, bytes);
    weft_free(bytes);
    return WEFT_OK;
}

static void write_compression(TIFF *tiff, uint16_t compression, bool floats) {
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, (int)compression);
    if (compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_ZSTD)
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
}

static weft_status write_layout(weft_tiff_writer *writer, const weft_writing *writing, weft_error *error) {
    const uint64_t rows = writer->row_size < STRIP_SIZE ? STRIP_SIZE / writer->row_size : 1;
    size_t size = writer->row_size;
    writer->side = (uint32_t)(writing->settings[TILE] + 15) / 16 * 16;
    if (writer->side) {
        TIFFSetField(writer->tiff, TIFFTAG_TILEWIDTH, writer->side);
        TIFFSetField(writer->tiff, TIFFTAG_TILELENGTH, writer->side);
        writer->tiles = weft_allocate(writer->row_size, writer->side);
        size = (size_t)writer->side * writer->side * writer->pixel_size;
    } else {
        TIFFSetField(writer->tiff, TIFFTAG_ROWSPERSTRIP, rows < writer->height ? (uint32_t)rows : writer->height);
    }
    writer->block = weft_allocate(size, 1);
    return writer->block && (writer->tiles || !writer->side) ? WEFT_OK
                                                             : weft_fail_memory(error, size, "rows of a TIFF");
}

weft_status weft_tiff_open_writer(void *state, const weft_writing *writing, weft_error *error) {
    const weft_image_info *info = &writing->info;
    weft_tiff_writer *writer = state;
    const int32_t channels = info->format.channels;
    const bool floats = info->format.type != WEFT_U8 && info->format.type != WEFT_U16;
    const uint16_t compression = compressions[writing->settings[COMPRESSION]];
    const uint16_t alpha = info->alpha == WEFT_ALPHA_NONE       ? EXTRASAMPLE_UNSPECIFIED
                           : info->alpha == WEFT_ALPHA_STRAIGHT ? EXTRASAMPLE_UNASSALPHA
                                                                : EXTRASAMPLE_ASSOCALPHA;
    weft_status status;
    TIFF *tiff;
    writer->metadata = &writing->metadata;
    writer->row_size = weft_row_size(info);
    writer->pixel_size = weft_format_size(info->format);
    writer->height = (uint32_t)info->height;
    if (!TIFFIsCODECConfigured(compression))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: this libtiff does not compress like that",
                         writer->coding.output->name);
    writer->place.coding = &writer->coding;
    writer->tiff = tiff =
        weft_tiff_open(&writer->place,
                       writing->settings[BIG] || writer->row_size * (uint64_t)info->height > classic_limit ? "w8" : "w");
    if (!tiff)
        return weft_coding_failed(&writer->coding, error);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)info->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)info->height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, (int)(8 * weft_type_size(info->format.type)));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, (int)channels);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, floats ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, channels < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
    if (channels % 2 == 0)
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    write_compression(tiff, compression, floats);
    write_metadata(tiff, &writing->metadata);
    status = write_iptc(tiff, &writing->metadata, error);
    if (status == WEFT_OK)
        status = write_layout(writer, writing, error);
    return *writer->coding.message ? weft_coding_failed(&writer->coding, error) : status;
}

/* Rows at the bottom of the last tiles repeat what was above, which no reader shows. */
static bool write_tiles(weft_tiff_writer *writer) {
    const size_t line = writer->side * writer->pixel_size;
    const uint32_t y = (writer->next - 1) / writer->side * writer->side;
    for (size_t x = 0; x < writer->row_size; x += line) {
        const size_t inside = writer->row_size - x < line ? writer->row_size - x : line;
        for (uint32_t row = 0; row < writer->side; row++)
            memcpy(writer->block + row * line, writer->tiles + row * writer->row_size + x, inside);
        if (TIFFWriteTile(writer->tiff, writer->block, (uint32_t)(x / writer->pixel_size), y, 0, 0) < 0)
            return false;
    }
    return true;
}

weft_status weft_tiff_write_row(void *state, const void *row, weft_error *error) {
    weft_tiff_writer *writer = state;
    bool written = true;
    if (writer->side) {
        memcpy(writer->tiles + writer->next++ % writer->side * writer->row_size, row, writer->row_size);
        if (writer->next % writer->side == 0 || writer->next == writer->height)
            written = write_tiles(writer);
    } else {
        memcpy(writer->block, row, writer->row_size);
        written = TIFFWriteScanline(writer->tiff, writer->block, writer->next++, 0) == 1;
    }
    return written && !*writer->coding.message ? WEFT_OK : weft_coding_failed(&writer->coding, error);
}

/* A directory of EXIF goes behind what is written so far; the picture's own one, which is not yet, points to it. */
static weft_status write_directory(weft_tiff_writer *writer, const weft_exif *exif, enum weft_exif_directory directory,
                                   uint32_t tag, weft_error *error) {
    const uint64_t place = ((uint64_t)writer->place.end + 7) / 8 * 8;
    unsigned char *block;
    size_t size;
    weft_status status;
    status = weft_exif_write(exif, directory, place, TIFFIsBigTIFF(writer->tiff), &block, &size, error);
    if (status != WEFT_OK || size == 0)
        return status;
    writer->place.position = (int64_t)place;
    if (weft_tiff_write(&writer->place, block, (tmsize_t)size) < 0)
        status = weft_output_fail(writer->coding.output, error);
    else
        TIFFSetField(writer->tiff, tag, place);
    weft_free(block);
    return status;
}

static weft_status write_exif(weft_tiff_writer *writer, weft_error *error) {
    weft_exif exif = {.entries = NULL};
    weft_status status = weft_exif_read(&exif, writer->metadata->exif, writer->metadata->exif_size, error);
    for (size_t i = 0; status == WEFT_OK && i < exif.entry_count; i++)
        if (exif.entries[i].directory == EXIF_MAIN && weft_exif_text(&exif, &exif.entries[i]))
            TIFFSetField(writer->tiff, exif.entries[i].tag, weft_exif_text(&exif, &exif.entries[i]));
    if (status == WEFT_OK)
        status = write_directory(writer, &exif, EXIF_CAMERA, TIFFTAG_EXIFIFD, error);
    if (status == WEFT_OK)
        status = write_directory(writer, &exif, EXIF_PLACE, TIFFTAG_GPSIFD, error);
    weft_exif_clear(&exif);
    return status;
}

weft_status weft_tiff_finish_writer(void *state, weft_error *error) {
    weft_tiff_writer *writer = state;
    if (writer->metadata->exif) {
        weft_status status = WEFT_OK;
        if (TIFFFlushData(writer->tiff)) /* strips that wait would go behind the directories, too */
            status = write_exif(writer, error);
        if (status != WEFT_OK)
            return status;
    }
    if (!TIFFWriteDirectory(writer->tiff) || *writer->coding.message)
        return weft_coding_failed(&writer->coding, error);
    return WEFT_OK;
}

void weft_tiff_close_writer(void *state) {
    weft_tiff_writer *writer = state;
    if (writer->tiff)
        TIFFClose(writer->tiff);
    weft_free(writer->tiles);
    weft_free(writer->block);
}
