/* SPDX-License-Identifier: MIT
 * A kernel's module and that of all point filters, made one: the build compiles point_operation once, and in kernels has a
 * stand-in for it, a function that returns SPIRV_STAND_IN.
 *
 * The kernel's ids stay. Those of the operations go above them, but for what modules may have only once, types that are no
 * aggregates and specialization constants, and for the types of point_operation's arguments: these are the kernel's. */
#include <string.h>
#include "backend/vulkan/spirv/spirv_link.h"
#include "base/memory.h"
#include "base/status.h"

/* Which word of an instruction before all functions is its result; 0: none. */
uint32_t weft_spirv_global_result(uint32_t opcode) {
    if (opcode == SPIRV_IMPORT || (opcode >= SPIRV_TYPE_VOID && opcode <= SPIRV_TYPE_FUNCTION))
        return 1;
    return opcode == 1 || opcode == SPIRV_VARIABLE || (opcode >= SPIRV_CONSTANT_TRUE && opcode <= SPIRV_SPEC_CONSTANT_OP) ? 2
                                                                                                                      : 0;
}

bool weft_spirv_global_is_id(uint32_t opcode, uint32_t i) {
    switch (opcode) {
    case SPIRV_IMPORT:
    case SPIRV_TYPE_INT:
    case SPIRV_TYPE_FLOAT:
    case SPIRV_FORWARD_POINTER:
    case SPIRV_DECORATE:
    case SPIRV_MEMBER_DECORATE:
        return i == 1;
    case SPIRV_TYPE_VECTOR:
    case SPIRV_CONSTANT:
    case SPIRV_SPEC_CONSTANT:
        return i <= 2;
    case SPIRV_TYPE_POINTER:
        return i != 2;
    case SPIRV_SPEC_CONSTANT_OP:
    case SPIRV_VARIABLE:
        return i != 3;
    default:
        return true;
    }
}

/* Finds a module's sections; false where it is not of the shape that glslang makes. */
static bool read_part(const uint32_t *words, size_t count, struct spirv_part *part) {
    *part = (struct spirv_part){.words = words, .count = count};
    if (count < SPIRV_HEADER || words[0] != SPIRV_MAGIC)
        return false;
    part->bound = words[SPIRV_BOUND];
    part->place = weft_allocate(part->bound, sizeof *part->place);
    if (!part->place)
        return false;
    for (size_t i = SPIRV_HEADER; i < count && !part->functions; i += spirv_length(words[i])) {
        uint32_t opcode = spirv_opcode_at(part, i), length = spirv_length_at(part, i), result = weft_spirv_global_result(opcode);
        if (length == 0 || length > count - i || result >= length)
            return false;
        if (opcode == SPIRV_ENTRY_POINT)
            part->entry = words[i + 2];
        if (!part->annotations && (opcode == SPIRV_DECORATE || opcode == SPIRV_MEMBER_DECORATE))
            part->annotations = i;
        if (!part->types && opcode >= SPIRV_TYPE_VOID && opcode <= SPIRV_FORWARD_POINTER)
            part->types = i;
        if (opcode == SPIRV_FUNCTION)
            part->functions = i;
        else if (result && words[i + result] < part->bound)
            part->place[words[i + result]] = i;
    }
    return part->functions && part->types && part->annotations && part->entry;
}

/* The end of a function, from its first word; 0: none. */
size_t weft_spirv_function_end(const struct spirv_part *part, size_t i) {
    while (i < part->count && spirv_length_at(part, i) && spirv_opcode_at(part, i) != SPIRV_FUNCTION_END)
        i += spirv_length_at(part, i);
    return i < part->count && spirv_length_at(part, i) ? i + 1 : 0;
}

