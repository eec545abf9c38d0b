/* SPDX-License-Identifier: MIT
 * Whole images of planar doubles, and the way between stored components and doubles. */
#include <math.h>
#include <string.h>
#include "backend/reference/model.h"
#include "base/memory.h"
#include "base/status.h"

double reference_steps(weft_type type) { return type == WEFT_U8 ? 255 : type == WEFT_U16 ? 65535 : 0; }

weft_status reference_image_create(const weft_image_info *info, struct reference_image *image, weft_error *error) {
    size_t count;
    if (!weft_multiply((size_t)info->width, (size_t)info->height, &count) ||
        !weft_multiply(count, (size_t)info->format.channels, &count) || count > SIZE_MAX / sizeof(double))
        return weft_fail(error, WEFT_ERROR_MEMORY, "an image of %lldx%lld doubles does not fit the address space",
                         (long long)info->width, (long long)info->height);
    *image = (struct reference_image){.info = *info, .data = weft_allocate(count, sizeof(double))};
    return image->data ? WEFT_OK : weft_fail_memory(error, count * sizeof(double), "an image of the reference");
}

/* IEEE binary16: one sign bit, five of exponent with a bias of 15, ten of fraction. */
static double from_half(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    int fraction = bits & 1023;
    double magnitude = exponent == 0    ? ldexp(fraction, -24)
                       : exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                                        : ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

/* The nearest whole number, the even one of two. */
static double nearest_even(double v) {
    double below = floor(v);
    double rest = v - below;
    bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0);
    return up ? below + 1 : below;
}

static uint16_t to_half(double v) {
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    double magnitude = fabs(v);
    int exponent;
    if (isnan(v))
        return 0x7e00;
    if (magnitude >= 65520) /* half way from the largest number, 65504, to 2^16 */
        return sign | 0x7c00;
    if (magnitude == 0)
        return sign;
    frexp(magnitude, &exponent); /* magnitude = m * 2^exponent with m in [1/2, 1) */
    if (exponent < -13)
        exponent = -13; /* subnormal: the spacing stays that of 2^-14 */
    /* In units of the last place: 1024 .. 2048 when normal. A carry goes into the exponent by itself. */
    int units = (int)nearest_even(ldexp(magnitude, 11 - exponent));
    return (uint16_t)(sign | (((exponent + 13) << 10) + units));
}

static double from_component(const unsigned char *at, weft_type type) {
    switch (type) {
    case WEFT_U8:
        return at[0] / 255.0;
    case WEFT_U16: {
        uint16_t v;
        memcpy(&v, at, sizeof v);
        return v / 65535.0;
    }
    case WEFT_F16: {
        uint16_t v;
        memcpy(&v, at, sizeof v);
        return from_half(v);
    }
    case WEFT_F32: {
        float v;
        memcpy(&v, at, sizeof v);
        return (double)v;
    }
    case WEFT_F64: {
        double v;
        memcpy(&v, at, sizeof v);
        return v;
    }
    }
    return 0;
}

/* The integer nearest to v in steps of full scale, halves up. The nudge is for quotients that are halves in truth, and
 * that double arithmetic may leave a hair below; means that are no halves stay far from them: 1 / (2 n) for n pixels.
 */
static double to_steps(double v, double steps) {
    if (!(v > 0))
        return 0; /* NaN as well */
    return v >= 1 ? steps : floor(v * steps + 0.5 + 1e-9);
}

static void to_component(double v, unsigned char *at, weft_type type) {
    switch (type) {
    case WEFT_U8:
        at[0] = (unsigned char)to_steps(v, 255);
        break;
    case WEFT_U16: {
        uint16_t stored = (uint16_t)to_steps(v, 65535);
        memcpy(at, &stored, sizeof stored);
        break;
    }
    case WEFT_F16: {
        uint16_t stored = to_half(v);
        memcpy(at, &stored, sizeof stored);
        break;
    }
    case WEFT_F32: {
        float stored = (float)v;
        memcpy(at, &stored, sizeof stored);
        break;
    }
    case WEFT_F64:
        memcpy(at, &v, sizeof v);
        break;
    }
}

weft_status reference_image_load(struct reference_image *image, const weft_run_input *input, weft_error *error) {
    weft_format format = image->info.format;
    size_t component = weft_type_size(format.type), row_size = (size_t)image->info.width * weft_format_size(format);
    unsigned char *buffer = input->source.read ? weft_allocate(row_size, 1) : NULL;
    weft_status status = WEFT_OK;
    if (input->source.read && !buffer)
        return weft_fail_memory(error, row_size, "a row of a stream");
    for (int64_t y = 0; y < image->info.height && status == WEFT_OK; y++) {
        const unsigned char *row = buffer;
        if (buffer)
            status = input->source.read(input->source.user, y, 1, buffer, (ptrdiff_t)row_size, error);
        else
            row = (const unsigned char *)input->image.data + (ptrdiff_t)y * input->image.stride;
        for (int32_t k = 0; k < format.channels && status == WEFT_OK; k++)
            for (int64_t x = 0; x < image->info.width; x++)
                reference_row(image, k, y)[x] =
                    from_component(row + (size_t)(x * format.channels + k) * component, format.type);
    }
    weft_free(buffer);
    return status;
}

weft_status reference_image_store(const struct reference_image *image, weft_type type, const weft_run_output *output,
                                  weft_error *error) {
    int32_t channels = image->info.format.channels;
    size_t component = weft_type_size(type), row_size = (size_t)image->info.width * (size_t)channels * component;
    unsigned char *buffer = output->sink.write ? weft_allocate(row_size, 1) : NULL;
    weft_status status = WEFT_OK;
    if (output->sink.write && !buffer)
        return weft_fail_memory(error, row_size, "a row of a stream");
    for (int64_t y = 0; y < image->info.height && status == WEFT_OK; y++) {
        unsigned char *row =
            buffer ? buffer : (unsigned char *)output->image.data + (ptrdiff_t)y * output->image.stride;
        for (int32_t k = 0; k < channels; k++)
            for (int64_t x = 0; x < image->info.width; x++)
                to_component(reference_row(image, k, y)[x], row + (size_t)(x * channels + k) * component, type);
        if (buffer)
            status = output->sink.write(output->sink.user, y, 1, buffer, (ptrdiff_t)row_size, error);
    }
    weft_free(buffer);
    return status;
}
