/* SPDX-License-Identifier: MIT
 * Which words of an instruction are ids. */
#include "backend/vulkan/spirv/spirv.h"

uint32_t weft_spirv_result(uint32_t opcode) {
    switch (opcode) {
    case SPIRV_LABEL:
        return 1;
    case 0:
    case SPIRV_FUNCTION_END:
    case SPIRV_STORE:
    case SPIRV_COPY_MEMORY:
    case SPIRV_CONTROL_BARRIER:
    case SPIRV_MEMORY_BARRIER:
    case SPIRV_ATOMIC_STORE:
    case SPIRV_MATRIX_STORE:
        return 0;
    default:
        return opcode >= SPIRV_LOOP_MERGE && opcode <= SPIRV_UNREACHABLE ? 0 : 2;
    }
}

static bool within(uint32_t opcode, uint32_t first, uint32_t last) { return opcode >= first && opcode <= last; }

bool weft_spirv_known(uint32_t opcode) {
    return opcode == 1 /* undefined */ || opcode == SPIRV_EXTENDED ||
           within(opcode, SPIRV_FUNCTION, SPIRV_FUNCTION_CALL) || opcode == SPIRV_VARIABLE ||
           within(opcode, SPIRV_LOAD, SPIRV_COPY_MEMORY) ||
           within(opcode, SPIRV_ACCESS_CHAIN, SPIRV_ACCESS_CHAIN + 2) ||
           within(opcode, SPIRV_VECTOR_SHUFFLE - 2, SPIRV_COPY_OBJECT + 1) ||
           within(opcode, SPIRV_CONVERT_F_TO_U, SPIRV_BITCAST) ||
           within(opcode, SPIRV_NEGATE, SPIRV_EXTENDED_MULTIPLY) || within(opcode, SPIRV_ANY, SPIRV_LAST_COMPARISON) ||
           within(opcode, SPIRV_SHIFT_RIGHT_LOGICAL, SPIRV_BIT_COUNT) ||
           within(opcode, SPIRV_CONTROL_BARRIER, SPIRV_MEMORY_BARRIER) ||
           within(opcode, SPIRV_ATOMIC_LOAD, SPIRV_ATOMIC_XOR) || within(opcode, SPIRV_PHI, SPIRV_UNREACHABLE) ||
           opcode == SPIRV_COPY_LOGICAL || within(opcode, SPIRV_MATRIX_LOAD, SPIRV_MATRIX_MULTIPLY_ADD);
}

bool weft_spirv_is_id(uint32_t opcode, uint32_t i) {
    switch (opcode) {
    case SPIRV_EXTENDED:
        return i != 4;
    case SPIRV_FUNCTION:
        return i != 3;
    case SPIRV_VARIABLE:
        return i != 3;
    case SPIRV_LOAD:
    case SPIRV_COMPOSITE_EXTRACT:
    case SPIRV_BRANCH_CONDITIONAL:
        return i <= 3;
    case SPIRV_STORE:
    case SPIRV_COPY_MEMORY:
    case SPIRV_LOOP_MERGE:
        return i <= 2;
    case SPIRV_SELECTION_MERGE:
        return i <= 1;
    case SPIRV_VECTOR_SHUFFLE:
    case SPIRV_COMPOSITE_INSERT:
    case SPIRV_MATRIX_STORE:
        return i <= 4;
    case SPIRV_MATRIX_LOAD:
        return i <= 5;
    case SPIRV_SWITCH:
        return i <= 2 || i % 2 == 0;
    default:
        return true;
    }
}
