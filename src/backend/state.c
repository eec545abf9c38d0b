/* SPDX-License-Identifier: MIT
 * What a plan keeps from run to run: for each output behind the caller's a ring of images, one more than the frames for
 * which they are kept. A run writes the oldest and reads those that its inputs ask for. */
#include "backend/state.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "weft/memory.h"

struct ring {
    weft_image *images;
    int32_t count;
};

struct weft_state {
    weft_plan *plan;
    weft_reference_count holders; /* runs of queues beside the caller */
    int64_t frame;
    struct ring *rings; /* one for each output behind the caller's */
    weft_run_input *inputs;
    weft_run_output *outputs;
    const void **blocks;     /* of each node of the plan's graph */
    float (*first)[16];      /* the blocks of the filters that read what is kept: 1 while there is nothing */
};

bool weft_plan_has_memory(const weft_plan *plan) { return plan && plan->recalls.count > 0; }

static void destroy(weft_state *state) {
    const struct weft_recalls *recalls = &state->plan->recalls;
    for (int32_t r = 0; state->rings && r < recalls->output_count; r++) {
        for (int32_t i = 0; i < state->rings[r].count; i++)
            weft_memory_destroy(state->plan->device, &state->rings[r].images[i]);
        weft_free(state->rings[r].images);
    }
    weft_free(state->rings);
    weft_free(state->inputs);
    weft_free(state->outputs);
    weft_free(state->blocks);
    weft_free(state->first);
    weft_plan_leave(state->plan);
    weft_free(state);
}

void weft_state_hold(const weft_state *state) {
    if (state)
        weft_reference_count_add(&((weft_state *)(uintptr_t)state)->holders);
}

void weft_state_leave(const weft_state *state) {
    weft_state *s = (weft_state *)(uintptr_t)state;
    if (s && weft_reference_count_drop(&s->holders))
        destroy(s);
}

void weft_state_destroy(weft_state **state) {
    if (!state || !*state)
        return;
    weft_state_leave(*state);
    *state = NULL;
}

/* The images of what output r behind the caller's makes. */
static weft_status make_ring(weft_state *state, int32_t r, weft_error *error) {
    const weft_plan *plan = state->plan;
    const struct weft_recalls *recalls = &plan->recalls;
    struct ring *ring = &state->rings[r];
    int32_t frames = 0;
    for (int32_t i = 0; i < recalls->count; i++)
        if (recalls->list[i].output == r && recalls->list[i].frames > frames)
            frames = recalls->list[i].frames;
    ring->images = weft_allocate((size_t)frames + 1, sizeof *ring->images);
    weft_status status =
        ring->images ? WEFT_OK : weft_fail_memory(error, ((size_t)frames + 1) * sizeof *ring->images, "a state");
    while (status == WEFT_OK && ring->count <= frames) {
        status = weft_memory_create(plan->device, &plan->outputs[plan->output_count + r], &ring->images[ring->count], error);
        ring->count += status == WEFT_OK;
    }
    /* What filters read, and take no notice of, while there is nothing. */
    const weft_image *nothing = &ring->images[frames];
    if (status == WEFT_OK && nothing->memory == WEFT_MEMORY_HOST)
        memset(nothing->data, 0, (size_t)nothing->stride * (size_t)nothing->info.height);
    return status;
}

weft_status weft_state_create(const weft_plan *plan, weft_state **result, weft_error *error) {
    if (!plan || !result)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_state_create needs a plan and a place for the state");
    *result = NULL;
    weft_state *state = weft_allocate(1, sizeof *state);
    if (!state)
        return weft_fail_memory(error, sizeof *state, "a state");
    const struct weft_recalls *recalls = &plan->recalls;
    size_t inputs = (size_t)recalls->input_count, outputs = (size_t)plan->typed.output_count;
    state->plan = (weft_plan *)(uintptr_t)plan;
    weft_plan_hold(plan);
    state->rings = weft_allocate((size_t)recalls->output_count, sizeof *state->rings);
    state->inputs = weft_allocate(inputs, sizeof *state->inputs);
    state->outputs = weft_allocate(outputs, sizeof *state->outputs);
    state->blocks = weft_allocate((size_t)plan->typed.graph->count, sizeof *state->blocks);
    state->first = weft_allocate((size_t)recalls->count, sizeof *state->first);
    weft_status status = WEFT_OK;
    if (!state->rings || !state->inputs || !state->outputs || !state->blocks || !state->first)
        status = weft_fail_memory(error, inputs * sizeof *state->inputs + outputs * sizeof *state->outputs, "a state");
    for (int32_t r = 0; status == WEFT_OK && r < recalls->output_count; r++)
        status = make_ring(state, r, error);
    if (status != WEFT_OK)
        weft_state_destroy(&state);
    *result = state;
    return status;
}

void weft_state_reset(weft_state *state) {
    if (state)
        state->frame = 0;
}

int64_t weft_state_frames(const weft_state *state) { return state ? state->frame : 0; }

bool weft_state_is_of(const weft_state *state, const weft_plan *plan) { return state->plan == plan; }

void weft_state_begin(weft_state *state, struct weft_run_request *request) {
    const weft_plan *plan = state->plan;
    const struct weft_recalls *recalls = &plan->recalls;
    const struct weft_graph *graph = plan->typed.graph;
    if (plan->input_count > 0)
        memcpy(state->inputs, request->inputs, (size_t)plan->input_count * sizeof *state->inputs);
    memcpy(state->outputs, request->outputs, (size_t)plan->output_count * sizeof *state->outputs);
    memcpy(state->blocks, request->blocks, (size_t)graph->count * sizeof *state->blocks);
    for (int32_t r = 0; r < recalls->output_count; r++) {
        const struct ring *ring = &state->rings[r];
        state->outputs[plan->output_count + r] = (weft_run_output){.image = ring->images[state->frame % ring->count]};
    }
    for (int32_t i = 0; i < recalls->count; i++) {
        const struct ring *ring = &state->rings[recalls->list[i].output];
        int32_t frames = recalls->list[i].frames;
        int64_t from = state->frame < frames ? ring->count - 1 : (state->frame - frames) % ring->count;
        state->inputs[plan->input_count + i] = (weft_run_input){.image = ring->images[from]};
        state->first[i][0] = state->frame < frames ? 1 : 0;
    }
    for (int32_t n = 0; n < graph->count; n++)
        if (graph->nodes[n].kept > 0 && graph->nodes[n].filter->role == WEFT_ROLE_RECALL)
            state->blocks[n] = state->first[graph->nodes[n].kept - 1];
    request->inputs = state->inputs;
    request->outputs = state->outputs;
    request->blocks = state->blocks;
}

void weft_state_advance(weft_state *state) { state->frame++; }
