/* SPDX-License-Identifier: MIT
 * Point programs over four pixels of a thread at a time: memory is asked for all four before the first is needed.
 *
 *   BATCH_NEAR       1: the four are side by side, and read and written together where they lie so; 0: 32 columns apart,
 *                    where pixels of an image are large: threads side by side fill whole sectors so
 *   batch_column(i)  the column of pixel i of this thread; the block's are BATCH_COLUMNS from `first` on
 *   prepare_batch    what the block's threads do before their pixels
 *   run_batch        the four pixels at row y through the load and the store program */
#ifndef KERNELS_GPU_FOUR_PIXELS_H
#define KERNELS_GPU_FOUR_PIXELS_H
#include "kernels/gpu/program/program.h"
#include "kernels/gpu/dialect/bits.h"
#include "kernels/gpu/program/block_tables.h"
#include "kernels/gpu/tile/tile.h"

#define BATCH 4
/* Whether a table of bytes is looked up, which is done for four pixels side by side. */
#define TABLED (LOAD_COUNT == 0 && STORE_COUNT > 0 && (store_shape_0 & SHAPE_TABLE) != 0)
#define BATCH_NEAR CALL0(is_batch_near)
FN bool is_image(int which) { return which >= OPERAND_IMAGE && which != 255; }
FN bool is_large(int which, int channels, int type) { return is_image(which) && channels == 4 && type == TYPE_F32; }
#define NEAR_ITERATION(program, count, k)                                                                              \
    if (count > k) {                                                                                                   \
        int a = program##_operands_##k & 255, b = program##_operands_##k >> 8 & 255, shape = program##_shape_##k;      \
        bool stores = program##_op_##k == OP_STORE;                                                                    \
        near = near && !is_large(a, shape & 15, shape >> 12 & 15) &&                                                   \
               !is_large(b, shape >> (stores ? 8 : 4) & 15, shape >> (stores ? 20 : 16) & 15);                         \
    }
LFN0(bool, is_batch_near) {
    bool near = in_channels_known * bytes_of(KNOWN(IN_TYPE, L.in_type)) <= 8;
    EACH_ITERATION(NEAR_ITERATION, load, LOAD_COUNT)
    EACH_ITERATION(NEAR_ITERATION, store, STORE_COUNT)
    return near || TABLED;
}

LFN(int, batch_column, int first, int i) {
    return BATCH_NEAR ? first + BATCH * THREAD_X + i : first + THREAD_X + 32 * i;
}

/* Four pixels from column x on, or at x and every 32nd column after it; what is not there stays 0. */
FN_CALL four_pixels read_batch(address first, long_int pitch, int type, int channels, int x, int y, int width, bool near) {
    four_pixels p;
    address row = row_of(first, pitch, y);
    p.a = p.b = p.c = p.d = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    if (near && x + 4 <= width && type != TYPE_VALUES)
        return read_four_pixels(row, x, type, channels, lies_in_words(first, pitch, type, channels));
    int apart = near ? 1 : 32;
    bool whole = lies_on(first, pitch, 4 * bytes_of(type)) && type != TYPE_VALUES;
    if (x < width)
        p.a = read_one(row, x, type, channels, whole);
    if (x + apart < width)
        p.b = read_one(row, x + apart, type, channels, whole);
    if (x + 2 * apart < width)
        p.c = read_one(row, x + 2 * apart, type, channels, whole);
    if (x + 3 * apart < width)
        p.d = read_one(row, x + 3 * apart, type, channels, whole);
    return p;
}
FN_CALL void write_batch(address first, long_int pitch, int type, int channels, int x, int y, int width, bool near, bool fits,
                         four_pixels p) {
    address row = row_of(first, pitch, y);
    if (near) {
        write_four_pixels(row, x, fits ? x + 4 : width, type, channels, fits || lies_in_words(first, pitch, type, channels), p);
        return;
    }
    bool whole = fits || lies_on(first, pitch, 4 * bytes_of(type));
    if (channels == 4 && whole) {
        uvec4 a = bits_of_four(p.a, type), b = bits_of_four(p.b, type), c = bits_of_four(p.c, type), d = bits_of_four(p.d, type);
        if (x < width)
            write_four_bits(row, 4 * x, type, true, a);
        if (x + 32 < width)
            write_four_bits(row, 4 * x + 128, type, true, b);
        if (x + 64 < width)
            write_four_bits(row, 4 * x + 256, type, true, c);
        if (x + 96 < width)
            write_four_bits(row, 4 * x + 384, type, true, d);
        return;
    }
    if (x < width)
        write_one(row, x, type, channels, whole, p.a);
    if (x + 32 < width)
        write_one(row, x + 32, type, channels, whole, p.b);
    if (x + 64 < width)
        write_one(row, x + 64, type, channels, whole, p.c);
    if (x + 96 < width)
        write_one(row, x + 96, type, channels, whole, p.d);
}
#define BATCH_OF(i, type, channels, width)                                                                             \
    read_batch(L.image[i].first, L.image[i].pitch, type, channels, x, y, width, BATCH_NEAR)
