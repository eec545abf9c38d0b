/* SPDX-License-Identifier: MIT
 * Component types, pixel formats and the rectangles of images. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "weft/image.h"

static const struct {
    const char *name;
    size_t size;
} types[] = {[WEFT_U8] = {"u8", 1},
             [WEFT_U16] = {"u16", 2},
             [WEFT_F16] = {"f16", 2},
             [WEFT_F32] = {"f32", 4},
             [WEFT_F64] = {"f64", 8}};
enum { TYPES = sizeof types / sizeof *types };

size_t weft_type_size(weft_type type) { return (size_t)type < TYPES ? types[type].size : 0; }

const char *weft_type_name(weft_type type) { return weft_type_size(type) ? types[type].name : "?"; }

size_t weft_format_size(weft_format format) {
    return format.channels > 0 ? weft_type_size(format.type) * (size_t)format.channels : 0;
}

void weft_format_print(weft_format format, char *text, size_t size) {
    if (text)
        snprintf(text, size, "%sx%d", weft_type_name(format.type), (int)format.channels);
}

weft_status weft_format_parse(const char *text, weft_format *format, weft_error *error) {
    if (!text || !format)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a pixel format's text and place must not be null");
    for (size_t type = WEFT_U8; type < TYPES; type++) {
        size_t length = strlen(types[type].name);
        const char *rest = text + length;
        if (strncmp(text, types[type].name, length) != 0)
            continue;
        if (rest[0] == 0 || (rest[0] == 'x' && rest[1] >= '1' && rest[1] <= '4' && rest[2] == 0)) {
            *format = (weft_format){(weft_type)type, rest[0] ? rest[1] - '0' : 1};
            return WEFT_OK;
        }
    }
    return weft_fail(error, WEFT_ERROR_ARGUMENT,
                     "'%.60s' is no pixel format; it is u8, u16, f16, f32 or f64, then x1 to x4 for the channels",
                     text);
}

weft_status weft_image_size(const weft_image_info *info, size_t *size, weft_error *error) {
    size_t pixels, bytes;
    if (!info || !size)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "an image's info and the place for its size must not be null");
    if (info->width < 1 || info->height < 1)
        return weft_fail(error, WEFT_ERROR_FORMAT, "an image of %lldx%lld has no pixels", (long long)info->width,
                         (long long)info->height);
    if (weft_type_size(info->format.type) == 0)
        return weft_fail(error, WEFT_ERROR_FORMAT, "%d is no component type", (int)info->format.type);
    if (info->format.channels < 1 || info->format.channels > 4)
        return weft_fail(error, WEFT_ERROR_FORMAT, "an image has 1 to 4 channels, not %d", (int)info->format.channels);
    /* Strides are ptrdiff_t, so half the address space is all that an image can span. */
    if ((uint64_t)info->width > SIZE_MAX || (uint64_t)info->height > SIZE_MAX ||
        !weft_multiply((size_t)info->width, (size_t)info->height, &pixels) ||
        !weft_multiply(pixels, weft_format_size(info->format), &bytes) || bytes > PTRDIFF_MAX)
        return weft_fail(error, WEFT_ERROR_MEMORY, "an image of %lldx%lld does not fit the address space",
                         (long long)info->width, (long long)info->height);
    *size = bytes;
    return WEFT_OK;
}

weft_status weft_image_region(const weft_image *image, int64_t x, int64_t y, int64_t width, int64_t height,
                              weft_image *region, weft_error *error) {
    weft_image result;
    if (!image || !region || !image->data)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "an image, its pixels and the place for a region must not be null");
    if (x < 0 || y < 0 || width < 1 || height < 1 || width > image->info.width || height > image->info.height ||
        x > image->info.width - width || y > image->info.height - height)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "the rectangle %lldx%lld at %lld, %lld is not inside the image of %lldx%lld", (long long)width,
                         (long long)height, (long long)x, (long long)y, (long long)image->info.width,
                         (long long)image->info.height);
    result = *image; /* `region` may be `image` */
    ptrdiff_t moved = (ptrdiff_t)y * image->stride + (ptrdiff_t)x * (ptrdiff_t)weft_format_size(image->info.format);
    if (image->memory == WEFT_MEMORY_VULKAN)
        result.offset += (uint64_t)moved;
    else
        result.data = (unsigned char *)image->data + moved;
    result.info.width = width;
    result.info.height = height;
    *region = result;
    return WEFT_OK;
}
