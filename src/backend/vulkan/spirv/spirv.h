/* SPDX-License-Identifier: MIT
 * As much of SPIR-V as trimming needs: a module is words; an instruction's first word is its length << 16 | its
 * opcode. */
#ifndef BACKEND_VULKAN_SPIRV_H
#define BACKEND_VULKAN_SPIRV_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "weft/status.h"

enum {
    SPIRV_HEADER = 5, /* words before the first instruction; the fourth is one more than the largest id */
    SPIRV_BOUND = 3,
    SPIRV_MAGIC = 0x07230203,

    SPIRV_NAME = 5,
    SPIRV_EXTENSION = 10,
    SPIRV_IMPORT = 11, /* of a set of instructions */
    SPIRV_EXTENDED = 12, /* an instruction of another set */
    SPIRV_MEMORY_MODEL = 14,
    SPIRV_ENTRY_POINT = 15,
    SPIRV_CAPABILITY = 17,
    SPIRV_TYPE_VOID = 19, /* the first of the types */
    SPIRV_TYPE_INT = 21,
    SPIRV_TYPE_FLOAT = 22,
    SPIRV_TYPE_VECTOR = 23,
    SPIRV_TYPE_POINTER = 32,
    SPIRV_TYPE_FUNCTION = 33,
    SPIRV_FORWARD_POINTER = 39, /* the last */
    SPIRV_CONSTANT_TRUE = 41,
    SPIRV_CONSTANT_FALSE = 42,
    SPIRV_CONSTANT = 43,
    SPIRV_CONSTANT_COMPOSITE = 44,
    SPIRV_SPEC_CONSTANT_TRUE = 48,
    SPIRV_SPEC_CONSTANT_FALSE = 49,
    SPIRV_SPEC_CONSTANT = 50,
    SPIRV_SPEC_CONSTANT_OP = 52,
    SPIRV_FUNCTION = 54,
    SPIRV_FUNCTION_PARAMETER = 55,
    SPIRV_FUNCTION_END = 56,
    SPIRV_FUNCTION_CALL = 57,
    SPIRV_VARIABLE = 59,
    SPIRV_LOAD = 61,
    SPIRV_STORE = 62,
    SPIRV_COPY_MEMORY = 63,
    SPIRV_ACCESS_CHAIN = 65,
    SPIRV_DECORATE = 71,
    SPIRV_MEMBER_DECORATE = 72,
    SPIRV_VECTOR_SHUFFLE = 79,
    SPIRV_COMPOSITE_CONSTRUCT = 80,
    SPIRV_COMPOSITE_EXTRACT = 81,
    SPIRV_COMPOSITE_INSERT = 82,
    SPIRV_COPY_OBJECT = 83,
    SPIRV_CONVERT_F_TO_U = 109, /* the first of the conversions */
    SPIRV_BITCAST = 124,        /* the last */
    SPIRV_NEGATE = 126,         /* the first of the arithmetic */
    SPIRV_ADD = 128,
    SPIRV_SUBTRACT = 130,
    SPIRV_MULTIPLY = 132,
    SPIRV_EXTENDED_MULTIPLY = 152, /* the last */
    SPIRV_ANY = 154,               /* the first of the comparisons */
    SPIRV_LOGICAL_EQUAL = 164,
    SPIRV_LOGICAL_NOT_EQUAL = 165,
    SPIRV_LOGICAL_OR = 166,
    SPIRV_LOGICAL_AND = 167,
    SPIRV_LOGICAL_NOT = 168,
    SPIRV_SELECT = 169,
    SPIRV_EQUAL = 170,
    SPIRV_NOT_EQUAL = 171,
    SPIRV_GREATER_UNSIGNED = 172,
    SPIRV_GREATER = 173,
    SPIRV_GREATER_EQUAL_UNSIGNED = 174,
    SPIRV_GREATER_EQUAL = 175,
    SPIRV_LESS_UNSIGNED = 176,
    SPIRV_LESS = 177,
    SPIRV_LESS_EQUAL_UNSIGNED = 178,
    SPIRV_LESS_EQUAL = 179,
    SPIRV_LAST_COMPARISON = 191,
    SPIRV_SHIFT_RIGHT_LOGICAL = 194, /* the first of the bits */
    SPIRV_SHIFT_RIGHT = 195,
    SPIRV_SHIFT_LEFT = 196,
    SPIRV_OR = 197,
    SPIRV_EXCLUSIVE_OR = 198,
    SPIRV_AND = 199,
    SPIRV_NOT = 200,
    SPIRV_BIT_COUNT = 205, /* the last */
    SPIRV_CONTROL_BARRIER = 224,
    SPIRV_MEMORY_BARRIER = 225,
    SPIRV_ATOMIC_LOAD = 227, /* the first of the atomics */
    SPIRV_ATOMIC_STORE = 228,
    SPIRV_ATOMIC_XOR = 242, /* the last */
    SPIRV_PHI = 245,
    SPIRV_LOOP_MERGE = 246,
    SPIRV_SELECTION_MERGE = 247,
    SPIRV_LABEL = 248,
    SPIRV_BRANCH = 249,
    SPIRV_BRANCH_CONDITIONAL = 250,
    SPIRV_SWITCH = 251,
    SPIRV_KILL = 252,
    SPIRV_RETURN_VALUE = 254,
    SPIRV_UNREACHABLE = 255,
    SPIRV_COPY_LOGICAL = 400,
    SPIRV_MATRIX_LOAD = 5359, /* of SPV_NV_cooperative_matrix */
    SPIRV_MATRIX_STORE = 5360,
    SPIRV_MATRIX_MULTIPLY_ADD = 5361,

