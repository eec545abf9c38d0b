/* SPDX-License-Identifier: MIT
 * Running sums along rows of whole numbers, `stride` of them side by side: the pixels' components.
 *
 * A sum is the one before plus what enters the window minus what leaves it. Of a vector of such differences the sums are made by
 * adding it, shifted, to itself: by one pixel, two, four ... That is exact modulo 2^32, so nothing needs to be known about the
 * differences. Blocks hold whole pixels; of three components a vector's last element is made again by the next block. A block
 * depends on the one before by one addition only. */
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/vector.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef uint32_t numbers __attribute__((vector_size(VECTOR_BYTES)));
typedef uint16_t halves __attribute__((vector_size(VECTOR_BYTES / 2)));

#define INLINE static inline __attribute__((always_inline))

INLINE numbers load_uint32(const uint32_t *from) {
    numbers v;
    memcpy(&v, from, sizeof v);
    return v;
}
INLINE numbers load_uint16(const uint16_t *from) {
    halves v;
    memcpy(&v, from, sizeof v);
#if defined(__AVX2__) && VECTOR_BYTES == 32 /* one instruction, of which GCC makes six */
    return (numbers)_mm256_cvtepu16_epi32((__m128i)v);
#else
    return __builtin_convertvector(v, numbers);
#endif
}

/* LIST(F) is F(0), ... F(LANES - 1). */
#if VECTOR_BYTES == 64
#define LIST(F) F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9), F(10), F(11), F(12), F(13), F(14), F(15)
#define N 16
#elif VECTOR_BYTES == 32
#define LIST(F) F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7)
#define N 8
#else
#define LIST(F) F(0), F(1), F(2), F(3)
#define N 4
#endif

/* v moved up by n < N elements, with zeros below. */
#define UP_1(i) (N - 1 + (i))
#define UP_2(i) (N - 2 + (i))
#define UP_3(i) (N - 3 + (i))
#define UP_4(i) (N - 4 + (i))
#define UP_6(i) ((N - 6 + (i)) & (2 * N - 1))
#define UP_8(i) ((N - 8 + (i)) & (2 * N - 1))
#define UP_12(i) ((N - 12 + (i)) & (2 * N - 1))
#define SHIFT_ADD(v, n, stride)                                                                                        \
    if (n < N / stride * stride)                                                                                       \
        v += __builtin_shufflevector((numbers){0}, v, LIST(UP_##n));
/* The last pixel of a block, repeated. */
#define LAST_1(i) (N - 1)
#define LAST_2(i) (N - 2 + (i) % 2)
#define LAST_3(i) (N / 3 * 3 - 3 + (i) % 3)
#define LAST_4(i) (N - 4 + (i) % 4)

#define SCAN(T, stride, SHIFTS)                                                                                        \
    static void scan_##T##_##stride(const T##_t *line, int64_t window, uint32_t *out, int64_t count) {                 \
        const int64_t far = (window - 1) * stride;                                                                     \
        uint32_t first[stride] = {0};                                                                                  \
        for (int64_t k = 0; k < window; k++)                                                                           \
            for (int c = 0; c < stride; c++)                                                                           \
                first[c] += line[k * stride + c];                                                                      \
        memcpy(out, first, sizeof first);                                                                              \
        int64_t x = stride;                                                                                            \
        if (x + N <= count) {                                                                                          \
            uint32_t begin[N];                                                                                         \
            for (int i = 0; i < N; i++)                                                                                \
                begin[i] = first[i % stride];                                                                          \
            numbers sum = load_uint32(begin);                                                                          \
            for (; x + N <= count; x += N / stride * stride) {                                                         \
                numbers v = load_##T(line + x + far) - load_##T(line + x - stride);                                    \
                SHIFTS                                                                                                 \
                numbers made = sum + v;                                                                                \
                memcpy(out + x, &made, sizeof made);                                                                   \
                sum += __builtin_shufflevector(v, v, LIST(LAST_##stride));                                             \
            }                                                                                                          \
        }                                                                                                              \
        for (; x < count; x++)                                                                                         \
            out[x] = out[x - stride] + line[x + far] - line[x - stride];                                               \
    }
#define SCANS(T)                                                                                                       \
    SCAN(T, 1, SHIFT_ADD(v, 1, 1) SHIFT_ADD(v, 2, 1) SHIFT_ADD(v, 4, 1) SHIFT_ADD(v, 8, 1))                            \
    SCAN(T, 2, SHIFT_ADD(v, 2, 2) SHIFT_ADD(v, 4, 2) SHIFT_ADD(v, 8, 2))                                               \
    SCAN(T, 3, SHIFT_ADD(v, 3, 3) SHIFT_ADD(v, 6, 3) SHIFT_ADD(v, 12, 3))                                              \
    SCAN(T, 4, SHIFT_ADD(v, 4, 4) SHIFT_ADD(v, 8, 4))                                                                  \
    static void line_##T(const void *line, int64_t window, int stride, void *out, int64_t count) {                     \
        switch (stride) {                                                                                              \
        case 1:                                                                                                        \
            scan_##T##_1(line, window, out, count);                                                                    \
            break;                                                                                                     \
        case 2:                                                                                                        \
            scan_##T##_2(line, window, out, count);                                                                    \
            break;                                                                                                     \
        case 3:                                                                                                        \
            scan_##T##_3(line, window, out, count);                                                                    \
            break;                                                                                                     \
        default:                                                                                                       \
            scan_##T##_4(line, window, out, count);                                                                    \
            break;                                                                                                     \
        }                                                                                                              \
    }
SCANS(uint16)
SCANS(uint32)

/* Windows of billions. */
static void line_wide(const void *from, int64_t window, int stride, void *to, int64_t count) {
    const uint32_t *line = from;
    uint64_t *out = to;
    for (int64_t x = 0; x < stride && x < count; x++) {
        out[x] = 0;
        for (int64_t k = 0; k < window; k++)
            out[x] += line[x + k * stride];
    }
    for (int64_t x = stride; x < count; x++)
        out[x] = out[x - stride] + line[x + (window - 1) * stride] - line[x - stride];
}

void KERNEL(weft_fill_box_scan)(struct weft_kernels *kernels);
void KERNEL(weft_fill_box_scan)(struct weft_kernels *kernels) {
    kernels->box_line[WEFT_BOX_U16] = line_uint16;
    kernels->box_line[WEFT_BOX_U32] = line_uint32;
    kernels->box_line[WEFT_BOX_U64] = line_wide;
}
