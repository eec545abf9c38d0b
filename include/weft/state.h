/* SPDX-License-Identifier: MIT
 * States: what filters with a memory, such as low_pass, keep from one frame to the next. A plan is immutable and shared by
 * all; a stream of frames has a state of its own. */
#ifndef WEFT_STATE_H
#define WEFT_STATE_H
#include "weft/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* True when filters of the plan keep images from one run to the next. */
WEFT_API bool weft_plan_has_memory(const weft_plan *plan);

/* Makes the state of a stream of frames, before its first one, with memory where the plan's device works: pass it to each
 * run in weft_run.state. One run at a time may use it; runs of one queue do so in their order. A plan that remembers nothing
 * has states too. The state holds the plan. */
WEFT_API weft_status weft_state_create(const weft_plan *plan, weft_state **state, weft_error *error);
/* Forgets all frames: the next run's is the first one. No run may be using it. */
WEFT_API void weft_state_reset(weft_state *state);
/* How many runs have begun since the first one or the last reset. */
WEFT_API int64_t weft_state_frames(const weft_state *state);
/* Gives the memory back and sets *state to NULL; NULL is allowed. Runs of queues hold what they use. */
WEFT_API void weft_state_destroy(weft_state **state);

#ifdef __cplusplus
}
#endif
#endif
