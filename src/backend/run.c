/* SPDX-License-Identifier: MIT
 * The front door to runs: every image, stream and workspace is checked against the plan before a backend sees it. */
#include "backend/run.h"
#include "backend/state.h"
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

/* Which backend's memory an image of each kind lies in, and what that is called. */
static const struct {
    const char *backend, *words;
} memories[] = {
    [WEFT_MEMORY_HOST] = {NULL, "host memory"},
    [WEFT_MEMORY_CUDA] = {"cuda", "CUDA memory"},
    [WEFT_MEMORY_VULKAN] = {"vulkan", "Vulkan memory"},
};

weft_status weft_image_check(const weft_image *image, const struct weft_backend *backend, const char *what,
                             weft_error *error) {
    const weft_image_info *info = &image->info;
    size_t row, size = weft_type_size(info->format.type), all;
    size_t pitch = image->stride < 0 ? (size_t)0 - (size_t)image->stride : (size_t)image->stride;
    weft_status status = weft_image_size(info, &all, error);
    if (status != WEFT_OK)
        return status;
    row = (size_t)info->width * weft_format_size(info->format);
    if (!image->data)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s has no pixels", what);
    if ((unsigned)image->memory > WEFT_MEMORY_VULKAN)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s lies in memory of an unknown kind, %d", what,
                         (int)image->memory);
    if (image->memory != WEFT_MEMORY_HOST && strcmp(memories[image->memory].backend, backend->name) != 0)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s lies in %s, which needs a device of %s; this one is of %s",
                         what, memories[image->memory].words, memories[image->memory].backend, backend->name);
    if (image->memory != WEFT_MEMORY_HOST && image->stride < 0 && info->height > 1)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s lies in %s, where a stride cannot be negative; it is %lld",
                         what, memories[image->memory].words, (long long)image->stride);
    if (image->memory != WEFT_MEMORY_HOST && info->format.type == WEFT_F64)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "%s lies in %s, but the numbers of a reduction are given to the processor's memory", what,
                         memories[image->memory].words);
    if (pitch < row && info->height > 1)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s: a stride of %lld bytes is shorter than a row of %zu", what,
                         (long long)image->stride, row);
    uintptr_t place = image->memory == WEFT_MEMORY_VULKAN ? (uintptr_t)image->offset : (uintptr_t)image->data;
    if (place % size != 0 || pitch % size != 0)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s: pixels and stride must be aligned to %zu bytes", what, size);
    return WEFT_OK;
}

static bool is_as_planned(const weft_image_info *have, const weft_image_info *want) {
    return have->width == want->width && have->height == want->height && have->format.type == want->format.type &&
           have->format.channels == want->format.channels && have->alpha == want->alpha && have->space == want->space;
}

static weft_status refuse_info(const weft_image_info *have, const weft_image_info *want, const char *name, weft_error *error) {
    char had[16], wanted[16];
    weft_format_print(have->format, had, sizeof had);
    weft_format_print(want->format, wanted, sizeof wanted);
    bool same = strcmp(had, wanted) == 0 && have->width == want->width && have->height == want->height;
    return weft_fail(error, WEFT_ERROR_FORMAT, "%s is %lldx%lld %s, but the plan is for %lldx%lld %s%s", name,
                     (long long)have->width, (long long)have->height, had, (long long)want->width, (long long)want->height,
                     wanted, same ? " of another alpha or color space" : "");
}

/* The name is only printed for an image that is refused: a run of a small image takes less than a microsecond. */
static weft_status check_image(const weft_plan *plan, const weft_image *image, const weft_image_info *want,
                               const char *what, int32_t index, weft_error *error) {
    const struct weft_backend *backend = weft_backend_of(plan->device);
    bool planned = is_as_planned(&image->info, want);
    if (planned && weft_image_check(image, backend, what, NULL) == WEFT_OK)
        return WEFT_OK;
    char name[32];
    snprintf(name, sizeof name, "%s %d", what, (int)index);
    if (!image->data)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s has no pixels", name);
    return planned ? weft_image_check(image, backend, name, error) : refuse_info(&image->info, want, name, error);
}

/* The bytes that an image touches, for the test of overlap: from the start of its buffer where it lies in one. */
static void extent(const weft_image *image, uintptr_t *low, uintptr_t *high) {
    size_t row = (size_t)image->info.width * weft_format_size(image->info.format);
    uintptr_t first = image->memory == WEFT_MEMORY_VULKAN ? (uintptr_t)image->offset : (uintptr_t)image->data;
    uintptr_t last = first + (uintptr_t)(image->info.height - 1) * (uintptr_t)image->stride;
    *low = first < last ? first : last;
    *high = (first < last ? last : first) + row;
}

bool weft_images_overlap(const weft_image *a, const weft_image *b) {
    uintptr_t a_low, a_high, b_low, b_high;
    if (a->memory != b->memory || (a->memory == WEFT_MEMORY_VULKAN && a->data != b->data))
        return false;
    extent(a, &a_low, &a_high);
    extent(b, &b_low, &b_high);
    return a_low < b_high && b_low < a_high;
}

