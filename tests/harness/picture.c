/* SPDX-License-Identifier: MIT */
#include "picture.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "poison/poison.h"

#define MARGIN 192

const char *content_name(enum content content) {
    static const char *const names[] = {"random", "extremes", "constant", "impulse", "ramp", "wide"};
    return names[content];
}

double type_steps(weft_type type) { return type == WEFT_U8 ? 255 : type == WEFT_U16 ? 65535 : 0; }

double half_spacing(double value) {
    int exponent;
    frexp(fabs(value), &exponent);
    return ldexp(1, exponent - 11 > -24 ? exponent - 11 : -24);
}

static double half_value(uint16_t bits) {
    double sign = bits & 0x8000 ? -1 : 1;
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 31)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1 + fraction / 1024.0, exponent - 15) : ldexp(fraction / 1024.0, -14));
}

/* For test data: any neighbouring number will do, so it is cut off, and what is too small is 0. */
static uint16_t half_bits(double value) {
    int exponent;
    double mantissa = frexp(fabs(value), &exponent);
    if (value == 0 || exponent < -13)
        return 0;
    return (uint16_t)((value < 0 ? 0x8000 : 0) + ((exponent + 14) << 10) + (int)((mantissa * 2 - 1) * 1024));
}

bool picture_create(const weft_image_info *info, bool plain, struct chance *chance, struct picture *picture) {
    size_t component = weft_type_size(info->format.type), row = (size_t)info->width * weft_format_size(info->format);
    size_t pitch = row + (plain ? 0 : (size_t)chance_below(chance, 40) * component);
    size_t offset = plain ? 0 : (size_t)chance_below(chance, 64 / (int64_t)component) * component;
    bool upwards = !plain && chance_once_in(chance, 6);
    picture->size = MARGIN + offset + pitch * (size_t)info->height + MARGIN;
    picture->memory = malloc(picture->size);
    if (!picture->memory)
        return false;
    poison_fill(picture->memory, picture->size);
    unsigned char *first = picture->memory + MARGIN + offset;
    picture->image = (weft_image){.info = *info, .data = first, .stride = (ptrdiff_t)pitch};
    if (upwards) {
        picture->image.data = first + pitch * (size_t)(info->height - 1);
        picture->image.stride = -(ptrdiff_t)pitch;
    }
    for (int64_t y = 0; y < info->height; y++)
        poison_undefine(first + pitch * (size_t)y, row);
    return true;
}

void picture_destroy(struct picture *picture) {
    free(picture->memory);
    picture->memory = NULL;
}

static unsigned char *component_at(const struct picture *picture, int64_t x, int64_t y, int32_t c) {
    const weft_image *image = &picture->image;
    return (unsigned char *)image->data + (ptrdiff_t)y * image->stride +
           (ptrdiff_t)((size_t)(x * image->info.format.channels + c) * weft_type_size(image->info.format.type));
}

double picture_get(const struct picture *picture, int64_t x, int64_t y, int32_t c) {
    const unsigned char *at = component_at(picture, x, y, c);
    uint16_t word;
    float single;
    double number;
    switch (picture->image.info.format.type) {
    case WEFT_U8:
        return *at / 255.0;
    case WEFT_U16:
        memcpy(&word, at, sizeof word);
        return word / 65535.0;
    case WEFT_F16:
        memcpy(&word, at, sizeof word);
        return half_value(word);
    case WEFT_F32:
        memcpy(&single, at, sizeof single);
        return (double)single;
    case WEFT_F64:
        break;
    }
    memcpy(&number, at, sizeof number);
    return number;
}

void picture_set(struct picture *picture, int64_t x, int64_t y, int32_t c, double value) {
    unsigned char *at = component_at(picture, x, y, c);
    weft_type type = picture->image.info.format.type;
    float single = (float)value;
    double limited = value < 0 ? 0 : value > 1 ? 1 : value;
    uint16_t word = type == WEFT_F16 ? half_bits(value) : (uint16_t)(limited * 65535 + 0.5);
    unsigned char byte = (unsigned char)(limited * 255 + 0.5);
    if (type == WEFT_U8)
        *at = byte;
    else if (type == WEFT_F32)
        memcpy(at, &single, sizeof single);
    else
        memcpy(at, &word, sizeof word);
}

void picture_fill(struct picture *picture, enum content content, struct chance *chance) {
    const weft_image_info *info = &picture->image.info;
    int32_t channels = info->format.channels;
    int64_t impulse_x = chance_below(chance, info->width), impulse_y = chance_below(chance, info->height);
    double constant[4];
    bool sharp_alpha = chance_once_in(chance, 3); /* only 0 and 1 */
    bool on_black = chance_once_in(chance, 2);
    for (int32_t c = 0; c < 4; c++)
        constant[c] = chance_unit(chance);
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++) {
            double v[4];
            for (int32_t c = 0; c < channels; c++) {
                double unit = chance_unit(chance);
                bool is_alpha = info->alpha != WEFT_ALPHA_NONE && c == channels - 1;
                switch (content) {
                case CONTENT_EXTREMES:
                    v[c] = unit < 0.5 ? 0 : 1;
                    break;
                case CONTENT_CONSTANT:
                    v[c] = constant[c];
                    break;
                case CONTENT_IMPULSE:
                    v[c] = x == impulse_x && y == impulse_y ? 1 : on_black ? 0 : constant[c];
                    break;
                case CONTENT_RAMP:
                    v[c] = (double)((x * (c + 1) + y) % 97) / 96;
                    break;
                case CONTENT_WIDE:
                    v[c] = is_alpha ? unit : 2 * unit - 0.5;
                    break;
                case CONTENT_WIDE_COLORS:
                    v[c] = c == channels - 1 ? unit : 2 * unit - 0.5;
                    break;
                default:
                    v[c] = unit;
                    break;
                }
                if (is_alpha && sharp_alpha)
                    v[c] = v[c] < 0.5 ? 0 : 1;
            }
            for (int32_t c = channels - 1; c >= 0; c--) {
                bool color = c < channels - 1;
                /* By the alpha as it has been stored. */
                double weight =
                    info->alpha == WEFT_ALPHA_PREMULTIPLIED && color ? picture_get(picture, x, y, channels - 1) : 1;
                picture_set(picture, x, y, c, v[c] * weight);
            }
        }
}

size_t picture_damage(const struct picture *picture) {
    const weft_image *image = &picture->image;
    size_t row = (size_t)image->info.width * weft_format_size(image->info.format), damage = 0;
    size_t pitch = (size_t)(image->stride < 0 ? -image->stride : image->stride);
    const unsigned char *top = image->data;
    if (image->stride < 0)
        top += image->stride * (ptrdiff_t)(image->info.height - 1);
    for (size_t i = 0; i < picture->size; i++) {
        ptrdiff_t place = picture->memory + i - top;
        bool pixel = place >= 0 && (size_t)place < pitch * (size_t)image->info.height && (size_t)place % pitch < row;
        damage += !pixel && picture->memory[i] != poison_byte(picture->memory + i);
    }
    return damage;
}