    SPIRV_DECORATION_SPEC_ID = 1,
    SPIRV_DECORATION_BUILT_IN = 11
};
/* -2^100, a float: what the stand-in for point_operation returns (cmake/Kernels.cmake). */
#define SPIRV_STAND_IN 0xf1800000u

static inline uint32_t spirv_opcode(uint32_t word) { return word & 0xffff; }
static inline uint32_t spirv_length(uint32_t word) { return word >> 16; }

/* Where an instruction of a function has its result id; 0: it has none. */
uint32_t weft_spirv_result(uint32_t opcode);
/* Whether the instructions of functions are all known here. */
bool weft_spirv_known(uint32_t opcode);
/* Whether word `i`, not the first, of such an instruction is an id. */
bool weft_spirv_is_id(uint32_t opcode, uint32_t i);

/* What is known: numbers of 32 bits and truths, by id. */
struct spirv_numbers {
    bool *known;
    int32_t *value;
};

/* Works out the constants in words[SPIRV_HEADER .. end), which come before all functions. The arrays have `bound`
 * elements, zeroed, as has `scratch`. `values` are those of the constants with ids 0 .. value_count - 1; `given` says
 * which of them are there. */
void weft_spirv_numbers(const uint32_t *words, size_t end, uint32_t bound, const int32_t *values, const bool *given,
                        uint32_t value_count, struct spirv_numbers *numbers, uint32_t *scratch);
/* Works out an instruction's result, when it is one of those that are understood and its operands are known. */
void weft_spirv_compute(uint32_t opcode, const uint32_t *operands, uint32_t count, uint32_t result, uint32_t bound,
                        struct spirv_numbers *numbers);

/* Leaves out of a module what cannot be reached when its specialization constants have these values. With `copies`,
 * numbers that are known go into the functions that are called with them, each of which then has a copy for every set
 * of them, where that makes the module shorter. Drivers take long for what they then throw away: this is what makes pipelines of
 * programs folded into them quick to make. *result is NULL when the module is not of the shape that is understood or memory is
 * short: the module as it is does as well. The caller frees it with weft_free. */
void weft_spirv_trim(const uint32_t *words, size_t count, const int32_t *values, const bool *given,
                     uint32_t value_count, bool copies, uint32_t **result, size_t *result_count);

/* Makes one module of a kernel's and of that of all point filters (spirv_link.c), for the caller to free; *result is NULL where the
 * kernel calls none. */
weft_status weft_spirv_link(const uint32_t *kernel, size_t kernel_count, const uint32_t *operations, size_t operations_count,
                            uint32_t **result, size_t *count, weft_error *error);

/* The module with what makes its conversions of half floats IEEE's, for the caller to free; NULL without memory. */
uint32_t *weft_spirv_halves(const uint32_t *words, size_t count, size_t *result_count);

#endif
