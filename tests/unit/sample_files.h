/* SPDX-License-Identifier: MIT
 * Makes small PNG and JPEG files byte by byte, in forms that weft does not write: palettes, low bit depths,
 * interlacing, CMYK. Nothing here comes from the libraries under test. */
#ifndef SAMPLE_FILES_H
#define SAMPLE_FILES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct sample_file {
    unsigned char bytes[16384];
    size_t size;
} sample_file;

/* EXIF of a main directory that points to one of the camera, with a sensitivity. */
static const unsigned char sample_exif[] = "II*\0\x08\0\0\0"
                                           "\1\0\x69\x87\4\0\1\0\0\0\x1a\0\0\0\0\0\0\0"
                                           "\1\0\x27\x88\3\0\1\0\0\0\x64\0\0\0\0\0\0";

static inline void put(sample_file *file, unsigned byte) { file->bytes[file->size++] = (unsigned char)byte; }
static inline void put_bytes(sample_file *file, const void *bytes, size_t size) {
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}
static inline void put_16(sample_file *file, uint32_t value) {
    put(file, value >> 8 & 255);
    put(file, value & 255);
}
static inline void put_32(sample_file *file, uint32_t value) {
    put_16(file, value >> 16);
    put_16(file, value & 65535);
}

static inline uint32_t checksum(const unsigned char *bytes, size_t size) {
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static inline void put_chunk(sample_file *file, const char *type, const unsigned char *bytes, size_t size) {
    size_t start;
    put_32(file, (uint32_t)size);
    start = file->size;
    put_bytes(file, type, 4);
    if (size > 0)
        put_bytes(file, bytes, size);
    put_32(file, checksum(file->bytes + start, size + 4));
}

typedef struct png_form {
    int width, height, depth, color; /* color: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha */
    bool interlaced, transparent;    /* transparent: with a tRNS chunk */
} png_form;

static inline int png_channels(int color) { return color == 2 ? 3 : color == 4 ? 2 : color == 6 ? 4 : 1; }

/* The sample that make_png stores; for palettes the index. */
static inline uint32_t png_sample(const png_form *form, int x, int y, int channel) {
    uint32_t value = (uint32_t)(x * 40503 + y * 30011 + channel * 20021 + 12345) * 2654435761u >> 8;
    return value & ((1u << form->depth) - 1);
}
/* Channel 0 to 3 of palette entry `index`; 3 is alpha. */
static inline uint32_t png_palette(uint32_t index, int channel) {
    return (index * 37 + (uint32_t)channel * 91 + 5) & 255;
}

/* The scan lines of one interlace pass: every `dx`th pixel from x0, every `dy`th row from y0. */
static inline void put_pass(sample_file *lines, const png_form *form, int x0, int y0, int dx, int dy) {
    const int channels = png_channels(form->color);
    for (int y = y0; y < form->height && x0 < form->width; y += dy) {
        unsigned bits = 0, count = 0;
        put(lines, 0); /* no filter */
        for (int x = x0; x < form->width; x += dx)
            for (int c = 0; c < channels; c++) {
                uint32_t sample = png_sample(form, x, y, c);
                if (form->depth == 16) {
                    put_16(lines, sample);
                    continue;
                }
                bits = bits << form->depth | sample;
                count += (unsigned)form->depth;
                if (count == 8) {
                    put(lines, bits & 255);
                    count = 0;
                }
            }
        if (count > 0)
            put(lines, bits << (8 - count) & 255);
    }
}

static inline void make_png(sample_file *file, const png_form *form) {
    static const int passes[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                     {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    static sample_file lines, part;
    uint32_t low = 1, high = 0;
    file->size = lines.size = part.size = 0;
    put_bytes(file, "\x89PNG\r\n\x1a\n", 8);
    put_32(&part, (uint32_t)form->width);
    put_32(&part, (uint32_t)form->height);
    put(&part, (unsigned)form->depth);
    put(&part, (unsigned)form->color);
    put_16(&part, 0);
    put(&part, form->interlaced);
    put_chunk(file, "IHDR", part.bytes, part.size);
    part.size = 0;
    if (form->color == 3) {
        for (uint32_t i = 0; i < 1u << form->depth; i++)
            for (int c = 0; c < 3; c++)
                put(&part, png_palette(i, c));
        put_chunk(file, "PLTE", part.bytes, part.size);
    }
    part.size = 0;
    if (form->transparent && form->color == 3) {
        for (uint32_t i = 0; i < 1u << form->depth; i++)
            put(&part, png_palette(i, 3));
        put_chunk(file, "tRNS", part.bytes, part.size);
    } else if (form->transparent) { /* the color of the top left pixel is the transparent one */
        for (int c = 0; c < png_channels(form->color); c++)
            put_16(&part, png_sample(form, 0, 0, c));
        put_chunk(file, "tRNS", part.bytes, part.size);
    }
    if (form->interlaced)
        for (int i = 0; i < 7; i++)
            put_pass(&lines, form, passes[i][0], passes[i][1], passes[i][2], passes[i][3]);
    else
        put_pass(&lines, form, 0, 0, 1, 1);
    part.size = 0;
    put_16(&part, 0x7801);
    put(&part, 1); /* one stored block */
    put(&part, lines.size & 255);
    put(&part, lines.size >> 8 & 255);
    put(&part, ~lines.size & 255);
    put(&part, ~lines.size >> 8 & 255);
    put_bytes(&part, lines.bytes, lines.size);
    for (size_t i = 0; i < lines.size; i++) {
        low = (low + lines.bytes[i]) % 65521;
        high = (high + low) % 65521;
    }
    put_32(&part, high << 16 | low);
    put_chunk(file, "IDAT", part.bytes, part.size);
    put_chunk(file, "IEND", NULL, 0);
}

/* Adds a block of one value: its DC coefficient, then the end of the block. */
static inline void put_block(sample_file *file, int value, uint32_t *bits, int *count) {
    int size = 0;
    value -= 128;
    while ((value < 0 ? -value : value) >> size)
        size++;
    *bits = *bits << 4 | (uint32_t)size;
    *bits = *bits << size | ((uint32_t)(value < 0 ? value - 1 : value) & ((1u << size) - 1));
    *bits <<= 1;
    for (*count += 5 + size; *count >= 8; *count -= 8) {
        unsigned byte = *bits >> (*count - 8) & 255;
        put(file, byte);
        if (byte == 255)
            put(file, 0);
    }
}

/* An 8x8 baseline JPEG of one color, in one scan or in one for each component. `adobe` is the color transform of an
 * Adobe marker, or -1 for none. */
static inline void make_jpeg(sample_file *file, int components, const int *values, int adobe, bool scans) {
    file->size = 0;
    put_16(file, 0xFFD8);
    if (adobe >= 0) {
        put_bytes(file,
                  "\xff\xee\0\x0e"
                  "Adobe\0\x64\0\0\0\0",
                  15);
        put(file, (unsigned)adobe);
    }
    put_bytes(file, "\xff\xdb\0\x43\0", 5);
    for (int i = 0; i < 64; i++)
        put(file, 8); /* which makes the DC coefficient the mean itself */
    put_16(file, 0xFFC0);
    put_16(file, (uint32_t)(8 + 3 * components));
    put_bytes(file, "\x08\0\x08\0\x08", 5);
    put(file, (unsigned)components);
    for (int i = 0; i < components; i++) {
        put(file, (unsigned)i + 1);
        put_16(file, 0x1100);
    }
    put_bytes(file, "\xff\xc4\0\x1f\0\0\0\0\x0c\0\0\0\0\0\0\0\0\0\0\0\0", 21);
    for (unsigned i = 0; i < 12; i++)
        put(file, i);                                                              /* category i has the 4 bit code i */
    put_bytes(file, "\xff\xc4\0\x14\x10\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22); /* code 0 ends a block */
    for (int first = 0, step = scans ? 1 : components; first < components; first += step) {
        uint32_t bits = 0;
        int count = 0;
        put_16(file, 0xFFDA);
        put_16(file, (uint32_t)(6 + 2 * step));
        put(file, (unsigned)step);
        for (int i = first; i < first + step; i++) {
            put(file, (unsigned)i + 1);
            put(file, 0);
        }
        put_bytes(file, "\0\x3f\0", 3);
        for (int i = first; i < first + step; i++)
            put_block(file, values[i], &bits, &count);
        if (count > 0) /* ones to the end of the byte; a block ends in a 0, so it is not all ones */
            put(file, (bits << (8 - count) | 255u >> count) & 255);
    }
    put_16(file, 0xFFD9);
}

/* The sample of a plane of make_planar_tiff. */
static inline unsigned planar_sample(int x, int y, int plane) { return (unsigned)(x * 7 + y * 31 + plane * 89) & 255; }

/* TIFF in Motorola order of three planes behind one another, without compression, in strips of `rows` rows. */
static inline void make_planar_tiff(sample_file *file, int width, int height, int rows) {
    enum { ENTRIES = 10, PLANES = 3, SHORT = 3, LONG = 4 };
    const int strips = (height + rows - 1) / rows * PLANES, bits = 8 + 2 + 12 * ENTRIES + 4, offsets = bits + 6;
    const int counts = offsets + 4 * strips, pixels = counts + 4 * strips;
    const struct {
        int tag, type, count, value;
    } entries[ENTRIES] = {{256, LONG, 1, width},         {257, LONG, 1, height},   {258, SHORT, PLANES, bits},
                          {259, SHORT, 1, 1 << 16},      {262, SHORT, 1, 2 << 16}, {273, LONG, strips, offsets},
                          {277, SHORT, 1, PLANES << 16}, {278, LONG, 1, rows},     {279, LONG, strips, counts},
                          {284, SHORT, 1, 2 << 16}};
    file->size = 0;
    put_bytes(file, "MM\0*\0\0\0\x08", 8);
    put_16(file, ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
        put_16(file, (uint32_t)entries[i].tag);
        put_16(file, (uint32_t)entries[i].type);
        put_32(file, (uint32_t)entries[i].count);
        put_32(file, (uint32_t)entries[i].value);
    }
    put_32(file, 0);
    for (int plane = 0; plane < PLANES; plane++)
        put_16(file, 8);
    for (int part = 0; part < 2; part++) /* where strips begin, and how long they are */
        for (int plane = 0, at = pixels; plane < PLANES; plane++)
            for (int y = 0; y < height; y += rows) {
                const int size = width * (height - y < rows ? height - y : rows);
                put_32(file, (uint32_t)(part ? size : at));
                at += size;
            }
    for (int plane = 0; plane < PLANES; plane++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                put(file, planar_sample(x, y, plane));
}

#endif
