/* SPDX-License-Identifier: MIT
 * Trimming: beginning with the entry point, each function is looked at with what is known of its arguments, so that
 * only the blocks that are then reached, and the functions that are called there, go into the new module. Blocks keep
 * their order. What merges need but nothing reaches becomes an empty block. */
#include "backend/vulkan/spirv/spirv_trim.h"
#include <string.h>
#include "base/memory.h"

#define INSTANCES 4096 /* of all functions together */
#define GROWTH 16      /* times the old module, at most */

static bool emit(struct spirv_trimmer *t, const uint32_t *words, size_t count) {
    if (count > t->out_capacity - t->out_count)
        return false;
    memcpy(t->out + t->out_count, words, count * sizeof *words);
    t->out_count += count;
    return true;
}

static uint32_t mapped(const struct spirv_trimmer *t, const struct spirv_instance *instance, uint32_t id) {
    if (!instance->base || id >= t->module.bound || t->module.owner[id] != instance->function + 1)
        return id;
    return instance->base + t->module.local[id];
}

/* An instruction with the instance's ids. */
static bool emit_mapped(struct spirv_trimmer *t, const struct spirv_instance *instance, const uint32_t *word) {
    uint32_t opcode = spirv_opcode(word[0]), length = spirv_length(word[0]);
    if (!emit(t, word, length))
        return false;
    uint32_t *out = t->out + t->out_count - length;
    for (uint32_t i = 1; i < length; i++)
        if (weft_spirv_is_id(opcode, i))
            out[i] = mapped(t, instance, word[i]);
    return true;
}

/* The instance of a function for these arguments, new or old; 0: no room. It may move the instances. */
static uint32_t instance_of(struct spirv_trimmer *t, const struct spirv_instance *wanted) {
    struct spirv_function *function = &t->module.functions[wanted->function];
    for (uint32_t i = function->instances; i; i = t->instances[i - 1].before) {
        const struct spirv_instance *each = &t->instances[i - 1];
        if (memcmp(each->known, wanted->known, sizeof each->known) == 0 &&
            memcmp(each->value, wanted->value, sizeof each->value) == 0)
            return each->id;
    }
    if (t->instance_count == t->capacity) {
        uint32_t capacity = t->capacity ? 2 * t->capacity : 64;
        struct spirv_instance *grown =
            capacity <= INSTANCES ? weft_reallocate(t->instances, capacity, sizeof *grown) : NULL;
        if (!grown)
            return 0;
        t->instances = grown;
        t->capacity = capacity;
    }
    struct spirv_instance *instance = &t->instances[t->instance_count++];
    *instance = *wanted;
    instance->id = function->id;
    instance->before = function->instances;
    instance->base = 0;
    if (function->instances) {
        instance->id = t->next_id;
        instance->base = t->next_id + 1;
        t->next_id += 1 + function->locals;
    }
    function->instances = t->instance_count;
    return instance->id;
}

static bool emit_call(struct spirv_trimmer *t, const struct spirv_instance *caller, const uint32_t *word) {
    const struct spirv_module *m = &t->module;
    const struct spirv_function *callee = weft_spirv_function(m, word[3]);
    if (!callee || spirv_length(word[0]) != 4 + callee->parameter_count)
        return false;
    struct spirv_instance wanted = {.function = (uint32_t)(callee - m->functions)};
    size_t parameter = callee->parameters;
    for (uint32_t i = 0; t->copies && i < callee->parameter_count && i < SPIRV_PARAMETERS; i++) {
        const uint32_t *declared = &m->words[parameter];
        uint32_t argument = word[4 + i];
        if (argument >= m->bound)
            return false;
        if (weft_spirv_is_pointer(t, declared)) {
            wanted.known[i] = !m->changes[declared[2]] && t->variables[argument].known;
            wanted.value[i] = wanted.known[i] ? t->variables[argument].value : 0;
        } else {
            wanted.known[i] = t->numbers.known[argument];
            wanted.value[i] = wanted.known[i] ? t->numbers.value[argument] : 0;
        }
        parameter += spirv_length(m->words[parameter]);
    }
    uint32_t id = instance_of(t, &wanted);
    if (!id || !emit_mapped(t, caller, word))
        return false;
    t->out[t->out_count - spirv_length(word[0]) + 3] = id;
    return true;
}

