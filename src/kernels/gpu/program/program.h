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
 * Programs are lists of point filters (launch.h). Compilers know them, as constants of Vulkan's pipelines and as what CUDA's
 * text defines, so that nothing is left of them but the arithmetic; Vulkan's long ones are read from the launch, which is
 * the same for all threads. CUDA's compiler also knows by PLAIN_FORM that a kernel only reads one image and writes one
 * (conversions.h), and by FORMAT_* of what type and channels they are.
 *
 * A kernel that runs programs over several pixels at a time defines PROGRAM_BATCH (four_pixels.h), one that has no other form, or
 * no program, PROGRAMS_ALONE. */
#ifndef KERNELS_GPU_PROGRAM_H
#define KERNELS_GPU_PROGRAM_H
#include "kernels/gpu/dialect/entry.h"
#include "kernels/gpu/dialect/wide.h"

#if defined(FORMAT_CHANNELS)
#define in_channels_known FORMAT_CHANNELS
#define channels_known FORMAT_CHANNELS
#else
#define in_channels_known KNOWN(IN_CHANNELS, L.in_channels)
#define channels_known KNOWN(KNOWN_CHANNELS, L.channels)
#endif
#define border_known KNOWN(KNOWN_BORDER, L.border)
#define load_count_known KNOWN(LOAD_COUNT, L.load_count)
#define store_count_known KNOWN(STORE_COUNT, L.store_count)
#define converts_known KNOWN(CONVERTS, L.converts)

#include "kernels/gpu/program/instructions.h"
#include "point_operations.h" /* generated: point_operation(op, a, b, at, block, shape) with every point filter */
#include "kernels/gpu/program/conversions.h"

#if !defined(PLAIN_FORM)
#include "kernels/gpu/reduce/reduction.h"

LFN(vec4, operand, int which, int type, int channels, int x, int y) {
    if (which >= OPERAND_IMAGE) {
        int i = which - OPERAND_IMAGE;
        return read_pixel_of(L.image[i].first, L.image[i].pitch, x, y, type, channels);
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
            write_pixel_of(L.image[i].first, L.image[i].pitch, x, y, shape >> 20 & 15, shape >> 8 & 15, a);
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

LFN(vec4, fetch, int x, int y) {
    if (LOADS_PLAIN)
        return CALL(fetch_plain, x, y);
    int width = L.in_width, height = L.in_height;
    RUN_PROGRAM(load, LOAD_COUNT, L.load_count)
    return S_(r0);
}

LFN(void, deliver, int x, int y, vec4 v) {
    int width = L.width, height = L.height;
    if (STORES_PLAIN) {
        CALL(deliver_plain, x, y, v);
        return;
    }
    S_(r0) = v;
    RUN_PROGRAM(store, STORE_COUNT, L.store_count)
}

#else /* ------------------------------------------------------------------------------------------------ PLAIN_FORM */
#define BEGIN                                                                                                          \
    wait_for_prior_launches();                                                                                                 \
    thread_state S;
#define FINISH

LFN(vec4, fetch, int x, int y) { return CALL(fetch_plain, x, y); }
LFN(void, deliver, int x, int y, vec4 v) { CALL(deliver_plain, x, y, v); }
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