/* The constant of four components that the stand-in returns; 0: there is none. */
static uint32_t find_mark(const struct spirv_part *part) {
    for (size_t i = part->types; i < part->functions; i += spirv_length_at(part, i)) {
        const uint32_t *word = &part->words[i];
        if (spirv_opcode_at(part, i) != SPIRV_CONSTANT_COMPOSITE || spirv_length_at(part, i) != 7 || word[3] >= part->bound)
            continue;
        size_t one = part->place[word[3]];
        if (one && spirv_opcode_at(part, one) == SPIRV_CONSTANT && part->words[one + 3] == SPIRV_STAND_IN)
            return word[2];
    }
    return 0;
}

/* Finds the function that returns the mark: the kernel's stand-in. False: there is none. */
static bool find_stand_in(struct spirv_linker *l, uint32_t mark) {
    const struct spirv_part *kernel = &l->kernel;
    for (size_t i = kernel->functions, end; i < kernel->count && (end = weft_spirv_function_end(kernel, i)) != 0; i = end)
        for (size_t k = i; k < end; k += spirv_length_at(kernel, k))
            if (spirv_opcode_at(kernel, k) == SPIRV_RETURN_VALUE && kernel->words[k + 1] == mark) {
                l->stand_in = kernel->words[i + 2];
                l->begin = i, l->end = end;
                return true;
            }
    return false;
}

/* What the operations' entry point calls with as many arguments. */
static bool find_exported(struct spirv_linker *l) {
    const struct spirv_part *part = &l->operations;
    for (size_t i = part->functions, end; i < part->count && (end = weft_spirv_function_end(part, i)) != 0; i = end)
        for (size_t k = i; part->words[i + 2] == part->entry && k < end; k += spirv_length_at(part, k))
            if (spirv_opcode_at(part, k) == SPIRV_FUNCTION_CALL && spirv_length_at(part, k) == 4 + 6)
                l->exported = part->words[k + 3];
    return l->exported != 0;
}

/* A type of the operations is the kernel's, and so are those that it is made of. */
static bool unify(struct spirv_linker *l, uint32_t ours, uint32_t theirs, int depth) {
    const struct spirv_part *a = &l->operations, *b = &l->kernel;
    if (ours >= a->bound || theirs >= b->bound || !a->place[ours] || !b->place[theirs] || depth > 8)
        return false;
    const uint32_t *x = &a->words[a->place[ours]], *y = &b->words[b->place[theirs]];
    if (x[0] != y[0])
        return false;
    l->map[ours] = theirs;
    for (uint32_t i = 2; i < spirv_length(x[0]); i++)
        if (weft_spirv_global_is_id(spirv_opcode(x[0]), i) ? !unify(l, x[i], y[i], depth + 1) : x[i] != y[i])
            return false;
    return true;
}

/* Whether two instructions are the same but for the result. */
static bool same(const struct spirv_linker *l, const uint32_t *ours, const uint32_t *theirs) {
    uint32_t opcode = spirv_opcode(*ours), result = weft_spirv_global_result(opcode);
    for (uint32_t i = 0; i < spirv_length(*ours); i++)
        if (i != result && (i > 0 && weft_spirv_global_is_id(opcode, i) ? l->map[ours[i]] != theirs[i] : ours[i] != theirs[i]))
            return false;
    return true;
}

static int64_t spec_id(const struct spirv_part *part, uint32_t id) {
    for (size_t i = part->annotations; i < part->types; i += spirv_length_at(part, i))
        if (spirv_opcode_at(part, i) == SPIRV_DECORATE && part->words[i + 1] == id &&
            part->words[i + 2] == SPIRV_DECORATION_SPEC_ID)
            return part->words[i + 3];
    return -1;
}

