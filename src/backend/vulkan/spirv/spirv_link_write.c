/* SPDX-License-Identifier: MIT
 * Writing a module that is a kernel's and the operations'. */
#include <string.h>
#include "backend/vulkan/spirv/spirv_link.h"

static void copy(struct spirv_linker *l, size_t begin, size_t end) {
    memcpy(l->next, l->kernel.words + begin, (end - begin) * sizeof *l->next);
    l->next += end - begin;
}

static void put(struct spirv_linker *l, size_t i, bool in_function) {
    const uint32_t *word = &l->operations.words[i];
    uint32_t opcode = spirv_opcode(*word), length = spirv_length(*word);
    l->next[0] = word[0];
    for (uint32_t k = 1; k < length; k++) {
        bool is_id = in_function ? weft_spirv_is_id(opcode, k) : weft_spirv_global_is_id(opcode, k);
        l->next[k] = is_id && word[k] < l->operations.bound ? l->map[word[k]] : word[k];
    }
    l->next += length;
}

static bool is_new(const struct spirv_linker *l, uint32_t id) {
    return id < l->operations.bound && l->map[id] >= l->kernel.bound;
}

enum section { CAPABILITIES, EXTENSIONS, IMPORTS, ANNOTATIONS, TYPES, OTHERS };
static enum section section_of(uint32_t opcode) {
    switch (opcode) {
    case SPIRV_CAPABILITY:
        return CAPABILITIES;
    case SPIRV_EXTENSION:
        return EXTENSIONS;
    case SPIRV_IMPORT:
        return IMPORTS;
    case SPIRV_DECORATE:
    case SPIRV_MEMBER_DECORATE:
        return ANNOTATIONS;
    default:
        return opcode == SPIRV_FORWARD_POINTER || weft_spirv_global_result(opcode) ? TYPES : OTHERS;
    }
}

/* Whether the kernel's head has these words. */
static bool has(const struct spirv_part *kernel, const uint32_t *word) {
    for (size_t i = SPIRV_HEADER; i < kernel->annotations; i += spirv_length_at(kernel, i))
        if (kernel->words[i] == *word && memcmp(&kernel->words[i], word, spirv_length(*word) * sizeof *word) == 0)
            return true;
    return false;
}

/* What the operations have of a section and the kernel has not. */
static void put_section(struct spirv_linker *l, enum section section) {
    const struct spirv_part *part = &l->operations;
    for (size_t i = SPIRV_HEADER; i < part->functions; i += spirv_length_at(part, i)) {
        const uint32_t *word = &part->words[i];
        uint32_t opcode = spirv_opcode(*word), result = weft_spirv_global_result(opcode);
        if (section_of(opcode) != section)
            continue;
        bool known = section <= EXTENSIONS ? has(&l->kernel, word) : !is_new(l, word[result ? result : 1]);
        /* The size of the entry point's blocks is an annotation too. */
        bool dropped = section == ANNOTATIONS && (l->dropped[word[1]] || word[2] == SPIRV_DECORATION_BUILT_IN);
        if (!known && !dropped)
            put(l, i, false);
    }
}

/* The entry point of the operations is not wanted, nor what is said of its results. */
static void drop_entry(struct spirv_linker *l) {
    const struct spirv_part *part = &l->operations;
    for (size_t i = part->functions, end; i < part->count && (end = weft_spirv_function_end(part, i)) != 0; i = end)
        for (size_t k = i; part->words[i + 2] == part->entry && k < end; k += spirv_length_at(part, k)) {
            uint32_t result = weft_spirv_result(spirv_opcode_at(part, k));
            if (result && part->words[k + result] < part->bound)
                l->dropped[part->words[k + result]] = true;
        }
}

static void put_functions(struct spirv_linker *l) {
    const struct spirv_part *part = &l->operations;
    for (size_t i = part->functions, end; i < part->count && (end = weft_spirv_function_end(part, i)) != 0; i = end)
        for (size_t k = i; part->words[i + 2] != part->entry && k < end; k += spirv_length_at(part, k))
            put(l, k, true);
}

void weft_spirv_write_linked(struct spirv_linker *l) {
    const struct spirv_part *kernel = &l->kernel;
    size_t at = SPIRV_HEADER, imports;
    drop_entry(l);
    while (section_of(spirv_opcode_at(kernel, at)) == CAPABILITIES)
        at += spirv_length_at(kernel, at);
    for (imports = at; section_of(spirv_opcode_at(kernel, imports)) <= IMPORTS; imports += spirv_length_at(kernel, imports))
        ;
    copy(l, 0, at);
    put_section(l, CAPABILITIES);
    put_section(l, EXTENSIONS);
    copy(l, at, imports);
    put_section(l, IMPORTS);
    copy(l, imports, kernel->types);
    put_section(l, ANNOTATIONS);
    copy(l, kernel->types, kernel->functions);
    put_section(l, TYPES);
    copy(l, kernel->functions, l->begin);
    copy(l, l->end, kernel->count);
    put_functions(l);
    l->result[SPIRV_BOUND] = kernel->bound + l->operations.bound;
}