static weft_status check_semaphores(const weft_plan *plan, const weft_run *run, weft_error *error) {
    if (run->wait_count < 0 || run->signal_count < 0 || (run->wait_count > 0 && !run->wait) ||
        (run->signal_count > 0 && !run->signal))
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "the run has %d semaphores to wait for and %d to signal, but no list", (int)run->wait_count,
                         (int)run->signal_count);
    const char *backend = weft_backend_of(plan->device)->name;
    if (run->wait_count + run->signal_count > 0 && strcmp(backend, "vulkan") != 0)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "semaphores are Vulkan's; this plan is for a device of %s", backend);
    for (int32_t i = 0; i < run->wait_count + run->signal_count; i++) {
        const weft_semaphore *each = i < run->wait_count ? &run->wait[i] : &run->signal[i - run->wait_count];
        if (!each->handle)
            return weft_fail(error, WEFT_ERROR_ARGUMENT, "a semaphore of the run is null");
    }
    return WEFT_OK;
}

weft_status weft_run_check(const weft_plan *plan, const weft_run *run, weft_error *error) {
    bool streamed = false;
    if (!plan || !run)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a run needs a plan and a weft_run");
    weft_status status = weft_device_check(plan->device, error);
    if (status != WEFT_OK)
        return status;
    if (run->input_count != plan->input_count || run->output_count != plan->output_count ||
        (run->input_count > 0 && !run->inputs) || !run->outputs)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the plan has %d inputs and %d outputs, the run %d and %d",
                         (int)plan->input_count, (int)plan->output_count, (int)run->input_count,
                         (int)run->output_count);
    if (run->parameters && run->parameters->plan != plan)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the parameters are another plan's");
    if (run->state && !weft_state_is_of(run->state, plan))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the state is another plan's; make one of this plan");
    for (int32_t i = 0; i < run->input_count; i++) {
        if (run->inputs[i].source.read)
            streamed = true;
        else
            status = check_image(plan, &run->inputs[i].image, &plan->inputs[i], "input", i, error);
        if (status != WEFT_OK)
            return status;
    }
    for (int32_t i = 0; i < run->output_count; i++) {
        if (run->outputs[i].sink.write)
            continue;
        status = check_image(plan, &run->outputs[i].image, &plan->outputs[i], "output", i, error);
        if (status != WEFT_OK)
            return status;
        for (int32_t k = 0; k < run->input_count; k++)
            if (!run->inputs[k].source.read && weft_images_overlap(&run->outputs[i].image, &run->inputs[k].image))
                return weft_fail(error, WEFT_ERROR_ARGUMENT, "output %d overlaps input %d", (int)i, (int)k);
        for (int32_t k = 0; k < i; k++)
            if (!run->outputs[k].sink.write && weft_images_overlap(&run->outputs[i].image, &run->outputs[k].image))
                return weft_fail(error, WEFT_ERROR_ARGUMENT, "output %d overlaps output %d", (int)i, (int)k);
    }
    if (streamed && !weft_plan_can_stream(plan))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "this plan needs its inputs as images: it does not walk over them once "
                         "from top to bottom");
    if (run->workspace && (run->workspace_size < weft_plan_workspace_size(plan) || (uintptr_t)run->workspace % 64 != 0))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the workspace needs %zu bytes aligned to 64, it has %zu",
                         weft_plan_workspace_size(plan), run->workspace_size);
    return check_semaphores(plan, run, error);
}

weft_status weft_run_start(const weft_plan *plan, const weft_run *run, const struct weft_run_manner *manner,
                           weft_error *error) {
    void *workspace = NULL;
    struct weft_run_request request = {.inputs = run->inputs,
                                       .outputs = run->outputs,
                                       .workspace = run->workspace,
                                       .progress = run->progress,
                                       .progress_user = run->progress_user,
                                       .asynchronous = manner->asynchronous,
                                       .has_stream = manner->has_stream,
                                       .stream = manner->stream,
                                       .wait = run->wait,
                                       .signal = run->signal,
                                       .wait_count = run->wait_count,
                                       .signal_count = run->signal_count};
    if (!run->workspace) {
        size_t size = weft_plan_workspace_size(plan);
        workspace = weft_allocate_aligned(size);
        if (!workspace)
            return weft_fail_memory(error, size, "the workspace");
        request.workspace = workspace;
    }
    request.blocks = run->parameters ? run->parameters->typed : plan->blocks;
    weft_state *state = run->state;
    weft_status status = WEFT_OK;
    if (!state && weft_plan_has_memory(plan)) /* a stream of one frame */
        status = weft_state_create(plan, &state, error);
    if (status == WEFT_OK && state)
        weft_state_begin(state, &request);
    if (status == WEFT_OK)
        status = plan->backend->run(plan->compiled, &request, error);
    if (status == WEFT_OK && state)
        weft_state_advance(state);
    if (!run->state)
        weft_state_destroy(&state);
    if (status == WEFT_OK && manner->kept)
        *manner->kept = workspace;
    else
        weft_free(workspace);
    return status;
}

weft_status weft_plan_run(const weft_plan *plan, const weft_run *run, weft_error *error) {
    weft_status status = weft_run_check(plan, run, error);
    return status == WEFT_OK ? weft_run_start(plan, run, &(struct weft_run_manner){.kept = NULL}, error) : status;
}
