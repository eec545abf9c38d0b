/* SPDX-License-Identifier: MIT
 * A module's parts: its functions, their blocks, and what belongs to which. */
#ifndef BACKEND_VULKAN_SPIRV_MODULE_H
#define BACKEND_VULKAN_SPIRV_MODULE_H
#include "backend/vulkan/spirv/spirv.h"

struct spirv_block {
    size_t begin, end;  /* words, from its label to after its last instruction */
    size_t last, merge; /* where that is, and the merge instruction before it; 0: none */
    uint32_t label;
    bool live;          /* while a function is looked at: whether it is reached */
    bool needed;        /* and whether a merge instruction that stays names it */
    uint32_t continues; /* the header of the loop that goes on by it, or 0 */
};

struct spirv_function {
    size_t begin, end;         /* words */
    uint32_t id, first, count; /* its blocks */
    uint32_t locals;           /* ids that it defines, its own not counted */
    size_t parameters;         /* where the first one is */
    uint32_t parameter_count;
    uint32_t instances; /* 1 + the last of its instances (spirv_trim.c); 0: none */
};

struct spirv_module {
    const uint32_t *words;
    size_t count, functions_at; /* words; where the first function is */
    uint32_t bound, entry;      /* the entry point's function */
    struct spirv_block *blocks;
    struct spirv_function *functions;
    uint32_t block_count, function_count;
    uint32_t *index; /* by id of a label or a function: 1 + its place */
    uint32_t *owner; /* by id: 1 + the function that defines it, 0 for what all share */
    uint32_t *local; /* by id: its number among those */
    bool *changes;   /* by id: used for more than to be loaded from */
};

/* False: not of a shape that is understood, or no memory. Closed in either case. */
bool weft_spirv_module_open(struct spirv_module *module, const uint32_t *words, size_t count);
void weft_spirv_module_close(struct spirv_module *module);

/* NULL: there is none. */
struct spirv_block *weft_spirv_block(const struct spirv_module *module, uint32_t label);
struct spirv_function *weft_spirv_function(const struct spirv_module *module, uint32_t id);

#endif