/* Only values from blocks that still branch here. */
static bool emit_phi(struct spirv_trimmer *t, const struct spirv_instance *instance, const struct spirv_block *block,
                     const uint32_t *word) {
    uint32_t length = spirv_length(word[0]), kept = 3;
    if (!emit_mapped(t, instance, word))
        return false;
    uint32_t *out = t->out + t->out_count - length;
    for (uint32_t i = 3; i + 1 < length; i += 2) {
        const struct spirv_block *from = weft_spirv_block(&t->module, word[i + 1]);
        bool comes = false;
        for (uint32_t k = 0, label; from && from->live && (label = weft_spirv_target(t, from, k)) != 0; k++)
            comes = comes || label == block->label;
        if (!comes)
            continue;
        out[kept++] = mapped(t, instance, word[i]);
        out[kept++] = mapped(t, instance, word[i + 1]);
    }
    out[0] = kept << 16 | SPIRV_PHI;
    t->out_count -= length - kept;
    return kept > 3;
}

static bool emit_block(struct spirv_trimmer *t, const struct spirv_instance *instance,
                       const struct spirv_block *block) {
    const struct spirv_module *m = &t->module;
    uint32_t only = weft_spirv_only_target(t, block), one = weft_spirv_only_case(t, block);
    bool loop = block->merge && spirv_opcode(m->words[block->merge]) == SPIRV_LOOP_MERGE;
    const struct spirv_block *next = loop ? weft_spirv_block(m, m->words[block->merge + 2]) : NULL;
    bool good = true;
    for (size_t i = block->begin; good && i < block->last; i += spirv_length(m->words[i])) {
        const uint32_t *word = &m->words[i];
        if (spirv_opcode(word[0]) == SPIRV_PHI)
            good = (!next || next->live) && emit_phi(t, instance, block, word); /* a way back has no value when dead */
        else if (spirv_opcode(word[0]) == SPIRV_FUNCTION_CALL)
            good = emit_call(t, instance, word);
        else if (!(only && i == block->merge))
            good = emit_mapped(t, instance, word);
    }
    /* A switch stays one, if of a single way: what branches to its merge from inside needs it. */
    const uint32_t branch[] = {2u << 16 | SPIRV_BRANCH, mapped(t, instance, only)};
    const uint32_t way[] = {3u << 16 | SPIRV_SWITCH, mapped(t, instance, m->words[block->last + 1]),
                            mapped(t, instance, one)};
    return good && (only  ? emit(t, branch, 2)
                    : one ? emit(t, way, 3)
                          : emit_mapped(t, instance, &m->words[block->last]));
}

/* A block that nothing reaches but a merge names. */
static bool emit_empty(struct spirv_trimmer *t, const struct spirv_instance *instance,
                       const struct spirv_block *block) {
    const uint32_t back[] = {2u << 16 | SPIRV_BRANCH, mapped(t, instance, block->continues)};
    const uint32_t never[] = {1u << 16 | SPIRV_UNREACHABLE};
    return emit_mapped(t, instance, &t->module.words[block->begin]) &&
           (block->continues ? emit(t, back, 2) : emit(t, never, 1));
}

static bool emit_function(struct spirv_trimmer *t, uint32_t number) {
    const struct spirv_module *m = &t->module;
    const struct spirv_instance instance = t->instances[number]; /* they move */
    const struct spirv_function *function = &m->functions[instance.function];
    bool good = weft_spirv_examine(t, &instance) && emit_mapped(t, &instance, &m->words[function->begin]);
    if (good)
        t->out[t->out_count - spirv_length(m->words[function->begin]) + 2] = instance.id;
    size_t i = function->begin + spirv_length(m->words[function->begin]);
    for (; good && i < m->blocks[function->first].begin; i += spirv_length(m->words[i]))
        good = emit_mapped(t, &instance, &m->words[i]);
    for (uint32_t k = function->first; good && k < function->first + function->count; k++) {
        if (m->blocks[k].live)
            good = emit_block(t, &instance, &m->blocks[k]);
        else if (m->blocks[k].needed)
            good = emit_empty(t, &instance, &m->blocks[k]);
    }
    return good && emit(t, (const uint32_t[]){1u << 16 | SPIRV_FUNCTION_END}, 1);
}

/* What is said of ids goes with each of their copies, and with those that are gone. */
static bool emit_said(struct spirv_trimmer *t, const bool *defined, const uint32_t *word) {
    uint32_t id = word[1], length = spirv_length(word[0]);
    if (id >= t->module.bound || !t->module.owner[id])
        return emit(t, word, length);
    const struct spirv_function *function = &t->module.functions[t->module.owner[id] - 1];
    bool good = true;
    for (uint32_t i = function->instances; good && i; i = t->instances[i - 1].before) {
        uint32_t copy = mapped(t, &t->instances[i - 1], id);
        if (!defined[copy])
            continue;
        good = emit(t, word, length);
        if (good)
            t->out[t->out_count - length + 1] = copy;
    }
    return good;
}

