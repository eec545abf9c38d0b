/* SPDX-License-Identifier: MIT
 * What every kernel does around its own work: it gets pixels of its input through the load program (`fetch`) and hands
 * pixels of its result to the store program (`deliver`). A kernel's file includes this, then defines its KERNEL, which
 * begins with BEGIN and ends with FINISH:
 *
 *   vec4 CALL(fetch, x, y)                 the pixel at x, y, which must be inside
 *   vec4 CALL(fetch_around, x, y, inside)  the same for any place, by L.border; inside is set to 0 where none counts
 *   CALL(deliver, x, y, v)                 a pixel of the result; x, y must be inside
 *   BLOCK_ADDRESS(words)                   where the parameter block lies that begins at that word of the launch's
 *
 * Programs are lists of point filters (launch.h). In Vulkan short ones are constants of the pipeline, so that its compiler
 * leaves nothing of them but the arithmetic; CUDA, and Vulkan for long ones, go through the list, which is the same for
 * all threads. Code that can run any program takes many registers. So CUDA has most kernels twice: in the form PLAIN
 * image 0 is the input, the only store is the result, and there are no programs and no reductions.
 *
 * A kernel that does nothing but run programs defines PROGRAM_INLINE: point filters are then part of it, not called. */
#ifndef KERNELS_GPU_PROGRAM_H
#define KERNELS_GPU_PROGRAM_H
#include "kernels/gpu/image.h"

#if defined(GLSL)
layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer launch_memory { gpu_launch at; };
layout(push_constant, scalar) uniform Push { address launch; };
#define L launch_memory(launch).at
#define BLOCK_ADDRESS(offset) (L.blocks + address(4 * (offset)))
#define KERNEL(name, threads_x, threads_y)                                                                             \
    layout(local_size_x = threads_x, local_size_y = threads_y) in;                                                     \
    void main()
#define S_(name) name
layout(constant_id = SPECIAL_FOLDED) const int FOLDED = 0;
layout(constant_id = SPECIAL_IN_TYPE) const int IN_TYPE = 0;
layout(constant_id = SPECIAL_IN_CHANNELS) const int IN_CHANNELS = 0;
layout(constant_id = SPECIAL_CHANNELS) const int KNOWN_CHANNELS = 0;
layout(constant_id = SPECIAL_LOAD_COUNT) const int LOAD_COUNT = 0;
layout(constant_id = SPECIAL_STORE_COUNT) const int STORE_COUNT = 0;
layout(constant_id = SPECIAL_BORDER) const int KNOWN_BORDER = 0;
layout(constant_id = SPECIAL_REDUCE_COUNT) const int REDUCE_COUNT = 0;
#else
#define BLOCK_ADDRESS(offset) (L.blocks != 0 ? L.blocks + address(4 * (offset)) : address(&L.words[offset]))
#define KERNEL(name, threads_x, threads_y)                                                                             \
    extern "C" __global__ void __launch_bounds__((threads_x) * (threads_y)) name(const __grid_constant__ gpu_launch L)
#define S_(name) S.name
#endif

/* Of the input and the result, known to Vulkan's compiler. */
#define in_channels_known KNOWN(IN_CHANNELS, L.in_channels)
#define in_type_known KNOWN(IN_TYPE, L.in_type)
#define channels_known KNOWN(KNOWN_CHANNELS, L.channels)
#define border_known KNOWN(KNOWN_BORDER, L.border)

#include "kernels/gpu/state.h"
#if !defined(PLAIN)
#if defined(PROGRAM_INLINE)
#undef FN_CALL
#define FN_CALL FN
#endif
#include "point_operations.h" /* generated: point_operation(op, a, b, at, block, shape) with every point filter */
#include "kernels/gpu/reduction.h"

LFN(vec4, operand, int which, int type, int channels, int x, int y) {
    if (which >= OPERAND_IMAGE) {
        int i = which - OPERAND_IMAGE;
        return read_pixel(L.image[i].first + address(long_int(y) * L.image[i].pitch), x, type, channels);
    }
    return which == 0 ? S_(r0) : which == 1 ? S_(r1) : which == 2 ? S_(r2) : S_(r3);
}

LFN(void, run_instruction, int op, int operands, int shape, int block, int x, int y, int width, int height) {
    int which_a = operands & 255, which_b = operands >> 8 & 255, to = operands >> 16 & 255;
    vec4 a = rgba(0.0f, 0.0f, 0.0f, 0.0f), b = a;
    if (which_a != 255)
        a = CALL(operand, which_a, shape >> 12 & 15, shape & 15, x, y);
    if (op == OP_STORE) {
        int i = which_b - OPERAND_IMAGE;
        if (y >= L.image[i].from_y && y < L.image[i].to_y)
            write_pixel(L.image[i].first + address(long_int(y) * L.image[i].pitch), x, shape >> 20 & 15, shape >> 8 & 15, a);
    } else if (op == OP_REDUCE) {
        if (y >= L.reduce[which_b].from_y && y < L.reduce[which_b].to_y)
            CALL(reduce_take, which_b, a);
    } else {
        if (which_b != 255)
            b = CALL(operand, which_b, shape >> 16 & 15, shape >> 4 & 15, x, y);
        if (op != OP_COPY) {
            place at = PLACE_AT(x, y, width, height);
            a = point_operation(op, a, b, at, BLOCK_ADDRESS(block), shape);
        }
        if (to == 0)
            S_(r0) = a;
        else if (to == 1)
            S_(r1) = a;
        else if (to == 2)
            S_(r2) = a;
        else
            S_(r3) = a;
    }
}

