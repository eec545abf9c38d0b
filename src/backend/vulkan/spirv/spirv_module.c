/* SPDX-License-Identifier: MIT */
#include "backend/vulkan/spirv/spirv_module.h"
#include "base/memory.h"

#define LARGEST_BOUND (1u << 22)

/* Words that an instruction has at least, as far as others rely on it. */
static uint32_t least(uint32_t opcode) {
    switch (opcode) {
    case SPIRV_FUNCTION:
        return 5;
    case SPIRV_LOAD:
    case SPIRV_VARIABLE:
    case SPIRV_FUNCTION_CALL:
    case SPIRV_BRANCH_CONDITIONAL:
        return 4;
    case SPIRV_ENTRY_POINT:
    case SPIRV_FUNCTION_PARAMETER:
    case SPIRV_STORE:
    case SPIRV_PHI:
    case SPIRV_LOOP_MERGE:
    case SPIRV_SELECTION_MERGE:
    case SPIRV_SWITCH:
        return 3;
    case SPIRV_NAME:
    case SPIRV_DECORATE:
    case SPIRV_LABEL:
    case SPIRV_BRANCH:
        return 2;
    default:
        return 1;
    }
}

/* Whether instructions fill the words exactly; where functions begin, and which is the first to run. */
static bool measure(struct spirv_module *m) {
    size_t i = SPIRV_HEADER;
    if (m->count <= SPIRV_HEADER || m->words[0] != SPIRV_MAGIC || m->words[SPIRV_BOUND] > LARGEST_BOUND)
        return false;
    m->bound = m->words[SPIRV_BOUND];
    for (; i < m->count; i += spirv_length(m->words[i])) {
        uint32_t opcode = spirv_opcode(m->words[i]), length = spirv_length(m->words[i]);
        if (!length || length > m->count - i || length < least(opcode))
            return false;
        if (opcode == SPIRV_ENTRY_POINT)
            m->entry = m->words[i + 2];
        if (opcode == SPIRV_FUNCTION && !m->functions_at)
            m->functions_at = i;
        if (m->functions_at && (!weft_spirv_known(opcode) || weft_spirv_result(opcode) >= length))
            return false;
    }
    return i == m->count && m->functions_at;
}

/* Goes through functions and blocks, once to count them and once to note them. False: they are not well formed. */
static bool scan(struct spirv_module *m, bool note) {
    uint32_t blocks = 0, functions = 0;
    bool open = false, inside = false; /* a function, a block */
    for (size_t i = m->functions_at; i < m->count; i += spirv_length(m->words[i])) {
        const uint32_t *word = &m->words[i];
        uint32_t opcode = spirv_opcode(word[0]), length = spirv_length(word[0]), result = weft_spirv_result(opcode);
        struct spirv_function *function = note && functions ? &m->functions[functions - 1] : NULL;
        struct spirv_block *block = note && blocks ? &m->blocks[blocks - 1] : NULL;
        if (result && word[result] >= m->bound)
            return false;
        if (opcode == SPIRV_FUNCTION) {
            if (open)
                return false;
            open = true;
            if (note) {
                m->functions[functions] = (struct spirv_function){.begin = i, .id = word[2], .first = blocks};
                m->index[word[2]] = functions + 1;
            }
            functions++;
            continue;
        }
        if (!open ||
            (!inside && opcode != SPIRV_FUNCTION_PARAMETER && opcode != SPIRV_LABEL && opcode != SPIRV_FUNCTION_END))
            return false;
        if (opcode == SPIRV_FUNCTION_END) {
            if (inside)
                return false;
            open = false;
            if (note) {
                function->end = i + length;
                function->count = blocks - function->first;
            }
            continue;
        }
        if (note && opcode == SPIRV_FUNCTION_PARAMETER && function->parameter_count++ == 0)
            function->parameters = i;
        if (opcode == SPIRV_LABEL) {
            if (inside)
                return false;
            inside = true;
            if (note) {
                m->blocks[blocks] = (struct spirv_block){.begin = i, .label = word[1]};
                m->index[word[1]] = blocks + 1;
            }
            blocks++;
        } else if (note && (opcode == SPIRV_LOOP_MERGE || opcode == SPIRV_SELECTION_MERGE)) {
            block->merge = i;
        } else if (opcode >= SPIRV_BRANCH && opcode <= SPIRV_UNREACHABLE) {
            inside = false;
            if (note) {
                block->last = i;
                block->end = i + length;
            }
        }
        if (note && result) {
            m->owner[word[result]] = functions;
            m->local[word[result]] = function->locals++;
        }
        for (uint32_t k = 1; note && opcode != SPIRV_LOAD && k < length; k++)
            if (k != result && weft_spirv_is_id(opcode, k) && word[k] < m->bound)
                m->changes[word[k]] = true;
    }
    m->block_count = blocks;
    m->function_count = functions;
    return !open && functions > 0;
}

bool weft_spirv_module_open(struct spirv_module *m, const uint32_t *words, size_t count) {
    *m = (struct spirv_module){.words = words, .count = count};
    bool good = measure(m) && scan(m, false);
    if (good) {
        m->blocks = weft_allocate(m->block_count, sizeof *m->blocks);
        m->functions = weft_allocate(m->function_count, sizeof *m->functions);
        m->index = weft_allocate(m->bound, sizeof *m->index);
        m->owner = weft_allocate(m->bound, sizeof *m->owner);
        m->local = weft_allocate(m->bound, sizeof *m->local);
        m->changes = weft_allocate(m->bound, sizeof *m->changes);
        good = m->blocks && m->functions && m->index && m->owner && m->local && m->changes && scan(m, true);
    }
    if (!good)
        weft_spirv_module_close(m);
    return good;
}

void weft_spirv_module_close(struct spirv_module *m) {
    weft_free(m->changes);
    weft_free(m->local);
    weft_free(m->owner);
    weft_free(m->index);
    weft_free(m->functions);
    weft_free(m->blocks);
    *m = (struct spirv_module){0};
}

struct spirv_block *weft_spirv_block(const struct spirv_module *m, uint32_t label) {
    uint32_t index = label < m->bound ? m->index[label] : 0;
    return index && index <= m->block_count && m->blocks[index - 1].label == label ? &m->blocks[index - 1] : NULL;
}

struct spirv_function *weft_spirv_function(const struct spirv_module *m, uint32_t id) {
    uint32_t index = id < m->bound ? m->index[id] : 0;
    return index && index <= m->function_count && m->functions[index - 1].id == id ? &m->functions[index - 1] : NULL;
}