/* Puts what comes before functions in front of them: the new functions are in t->out, and a new t->out has it all. */
static bool assemble(struct spirv_trimmer *t) {
    const struct spirv_module *m = &t->module;
    uint32_t *functions = t->out;
    size_t function_packed = t->out_count;
    bool *defined = weft_allocate(t->next_id, sizeof *defined);
    t->out_capacity = function_packed + GROWTH * m->functions_at;
    t->out = weft_allocate(t->out_capacity, sizeof *t->out);
    t->out_count = 0;
    bool good = defined && t->out && emit(t, m->words, SPIRV_HEADER);
    for (size_t i = 0; good && i < function_packed; i += spirv_length(functions[i])) {
        uint32_t place = weft_spirv_result(spirv_opcode(functions[i]));
        if (place)
            defined[functions[i + place]] = true;
    }
    for (size_t i = SPIRV_HEADER; good && i < m->functions_at; i += spirv_length(m->words[i])) {
        uint32_t opcode = spirv_opcode(m->words[i]);
        good = opcode == SPIRV_NAME || opcode == SPIRV_DECORATE ? emit_said(t, defined, &m->words[i])
                                                                : emit(t, &m->words[i], spirv_length(m->words[i]));
    }
    good = good && emit(t, functions, function_packed);
    if (good)
        t->out[SPIRV_BOUND] = t->next_id;
    weft_free(functions);
    weft_free(defined);
    return good;
}

static bool prepare(struct spirv_trimmer *t, const int32_t *values, const bool *given, uint32_t value_count) {
    const struct spirv_module *m = &t->module;
    uint32_t *scratch = weft_allocate(m->bound, sizeof *scratch);
    t->numbers.known = weft_allocate(m->bound, sizeof *t->numbers.known);
    t->numbers.value = weft_allocate(m->bound, sizeof *t->numbers.value);
    t->variables = weft_allocate(m->bound, sizeof *t->variables);
    t->pointer = weft_allocate(m->bound, sizeof *t->pointer);
    t->stack = weft_allocate(m->block_count, sizeof *t->stack);
    t->out_capacity = GROWTH * m->count;
    t->out = weft_allocate(t->out_capacity, sizeof *t->out);
    bool good = scratch && t->numbers.known && t->numbers.value && t->variables && t->pointer && t->stack && t->out;
    if (good)
        weft_spirv_numbers(m->words, m->functions_at, m->bound, values, given, value_count, &t->numbers, scratch);
    for (size_t i = SPIRV_HEADER; good && i < m->functions_at; i += spirv_length(m->words[i]))
        if (spirv_opcode(m->words[i]) == SPIRV_TYPE_POINTER && m->words[i + 1] < m->bound)
            t->pointer[m->words[i + 1]] = true;
    weft_free(scratch);
    return good;
}

static void trim(const uint32_t *words, size_t count, const int32_t *values, const bool *given, uint32_t value_count,
                 bool copies, uint32_t **result, size_t *result_count) {
    struct spirv_trimmer t = {.copies = copies};
    *result = NULL;
    *result_count = 0;
    if (!weft_spirv_module_open(&t.module, words, count))
        return;
    const struct spirv_function *entry = weft_spirv_function(&t.module, t.module.entry);
    bool good = entry && prepare(&t, values, given, value_count);
    t.next_id = t.module.bound;
    if (good)
        good = instance_of(&t, &(struct spirv_instance){.function = (uint32_t)(entry - t.module.functions)}) != 0;
    for (uint32_t i = 0; good && i < t.instance_count; i++)
        good = emit_function(&t, i);
    good = good && assemble(&t);
    if (good) {
        *result = t.out;
        *result_count = t.out_count;
    } else {
        weft_free(t.out);
    }
    weft_free(t.instances);
    weft_free(t.stack);
    weft_free(t.pointer);
    weft_free(t.variables);
    weft_free(t.numbers.value);
    weft_free(t.numbers.known);
    weft_spirv_module_close(&t.module);
}

void weft_spirv_trim(const uint32_t *words, size_t count, const int32_t *values, const bool *given,
                     uint32_t value_count, bool copies, uint32_t **result, size_t *result_count) {
    trim(words, count, values, given, value_count, copies, result, result_count);
    if (!copies || !*result || *result_count < count)
        return;
    /* Copies of functions in which nothing is decided by what is known: one of each is shorter. */
    weft_free(*result);
    trim(words, count, values, given, value_count, false, result, result_count);
}
