/* SPDX-License-Identifier: MIT
 * Images to measure with. */
#include "bench/noise.h"
#include "bench/convert.h"

void noise_fill(const weft_image_info *info, void *data, uint64_t seed) {
    size_t size = weft_type_size(info->format.type);
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    unsigned char *next = data;
    for (int64_t i = info->width * info->height * info->format.channels; i > 0; i--, next += size) {
        /* xorshift64*: Marsaglia 2003, Vigna 2016 */
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        convert_store(info->format.type, (float)(state * 0x2545f4914f6cdd1du >> 40) / 16777215.0f, next);
    }
}
