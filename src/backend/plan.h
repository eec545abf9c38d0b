/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_PLAN_H
#define BACKEND_PLAN_H
#include "backend/backend.h"

struct weft_plan {
    weft_device *device;
    struct weft_choice choice; /* who runs it: `device`, then there is no why, or one that this chose */
    const struct weft_backend *backend; /* of the one that runs it */
    struct weft_graph *graph; /* as the user wrote it */
    weft_image_info *inputs; /* the caller's, then those that are recalled, as in `recalls`, which owns them */
    int32_t input_count;     /* the caller's */
    weft_image_info *outputs; /* the caller's, then those that are kept */
    int32_t output_count;    /* the caller's */
    struct weft_recalls recalls;
    bool *values; /* which outputs are numbers */
    struct weft_typed_graph typed;
    const void **blocks; /* of each node of typed.graph: the graph's own parameters */
    void *compiled;
    weft_reference_count holders; /* parameters and runs of queues beside the caller */
};

struct weft_parameters {
    weft_plan *plan;
    weft_reference_count holders; /* runs of queues beside the caller */
    void **blocks;                /* of each node of plan->graph, NULL for inputs */
    const void **typed;           /* of each node of plan->typed.graph: from `blocks` where a node is the user's own */
};

/* The graph of a plan as a device runs it: with the cheaper forms of filters that this one does not keep. */
weft_status weft_draft_type(const struct weft_draft *draft, const weft_device *device, struct weft_typed_graph *typed,
                            weft_error *error);

/* Which block each typed node uses: the user's, where typed node n is the user's own node, else the plan's. */
const void *weft_plan_block(const struct weft_plan *plan, const struct weft_parameters *parameters, int32_t n);

/* Holding a plan, or parameters (NULL is allowed), for as long as something needs it; nobody else sees a change. */
void weft_plan_hold(const weft_plan *plan);
void weft_plan_leave(const weft_plan *plan);
void weft_parameters_hold(const weft_parameters *parameters);
void weft_parameters_leave(const weft_parameters *parameters);

#endif