/* The constants of folded instructions, and their turns. */
#if defined(GLSL)
#define FOLDED_(program, k, id)                                                                                        \
    layout(constant_id = id) const int program##_op_##k = OP_NONE;                                                     \
    layout(constant_id = id + 1) const int program##_operands_##k = 0;                                                 \
    layout(constant_id = id + 2) const int program##_shape_##k = 0;                                                    \
    layout(constant_id = id + 3) const int program##_block_##k = 0;
#define FOLDED_ALL(program, id)                                                                                        \
    FOLDED_(program, 0, id)                                                                                            \
    FOLDED_(program, 1, id + 4)                                                                                        \
    FOLDED_(program, 2, id + 8)                                                                                        \
    FOLDED_(program, 3, id + 12)                                                                                       \
    FOLDED_(program, 4, id + 16)                                                                                       \
    FOLDED_(program, 5, id + 20)                                                                                       \
    FOLDED_(program, 6, id + 24)                                                                                       \
    FOLDED_(program, 7, id + 28)                                                                                       \
    FOLDED_(program, 8, id + 32)                                                                                       \
    FOLDED_(program, 9, id + 36)                                                                                       \
    FOLDED_(program, 10, id + 40)                                                                                      \
    FOLDED_(program, 11, id + 44)                                                                                      \
    FOLDED_(program, 12, id + 48)                                                                                      \
    FOLDED_(program, 13, id + 52)                                                                                      \
    FOLDED_(program, 14, id + 56)                                                                                      \
    FOLDED_(program, 15, id + 60)
FOLDED_ALL(load, SPECIAL_LOAD)
FOLDED_ALL(store, SPECIAL_STORE)
#define TURN(program, count, k)                                                                                        \
    if (count > k)                                                                                                     \
        run_instruction(program##_op_##k, program##_operands_##k, program##_shape_##k, program##_block_##k, x, y, width, \
                        height);
#define RUN_PROGRAM(program, count_known, count)                                                                       \
    if (FOLDED != 0) {                                                                                                 \
        TURN(program, count_known, 0)                                                                                  \
        TURN(program, count_known, 1)                                                                                  \
        TURN(program, count_known, 2)                                                                                  \
        TURN(program, count_known, 3)                                                                                  \
        TURN(program, count_known, 4)                                                                                  \
        TURN(program, count_known, 5)                                                                                  \
        TURN(program, count_known, 6)                                                                                  \
        TURN(program, count_known, 7)                                                                                  \
        TURN(program, count_known, 8)                                                                                  \
        TURN(program, count_known, 9)                                                                                  \
        TURN(program, count_known, 10)                                                                                 \
        TURN(program, count_known, 11)                                                                                 \
        TURN(program, count_known, 12)                                                                                 \
        TURN(program, count_known, 13)                                                                                 \
        TURN(program, count_known, 14)                                                                                 \
        TURN(program, count_known, 15)                                                                                 \
    } else {                                                                                                           \
        for (int i = 0; i < count; i++)                                                                                \
            run_instruction(L.program[i].op, L.program[i].operands, L.program[i].shape, L.program[i].block, x, y, width, \
                            height);                                                                                   \
    }
#else
#define RUN_PROGRAM(program, count_known, count)                                                                       \
    for (int i = 0; i < count; i++)                                                                                    \
        run_instruction(L, S, L.program[i].op, L.program[i].operands, L.program[i].shape, L.program[i].block, x, y, width, \
                        height);
#endif

LFN(vec4, fetch, int x, int y) {
    if (KNOWN(LOAD_COUNT, L.load_count) == 0)
        return read_pixel(L.image[0].first + address(long_int(y) * L.image[0].pitch), x, in_type_known, in_channels_known);
    int width = L.in_width, height = L.in_height;
    RUN_PROGRAM(load, LOAD_COUNT, L.load_count)
    return S_(r0);
}

LFN(void, deliver, int x, int y, vec4 v) {
    int width = L.width, height = L.height;
    S_(r0) = v;
    RUN_PROGRAM(store, STORE_COUNT, L.store_count)
}

/* A kernel's first and last lines. */
#if defined(GLSL)
#define BEGIN CALL0(reduce_begin);
#else
#define BEGIN                                                                                                          \
    thread_state S;                                                                                                    \
    CALL0(reduce_begin);
#endif
#define FINISH                                                                                                         \
    if (KNOWN(REDUCE_COUNT, L.reduce_count) > 0)                                                                       \
        CALL0(reduce_end);

#else /* --------------------------------------------------------------------------------------------------- PLAIN */
#define BEGIN thread_state S;
#define FINISH

LFN(vec4, fetch, int x, int y) {
    return read_pixel(L.image[0].first + address(long_int(y) * L.image[0].pitch), x, in_type_known, in_channels_known);
}

LFN(void, deliver, int x, int y, vec4 v) {
    int i = (L.store[0].operands >> 8 & 255) - OPERAND_IMAGE, shape = L.store[0].shape;
    if (y >= L.image[i].from_y && y < L.image[i].to_y)
        write_pixel(L.image[i].first + address(long_int(y) * L.image[i].pitch), x, shape >> 20 & 15, shape >> 8 & 15, v);
}
#endif

LFN(vec4, fetch_around, int x, int y, INOUT(int) inside) {
    int column = border_place(x, L.in_width, border_known), row = border_place(y, L.in_height, border_known);
    float outside = border_known == BORDER_CONSTANT ? L.border_value : 0.0f;
    if (column < 0 || row < 0) {
        inside = border_known == BORDER_CONSTANT ? inside : 0;
        return rgba(outside, outside, outside, outside);
    }
    return CALL(fetch, column, row);
}

#endif
