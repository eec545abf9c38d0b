/* SPDX-License-Identifier: MIT
 * What the tags of a TIFF file say: what its samples mean, how they lie in the file, and its metadata. */
#include "base/status.h"
#include "io/metadata/exif.h"
#include "io/tiff/tiff_reader.h"

#define LARGEST_TILE ((tmsize_t)1 << 31)

/* What the channels mean. */
static weft_status read_colors(weft_tiff_reader *reader, weft_image_info *info, weft_error *error) {
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
static weft_status read_layout(weft_tiff_reader *reader, weft_header *header, weft_error *error) {
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
    if (reader->tiled) { /* a row of them is held, of each plane */
        const uint64_t across = ((uint64_t)samples->width - 1) / reader->block_width + 1;
        header->working = across * (uint64_t)line * reader->block_height * (uint64_t)reader->planes;
        header->working += (uint64_t)TIFFTileSize(tiff);
    }
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
    if (status == WEFT_OK) {
        const void *xmp = weft_exif_xmp(&exif, &size);
        status = weft_metadata_set_xmp(metadata, xmp, size, error);
    }
    if (status == WEFT_OK) {
        const void *iptc = weft_exif_iptc(&exif, &size);
        status = weft_metadata_set_iptc(metadata, iptc, size, error);
    }
    weft_free(bytes);
    weft_exif_clear(&exif);
    return status;
}

static weft_status read_metadata(weft_tiff_reader *reader, weft_header *header, weft_error *error) {
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

/* Pages, or what ImageJ has put behind the only one. */
static int64_t count_pictures(const weft_tiff_reader *reader) {
    const weft_tiff_samples *samples = &reader->samples;
    const char *description = NULL;
    uint64_t *offsets = NULL;
    uint16_t compression = COMPRESSION_NONE;
    int64_t pages = weft_tiff_count_pages(reader->coding.input);
    TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_COMPRESSION, &compression);
    if (pages > 1 || compression != COMPRESSION_NONE ||
        !TIFFGetField(reader->tiff, TIFFTAG_IMAGEDESCRIPTION, &description) ||
        !TIFFGetField(reader->tiff, TIFFTAG_STRIPOFFSETS, &offsets) || !description || !offsets)
        return pages;
    uint64_t row = ((uint64_t)samples->width * samples->bits * samples->channels + 7) / 8, size;
    return __builtin_mul_overflow(row, (uint64_t)reader->height, &size)
               ? pages
               : weft_tiff_count_stack(reader->coding.input, description, offsets[0], size);
}

const weft_file_option weft_tiff_reader_options[1] = {
    [WEFT_TIFF_PAGE] = WEFT_PAGE_OPTION,
};

static weft_status choose_page(weft_tiff_reader *reader, weft_header *header, weft_error *error) {
    weft_input *input = reader->coding.input;
    const int32_t page = reader->coding.values[WEFT_TIFF_PAGE];
    header->chosen = page > 0;
    if (page < 2)
        return WEFT_OK;
    reader->page = weft_tiff_find_page(input, page);
    if (!reader->page) {
        const long long pages = (long long)weft_tiff_count_pages(input);
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: there is no page %d, it has %lld page%s", input->name,
                         (int)page, pages, pages == 1 ? "" : "s");
    }
    return TIFFSetSubDirectory(reader->tiff, (uint64_t)reader->page) ? WEFT_OK : weft_coding_failed(&reader->coding, error);
}

weft_status weft_tiff_open_reader(void *state, weft_header *header, weft_error *error) {
    weft_tiff_reader *reader = state;
    weft_tiff_samples *samples = &reader->samples;
    uint32_t width = 0, height = 0;
    uint16_t bits = 1, channels = 1, format = SAMPLEFORMAT_UINT;
    weft_status status = weft_input_gather(reader->coding.input, error);
    if (status != WEFT_OK)
        return status;
    reader->place[0].coding = &reader->coding;
    reader->tiff = reader->plane[0] = weft_tiff_open(&reader->place[0], "rm");
    if (!reader->tiff)
        return weft_coding_failed(&reader->coding, error);
    status = choose_page(reader, header, error);
    if (status != WEFT_OK)
        return status;
    if (!TIFFGetField(reader->tiff, TIFFTAG_IMAGEWIDTH, &width) ||
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
    header->pictures = count_pictures(reader);
    status = read_metadata(reader, header, error);
    return status == WEFT_OK ? read_layout(reader, header, error) : status;
}
