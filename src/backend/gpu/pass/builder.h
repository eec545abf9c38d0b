/* SPDX-License-Identifier: MIT
 * What is known of a plan while its passes are made. */
#ifndef BACKEND_GPU_BUILDER_H
#define BACKEND_GPU_BUILDER_H
#include "backend/gpu/pass/pass.h"
#include "graph/schedule.h"

/* 255 or 65535, or 0 for a type that has no steps. */
static inline int32_t weft_gpu_steps(weft_type type) { return type == WEFT_U8 ? 255 : type == WEFT_U16 ? 65535 : 0; }

/* A unit: one kernel and all that runs in its programs. Mostly one pass; lowerings may take several for a kernel. */
struct gpu_unit {
    int32_t stage;
    int32_t start;      /* the node whose value the kernel hands to the store program: the kernel's filter; in a unit of
                           point filters the image that it reads, or the root of `load_group` */
    bool kernel;        /* `start` is a filter with a kernel of its own */
    bool reads;         /* for one reduction of an image in memory, by a kernel that does nothing else */
    int32_t load_group; /* the root of the point filters in the load program, -1 without */
    int32_t nodes, externals, stores, reductions, words; /* so far, for the limits */
    int32_t first_pass, pass_count;
};

/* A store that a unit makes: the value of a node goes to a picture. */
struct gpu_store {
    int32_t unit, node, picture;
};

/* A reduction that is fused into a unit. */
struct gpu_fused_reduction {
    int32_t unit, node, input;
    int32_t slot;             /* in the launch */
    enum weft_reduction what;
    int32_t bins, picture;    /* where the numbers go */
    int32_t full;             /* what 1 is in sums of blocks: 255 or 65535 where they are of whole numbers */
    size_t partial; /* in the arena: results of blocks, or the table */
    int64_t partials; /* blocks that leave one */
};

/* A parameter block in a launch. */
struct gpu_block {
    int32_t pass, node, word;
};

struct gpu_builder {
    struct gpu_device *device;
    const struct weft_typed_graph *typed;
    struct weft_schedule schedule;
    struct gpu_picture *pictures;
    struct gpu_unit *units;
    struct gpu_pass **passes; /* each stays where it is while more are added */
    struct gpu_store *stores;
    struct gpu_fused_reduction *fused;
    struct gpu_block *blocks;
    int32_t picture_count, unit_count, pass_count, store_count, fused_count, block_count;
    int32_t picture_capacity, unit_capacity, pass_capacity, store_capacity, fused_capacity, block_capacity;
    int32_t *picture_of; /* of each node in the stage at hand: its image in memory, -1 without */
    int32_t *unit_of;    /* of each node in the stage at hand: the unit that makes it, -1 when none does */
    int32_t *group;      /* of each node in the stage at hand: see weft_fuse */
    bool *member;
    int32_t *steps;      /* of each node: 255 or 65535 when its values count as whole numbers of these steps, else 0 */
    int32_t *stored_steps; /* the same when they are, to the bit */
    int32_t unit;        /* the unit whose passes are being made */
    const char *why;     /* its passes have their kernels; NULL where there was no choice */
    bool starved;        /* a picture or a block found no memory, and so no place in a launch */
};

/* Grows an array of the builder by one zeroed element and returns it; NULL without memory. */
void *weft_gpu_grow(void *array_pointer, int32_t *count, int32_t *capacity, size_t size);
#define GPU_GROW(builder, what, array)                                                                                 \
    weft_gpu_grow(&(builder)->array, &(builder)->what##_count, &(builder)->what##_capacity, sizeof *(builder)->array)

/* pass.c: the parts of passes. */
int32_t weft_gpu_picture_add(struct gpu_builder *builder, enum gpu_role role, int32_t node, const weft_image_info *info,
                             int32_t type, int32_t stage);

weft_status weft_gpu_read_pass(struct gpu_builder *builder, int32_t picture, const char *kernel, const int32_t *constants,
                               int32_t count, struct gpu_pass **pass, weft_error *error);
weft_status weft_gpu_find_kernel(const char *name, const int32_t *constants, int32_t count, int32_t *kernel, weft_error *error);
/* The pass of a unit of point filters. */
weft_status weft_gpu_unit_point_pass(struct gpu_builder *builder, const struct gpu_unit *unit, weft_error *error);

/* program.c: the store program of a unit into its last pass; the load program into its first. */
weft_status weft_gpu_emit_store(struct gpu_builder *builder, int32_t unit, weft_error *error);
weft_status weft_gpu_emit_load(struct gpu_builder *builder, int32_t unit, struct gpu_pass *pass, weft_error *error);
/* block_tables.c: marks the instructions of a pass of point filters that blocks prepare. */
void weft_gpu_prepare_program(const struct gpu_builder *builder, struct gpu_pass *pass);
/* CONVERTS_* of its programs. */
int32_t weft_gpu_conversions(const struct gpu_launch *launch);
/* False when the group's load program would need more registers than there are. */
bool weft_gpu_load_fits(const struct gpu_builder *builder, int32_t root);
/* pass.c: where the parameters of a node lie in the newest pass, in words; -1 when they do not fit, or without memory. */
int32_t weft_gpu_block_word(struct gpu_builder *builder, int32_t node);

/* reduce_image.c: whether there is a kernel for nothing but a reduction of a picture of this format; the pass of a unit
 * that reads. */
bool weft_gpu_gathers(const struct gpu_builder *builder, const weft_image_info *info, int32_t type,
                      enum weft_reduction what, int32_t bins);
/* Bytes of the table of a reduction that has one. */
size_t weft_gpu_table_bytes(const struct gpu_builder *builder, const struct gpu_fused_reduction *fused);
weft_status weft_gpu_gather_pass(struct gpu_builder *builder, const struct gpu_unit *unit, weft_error *error);

#endif
