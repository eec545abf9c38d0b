/* SPDX-License-Identifier: MIT
 * Transposed blocks: squares of pixels of 1, 2, 3, 4 and 8 bytes are transposed in registers, other pixels are moved one by one, a
 * few cache lines at a time. */
#include "kernels/cpu/convert/transpose.h"
#include <stdint.h>
#include <string.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"

#define LINES 16 /* cache lines of the input that are read together */

#define EACH2(F, i) F(i), F((i) + 1)
#define EACH4(F, i) EACH2(F, i), EACH2(F, (i) + 2)
#define EACH8(F, i) EACH4(F, i), EACH4(F, (i) + 4)
#define T uint8_t
#define LANES 16
#define ROUNDS 4
#define EACH(F) EACH8(F, 0), EACH8(F, 8)
#define NAME(x) x##_1
#include "kernels/cpu/convert/transpose_type.h"
#define T uint16_t
#define LANES 8
#define ROUNDS 3
#define EACH(F) EACH8(F, 0)
#define NAME(x) x##_2
#include "kernels/cpu/convert/transpose_type.h"
#define T uint32_t
#define LANES 4
#define ROUNDS 2
#define EACH(F) EACH4(F, 0)
#define NAME(x) x##_4
#include "kernels/cpu/convert/transpose_type.h"
#define T uint64_t
#define LANES 2
#define ROUNDS 1
#define EACH(F) EACH2(F, 0)
#define NAME(x) x##_8
#include "kernels/cpu/convert/transpose_type.h"

/* Three bytes are transposed as four. */
typedef uint8_t bytes __attribute__((vector_size(16)));
static inline part_4 load_3(const unsigned char *from) {
    uint64_t low;
    uint32_t high;
    memcpy(&low, from, 8);
    memcpy(&high, from + 8, 4);
    bytes v = (bytes)(uint64_t __attribute__((vector_size(16)))){low, high};
    return (part_4)__builtin_shufflevector(v, v, 0, 1, 2, 15, 3, 4, 5, 15, 6, 7, 8, 15, 9, 10, 11, 15);
}
/* Writes 16 bytes of which 12 count: the others are overwritten later or lie behind a row. */
static inline void store_3(unsigned char *out, part_4 v) {
    bytes b = (bytes)v;
    b = __builtin_shufflevector(b, b, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15);
    memcpy(out, &b, 16);
}
static int squares_3(const struct weft_transposed_block *block) {
    const ptrdiff_t across = block->across, stride = block->down < 0 ? -block->out_bytes : block->out_bytes;
    int columns = block->columns / 4 * 4, rows = block->rows / 4 * 4;
    for (int x = 0; x < columns; x += 4) {
        const unsigned char *column = block->in + x * across;
        for (int i = LINES; i < LINES + 4 && x + i < columns; i++) {
            const unsigned char *from = column + i * across + (block->down < 0 ? (block->rows - 1) * block->down : 0);
            __builtin_prefetch(from);
            __builtin_prefetch(from + block->rows * 3 - 1);
        }
        for (int y = 0; y < rows; y += 4) {
            int lowest = block->down < 0 ? y + 3 : y; /* in memory */
            const unsigned char *in = column + lowest * block->down;
            unsigned char *out = block->out + lowest * block->out_bytes + x * 3;
            part_4 a = load_3(in), b = load_3(in + across), c = load_3(in + 2 * across), d = load_3(in + 3 * across);
            part_4 p = __builtin_shufflevector(a, b, 0, 4, 1, 5), q = __builtin_shufflevector(c, d, 0, 4, 1, 5);
            part_4 r = __builtin_shufflevector(a, b, 2, 6, 3, 7), s = __builtin_shufflevector(c, d, 2, 6, 3, 7);
            store_3(out, __builtin_shufflevector(p, q, 0, 1, 4, 5));
            store_3(out + stride, __builtin_shufflevector(p, q, 2, 3, 6, 7));
            store_3(out + 2 * stride, __builtin_shufflevector(r, s, 0, 1, 4, 5));
            store_3(out + 3 * stride, __builtin_shufflevector(r, s, 2, 3, 6, 7));
        }
    }
    return columns;
}

/* Columns first .. end and rows from `top` on, pixel by pixel. */
static inline __attribute__((always_inline)) void move(const struct weft_transposed_block *block, int size, int first, int end,
                                                       int top) {
    for (int begin = first; begin < end; begin += LINES) {
        int last = end - begin < LINES ? end : begin + LINES;
        for (int x = last; x < end && x < last + LINES; x++)
            __builtin_prefetch(block->in + x * block->across + (block->down < 0 ? block->rows - 1 : 0) * block->down);
        for (int y = top; y < block->rows; y++) {
            const unsigned char *in = block->in + y * block->down;
            unsigned char *out = block->out + y * block->out_bytes;
            for (int x = begin; x < last; x++)
                memcpy(out + x * size, in + x * block->across, (size_t)size);
        }
    }
}

static void transpose_block(const void *data) {
    const struct weft_transposed_block *block = data;
    bool lies = block->down == block->size || block->down == -block->size;
    int columns = 0, lanes = !lies || block->size > 8 ? 1 : block->size == 3 ? 4 : 16 / block->size;
    switch (lies ? block->size : 0) {
    case 1: columns = squares_1(block); break;
    case 2: columns = squares_2(block); break;
    case 3: columns = squares_3(block); break;
    case 4: columns = squares_4(block); break;
    case 8: columns = squares_8(block); break;
    default: break;
    }
    switch (block->size) {
    case 3: move(block, 3, columns, block->columns, 0); break;
    case 6: move(block, 6, columns, block->columns, 0); break;
    case 12: move(block, 12, columns, block->columns, 0); break;
    case 16: move(block, 16, columns, block->columns, 0); break;
    default: move(block, block->size, columns, block->columns, 0); break;
    }
    if (columns > 0 && block->rows % lanes != 0)
        move(block, block->size, 0, columns, block->rows - block->rows % lanes);
}

void KERNEL(weft_fill_transpose)(struct weft_kernels *kernels);
void KERNEL(weft_fill_transpose)(struct weft_kernels *kernels) { kernels->transpose_block = transpose_block; }
