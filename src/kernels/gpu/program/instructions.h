/* SPDX-License-Identifier: MIT
 * The instructions of programs, which compilers know, as constants of a Vulkan pipeline or by known.h in CUDA, or which are
 * read from the launch, and how they run one after the other: RUN_PROGRAM(load or store, the number of instructions as the
 * compiler knows it, the same from the launch). */
#ifndef KERNELS_GPU_INSTRUCTIONS_H
#define KERNELS_GPU_INSTRUCTIONS_H
#include "kernels/gpu/dialect/launch.h"

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
#define EACH_ITERATION(ITERATION_OF, program, count)                                                                             \
    ITERATION_OF(program, count, 0)                                                                                         \
    ITERATION_OF(program, count, 1)                                                                                         \
    ITERATION_OF(program, count, 2)                                                                                         \
    ITERATION_OF(program, count, 3)                                                                                         \
    ITERATION_OF(program, count, 4)                                                                                         \
    ITERATION_OF(program, count, 5)                                                                                         \
    ITERATION_OF(program, count, 6)                                                                                         \
    ITERATION_OF(program, count, 7)                                                                                         \
    ITERATION_OF(program, count, 8)                                                                                         \
    ITERATION_OF(program, count, 9)                                                                                         \
    ITERATION_OF(program, count, 10)                                                                                        \
    ITERATION_OF(program, count, 11)                                                                                        \
    ITERATION_OF(program, count, 12)                                                                                        \
    ITERATION_OF(program, count, 13)                                                                                        \
    ITERATION_OF(program, count, 14)                                                                                        \
    ITERATION_OF(program, count, 15)
#elif FOLDED
/* As many as the program has: EACH_ITERATION_OF_load and EACH_ITERATION_OF_store are in known.h. */
#define EACH_ITERATION(ITERATION_OF, program, count) EACH_ITERATION_OF_##program(ITERATION_OF, count)
#else
#define LOAD_COUNT 0
#define STORE_COUNT 0
#define store_shape_0 0
#define EACH_ITERATION(ITERATION_OF, program, count)
#endif

/* `x`, `y`, `width` and `height` are the caller's. */
#define ITERATION(program, count, k)                                                                                        \
    if (count > k)                                                                                                     \
        CALL(run_instruction, program##_op_##k, program##_operands_##k, program##_shape_##k, program##_block_##k, x, y, width, \
             height);
#define RUN_PROGRAM(program, count_known, count)                                                                       \
    if (FOLDED != 0) {                                                                                                 \
        EACH_ITERATION(ITERATION, program, count_known)                                                                          \
    } else {                                                                                                           \
        for (int i = 0; i < count; i++)                                                                                \
            CALL(run_instruction, L.program[i].op, L.program[i].operands, L.program[i].shape, L.program[i].block, x, y, width, \
                 height);                                                                                              \
    }

/* What a thread keeps between the pixels that it handles: the registers of its program and its share of reductions. */
#define STATE                                                                                                          \
    vec4 r0, r1, r2, r3;                                                                                               \
    vec4 high0, low0, high1, low1; /* of the two reductions: the extreme, or the sum in two parts */
#if defined(GLSL)
STATE
#define PLACE_AT(x, y, width, height) place(x, y, width, height)
#else
struct thread_state { STATE };
#define PLACE_AT(x, y, width, height) {x, y, width, height}
#endif

#endif
