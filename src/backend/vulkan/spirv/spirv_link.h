/* SPDX-License-Identifier: MIT
 * What the two halves of linking share: spirv_link.c finds out which ids of one module are ids of the other, spirv_link_write.c
 * writes the module that is both. */
#ifndef BACKEND_VULKAN_SPIRV_LINK_H
#define BACKEND_VULKAN_SPIRV_LINK_H
#include "backend/vulkan/spirv/spirv.h"

struct spirv_part {
    const uint32_t *words;
    size_t count, annotations, types, functions; /* where the first annotation, type and function are */
    uint32_t bound, entry;
    size_t *place; /* by id: where it is defined, of what comes before functions */
};

struct spirv_linker {
    struct spirv_part kernel, operations;
    uint32_t *map;          /* of the operations' ids */
    bool *dropped;          /* ids of their entry point */
    uint32_t stand_in;      /* the kernel's function, */
    size_t begin, end;      /* and where it is */
    uint32_t exported;      /* point_operation */
    uint32_t *result, *next;
};

static inline uint32_t spirv_opcode_at(const struct spirv_part *part, size_t i) { return spirv_opcode(part->words[i]); }
static inline uint32_t spirv_length_at(const struct spirv_part *part, size_t i) { return spirv_length(part->words[i]); }

/* Which word of an instruction before all functions is its result; 0: none. And whether word `i`, not the first, is an id. */
uint32_t weft_spirv_global_result(uint32_t opcode);
bool weft_spirv_global_is_id(uint32_t opcode, uint32_t i);
/* The end of a function, from its first word; 0: none. */
size_t weft_spirv_function_end(const struct spirv_part *part, size_t i);

/* Writes the module at l->next, which has room for both; the map is complete. */
void weft_spirv_write_linked(struct spirv_linker *l);

#endif