#define BATCH_TO(i, type, channels, fits, p)                                                                           \
    write_batch(L.image[i].first, L.image[i].pitch, type, channels, x, y, L.width, BATCH_NEAR, fits, p)

/* `one`: what is done with pixel `v` at column `at`, for those that are there. */
#define EACH_OF_BATCH(p, x, width, one)                                                                                \
    {                                                                                                                  \
        int apart = BATCH_NEAR ? 1 : 32;                                                                               \
        if (x < width)                                                                                                 \
            one(x, p.a)                                                                                                \
        if (x + apart < width)                                                                                         \
            one(x + apart, p.b)                                                                                        \
        if (x + 2 * apart < width)                                                                                     \
            one(x + 2 * apart, p.c)                                                                                    \
        if (x + 3 * apart < width)                                                                                     \
            one(x + 3 * apart, p.d)                                                                                    \
    }

/* The registers as the launch numbers them. */
LFN(void, set_register, int which, vec4 v) {
    if (which == 0)
        S_(r0) = v;
    else if (which == 1)
        S_(r1) = v;
    else if (which == 2)
        S_(r2) = v;
    else
        S_(r3) = v;
}
#define IS_PREPARED(shape) (((shape) & (SHAPE_TABLE | SHAPE_SUMS)) != 0)

