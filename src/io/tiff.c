/* SPDX-License-Identifier: MIT
 * TIFF and BigTIFF by libtiff, row by row. Read are strips and tiles of samples of any size that weft has a type for,
 * grey, RGB, palettes and CMYK, in every compression that libtiff knows. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tiffio.h>
#include "base/memory.h"
#include "io/exif.h"
#include "io/format.h"
#include "io/tiff_samples.h"

/* Classic files end at 4 GB; the margin is for compressors that make noise longer, and for the directory. */
static const uint64_t classic_limit = UINT64_C(4000000000);
enum { STRIP_SIZE = 1 << 18 };
#define LARGEST_TILE ((tmsize_t)1 << 31)

enum { COMPRESSION, TILE, BIG };
static const uint16_t compressions[] = {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_ZSTD,
                                        COMPRESSION_PACKBITS};
static const weft_file_option writer_options[] = {
    [COMPRESSION] = {"compression", "without loss", "none lzw deflate zstd packbits", 0, 0, 0},
    [TILE] = {"tile", "side of tiles, rounded up to a multiple of 16; 0 for strips of rows", NULL, 0, 16384, 0},
    [BIG] = {"big", "BigTIFF; auto where more than 4 GB might come", "auto on", 0, 0, 0},
};

enum { MOST_PLANES = 4 };

/* Where libtiff is in a file that it reads. */
typedef struct tiff_place {
    weft_coding *coding;
    int64_t position;
} tiff_place;

typedef struct tiff_reader {
    weft_coding coding;
    TIFF *tiff;
    /* Planes in strips, which may be as high as the image, are read side by side, each by a libtiff of its own; the
     * first one is `tiff`. */
    TIFF *plane[MOST_PLANES];
    tiff_place place[MOST_PLANES];
    bool converts; /* from YCbCr */
    int64_t next, height;
    weft_tiff_samples samples;
    uint32_t block_width, block_height; /* of tiles; strips are as wide as the image */
    int32_t planes;                     /* each with its own strips or tiles; 1 when samples lie side by side */
    bool tiled;
    size_t line;             /* bytes of a row of a plane of a block of strips or of one tile */
    unsigned char *packed;   /* a row of tiles of every plane; of strips, one row */
    unsigned char *tile;     /* one */
    unsigned char *unpacked; /* a row */
} tiff_reader;

typedef struct tiff_writer {
    weft_coding coding;
    const weft_metadata *metadata;
    TIFF *tiff;
    int64_t position, end;
    uint32_t next, height;
    size_t row_size, pixel_size;
    uint32_t side;        /* of tiles; 0 for strips */
    unsigned char *tiles; /* a row of them, as rows of the image */
    unsigned char *block; /* a tile, or a row: libtiff may change what it is given */
} tiff_writer;

/* Intel and Motorola order, classic and big. */
static bool probe(const unsigned char *bytes, size_t count) {
    return count >= 4 && (memcmp(bytes, "II*\0", 4) == 0 || memcmp(bytes, "MM\0*", 4) == 0 ||
                          memcmp(bytes, "II+\0", 4) == 0 || memcmp(bytes, "MM\0+", 4) == 0);
}

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    char message[160];
    (void)tiff;
    (void)module;
    vsnprintf(message, sizeof message, format, arguments);
    weft_coding_note(user, "%s", message);
    return 1;
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

static int64_t sought(int64_t position, int64_t size, toff_t offset, int whence) {
    int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : size, result;
    return __builtin_add_overflow(from, (int64_t)offset, &result) || result < 0 ? -1 : result;
}

static tmsize_t on_read(thandle_t handle, void *bytes, tmsize_t size) {
    tiff_place *place = handle;
    weft_input *input = place->coding->input;
    int64_t left = input->size - place->position;
    left = left < 0 ? 0 : left < size ? left : size;
    if (left > 0 && !weft_input_read_at(input, place->position, bytes, (size_t)left))
        return -1;
    place->position += left;
    return left;
}

static toff_t on_seek_input(thandle_t handle, toff_t offset, int whence) {
    tiff_place *place = handle;
    int64_t to = sought(place->position, place->coding->input->size, offset, whence);
    if (to >= 0)
        place->position = to;
    return (toff_t)to;
}

static toff_t on_size_input(thandle_t handle) {
    const tiff_place *place = handle;
    return (toff_t)place->coding->input->size;
}

static tmsize_t on_write_nothing(thandle_t handle, void *bytes, tmsize_t size) {
    (void)handle, (void)bytes, (void)size;
    return -1;
}

static tmsize_t on_read_nothing(thandle_t handle, void *bytes, tmsize_t size) {
    (void)handle, (void)bytes, (void)size;
    return -1;
}

