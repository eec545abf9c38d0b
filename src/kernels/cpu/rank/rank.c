/* SPDX-License-Identifier: MIT
 * Medians of 3 x 3 and 5 x 5, of many pixels at a time. Columns are sorted first, once for all windows that share them. For 3 x 3,
 * few comparisons are left then (Kolte, Smith and Su 1999); for 5 x 5, columns are merged (rank_five.h). */
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/rank/rank.h"
#include "kernels/cpu/rank/rank_five.h"
#include "kernels/cpu/rank/rank_key.h"
#include "kernels/cpu/isa/vector.h"

/* Elements that are made at a time: short enough that what lies between the passes stays in the first-level cache, and longer than
 * the queue of stores. For 3 x 3 pieces of 4 KB, prefetched as a whole, take 1.1 to 1.35 times as long; for 5 x 5 1.3 to 2.5
 * times. */
#define CHUNK_3(T) (int64_t)(1024 / sizeof(T))
#define CHUNK_5(T) (int64_t)(1024 / sizeof(T))
#define SAME(v) (v)

#define T float
#define KEY int32_t
#define TO_KEY rank_key
#define FROM_KEY rank_value
#define NAME(x) f32_##x
#include "kernels/cpu/rank/rank_type.h"
#define T uint8_t
#define KEY uint8_t
#define TO_KEY SAME
#define FROM_KEY SAME
#define NAME(x) u8_##x
#include "kernels/cpu/rank/rank_type.h"
#define T uint16_t
#define KEY uint16_t
#define TO_KEY SAME
#define FROM_KEY SAME
#define NAME(x) u16_##x
#include "kernels/cpu/rank/rank_type.h"

#ifdef __AVX512BW__
#include "kernels/cpu/rank/rank_avx512.h"
#elif defined(__AVX2__)
#include "kernels/cpu/rank/rank_avx2.h"
#endif
#ifdef __AVX2__
#include "kernels/cpu/rank/rank_pairs.h"
#define BY_PAIRS(T, type)                                                                                              \
    static void type##_by_pairs(const void *const *rows, int radius, int64_t apart, void *out, int64_t count) {        \
        if (radius != 2 || !T##_pairs(rows, apart, out, count))                                                        \
            type##_network(rows, radius, apart, out, count);                                                           \
    }
BY_PAIRS(uint8_t, u8)
BY_PAIRS(uint16_t, u16)
BY_PAIRS(float, f32)
#endif
#if defined(__AVX2__) && !defined(__AVX512BW__)
#define BY_SHIFTS(T, type)                                                                                             \
    static void type##_by_shifts(const void *const *rows, int radius, int64_t apart, void *out, int64_t count) {       \
        if (radius != 1) {                                                                                             \
            type##_by_pairs(rows, radius, apart, out, count);                                                          \
            return;                                                                                                    \
        }                                                                                                              \
        int64_t made = T##_medians(rows, apart, out, count), whole = 64 / (int64_t)sizeof(T);                          \
        if (made > count - whole) /* the rest is one vector that overlaps these */                                     \
            made = count > whole ? count - whole : 0;                                                                  \
        const T *const in[] = {(const T *)rows[0] + made, (const T *)rows[1] + made, (const T *)rows[2] + made};       \
        type##_network3(in, apart, (T *)out + made, count - made);                                                     \
    }
BY_SHIFTS(uint8_t, u8)
BY_SHIFTS(uint16_t, u16)
BY_SHIFTS(float, f32)
#endif
#ifdef __AVX512BW__
#define BY_PERMUTATIONS(T, type)                                                                                       \
    static void type##_by_permutations(const void *const *rows, int radius, int64_t apart, void *out, int64_t count) { \
        if (radius == 1)                                                                                               \
            T##_medians(rows, apart, out, count);                                                                      \
        else                                                                                                           \
            type##_by_pairs(rows, radius, apart, out, count);                                                          \
    }
BY_PERMUTATIONS(uint8_t, u8)
BY_PERMUTATIONS(uint16_t, u16)
BY_PERMUTATIONS(float, f32)
#endif

#define ROOM(type, row) kernels->rank_network[row] = type##_network, kernels->rank_few[row] = type##_few

void KERNEL(weft_fill_rank_histogram)(struct weft_kernels *kernels);
void KERNEL(weft_fill_rank_block)(struct weft_kernels *kernels);
void KERNEL(weft_fill_rank_bits)(struct weft_kernels *kernels);
void KERNEL(weft_fill_rank)(struct weft_kernels *kernels);
void KERNEL(weft_fill_rank)(struct weft_kernels *kernels) {
    ROOM(f32, WEFT_ROW_F32);
    ROOM(u8, WEFT_ROW_U8);
    ROOM(u16, WEFT_ROW_U16);
#if defined(__AVX2__) && !defined(__AVX512BW__)
    kernels->rank_network[WEFT_ROW_U8] = u8_by_shifts;
    kernels->rank_network[WEFT_ROW_U16] = u16_by_shifts;
    kernels->rank_network[WEFT_ROW_F32] = f32_by_shifts;
#endif
#ifdef __AVX512BW__
    kernels->rank_network[WEFT_ROW_U8] = u8_by_pairs;
    kernels->rank_network[WEFT_ROW_U16] = u16_by_pairs;
    kernels->rank_network[WEFT_ROW_F32] = f32_by_pairs;
    if (__builtin_cpu_supports("avx512vbmi")) {
        kernels->rank_network[WEFT_ROW_U8] = u8_by_permutations;
        kernels->rank_network[WEFT_ROW_U16] = u16_by_permutations;
        kernels->rank_network[WEFT_ROW_F32] = f32_by_permutations;
    }
#endif
    KERNEL(weft_fill_rank_histogram)(kernels);
    KERNEL(weft_fill_rank_block)(kernels);
    KERNEL(weft_fill_rank_bits)(kernels);
}
