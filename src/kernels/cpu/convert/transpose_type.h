/* SPDX-License-Identifier: MIT
 * Square blocks of transpose.c for one type of pixel: T, of which LANES are in 16 bytes and a block's side, ROUNDS the
 * logarithm of that; EACH(F) is F(0), F(1) .. for as many; NAME(x) a function's name. No include guard: it is included
 * for each. */

typedef T NAME(part) __attribute__((vector_size(16)));

/* Rows i and i + LANES / 2 zipped, as often as it takes: lane j of row i comes to lane i of row j. */
#define ZIP_LOW(i) (i) / 2 + (i) % 2 * LANES
#define ZIP_HIGH(i) (i) / 2 + (i) % 2 * LANES + LANES / 2
static inline void NAME(square)(const unsigned char *from, ptrdiff_t across, unsigned char *out, ptrdiff_t stride) {
    NAME(part) a[LANES], b[LANES];
    for (int i = 0; i < LANES; i++)
        memcpy(&a[i], from + i * across, 16);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < LANES / 2; i++) {
            b[2 * i] = __builtin_shufflevector(a[i], a[i + LANES / 2], EACH(ZIP_LOW));
            b[2 * i + 1] = __builtin_shufflevector(a[i], a[i + LANES / 2], EACH(ZIP_HIGH));
        }
        for (int i = 0; i < LANES; i++)
            a[i] = b[i];
    }
    for (int i = 0; i < LANES; i++)
        memcpy(out + i * stride, &a[i], 16);
}

/* Squares of the block where its rows follow one another in memory, forwards or backwards; the columns that are done. */
static int NAME(squares)(const struct weft_transposed_block *block) {
    bool back = block->down < 0;
    int columns = block->columns / LANES * LANES, rows = block->rows / LANES * LANES;
    for (int x = 0; x < columns; x += LANES) {
        const unsigned char *in = block->in + x * block->across;
        for (int i = LINES; i < LINES + LANES && x + i < columns; i++)
            __builtin_prefetch(in + i * block->across + (back ? (block->rows - 1) * block->down : 0));
        for (int y = 0; y < rows; y += LANES) {
            unsigned char *out = block->out + y * block->out_bytes + x * (int)sizeof(T);
            if (back)
                NAME(square)(in + (y + LANES - 1) * block->down, block->across, out + (LANES - 1) * block->out_bytes,
                             -block->out_bytes);
            else
                NAME(square)(in + y * block->down, block->across, out, block->out_bytes);
        }
    }
    return columns;
}
#undef T
#undef LANES
#undef ROUNDS
#undef EACH
#undef NAME