/* What the kernel has of an instruction that a module may have only once; 0: nothing. */
static uint32_t find_same(const struct spirv_linker *l, const uint32_t *word) {
    uint32_t opcode = spirv_opcode(*word), result = weft_spirv_global_result(opcode);
    bool plain = opcode == SPIRV_IMPORT || (opcode >= SPIRV_TYPE_VOID && opcode <= SPIRV_TYPE_VECTOR) ||
                 opcode == SPIRV_TYPE_POINTER || opcode == SPIRV_TYPE_FUNCTION;
    bool special = opcode >= SPIRV_SPEC_CONSTANT_TRUE && opcode <= SPIRV_SPEC_CONSTANT;
    int64_t number = special ? spec_id(&l->operations, word[2]) : -1;
    const struct spirv_part *kernel = &l->kernel;
    for (size_t i = SPIRV_HEADER; (plain || special) && i < kernel->functions; i += spirv_length_at(kernel, i))
        if (kernel->words[i] == *word && same(l, word, &kernel->words[i]) &&
            (!special || spec_id(kernel, kernel->words[i + 2]) == number))
            return kernel->words[i + result];
    return 0;
}

static bool map_ids(struct spirv_linker *l) {
    const struct spirv_part *part = &l->operations;
    size_t call = 0;
    for (size_t i = part->functions, end; i < part->count && (end = weft_spirv_function_end(part, i)) != 0; i = end)
        if (part->words[i + 2] == l->exported)
            call = i;
    if (!call || !unify(l, part->words[call + 4], l->kernel.words[l->begin + 4], 0))
        return false;
    l->map[l->exported] = l->stand_in;
    for (size_t i = SPIRV_HEADER; i < part->functions; i += spirv_length_at(part, i)) {
        uint32_t result = weft_spirv_global_result(spirv_opcode_at(part, i)), id = result ? part->words[i + result] : 0;
        if (id >= part->bound)
            return false;
        if (result && !l->map[id])
            l->map[id] = find_same(l, &part->words[i]);
    }
    for (uint32_t id = 1; id < part->bound; id++)
        l->map[id] = l->map[id] ? l->map[id] : l->kernel.bound + id;
    return true;
}

/* Whether all of a module's functions are known here. */
static bool is_known(const struct spirv_part *part) {
    for (size_t i = part->functions; i < part->count; i += spirv_length_at(part, i))
        if (spirv_length_at(part, i) == 0 || spirv_length_at(part, i) > part->count - i ||
            !weft_spirv_known(spirv_opcode_at(part, i)))
            return false;
    return true;
}

weft_status weft_spirv_link(const uint32_t *kernel, size_t kernel_count, const uint32_t *operations, size_t operations_count,
                            uint32_t **result, size_t *count, weft_error *error) {
    struct spirv_linker l = {0};
    weft_status status = WEFT_ERROR_INTERNAL;
    *result = NULL;
    *count = 0;
    bool good = read_part(kernel, kernel_count, &l.kernel) && read_part(operations, operations_count, &l.operations);
    uint32_t mark = good ? find_mark(&l.kernel) : 0;
    if (good && !mark) {
        status = WEFT_OK; /* it calls none */
    } else if (good && find_stand_in(&l, mark) && is_known(&l.operations) && find_exported(&l)) {
        l.map = weft_allocate(l.operations.bound, sizeof *l.map);
        l.dropped = weft_allocate(l.operations.bound, sizeof *l.dropped);
        l.result = l.next = weft_allocate(kernel_count + operations_count, sizeof *l.result);
        if (l.map && l.dropped && l.result && map_ids(&l)) {
            weft_spirv_write_linked(&l);
            *result = l.result;
            *count = (size_t)(l.next - l.result);
            status = WEFT_OK;
        }
    }
    if (status != WEFT_OK) {
        bool short_of = !l.kernel.place || !l.operations.place || (l.exported && !(l.map && l.dropped && l.result));
        status = short_of ? weft_fail_memory(error, (kernel_count + operations_count) * sizeof *l.result, "a kernel's code")
                          : weft_fail(error, WEFT_ERROR_INTERNAL, "the kernels in this library do not fit together");
        weft_free(l.result);
    }
    weft_free(l.kernel.place);
    weft_free(l.operations.place);
    weft_free(l.map);
    weft_free(l.dropped);
    return status;
}
