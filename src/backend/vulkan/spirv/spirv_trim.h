/* SPDX-License-Identifier: MIT
 * What the two halves of trimming share: spirv_examine.c finds out what is known and reached in a function,
 * spirv_trim.c writes that down. */
#ifndef BACKEND_VULKAN_SPIRV_TRIM_H
#define BACKEND_VULKAN_SPIRV_TRIM_H
#include "backend/vulkan/spirv/spirv_module.h"

#define SPIRV_PARAMETERS 12 /* of a function, about which something can be known */

/* A function for one set of known arguments. The first one of each function keeps its ids. */
struct spirv_instance {
    uint32_t function, id;
    uint32_t base;   /* of the copy's ids; 0: they stay */
    uint32_t before; /* 1 + the function's instance before this one */
    bool known[SPIRV_PARAMETERS];
    int32_t value[SPIRV_PARAMETERS];
};

/* A variable of a function: what it holds is known when it is stored only once and only loaded otherwise. */
struct spirv_variable {
    bool known; /* found in the round before */
    bool other, stored_known;
    uint32_t stores;
    int32_t value, stored;
};

struct spirv_trimmer {
    struct spirv_module module;
    struct spirv_numbers numbers;     /* by id: constants, and what is known inside the function at hand */
    struct spirv_variable *variables; /* by id */
    bool *pointer;                    /* by id: a type of pointers */
    struct spirv_instance *instances;
    uint32_t instance_count, capacity;
    uint32_t next_id;
    bool copies; /* functions may have several instances */
    uint32_t *stack, depth;
    uint32_t *out; /* words of the new functions */
    size_t out_count, out_capacity;
};

/* Finds out what is known and what is reached in an instance's function: numbers, variables, the blocks' marks. */
bool weft_spirv_examine(struct spirv_trimmer *t, const struct spirv_instance *instance);
/* After that: the only place where a block's branch can go, and its switch, 0 when there are more; and place `i` of all
 * where it can go, 0 past the end. */
uint32_t weft_spirv_only_target(const struct spirv_trimmer *t, const struct spirv_block *block);
uint32_t weft_spirv_only_case(const struct spirv_trimmer *t, const struct spirv_block *block);
uint32_t weft_spirv_target(const struct spirv_trimmer *t, const struct spirv_block *block, uint32_t i);
bool weft_spirv_is_pointer(const struct spirv_trimmer *t, const uint32_t *parameter);

#endif
