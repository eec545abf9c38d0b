/* SPDX-License-Identifier: MIT
 * One component as it lies in an image. */
#include "bench/convert.h"
#include <math.h>
#include <string.h>

/* To IEEE binary16, to nearest, ties to even. */
static uint16_t half(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    if (size > 0x7f800000)
        return (uint16_t)(sign | 0x7e00); /* NaN */
    if (size >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00); /* rounds to infinity */
    if (size < 0x38800000) {              /* below the smallest normal: the unit of the last place is 2^-24 */
        float magnitude = fabsf(value);
        return (uint16_t)(sign | (uint32_t)lrintf(magnitude * 16777216.0f));
    }
    size += 0xfff + (size >> 13 & 1);
    return (uint16_t)(sign | ((size - 0x38000000) >> 13));
}

static uint32_t whole(float value, float scale) {
    return value > 0 ? (uint32_t)((value < 1 ? value : 1) * scale + 0.5f) : 0; /* NaN is not above 0 */
}

void convert_store(weft_type type, float value, unsigned char *target) {
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
        wide = half(value);
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
