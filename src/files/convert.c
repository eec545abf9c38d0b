/* SPDX-License-Identifier: MIT
 * From the pixels that a graph makes to those that a file can hold. */
#include "files/convert.h"
#include <math.h>
#include <string.h>
#include "image/half.h"

bool weft_convert_needed(const weft_image_info *from, const weft_image_info *to) {
    return from->format.channels != to->format.channels || from->alpha != to->alpha || from->space != to->space;
}

/* Channels that are not alpha. */
static int colors(const weft_image_info *info) {
    return info->format.channels - (info->alpha != WEFT_ALPHA_NONE ? 1 : 0);
}

const char *weft_convert_obstacle(const weft_image_info *from, const weft_image_info *to) {
    int made = colors(from), held = colors(to);
    if (made == held || (made < held && held >= 3))
        return NULL; /* gray fills red, green and blue; two channels leave blue at zero */
    if (held == 1)
        return "holds one channel and the graph makes several: end the graph with a filter that makes gray";
    return "cannot hold as many channels as the graph makes";
}

static uint32_t whole(float value, float scale) {
    return value > 0 ? (uint32_t)((value < 1 ? value : 1) * scale + 0.5f) : 0; /* NaN is not above 0 */
}

static void store(weft_type type, float value, unsigned char *target) {
    uint16_t wide;
    double widest;
    switch (type) {
    case WEFT_U8:
        *target = (unsigned char)whole(value, 255);
        break;
    case WEFT_U16:
        wide = (uint16_t)whole(value, 65535);
        memcpy(target, &wide, sizeof wide);
        break;
    case WEFT_F16:
        wide = weft_float_to_half(value);
        memcpy(target, &wide, sizeof wide);
        break;
    case WEFT_F32:
        memcpy(target, &value, sizeof value);
        break;
    case WEFT_F64:
        widest = value;
        memcpy(target, &widest, sizeof widest);
        break;
    }
}

/* Between light and the values of sRGB, which go on below black and above white. */
static float encode_or_decode(float value, weft_space to) {
    float size = fabsf(value);
    if (to == WEFT_SPACE_ENCODED)
        size = size <= 0.0031308f ? 12.92f * size : 1.055f * powf(size, 1 / 2.4f) - 0.055f;
    else
        size = size <= 0.04045f ? size / 12.92f : powf((size + 0.055f) / 1.055f, 2.4f);
    return copysignf(size, value);
}

void weft_convert_row(const weft_image_info *from, const weft_image_info *to, const float *source, void *target) {
    int made = colors(from), held = colors(to), channels = from->format.channels;
    size_t size = weft_type_size(to->format.type);
    unsigned char *next = target;
    /* Light and encoded values are converted as if there were no alpha. Without a place for alpha the picture is shown
     * over black, which is what multiplying does. */
    bool shift = from->space != to->space;
    bool divide = from->alpha == WEFT_ALPHA_PREMULTIPLIED && (shift || to->alpha == WEFT_ALPHA_STRAIGHT);
    bool multiply = to->alpha != WEFT_ALPHA_STRAIGHT && (from->alpha == WEFT_ALPHA_STRAIGHT || (shift && from->alpha));
    for (int64_t x = 0; x < from->width; x++, source += channels) {
        float alpha = from->alpha != WEFT_ALPHA_NONE ? source[channels - 1] : 1;
        for (int i = 0; i < held; i++) {
            float value = i < made ? source[i] : made == 1 ? source[0] : 0;
            if (divide)
                value = alpha > 0 ? value / alpha : 0;
            if (shift)
                value = encode_or_decode(value, to->space);
            if (multiply)
                value *= alpha;
            store(to->format.type, value, next);
            next += size;
        }
        if (to->alpha != WEFT_ALPHA_NONE) {
            store(to->format.type, alpha, next);
            next += size;
        }
    }
}