static tmsize_t on_write(thandle_t handle, void *bytes, tmsize_t size) {
    tiff_writer *writer = handle;
    if (!weft_output_write_at(writer->coding.output, writer->position, bytes, (size_t)size))
        return -1;
    writer->position += size;
    writer->end = writer->position > writer->end ? writer->position : writer->end;
    return size;
}

static toff_t on_seek_output(thandle_t handle, toff_t offset, int whence) {
    tiff_writer *writer = handle;
    int64_t place = sought(writer->position, writer->end, offset, whence);
    if (place >= 0)
        writer->position = place;
    return (toff_t)place;
}

static toff_t on_size_output(thandle_t handle) {
    const tiff_writer *writer = handle;
    return (toff_t)writer->end;
}

static int on_close(thandle_t handle) {
    (void)handle;
    return 0;
}

/* Opens with handlers of our own: libtiff's usual ones are global, and print. They get `handle`, a writer or a place.
 */
static TIFF *open_tiff(weft_coding *coding, void *handle, const char *mode) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    TIFF *tiff;
    if (!options)
        return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, coding);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, coding);
    tiff = coding->input ? TIFFClientOpenExt(coding->input->name, mode, handle, on_read, on_write_nothing,
                                             on_seek_input, on_close, on_size_input, NULL, NULL, options)
                         : TIFFClientOpenExt(coding->output->name, mode, handle, on_read_nothing, on_write,
                                             on_seek_output, on_close, on_size_output, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

/* What the channels mean. */
static weft_status read_colors(tiff_reader *reader, weft_image_info *info, weft_error *error) {
    TIFF *tiff = reader->tiff;
    weft_tiff_samples *samples = &reader->samples;
    const char *name = reader->coding.input->name;
    uint16_t colors = PHOTOMETRIC_MINISBLACK, compression = COMPRESSION_NONE, extra = 0, *kinds = NULL, *map[3];
    int32_t basic = 1;
    TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &colors);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extra, &kinds);
    info->format.channels = samples->channels;
    switch (colors) {
    case PHOTOMETRIC_MINISWHITE:
        samples->inverted = true;
        break;
    case PHOTOMETRIC_MINISBLACK:
        break;
    case PHOTOMETRIC_YCBCR:
        if (compression != COMPRESSION_JPEG)
            return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: TIFF of YCbCr is only read when JPEG compressed it",
                             name);
        reader->converts = true;
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        basic = 3;
        break;
    case PHOTOMETRIC_RGB:
        basic = 3;
        break;
    case PHOTOMETRIC_PALETTE:
        if (samples->bits > 16 || samples->channels != 1 ||
            !TIFFGetField(tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]))
            return weft_input_fail(reader->coding.input, error, "a palette for %d channels of %d bit, or none",
                                   (int)samples->channels, (int)samples->bits);
        samples->short_palette = true;
        for (int c = 0; c < 3; c++) {
            samples->palette[c] = map[c];
            for (size_t i = 0; i < (size_t)1 << samples->bits; i++)
                samples->short_palette = samples->short_palette && map[c][i] < 256;
        }
        info->format.channels = 3;
        return WEFT_OK;
    case PHOTOMETRIC_SEPARATED:
        if (samples->channels != 4)
            return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: %d inks, only CMYK is read", name,
                             (int)samples->channels);
        samples->inks = true;
        info->format.channels = 3;
        return WEFT_OK;
    default:
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "%s: photometric interpretation %d is not read; grey, RGB, palettes and CMYK are", name,
                         (int)colors);
    }
    if (samples->channels > 4)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: %d channels, weft reads 1 to 4", name,
                         (int)samples->channels);
    if (samples->channels < basic)
        return weft_input_fail(reader->coding.input, error, "RGB of %d channels", (int)samples->channels);
    if (samples->channels == basic + 1 && extra > 0 && kinds[0] != EXTRASAMPLE_UNSPECIFIED)
        info->alpha = kinds[0] == EXTRASAMPLE_ASSOCALPHA ? WEFT_ALPHA_PREMULTIPLIED : WEFT_ALPHA_STRAIGHT;
    return WEFT_OK;
}