/* One of a run of sums, on black, which is kept in `black`, or on what it is probed with. */
LFN(void, prepare_sums, int op, int operands, int shape, int block, int thread, bool probed,
    INOUT_ARRAY(vec4, black, PREPARED_RUNS)) {
    if ((shape & SHAPE_FIRST) != 0)
        CALL(set_register, operands & 255, probed ? probe(thread, (shape & SHAPE_APART) != 0) : rgba(0.0f, 0.0f, 0.0f, 0.0f));
    CALL(run_instruction, op, operands, shape, block, 0, 0, L.width, L.height);
    vec4 v = CALL(operand, operands >> 16 & 255, TYPE_F32, 4, 0, 0);
    if (probed)
        keep_sums(SHAPE_RUN(shape), thread, v, black[SHAPE_RUN(shape)]);
    else
        black[SHAPE_RUN(shape)] = v;
}
#define TABLE_ITERATION(program, count, k)                                                                                  \
    if (count > k && (program##_shape_##k & SHAPE_TABLE) != 0)                                                         \
        ITERATION(program, count, k)
#define SUMS_ITERATION(program, count, k)                                                                                   \
    if (count > k && (program##_shape_##k & SHAPE_SUMS) != 0)                                                          \
        CALL(prepare_sums, program##_op_##k, program##_operands_##k, program##_shape_##k, program##_block_##k, thread, probed, \
             black);
LFN(void, prepare_batch, int thread) {
    int x = 0, y = 0, width = L.width, height = L.height;
    vec4 black[PREPARED_RUNS];
    if (FOLDED == 0)
        return;
    if (TABLED) {
        float v = number_of_bits(uint(thread), TYPE_U8);
        S_(r0) = rgba(v, v, v, v);
        EACH_ITERATION(TABLE_ITERATION, store, STORE_COUNT)
        keep_byte(thread, S_(r0));
    }
    bool probed = false;
    EACH_ITERATION(SUMS_ITERATION, store, STORE_COUNT)
    probed = true;
    EACH_ITERATION(SUMS_ITERATION, store, STORE_COUNT)
    BARRIER;
}

#if defined(GLSL) || !FOLDED
LFN(void, run_one_by_one, int x, int y) {
    int apart = BATCH_NEAR ? 1 : 32;
    for (int i = 0; i < BATCH; i++)
        if (x + i * apart < L.width)
            CALL(deliver, x + i * apart, y, CALL(fetch, x + i * apart, y));
}
#endif

#if defined(GLSL)
/* The last store is left out and its value returned, since it is made for four pixels together. */
#define PREPARED_ITERATION(program, count, k)                                                                               \
    if (count == k + 1 && program##_op_##k == OP_STORE)                                                                \
        v = operand(program##_operands_##k & 255, program##_shape_##k >> 12 & 15, program##_shape_##k & 15, x, y);     \
    else if (count > k && (program##_shape_##k & SHAPE_FIRST) != 0)                                                    \
        set_register(program##_operands_##k >> 16 & 255,                                                               \
                     run_of_pixel(program##_shape_##k, operand(program##_operands_##k & 255, TYPE_F32, 4, x, y)));     \
    else if (count > k && !IS_PREPARED(program##_shape_##k))                                                           \
        ITERATION(program, count, k)
vec4 deliver_prepared(int x, int y, vec4 v) {
    int width = L.width, height = L.height;
    r0 = v;
    EACH_ITERATION(PREPARED_ITERATION, store, STORE_COUNT)
    return v;
}
#define LAST_ITERATION(program, count, k)                                                                                   \
    if (count == k + 1 && program##_op_##k == OP_STORE) {                                                              \
        image = (program##_operands_##k >> 8 & 255) - OPERAND_IMAGE;                                                   \
        shape = program##_shape_##k;                                                                                   \
    }
/* The last store, of the values that it is to store. */
void store_last(four_pixels p, int x, int y) {
    int image = -1, shape = 0;
    EACH_ITERATION(LAST_ITERATION, store, STORE_COUNT)
    if (image >= 0 && y >= L.image[image].from_y && y < L.image[image].to_y)
        BATCH_TO(image, shape >> 20 & 15, shape >> 8 & 15, false, p);
}
#define DELIVER_ONE(at, v) v = deliver_prepared(at, y, v);
/* Programs that are read from the launch are long: their code exists once. */
void run_batch(int x, int y) {
    if (FOLDED != 0 && LOADS_PLAIN) {
        four_pixels p;
        if (TABLED)
            p = look_batch(L.image[0].first, L.image[0].pitch, in_channels_known, x, y, L.width);
        else
            p = BATCH_OF(SOURCE_IMAGE, source_type, source_channels, L.width);
        int image = STORED_IMAGE;
        p.a = take_in(p.a);
        p.b = take_in(p.b);
        p.c = take_in(p.c);
        p.d = take_in(p.d);
        if (!STORES_PLAIN) {
            EACH_OF_BATCH(p, x, L.width, DELIVER_ONE)
            store_last(p, x, y);
        } else if (y >= L.image[image].from_y && y < L.image[image].to_y) {
            p.a = hand_out(p.a);
            p.b = hand_out(p.b);
            p.c = hand_out(p.c);
            p.d = hand_out(p.d);
            BATCH_TO(image, stored_type, stored_channels, false, p);
        }
    } else {
        run_one_by_one(x, y);
    }
}

#elif FOLDED
#include "kernels/gpu/program/images_ahead.h"

/* Four pixels through one instruction after the other, also where some are outside: reads beyond a row give anything, and nothing
 * is written there. `fits`: all lies in words. Indices are constants, so that arrays stay in registers. */
LFN(four_pixels, batch_operand, INOUT_ARRAY(four_pixels, v, REGISTERS), int which, int type, int channels, int x, int y,
    int width, bool fits, const image_words &ahead) {
    if (which < OPERAND_IMAGE)
        return v[which & (REGISTERS - 1)];
    if (!fits)
        return BATCH_OF(which - OPERAND_IMAGE, type, channels, width);
    return CALL(batch_of_words, ahead.there ? ahead.w : CALL(read_batch_words, which, channels, type, x, y), channels, type);
}
LFN(void, run_batch_instruction, INOUT_ARRAY(four_pixels, v, REGISTERS), int op, int operands, int shape, int block, int x,
    int y, int width, int height, bool fits, const image_words *ahead) {
    int which_a = operands & 255, which_b = operands >> 8 & 255, to = operands >> 16 & 255, apart = BATCH_NEAR ? 1 : 32;
    four_pixels a = {}, b = {};
    if (op != OP_STORE && op != OP_REDUCE && (shape & SHAPE_FIRST) == 0 && IS_PREPARED(shape))
        return; /* in the table, or in the sum of the first of its run */
    if (which_a != 255)
        a = CALL(batch_operand, v, which_a, shape >> 12 & 15, shape & 15, x, y, width, fits, ahead[0]);
    if (op == OP_STORE) {
        int i = which_b - OPERAND_IMAGE;
        if (y >= L.image[i].from_y && y < L.image[i].to_y)
            BATCH_TO(i, shape >> 20 & 15, shape >> 8 & 15, fits, a);
    } else if (op == OP_REDUCE) {
#define REDUCE_ONE(at, v) CALL(reduce_take, which_b, v);
        if (y >= L.reduce[which_b].from_y && y < L.reduce[which_b].to_y)
            EACH_OF_BATCH(a, x, width, REDUCE_ONE)
    } else if ((shape & SHAPE_FIRST) != 0) {
        v[to] = (shape & SHAPE_APART) != 0 ? run_apart(SHAPE_RUN(shape), a) : run_matrix(SHAPE_RUN(shape), a);
    } else {
        if (which_b != 255)
            b = CALL(batch_operand, v, which_b, shape >> 16 & 15, shape >> 4 & 15, x, y, width, fits, ahead[1]);
        if (op != OP_COPY) {
            place at_a = {x, y, width, height}, at_b = {x + apart, y, width, height};
            place at_c = {x + 2 * apart, y, width, height}, at_d = {x + 3 * apart, y, width, height};
            a.a = point_operation(op, a.a, b.a, at_a, BLOCK_ADDRESS(block), shape);
            a.b = point_operation(op, a.b, b.b, at_b, BLOCK_ADDRESS(block), shape);
            a.c = point_operation(op, a.c, b.c, at_c, BLOCK_ADDRESS(block), shape);
            a.d = point_operation(op, a.d, b.d, at_d, BLOCK_ADDRESS(block), shape);
        }
        v[to] = a;
    }
}
#define BATCH_ITERATION(program, count, k)                                                                                  \
    CALL(run_batch_instruction, v, program##_op_##k, program##_operands_##k, program##_shape_##k, program##_block_##k, x, y, \
         width, height, fits, &ahead_of_##program[2 * k]);
#define AHEAD_ITERATION(program, count, k)                                                                             \
    if (fits) {                                                                                                        \
        ahead_of_##program[2 * k] = CALL(read_ahead, program##_operands_##k & 255, program##_shape_##k & 15,           \
                                         program##_shape_##k >> 12 & 15, x, y, left);                                  \
        if (program##_op_##k >= 0)                                                                                     \
            ahead_of_##program[2 * k + 1] =                                                                            \
                CALL(read_ahead, program##_operands_##k >> 8 & 255, program##_shape_##k >> 4 & 15,                     \
                     program##_shape_##k >> 16 & 15, x, y, left);                                                      \
    }
LFN(void, run_batch_programs, int x, int y, bool fits) {
    four_pixels v[REGISTERS];
    image_words ahead_of_load[2 * LAUNCH_CODE], ahead_of_store[2 * LAUNCH_CODE], ahead_of_first;
    int width = L.in_width, height = L.in_height, left = WORDS_AHEAD;
    if (LOAD_COUNT == 0 && fits)
        ahead_of_first = CALL(read_ahead, OPERAND_IMAGE, in_channels_known, IN_TYPE, x, y, left);
    EACH_ITERATION(AHEAD_ITERATION, load, LOAD_COUNT)
    EACH_ITERATION(AHEAD_ITERATION, store, STORE_COUNT)
    if (LOAD_COUNT == 0 && TABLED)
        v[0] = look_batch(L.image[0].first, L.image[0].pitch, in_channels_known, x, y, L.width);
    else if (LOAD_COUNT == 0)
        v[0] = CALL(batch_operand, v, OPERAND_IMAGE, IN_TYPE, in_channels_known, x, y, L.width, fits, ahead_of_first);
    EACH_ITERATION(BATCH_ITERATION, load, LOAD_COUNT)
    width = L.width;
    height = L.height;
    EACH_ITERATION(BATCH_ITERATION, store, STORE_COUNT)
}

/* `read`, `stored`: a bit for each image. What the program itself stores cannot be read ahead. */
FN uint bit_of_image(int which) { return is_image(which) ? 1u << (which - OPERAND_IMAGE) : 0u; }
#define FITS_ITERATION(program, count, k)                                                                              \
    {                                                                                                                  \
        int a = program##_operands_##k & 255, b = program##_operands_##k >> 8 & 255, shape = program##_shape_##k;      \
        bool stores = program##_op_##k == OP_STORE, takes = stores || program##_op_##k != OP_REDUCE;                   \
        read |= bit_of_image(a) | (stores || !takes ? 0u : bit_of_image(b));                                           \
        stored |= stores ? bit_of_image(b) : 0u;                                                                       \
        fits = fits && CALL(image_fits, a, shape & 15, shape >> 12 & 15) &&                                            \
               CALL(image_fits, takes ? b : 255, shape >> (stores ? 8 : 4) & 15, shape >> (stores ? 20 : 16) & 15);    \
    }
LFN(void, run_batch, int x, int y) {
    bool fits = !BATCH_NEAR || x + BATCH <= L.width;
    uint read = LOAD_COUNT == 0, stored = 0;
    if (LOAD_COUNT == 0)
        fits = fits && CALL(image_fits, OPERAND_IMAGE, in_channels_known, IN_TYPE);
    EACH_ITERATION(FITS_ITERATION, load, LOAD_COUNT)
    EACH_ITERATION(FITS_ITERATION, store, STORE_COUNT)
    if (!TABLED && (read & (read - 1)) != 0 && (read & stored) == 0 && fits)
        CALL(run_batch_programs, x, y, true);
    else
        CALL(run_batch_programs, x, y, false);
}

#else
LFN(void, run_batch, int x, int y) { CALL(run_one_by_one, x, y); }
#endif

#endif
