/* SPDX-License-Identifier: MIT
 * The samples of TIFF files. libtiff gives them in the host's byte order; those that are no whole bytes lie side by
 * side, the highest bit first. */
#include "io/tiff/tiff_samples.h"
#include <string.h>

bool weft_tiff_readable(const weft_tiff_samples *samples) {
    if (samples->palette[0])
        return !samples->floats && samples->bits <= 16;
    if (samples->floats)
        return (samples->bits == 16 || samples->bits == 32 || samples->bits == 64) && !samples->inverted &&
               !samples->inks;
    return samples->bits <= 16 || (samples->bits == 32 && !samples->inverted && !samples->inks);
}

weft_type weft_tiff_type(const weft_tiff_samples *samples) {
    if (samples->palette[0])
        return WEFT_U8;
    if (samples->floats)
        return samples->bits == 16 ? WEFT_F16 : WEFT_F32;
    return samples->bits <= 8 ? WEFT_U8 : samples->bits <= 16 ? WEFT_U16 : WEFT_F32;
}

bool weft_tiff_plain(const weft_tiff_samples *samples) {
    return !samples->palette[0] && !samples->inverted && !samples->inks &&
           samples->bits == 8 * (int32_t)weft_type_size(weft_tiff_type(samples)) &&
           (samples->floats || samples->bits < 32);
}

/* The samples as they are, in whole bytes: palettes and inks are looked up later, so indices are not scaled. */
static void unpack_bits(const weft_tiff_samples *samples, const unsigned char *bytes, size_t count, unsigned char *row,
                        size_t component, size_t step) {
    const uint32_t largest = (UINT32_C(1) << samples->bits) - 1, full = samples->bits <= 8 ? 255 : 65535;
    uint32_t held = 0;
    int32_t ready = 0;
    for (size_t i = 0; i < count; i++, component += step) {
        uint32_t value;
        for (; ready < samples->bits; ready += 8)
            held = held << 8 | *bytes++;
        ready -= samples->bits;
        value = held >> ready & largest;
        if (!samples->palette[0])
            value = (2 * full * value + largest) / (2 * largest);
        if (samples->bits <= 8) {
            row[component] = (unsigned char)value;
        } else {
            uint16_t sample = (uint16_t)value;
            memcpy(row + 2 * component, &sample, 2);
        }
    }
}

/* 32 bit integers and doubles come out as floats. */
static void unpack_wide(const weft_tiff_samples *samples, const unsigned char *bytes, size_t count, unsigned char *row,
                        size_t component, size_t step) {
    for (size_t i = 0; i < count; i++, component += step) {
        float value;
        if (samples->floats) {
            double wide;
            memcpy(&wide, bytes + 8 * i, 8);
            value = (float)wide;
        } else {
            uint32_t whole;
            memcpy(&whole, bytes + 4 * i, 4);
            value = (float)(whole / 4294967295.0);
        }
        memcpy(row + 4 * component, &value, 4);
    }
}

void weft_tiff_unpack(const weft_tiff_samples *samples, const void *packed, size_t count, void *row, size_t component,
                      size_t step) {
    const size_t size = (size_t)samples->bits / 8;
    if (samples->bits % 8 != 0) {
        unpack_bits(samples, packed, count, row, component, step);
    } else if (samples->bits == 64 || (samples->bits == 32 && !samples->floats)) {
        unpack_wide(samples, packed, count, row, component, step);
    } else if (step == 1) {
        memcpy((unsigned char *)row + size * component, packed, size * count);
    } else {
        for (size_t i = 0; i < count; i++)
            memcpy((unsigned char *)row + size * (component + i * step), (const unsigned char *)packed + size * i,
                   size);
    }
}

static uint32_t sample_at(const unsigned char *unpacked, size_t index, bool wide) {
    uint16_t sample;
    if (!wide)
        return unpacked[index];
    memcpy(&sample, unpacked + 2 * index, 2);
    return sample;
}

static void store(unsigned char *row, size_t index, bool wide, uint32_t value) {
    uint16_t sample = (uint16_t)value;
    if (wide)
        memcpy(row + 2 * index, &sample, 2);
    else
        row[index] = (unsigned char)value;
}

void weft_tiff_finish(const weft_tiff_samples *samples, const void *unpacked, void *row) {
    const unsigned char *from = unpacked;
    const bool wide = samples->bits > 8;
    const uint32_t full = wide ? 65535 : 255;
    const size_t width = (size_t)samples->width, channels = (size_t)samples->channels;
    if (samples->palette[0]) { /* whose bytes were widened by 256 or by 257 */
        for (size_t x = 0; x < width; x++) {
            uint32_t index = sample_at(from, x, wide);
            for (size_t c = 0; c < 3; c++) {
                uint32_t value = samples->palette[c][index];
                store(row, 3 * x + c, false, samples->short_palette ? value : value >> 8);
            }
        }
    } else if (samples->inks) {
        for (size_t x = 0; x < width; x++)
            for (size_t c = 0; c < 3; c++) {
                uint32_t ink = sample_at(from, 4 * x + c, wide), black = sample_at(from, 4 * x + 3, wide);
                uint64_t light = (uint64_t)(full - ink) * (full - black);
                store(row, 3 * x + c, wide, (uint32_t)((light + full / 2) / full));
            }
    } else if (samples->inverted) { /* gray, and perhaps alpha after it */
        for (size_t i = 0; i < width * channels; i++) {
            uint32_t value = sample_at(from, i, wide);
            store(row, i, wide, i % channels == 0 ? full - value : value);
        }
    } else {
        memcpy(row, unpacked, width * channels * weft_type_size(weft_tiff_type(samples)));
    }
}