/* How rows lie in the file. */
static weft_status read_layout(tiff_reader *reader, weft_error *error) {
    TIFF *tiff = reader->tiff;
    const weft_tiff_samples *samples = &reader->samples;
    uint16_t planar = PLANARCONFIG_CONTIG;
    uint64_t bits = (uint64_t)samples->bits;
    tmsize_t line;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    reader->planes = planar == PLANARCONFIG_SEPARATE ? samples->channels : 1;
    reader->tiled = TIFFIsTiled(tiff) != 0;
    reader->block_width = (uint32_t)samples->width;
    if (reader->tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &reader->block_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &reader->block_height);
        line = TIFFTileRowSize(tiff);
    } else {
        reader->block_height = 1; /* libtiff gives single rows of a strip */
        line = TIFFScanlineSize(tiff);
    }
    bits *= (uint64_t)reader->block_width * (uint64_t)(samples->channels / reader->planes);
    if (line < 1 || reader->block_width < 1 || reader->block_height < 1 || (uint64_t)line != bits / 8 + (bits % 8 != 0))
        return weft_input_fail(reader->coding.input, error, "rows of %lld bytes do not hold its pixels",
                               (long long)line);
    if (reader->tiled && TIFFTileSize(tiff) > LARGEST_TILE)
        return weft_input_fail(reader->coding.input, error, "tiles of %ux%u pixels are too large",
                               (unsigned)reader->block_width, (unsigned)reader->block_height);
    reader->line = (size_t)line;
    return WEFT_OK;
}

static weft_status read_exif(weft_input *input, weft_metadata *metadata, weft_error *error) {
    weft_exif exif = {.entries = NULL};
    unsigned char *bytes = NULL;
    size_t size = 0;
    bool any = false; /* more than a resolution, which is read apart from it */
    weft_status status = weft_exif_read_tiff(&exif, input, error);
    for (size_t i = 0; i < exif.entry_count; i++)
        any = any || exif.entries[i].directory != EXIF_MAIN || weft_exif_text(&exif, &exif.entries[i]);
    if (status == WEFT_OK && any)
        status = weft_exif_write_alone(&exif, &bytes, &size, error);
    if (status == WEFT_OK)
        status = weft_metadata_set_exif(metadata, bytes, size, error);
    weft_free(bytes);
    weft_exif_clear(&exif);
    return status;
}

static weft_status read_metadata(tiff_reader *reader, weft_header *header, weft_error *error) {
    TIFF *tiff = reader->tiff;
    weft_metadata *metadata = &header->metadata;
    weft_status status = WEFT_OK;
    uint16_t orientation = 1, unit = RESUNIT_INCH;
    uint32_t size = 0;
    float x = 0, y = 0;
    void *profile = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation); /* counted like EXIF's */
    header->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    if (unit != RESUNIT_NONE && TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) &&
        TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) && x > 0 && y > 0) {
        metadata->x_resolution = (double)x * (unit == RESUNIT_CENTIMETER ? 2.54 : 1);
        metadata->y_resolution = (double)y * (unit == RESUNIT_CENTIMETER ? 2.54 : 1);
    }
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &size, &profile))
        status = weft_metadata_set_profile(metadata, profile, size, error);
    return status == WEFT_OK ? read_exif(reader->coding.input, metadata, error) : status;
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    tiff_reader *reader = state;
    weft_tiff_samples *samples = &reader->samples;
    uint32_t width = 0, height = 0;
    uint16_t bits = 1, channels = 1, format = SAMPLEFORMAT_UINT;
    weft_status status = weft_input_gather(reader->coding.input, error);
    if (status != WEFT_OK)
        return status;
    reader->place[0].coding = &reader->coding;
    reader->tiff = reader->plane[0] = open_tiff(&reader->coding, &reader->place[0], "rm");
    if (!reader->tiff || !TIFFGetField(reader->tiff, TIFFTAG_IMAGEWIDTH, &width) ||
        !TIFFGetField(reader->tiff, TIFFTAG_IMAGELENGTH, &height) || width < 1 || height < 1)
        return weft_coding_failed(&reader->coding, error);
    *reader->coding.message = 0; /* what it found odd and could do without */
    TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_SAMPLESPERPIXEL, &channels);
    TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_SAMPLEFORMAT, &format);
    header->info.width = samples->width = width;
    header->info.height = reader->height = height;
    samples->bits = bits;
    samples->channels = channels;
    samples->floats = format == SAMPLEFORMAT_IEEEFP;
    status = read_colors(reader, &header->info, error);
    if (status != WEFT_OK)
        return status;
    if (bits < 1 || channels < 1 || !weft_tiff_readable(samples) ||
        (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_IEEEFP && format != SAMPLEFORMAT_VOID))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "%s: samples of %d bit %s; read are 1 to 16 and 32 bit integers without a sign, and floating "
                         "point numbers of 16, 32 and 64 bit",
                         reader->coding.input->name, (int)bits,
                         format == SAMPLEFORMAT_IEEEFP ? "floating point"
                         : format == SAMPLEFORMAT_INT  ? "with a sign"
                                                       : "integers");
    header->info.format.type = weft_tiff_type(samples);
    status = read_metadata(reader, header, error);
    return status == WEFT_OK ? read_layout(reader, error) : status;
}

