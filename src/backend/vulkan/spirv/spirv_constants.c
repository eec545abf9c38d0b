/* SPDX-License-Identifier: MIT
 * Specialization constants and what follows from them. */
#include "backend/vulkan/spirv/spirv.h"

/* False: not understood, or undefined. */
static bool compute(uint32_t opcode, const int32_t *v, int32_t *result) {
    uint32_t a = (uint32_t)v[0], b = (uint32_t)v[1];
    switch (opcode) {
    case SPIRV_BITCAST:
        *result = v[0];
        break;
    case SPIRV_NEGATE:
        *result = (int32_t)(0 - a);
        break;
    case SPIRV_ADD:
        *result = (int32_t)(a + b);
        break;
    case SPIRV_SUBTRACT:
        *result = (int32_t)(a - b);
        break;
    case SPIRV_MULTIPLY:
        *result = (int32_t)(a * b);
        break;
    case SPIRV_LOGICAL_EQUAL:
    case SPIRV_EQUAL:
        *result = a == b;
        break;
    case SPIRV_LOGICAL_NOT_EQUAL:
    case SPIRV_NOT_EQUAL:
        *result = a != b;
        break;
    case SPIRV_LOGICAL_OR:
    case SPIRV_OR:
        *result = (int32_t)(a | b);
        break;
    case SPIRV_LOGICAL_AND:
    case SPIRV_AND:
        *result = (int32_t)(a & b);
        break;
    case SPIRV_EXCLUSIVE_OR:
        *result = (int32_t)(a ^ b);
        break;
    case SPIRV_LOGICAL_NOT:
        *result = !a;
        break;
    case SPIRV_NOT:
        *result = (int32_t)~a;
        break;
    case SPIRV_SELECT:
        *result = a ? v[1] : v[2];
        break;
    case SPIRV_GREATER:
        *result = v[0] > v[1];
        break;
    case SPIRV_GREATER_EQUAL:
        *result = v[0] >= v[1];
        break;
    case SPIRV_LESS:
        *result = v[0] < v[1];
        break;
    case SPIRV_LESS_EQUAL:
        *result = v[0] <= v[1];
        break;
    case SPIRV_GREATER_UNSIGNED:
        *result = a > b;
        break;
    case SPIRV_GREATER_EQUAL_UNSIGNED:
        *result = a >= b;
        break;
    case SPIRV_LESS_UNSIGNED:
        *result = a < b;
        break;
    case SPIRV_LESS_EQUAL_UNSIGNED:
        *result = a <= b;
        break;
    case SPIRV_SHIFT_LEFT:
        *result = (int32_t)(b < 32 ? a << b : 0);
        return b < 32;
    case SPIRV_SHIFT_RIGHT_LOGICAL:
        *result = (int32_t)(b < 32 ? a >> b : 0);
        return b < 32;
    case SPIRV_SHIFT_RIGHT:
        *result = (int32_t)(b < 32 ? (v[0] < 0 ? ~(~a >> b) : a >> b) : 0);
        return b < 32;
    default:
        return false;
    }
    return true;
}

void weft_spirv_compute(uint32_t opcode, const uint32_t *operands, uint32_t count, uint32_t result, uint32_t bound,
                        struct spirv_numbers *numbers) {
    int32_t v[3] = {0};
    if (count < 1 || count > 3)
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (operands[i] >= bound || !numbers->known[operands[i]])
            return;
        v[i] = numbers->value[operands[i]];
    }
    numbers->known[result] = compute(opcode, v, &numbers->value[result]);
}

/* `scratch` has, by id: 1 for the type of integers of 32 bits, 2 + n for the constant with specialization id n. */
void weft_spirv_numbers(const uint32_t *words, size_t end, uint32_t bound, const int32_t *values, const bool *given,
                        uint32_t value_count, struct spirv_numbers *numbers, uint32_t *scratch) {
    for (size_t i = SPIRV_HEADER; i < end; i += spirv_length(words[i])) {
        const uint32_t *word = &words[i];
        uint32_t opcode = spirv_opcode(word[0]), length = spirv_length(word[0]);
        if (opcode == SPIRV_DECORATE) {
            if (length == 4 && word[1] < bound && word[2] == SPIRV_DECORATION_SPEC_ID && word[3] < value_count &&
                given[word[3]])
                scratch[word[1]] = 2 + word[3];
            continue;
        }
        if (opcode == SPIRV_TYPE_INT && length == 4 && word[1] < bound && word[2] == 32)
            scratch[word[1]] = 1;
        if (length < 3 || word[1] >= bound || word[2] >= bound)
            continue;
        bool whole = scratch[word[1]] == 1;
        int32_t *value = &numbers->value[word[2]];
        bool *known = &numbers->known[word[2]];
        switch (opcode) {
        case SPIRV_CONSTANT_TRUE:
        case SPIRV_CONSTANT_FALSE:
        case SPIRV_SPEC_CONSTANT_TRUE:
        case SPIRV_SPEC_CONSTANT_FALSE:
            *known = true;
            *value = opcode == SPIRV_CONSTANT_TRUE || opcode == SPIRV_SPEC_CONSTANT_TRUE;
            if (scratch[word[2]] >= 2)
                *value = values[scratch[word[2]] - 2] != 0;
            break;
        case SPIRV_CONSTANT:
        case SPIRV_SPEC_CONSTANT:
            *known = whole && length == 4;
            if (*known)
                *value = scratch[word[2]] >= 2 ? values[scratch[word[2]] - 2] : (int32_t)word[3];
            break;
        case SPIRV_SPEC_CONSTANT_OP:
            if (length > 4)
                weft_spirv_compute(word[3], word + 4, length - 4, word[2], bound, numbers);
            break;
        default:
            break;
        }
    }
}
