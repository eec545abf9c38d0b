/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_STATE_H
#define BACKEND_STATE_H
#include "backend/plan.h"
#include "weft/state.h"

/* Holding a state (NULL is allowed) for as long as something needs it. */
void weft_state_hold(const weft_state *state);
void weft_state_leave(const weft_state *state);

bool weft_state_is_of(const weft_state *state, const weft_plan *plan);

/* Adds what the plan keeps to a request whose inputs, outputs and blocks are the caller's. */
void weft_state_begin(weft_state *state, struct weft_run_request *request);
/* The run is done, or on its way: what it made is what later ones recall. */
void weft_state_advance(weft_state *state);

#endif
