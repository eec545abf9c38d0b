/* SPDX-License-Identifier: MIT
 * Images: what pixels are made of and where they lie. An image never owns its pixels. */
#ifndef WEFT_IMAGE_H
#define WEFT_IMAGE_H
#include <stddef.h>
#include <stdint.h>
#include "weft/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Component types. Integer types mean [0, 1] by full scale: 255 or 65535 is 1.0. */
typedef enum weft_type {
    WEFT_U8 = 1,
    WEFT_U16,
    WEFT_F16, /* IEEE binary16 */
    WEFT_F32,
    WEFT_F64 /* only for the values of reductions, never for pictures */
} weft_type;

typedef struct weft_format {
    weft_type type;
    int32_t channels; /* 1 to 4, interleaved */
} weft_format;

/* What the last channel means when there are two or four. */
typedef enum weft_alpha {
    WEFT_ALPHA_NONE = 0,     /* not alpha: a channel like the others */
    WEFT_ALPHA_STRAIGHT,     /* alpha; the colors are independent of it (PNG) */
    WEFT_ALPHA_PREMULTIPLIED /* alpha; the colors have been multiplied by it */
} weft_alpha;

typedef enum weft_space {
    WEFT_SPACE_ENCODED = 0, /* as stored: sRGB transfer curve for photographs */
    WEFT_SPACE_LINEAR       /* proportional to light */
} weft_space;

/* What pixels outside the image are taken to be.              outside | image  | outside */
typedef enum weft_border {
    WEFT_BORDER_REPLICATE = 0, /*                                   aa | abcd | dd   */
    WEFT_BORDER_MIRROR,        /* edge pixel not repeated, default  cb | abcd | cb   */
    WEFT_BORDER_SYMMETRIC,     /* edge pixel repeated               ba | abcd | dc   */
    WEFT_BORDER_WRAP,          /*                                   cd | abcd | ab   */
    WEFT_BORDER_CONSTANT,      /* border_value                      kk | abcd | kk   */
    WEFT_BORDER_SHRINK,        /* they do not count: averages are over the pixels inside */
    WEFT_BORDER_NONE = WEFT_BORDER_SHRINK /* the same of filters that take no averages: there is nothing outside */
} weft_border;

typedef struct weft_image_info {
    int64_t width, height; /* pixels, at least 1 */
    weft_format format;
    weft_alpha alpha;
    weft_space space;
} weft_image_info;

/* Where pixels lie. Memory of a GPU can be read and written by plans of that device only. */
typedef enum weft_memory {
    WEFT_MEMORY_HOST = 0,
    WEFT_MEMORY_CUDA,  /* `data` is a device pointer (CUdeviceptr, cudaMalloc) of the device's primary context */
    WEFT_MEMORY_VULKAN /* `data` is a VkBuffer of the VkDevice that the device was opened with (weft_device_options.vulkan),
                          made with VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT; the top left pixel is `offset` bytes into it */
} weft_memory;

typedef struct weft_image {
    weft_image_info info;
    void *data;       /* the top left pixel, aligned for its component type */
    ptrdiff_t stride; /* bytes from a row to the next; may be larger than a row, or, in host memory, negative */
    weft_memory memory;
    uint64_t offset; /* WEFT_MEMORY_VULKAN only */
} weft_image;

/* Bytes of one component, 0 for an unknown type. */
WEFT_API size_t weft_type_size(weft_type type);
/* "u8", "u16", "f16", "f32", "f64"; "?" for an unknown type. */
WEFT_API const char *weft_type_name(weft_type type);
/* Bytes of one pixel. */
WEFT_API size_t weft_format_size(weft_format format);
/* Writes "u8x3" and the like; `text` holds at least 16 bytes. */
WEFT_API void weft_format_print(weft_format format, char *text, size_t size);
/* Reads "u8x3" and the like ("u8" is u8x1). WEFT_ERROR_ARGUMENT when it is none. */
WEFT_API weft_status weft_format_parse(const char *text, weft_format *format, weft_error *error);

/* Bytes of a tightly packed image; WEFT_ERROR_MEMORY when that exceeds the address space, WEFT_ERROR_FORMAT when the
 * info describes no image. */
WEFT_API weft_status weft_image_size(const weft_image_info *info, size_t *size, weft_error *error);

/* The rectangle x, y, width, height of `image`, sharing its pixels. WEFT_ERROR_ARGUMENT when not wholly inside. */
WEFT_API weft_status weft_image_region(const weft_image *image, int64_t x, int64_t y, int64_t width, int64_t height,
                                       weft_image *region, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
