/* SPDX-License-Identifier: MIT
 * Images to measure with. */
#include "bench/noise_images.h"
#include <string.h>

/* The half of `number` / 2048, which is below 1 and exact. */
static uint16_t half_of(unsigned number) {
    unsigned exponent = 0;
    if (number == 0)
        return 0;
    while (number >> (exponent + 1))
        exponent++;
    return (uint16_t)((exponent + 4) << 10 | (number << (10 - exponent) & 0x3ff)); /* 4: 15, less 11 for 2048 */
}

/* One component of `bits`, of which 24 are random. */
static void store(weft_type type, uint32_t bits, unsigned char *target) {
    uint16_t wide = (uint16_t)(type == WEFT_F16 ? half_of(bits >> 13) : bits >> 8);
    float real = (float)bits / 16777215.0f;
    double widest = real;
    if (type == WEFT_U8)
        *target = (unsigned char)(bits >> 16);
    else if (type == WEFT_F32)
        memcpy(target, &real, sizeof real);
    else if (type == WEFT_F64)
        memcpy(target, &widest, sizeof widest);
    else
        memcpy(target, &wide, sizeof wide);
}

void noise_fill(const weft_image_info *info, void *data, uint64_t seed) {
    size_t size = weft_type_size(info->format.type);
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    unsigned char *next = data;
    for (int64_t i = info->width * info->height * info->format.channels; i > 0; i--, next += size) {
        /* xorshift64*: Marsaglia 2003, Vigna 2016 */
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        store(info->format.type, (uint32_t)(state * 0x2545f4914f6cdd1du >> 40), next);
    }
}
