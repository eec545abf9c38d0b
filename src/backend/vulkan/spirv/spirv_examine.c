/* SPDX-License-Identifier: MIT
 * Looking at a function with what is known of its arguments: what follows from it, and what is then reached. */
#include "backend/vulkan/spirv/spirv_trim.h"

#define ROUNDS 6

static bool reach(struct spirv_trimmer *t, uint32_t label) {
    struct spirv_block *block = weft_spirv_block(&t->module, label);
    if (block && !block->live) {
        block->live = true;
        t->stack[t->depth++] = (uint32_t)(block - t->module.blocks);
    }
    return block != NULL;
}

static bool known(const struct spirv_trimmer *t, uint32_t id) { return id < t->module.bound && t->numbers.known[id]; }

/* The only place where a branch can go; 0 when there are more. Only whole constructs are decided: those with a merge of
 * their own. */
uint32_t weft_spirv_only_target(const struct spirv_trimmer *t, const struct spirv_block *block) {
    const uint32_t *words = t->module.words, *word = &words[block->last];
    if (spirv_opcode(word[0]) != SPIRV_BRANCH_CONDITIONAL || !block->merge ||
        spirv_opcode(words[block->merge]) != SPIRV_SELECTION_MERGE || !known(t, word[1]))
        return 0;
    return t->numbers.value[word[1]] ? word[2] : word[3];
}

/* The only place where a switch can go; 0 when there are more. */
uint32_t weft_spirv_only_case(const struct spirv_trimmer *t, const struct spirv_block *block) {
    const uint32_t *word = &t->module.words[block->last];
    if (spirv_opcode(word[0]) != SPIRV_SWITCH || !known(t, word[1]))
        return 0;
    for (uint32_t i = 3; i + 1 < spirv_length(word[0]); i += 2)
        if ((int32_t)word[i] == t->numbers.value[word[1]])
            return word[i + 1];
    return word[2];
}

/* Target `i` of a block, 0 past the end. */
uint32_t weft_spirv_target(const struct spirv_trimmer *t, const struct spirv_block *block, uint32_t i) {
    const uint32_t *word = &t->module.words[block->last];
    uint32_t length = spirv_length(word[0]), only = weft_spirv_only_target(t, block);
    if (!only)
        only = weft_spirv_only_case(t, block);
    if (only)
        return i == 0 ? only : 0;
    switch (spirv_opcode(word[0])) {
    case SPIRV_BRANCH:
        return i == 0 ? word[1] : 0;
    case SPIRV_BRANCH_CONDITIONAL:
        return i < 2 ? word[2 + i] : 0;
    case SPIRV_SWITCH:
        return 2 + 2 * i < length ? word[2 + 2 * i] : 0;
    default:
        return 0;
    }
}

/* What an instruction does to variables, and what follows from it. */
static void look(struct spirv_trimmer *t, const uint32_t *word) {
    const struct spirv_module *m = &t->module;
    uint32_t opcode = spirv_opcode(word[0]), length = spirv_length(word[0]);
    if (opcode == SPIRV_LOAD) {
        if (word[3] < m->bound && t->variables[word[3]].known) {
            t->numbers.known[word[2]] = true;
            t->numbers.value[word[2]] = t->variables[word[3]].value;
        }
    } else if (opcode == SPIRV_STORE && word[1] < m->bound && word[2] < m->bound) {
        struct spirv_variable *variable = &t->variables[word[1]];
        variable->stores++;
        variable->stored_known = t->numbers.known[word[2]];
        variable->stored = t->numbers.value[word[2]];
        t->variables[word[2]].other = true; /* a pointer that gets away */
    } else if (opcode == SPIRV_FUNCTION_CALL) {
        const struct spirv_function *callee = weft_spirv_function(m, word[3]);
        size_t parameter = callee ? callee->parameters : 0;
        for (uint32_t i = 4; i < length; i++) {
            bool changes = !callee || i - 4 >= callee->parameter_count || m->changes[m->words[parameter + 2]];
            if (word[i] < m->bound && changes)
                t->variables[word[i]].other = true;
            if (callee && i - 4 < callee->parameter_count)
                parameter += spirv_length(m->words[parameter]);
        }
    } else if (opcode != SPIRV_VARIABLE || length > 4) {
        for (uint32_t i = 1; i < length; i++)
            if (weft_spirv_is_id(opcode, i) && word[i] < m->bound)
                t->variables[word[i]].other = true;
        if (weft_spirv_result(opcode) == 2 && length > 3)
            weft_spirv_compute(opcode, word + 3, length - 3, word[2], m->bound, &t->numbers);
    }
}

