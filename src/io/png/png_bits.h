/* SPDX-License-Identifier: MIT
 * Bits into bytes, the lowest first. Up to 8 bytes behind the last one are written, too. */
#ifndef IO_PNG_BITS_H
#define IO_PNG_BITS_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct weft_bits {
    unsigned char *next;
    uint64_t bits; /* those that are not written yet, at most 32 between calls */
    int count;
} weft_bits;

static inline void weft_bits_flush(weft_bits *bits) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) /* one store where words are little-endian */
        bytes[i] = (unsigned char)(bits->bits >> 8 * i);
    memcpy(bits->next, bytes, 8);
    bits->next += bits->count / 8;
    bits->bits >>= bits->count & ~7;
    bits->count &= 7;
}
/* At most 31 bits. */
static inline void weft_bits_add(weft_bits *bits, uint32_t value, int count) {
    bits->bits |= (uint64_t)value << bits->count;
    bits->count += count;
    if (bits->count > 32)
        weft_bits_flush(bits);
}
static inline void weft_bits_put(weft_bits *bits, uint32_t value, int count) {
    weft_bits_add(bits, value, count);
    weft_bits_flush(bits);
}
static inline void weft_bits_align(weft_bits *bits) {
    if (bits->count > 0)
        weft_bits_put(bits, 0, 8 - bits->count);
}
static inline void weft_bits_bytes(weft_bits *bits, const unsigned char *bytes, size_t size) {
    if (size > 0)
        memcpy(bits->next, bytes, size);
    bits->next += size;
}

#endif
