/* SPDX-License-Identifier: MIT
 * Launches without programs, and those that only convert: colors times alpha when a pixel comes and divided by it when it
 * goes, as most filters of images with alpha do, color to luminance, or hidden pixels (filter/help/hidden.h) to none.
 * Pixels lie in memory as they do in one image, so kernels may read and write several at a time.
 *
 *   LOADS_PLAIN   the input is made of the pixels of image SOURCE_IMAGE alone, of source_type and source_channels
 *   STORES_PLAIN  the result goes to image STORED_IMAGE, of stored_type and stored_channels, and nowhere else
 *   take_in, hand_out(v)   a pixel as it was read as the kernel wants it, and back */
#ifndef KERNELS_GPU_CONVERSIONS_H
#define KERNELS_GPU_CONVERSIONS_H
#include "kernels/gpu/dialect/wide.h"

#define LOAD_0(field) KNOWN(load_##field##_0, L.load[0].field)
#define LOAD_1(field) KNOWN(load_##field##_1, L.load[1].field)
#define STORE_0(field) KNOWN(store_##field##_0, L.store[0].field)
#define STORE_1(field) KNOWN(store_##field##_1, L.store[1].field)

/* Kernels compiled for a format know that there is no alpha, or that a conversion only multiplies by it. */
#if defined(FORMAT_CHANNELS) && FORMAT_CHANNELS != 4
#define LOADS_CONVERTED false
#define STORES_CONVERTED false
#else
#define LOADS_CONVERTED ((converts_known & CONVERTS_LOAD) != 0)
#define STORES_CONVERTED ((converts_known & CONVERTS_STORE) != 0)
#endif

#if defined(PLAIN_FORM)
#define LOADS_PLAIN true
#define STORES_PLAIN true
#else
#define LOADS_PLAIN (load_count_known == 0 || LOADS_CONVERTED)
#define STORES_PLAIN (STORES_CONVERTED || (store_count_known == 1 && KNOWN(REDUCE_COUNT, L.reduce_count) == 0))
#endif

#define SOURCE_IMAGE (LOADS_CONVERTED ? (LOAD_0(operands) & 255) - OPERAND_IMAGE : 0)
#define STORED_IMAGE (((STORES_CONVERTED ? STORE_1(operands) : STORE_0(operands)) >> 8 & 255) - OPERAND_IMAGE)
#if defined(FORMAT_TYPE)
#define source_type FORMAT_TYPE
#define source_channels FORMAT_CHANNELS
#define stored_type FORMAT_STORED
#define stored_channels FORMAT_CHANNELS
#else
#define source_type (LOADS_CONVERTED ? LOAD_0(shape) >> 12 & 15 : KNOWN(IN_TYPE, L.in_type))
#define source_channels (LOADS_CONVERTED ? LOAD_0(shape) & 15 : in_channels_known)
#define stored_shape (STORES_CONVERTED ? STORE_1(shape) : STORE_0(shape))
#define stored_type (stored_shape >> 20 & 15)
#define stored_channels (stored_shape >> 8 & 15)
#endif

/* Where the format is known, so is the shape of an instruction, and which it is. */
#if defined(FORMAT_CHANNELS)
#define CONVERSION_SHAPE(shape) (FORMAT_CHANNELS | FORMAT_CHANNELS << 8 | SHAPE_ALPHA)
#define IS_LUMINANCE(op) false
#else
#define CONVERSION_SHAPE(shape) (shape)
#define IS_LUMINANCE(op) ((op) == OP_LUMINANCE)
#endif

LFN(vec4, converted, int op, int shape, int block, vec4 v) {
    place at = PLACE_AT(0, 0, 1, 1);
    if (IS_LUMINANCE(op))
        return OPERATION_LUMINANCE(v, v, at, BLOCK_ADDRESS(block), shape);
    if (op == OP_PREMULTIPLY_HIDDEN)
        return OPERATION_PREMULTIPLY_HIDDEN(v, v, at, BLOCK_ADDRESS(0), shape);
    return OPERATION_PREMULTIPLY(v, v, at, BLOCK_ADDRESS(0), shape);
}
LFN(vec4, take_in, vec4 v) {
    if (LOADS_CONVERTED) {
        v = CALL(converted, LOAD_0(op), CONVERSION_SHAPE(LOAD_0(shape)), LOAD_0(block), v);
#if !defined(FORMAT_CHANNELS)
        if (load_count_known > 1)
            v = CALL(converted, LOAD_1(op), LOAD_1(shape), LOAD_1(block), v);
#endif
    }
    return v;
}
LFN(vec4, hand_out, vec4 v) {
    if (STORES_CONVERTED) {
        place at = PLACE_AT(0, 0, 1, 1);
        if (STORE_0(op) == OP_UNPREMULTIPLY_HIDDEN)
            v = OPERATION_UNPREMULTIPLY_HIDDEN(v, v, at, BLOCK_ADDRESS(0), CONVERSION_SHAPE(STORE_0(shape)));
        else if (STORE_0(op) == OP_DROP_HIDDEN)
            v = OPERATION_DROP_HIDDEN(v, v, at, BLOCK_ADDRESS(0), CONVERSION_SHAPE(STORE_0(shape)));
        else
            v = OPERATION_UNPREMULTIPLY(v, v, at, BLOCK_ADDRESS(0), CONVERSION_SHAPE(STORE_0(shape)));
    }
    return v;
}

LFN(vec4, fetch_plain, int x, int y) {
    vec4 v = read_pixel_of(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, x, y, source_type, source_channels);
    return CALL(take_in, v);
}
LFN(void, deliver_plain, int x, int y, vec4 v) {
    int i = STORED_IMAGE;
    if (y >= L.image[i].from_y && y < L.image[i].to_y) {
        vec4 stored = CALL(hand_out, v);
        write_pixel_of(L.image[i].first, L.image[i].pitch, x, y, stored_type, stored_channels, stored);
    }
}

#endif
