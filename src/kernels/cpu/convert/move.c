/* SPDX-License-Identifier: MIT
 * Rows of pixels moved, of any type. */
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"

typedef uint8_t bytes __attribute__((vector_size(16)));

/* ---- reversed: as many whole pixels as fit 16 bytes, the last ones first. The next store overwrites what a store writes beyond
 * them. The hardware does not prefetch a row that is read backwards, so the bytes behind the row, in most images the next row, are
 * prefetched here; without that a flip took 1.6 to 1.8 times as long. */

#define FROM(size, i) (i) / (size) < 16 / (size) ? 16 - (size) * ((i) / (size) + 1) + (i) % (size) : 0
#define FROM4(size, i) FROM(size, i), FROM(size, (i) + 1), FROM(size, (i) + 2), FROM(size, (i) + 3)
#define REVERSE(size)                                                                                                  \
    for (; (count - x) * (size) >= 16; x += 16 / (size)) {                                                             \
        bytes v;                                                                                                       \
        __builtin_prefetch((const void *)((uintptr_t)in + (uintptr_t)(x + 1) * (size)));                               \
        memcpy(&v, in - (x - 1) * (size)-16, 16);                                                                      \
        v = __builtin_shufflevector(v, v, FROM4(size, 0), FROM4(size, 4), FROM4(size, 8), FROM4(size, 12));            \
        memcpy(out + x * (size), &v, 16);                                                                              \
    }

static void move_reversed(const void *last, int size, void *to, int count) {
    const unsigned char *in = last;
    unsigned char *out = to;
    int64_t x = 0;
    switch (size) {
    case 1: REVERSE(1) break;
    case 2: REVERSE(2) break;
    case 3: REVERSE(3) break;
    case 4: REVERSE(4) break;
    case 6: REVERSE(6) break;
    case 8: REVERSE(8) break;
    case 12: REVERSE(12) break;
    default: break;
    }
    for (; x < count; x++)
        memcpy(out + x * size, in - x * size, (size_t)size);
}

/* ---- past the caches: whole cache lines by non-temporal stores. An ordinary store to a line that no cache holds reads the line
 * first. */

#ifdef __SSE2__
#if defined(__AVX512F__)
typedef __m512i wide;
#define LOAD _mm512_loadu_si512
#define STREAM(to, v) _mm512_stream_si512((void *)(to), v)
#elif defined(__AVX__)
typedef __m256i wide;
#define LOAD(from) _mm256_loadu_si256((const wide *)(const void *)(from))
#define STREAM(to, v) _mm256_stream_si256((wide *)(void *)(to), v)
#else
typedef __m128i wide;
#define LOAD(from) _mm_loadu_si128((const wide *)(const void *)(from))
#define STREAM(to, v) _mm_stream_si128((wide *)(void *)(to), v)
#endif
#define LINE 64

static void move_past_caches(const void *from, void *to, size_t size) {
    const unsigned char *in = from;
    unsigned char *out = to;
    size_t head = (LINE - ((uintptr_t)out & (LINE - 1))) & (LINE - 1), i;
    head = head < size ? head : size;
    memcpy(out, in, head);
    for (i = head; i + LINE <= size; i += LINE) {
        wide line[LINE / sizeof(wide)];
        for (size_t k = 0; k < LINE / sizeof(wide); k++)
            line[k] = LOAD(in + i + k * sizeof(wide));
        for (size_t k = 0; k < LINE / sizeof(wide); k++)
            STREAM(out + i + k * sizeof(wide), line[k]);
    }
    memcpy(out + i, in + i, size - i);
}
static void move_end(void) { _mm_sfence(); }
#else
static void move_past_caches(const void *from, void *to, size_t size) { memcpy(to, from, size); }
static void move_end(void) {}
#endif

void KERNEL(weft_fill_move)(struct weft_kernels *kernels);
void KERNEL(weft_fill_move)(struct weft_kernels *kernels) {
    kernels->move_reversed = move_reversed;
    kernels->move_past_caches = move_past_caches;
    kernels->move_end = move_end;
}