/* What a merge instruction that stays names must be there. */
static bool need_merges(struct spirv_trimmer *t, const struct spirv_block *block) {
    const uint32_t *words = t->module.words;
    if (!block->merge || weft_spirv_only_target(t, block))
        return true;
    struct spirv_block *merge = weft_spirv_block(&t->module, words[block->merge + 1]);
    struct spirv_block *next = merge;
    if (spirv_opcode(words[block->merge]) == SPIRV_LOOP_MERGE) {
        next = weft_spirv_block(&t->module, words[block->merge + 2]);
        if (next)
            next->continues = block->label;
    }
    if (!merge || !next)
        return false;
    merge->needed = next->needed = true;
    return true;
}

/* Reaches what can be reached with what is known of the function's variables. A block comes after those that dominate
 * it, so that what its operands are is known by then. */
static bool walk(struct spirv_trimmer *t, const struct spirv_function *function) {
    const struct spirv_module *m = &t->module;
    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        struct spirv_block *block = &m->blocks[i];
        block->live = block->needed = false;
        block->continues = 0;
        for (size_t k = block->begin; k < block->end; k += spirv_length(m->words[k])) {
            uint32_t place = weft_spirv_result(spirv_opcode(m->words[k]));
            if (place) {
                struct spirv_variable *variable = &t->variables[m->words[k + place]];
                t->numbers.known[m->words[k + place]] = false;
                variable->other = false;
                variable->stores = 0;
            }
        }
    }
    t->depth = 0;
    if (!function->count || !reach(t, m->blocks[function->first].label))
        return false;
    while (t->depth) {
        const struct spirv_block *block = &m->blocks[t->stack[--t->depth]];
        for (size_t i = block->begin; i < block->end; i += spirv_length(m->words[i]))
            look(t, &m->words[i]);
        for (uint32_t i = 0, label; (label = weft_spirv_target(t, block, i)) != 0; i++)
            if (!reach(t, label))
                return false;
        if (!need_merges(t, block))
            return false;
    }
    return true;
}

/* Variables whose value is known from now on; whether there are new ones. They are all in the first block. */
static bool learn(struct spirv_trimmer *t, const struct spirv_function *function) {
    const struct spirv_block *block = &t->module.blocks[function->first];
    bool news = false;
    for (size_t i = block->begin; i < block->end; i += spirv_length(t->module.words[i])) {
        if (spirv_opcode(t->module.words[i]) != SPIRV_VARIABLE)
            continue;
        struct spirv_variable *variable = &t->variables[t->module.words[i + 2]];
        if (variable->known || variable->other || variable->stores != 1 || !variable->stored_known)
            continue;
        variable->known = news = true;
        variable->value = variable->stored;
    }
    return news;
}

bool weft_spirv_is_pointer(const struct spirv_trimmer *t, const uint32_t *parameter) {
    return parameter[1] < t->module.bound && t->pointer[parameter[1]];
}

/* Finds out what is known and what is reached in an instance's function. */
bool weft_spirv_examine(struct spirv_trimmer *t, const struct spirv_instance *instance) {
    const struct spirv_module *m = &t->module;
    const struct spirv_function *function = &m->functions[instance->function];
    for (size_t i = function->begin; i < function->end; i += spirv_length(m->words[i])) {
        uint32_t place = weft_spirv_result(spirv_opcode(m->words[i]));
        if (place && spirv_opcode(m->words[i]) != SPIRV_FUNCTION)
            t->variables[m->words[i + place]] = (struct spirv_variable){0};
    }
    size_t parameter = function->parameters;
    for (uint32_t i = 0; i < function->parameter_count; i++, parameter += spirv_length(m->words[parameter])) {
        const uint32_t *word = &m->words[parameter];
        bool here = i < SPIRV_PARAMETERS && instance->known[i];
        t->numbers.known[word[2]] = here && !weft_spirv_is_pointer(t, word);
        t->numbers.value[word[2]] = here ? instance->value[i] : 0;
        t->variables[word[2]].known = here && weft_spirv_is_pointer(t, word);
        t->variables[word[2]].value = here ? instance->value[i] : 0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        if (!walk(t, function))
            return false;
        if (!learn(t, function))
            return true;
    }
    return walk(t, function);
}
