/* SPDX-License-Identifier: MIT
 * Units: the nodes that one launch or chain of launches computes, and how much fits one. */
#ifndef BACKEND_GPU_UNITS_H
#define BACKEND_GPU_UNITS_H
#include "backend/gpu/plan/plan.h"

/* What a group of point filters takes of a launch: its nodes, the words of their parameters, and the images that it reads from
 * outside of it. */
struct group_size {
    int32_t nodes, words, externals;
};

#define NO_UNIT (-2) /* that no node is in */

/* The words of a node's parameters. */
int32_t weft_gpu_words_of(const struct gpu_builder *b, int32_t n);
/* The size of the group whose last node is `root`, in a unit: nodes of that do not count as outside. */
struct group_size weft_gpu_group_size(const struct gpu_builder *b, int32_t root, int32_t unit);
/* Whether the group takes so much that it may not fit any unit. */
bool weft_gpu_is_large(const struct gpu_builder *b, int32_t root);
/* Whether a unit has room for the group; and puts it there. */
bool weft_gpu_has_room(const struct gpu_builder *b, int32_t root, int32_t unit);
void weft_gpu_add_group(struct gpu_builder *b, int32_t root, int32_t unit);
/* A new unit, which begins with node `start`. */
weft_status weft_gpu_unit_add(struct gpu_builder *b, int32_t stage, int32_t start, int32_t *unit, weft_error *error);
/* A unit that does nothing to node `n` but store or reduce it: such a unit of point filters, or a new one. */
weft_status weft_gpu_unit_on(struct gpu_builder *b, int32_t n, int32_t stage, int32_t *unit, weft_error *error);
/* A unit of point filters of this stage that reads node `n` first, and has room for the group of `root`, or where that is -1
 * for a reduction; -1: none. */
int32_t weft_gpu_point_unit_on(const struct gpu_builder *b, int32_t n, int32_t stage, int32_t root);

#endif