/* Rows of a plane in `packed`, and bytes of each. */
static size_t packed_line(const tiff_reader *reader) {
    const size_t across = ((size_t)reader->samples.width - 1) / reader->block_width + 1;
    return reader->tiled ? across * reader->line : reader->line;
}

static int64_t packed_height(const tiff_reader *reader) {
    return reader->block_height < reader->height ? reader->block_height : reader->height;
}

static weft_status open_planes(tiff_reader *reader, weft_error *error) {
    for (int plane = 1; plane < reader->planes && !reader->tiled; plane++) {
        reader->place[plane].coding = &reader->coding;
        reader->plane[plane] = open_tiff(&reader->coding, &reader->place[plane], "rm");
        if (!reader->plane[plane])
            return weft_coding_failed(&reader->coding, error);
        if (reader->converts)
            TIFFSetField(reader->plane[plane], TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        *reader->coding.message = 0; /* what it found odd, once more */
    }
    return WEFT_OK;
}

static weft_status get_memory(tiff_reader *reader, weft_error *error) {
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
static bool read_blocks(tiff_reader *reader, uint16_t plane, int64_t rows, unsigned char *target) {
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

static weft_status read_row(void *state, void *row, weft_error *error) {
    tiff_reader *reader = state;
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

static void close_reader(void *state) {
    tiff_reader *reader = state;
    for (int plane = 0; plane < MOST_PLANES; plane++)
        if (reader->plane[plane])
            TIFFClose(reader->plane[plane]);
    weft_free(reader->packed);
    weft_free(reader->tile);
    weft_free(reader->unpacked);
}

static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    (void)word;
    (void)error;
    if (nearest->format.type == WEFT_F64)
        nearest->format.type = WEFT_F32;
    return WEFT_OK;
}

static void write_metadata(TIFF *tiff, const weft_metadata *metadata) {
    if (metadata->x_resolution > 0 && metadata->y_resolution > 0) {
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, metadata->x_resolution);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, metadata->y_resolution);
    }
    if (metadata->profile && metadata->profile_size <= UINT32_MAX)
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)metadata->profile_size, metadata->profile);
}

static void write_compression(TIFF *tiff, uint16_t compression, bool floats) {
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, (int)compression);
    if (compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_ZSTD)
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
}

static weft_status write_layout(tiff_writer *writer, const weft_writing *writing, weft_error *error) {
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

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    const weft_image_info *info = &writing->info;
    tiff_writer *writer = state;
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
    writer->tiff = tiff =
        open_tiff(&writer->coding, writer,
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
    status = write_layout(writer, writing, error);
    return *writer->coding.message ? weft_coding_failed(&writer->coding, error) : status;
}

/* Rows at the bottom of the last tiles repeat what was above, which no reader shows. */
static bool write_tiles(tiff_writer *writer) {
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

static weft_status write_row(void *state, const void *row, weft_error *error) {
    tiff_writer *writer = state;
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
static weft_status write_directory(tiff_writer *writer, const weft_exif *exif, enum weft_exif_directory directory,
                                   uint32_t tag, weft_error *error) {
    const uint64_t place = ((uint64_t)writer->end + 7) / 8 * 8;
    unsigned char *block;
    size_t size;
    weft_status status;
    status = weft_exif_write(exif, directory, place, TIFFIsBigTIFF(writer->tiff), &block, &size, error);
    if (status != WEFT_OK || size == 0)
        return status;
    writer->position = (int64_t)place;
    if (on_write(writer, block, (tmsize_t)size) < 0)
        status = weft_output_fail(writer->coding.output, error);
    else
        TIFFSetField(writer->tiff, tag, place);
    weft_free(block);
    return status;
}

static weft_status write_exif(tiff_writer *writer, weft_error *error) {
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

static weft_status finish_writer(void *state, weft_error *error) {
    tiff_writer *writer = state;
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

static void close_writer(void *state) {
    tiff_writer *writer = state;
    if (writer->tiff)
        TIFFClose(writer->tiff);
    weft_free(writer->tiles);
    weft_free(writer->block);
}

const weft_codec weft_codec_tiff = {
    .format = {"tiff", "tif tiff", "TIFF and BigTIFF: 1 to 4 channels, alpha, 8 and 16 bit, f16 and f32", true, true,
               WEFT_FILE_OPTIONS(writer_options)},
    .probe = probe,
    .reader_size = sizeof(tiff_reader),
    .open_reader = open_reader,
    .read = read_row,
    .close_reader = close_reader,
    .largest_side = WEFT_LARGEST_SIDE,
    .premultiplied = true,
    .accepts = accepts,
    .writer_size = sizeof(tiff_writer),
    .open_writer = open_writer,
    .write = write_row,
    .finish_writer = finish_writer,
    .close_writer = close_writer,
};
