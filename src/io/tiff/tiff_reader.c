/* SPDX-License-Identifier: MIT
 * The rows of a TIFF file, out of its strips or tiles. */
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "io/tiff/tiff_reader.h"

/* Rows of a plane in `packed`, and bytes of each. */
static size_t packed_line(const weft_tiff_reader *reader) {
    const size_t across = ((size_t)reader->samples.width - 1) / reader->block_width + 1;
    return reader->tiled ? across * reader->line : reader->line;
}

static int64_t packed_height(const weft_tiff_reader *reader) {
    return reader->block_height < reader->height ? reader->block_height : reader->height;
}

static weft_status open_planes(weft_tiff_reader *reader, weft_error *error) {
    for (int plane = 1; plane < reader->planes && !reader->tiled; plane++) {
        reader->place[plane].coding = &reader->coding;
        reader->plane[plane] = weft_tiff_open(&reader->place[plane], "rm");
        if (!reader->plane[plane] ||
            (reader->page && !TIFFSetSubDirectory(reader->plane[plane], (uint64_t)reader->page)))
            return weft_coding_failed(&reader->coding, error);
        if (reader->converts)
            TIFFSetField(reader->plane[plane], TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        *reader->coding.message = 0; /* what it found odd, once more */
    }
    return WEFT_OK;
}

static weft_status get_memory(weft_tiff_reader *reader, weft_error *error) {
    const size_t rows = (size_t)packed_height(reader);
    const size_t samples = (size_t)reader->samples.width * (size_t)reader->samples.channels;
    size_t size;
    if (!weft_multiply(packed_line(reader), rows, &size) || !weft_multiply(size, (size_t)reader->planes, &size))
        return weft_fail_memory(error, SIZE_MAX, "rows of a TIFF");
    reader->packed = weft_reallocate(NULL, size, 1);
    if (!reader->packed)
        return weft_fail_memory(error, size, "rows of a TIFF");
    reader->unpacked = weft_allocate(samples, weft_type_size(WEFT_F32));
    if (!reader->unpacked)
        return weft_fail_memory(error, samples * weft_type_size(WEFT_F32), "a row of a TIFF");
    if (reader->tiled) {
        reader->tile = weft_reallocate(NULL, (size_t)TIFFTileSize(reader->tiff), 1);
        if (!reader->tile)
            return weft_fail_memory(error, (size_t)TIFFTileSize(reader->tiff), "a tile of a TIFF");
    }
    return open_planes(reader, error);
}

/* Reads the blocks that begin at the next row, of one plane, into `target`. */
static bool read_blocks(weft_tiff_reader *reader, uint16_t plane, int64_t rows, unsigned char *target) {
    TIFF *tiff = reader->tiff;
    const uint32_t y = (uint32_t)reader->next;
    const size_t stride = packed_line(reader);
    if (!reader->tiled)
        return TIFFReadScanline(reader->plane[plane], target, y, plane) == 1;
    for (int64_t x = 0; x < reader->samples.width; x += reader->block_width, target += reader->line) {
        if (TIFFReadTile(tiff, reader->tile, (uint32_t)x, y, 0, plane) != TIFFTileSize(tiff))
            return false;
        for (int64_t row = 0; row < rows; row++)
            memcpy(target + (size_t)row * stride, reader->tile + (size_t)row * reader->line, reader->line);
    }
    return true;
}

weft_status weft_tiff_read_row(void *state, void *row, weft_error *error) {
    weft_tiff_reader *reader = state;
    const weft_tiff_samples *samples = &reader->samples;
    const int64_t inside = reader->next % reader->block_height;
    const size_t stride = packed_line(reader), plane_size = stride * (size_t)packed_height(reader);
    const bool plain = weft_tiff_plain(samples);
    weft_status status = reader->packed ? WEFT_OK : get_memory(reader, error);
    if (status != WEFT_OK)
        return status;
    if (inside == 0) {
        int64_t left = reader->height - reader->next, rows = left < reader->block_height ? left : reader->block_height;
        for (int plane = 0; plane < reader->planes; plane++)
            if (!read_blocks(reader, (uint16_t)plane, rows, reader->packed + (size_t)plane * plane_size) ||
                *reader->coding.message)
                return weft_coding_failed(&reader->coding, error);
    }
    for (int plane = 0; plane < reader->planes; plane++)
        weft_tiff_unpack(samples, reader->packed + (size_t)plane * plane_size + (size_t)inside * stride,
                         (size_t)samples->width * (size_t)(samples->channels / reader->planes),
                         plain ? row : reader->unpacked, (size_t)plane, (size_t)reader->planes);
    if (!plain)
        weft_tiff_finish(samples, reader->unpacked, row);
    reader->next++;
    return WEFT_OK;
}

void weft_tiff_close_reader(void *state) {
    weft_tiff_reader *reader = state;
    for (int plane = 0; plane < WEFT_TIFF_PLANES; plane++)
        if (reader->plane[plane])
            TIFFClose(reader->plane[plane]);
    weft_free(reader->packed);
    weft_free(reader->tile);
    weft_free(reader->unpacked);
}
