/* SPDX-License-Identifier: MIT
 * Which node runs in which walk over memory, and what is kept between walks. */
#ifndef GRAPH_SCHEDULE_H
#define GRAPH_SCHEDULE_H
#include "graph/typed.h"

struct weft_schedule {
    int32_t stages;
    int32_t *stage; /* of each node: the first stage that computes it */
    bool *keep;     /* its image is kept whole for a later stage */
};

/* graph/schedule.c. A stage is one walk; a new one begins where a filter needs a whole image before it can start: a
 * reduction's result, or an image that a warp, a lookup or a global filter reads at any place. */
weft_status weft_schedule_make(const struct weft_typed_graph *typed, struct weft_schedule *schedule, weft_error *error);
void weft_schedule_clear(struct weft_schedule *schedule);

/* Which nodes stage `stage` computes: what it must deliver (outputs, reductions, kept images) and what that needs, back
 * to the graph's inputs and kept images. Cheap nodes are computed again rather than kept. Inputs and kept images that are
 * read are not members. */
void weft_schedule_members(const struct weft_typed_graph *typed, const struct weft_schedule *schedule, int32_t stage,
                           bool *member);

/* Nodes that a point program joins at most: with two inputs each it then reads at most one image more. */
#define WEFT_PROGRAM_NODES 31

/* graph/fuse.c: joins point filters into point programs. group[n] is the last node of n's program (n itself for that one),
 * -1 for nodes that are not point filters or no members. A node joins the program that all of its consumers are in. */
weft_status weft_fuse(const struct weft_typed_graph *typed, const struct weft_schedule *schedule, int32_t stage,
                      const bool *member, int32_t *group, weft_error *error);

/* True when node n's rows are wanted by an output. */
bool weft_is_output(const struct weft_typed_graph *typed, int32_t n);
/* True when filter `n` reads its input `i` as a whole rather than by rows. */
bool weft_reads_whole(const struct weft_typed_graph *typed, int32_t n, int32_t i);

#endif
