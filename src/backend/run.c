/* SPDX-License-Identifier: MIT
 * The front door to runs: every image, stream and workspace is checked against the plan before a backend sees it. */
#include <string.h>
#include "backend/plan.h"
#include "base/memory.h"
#include "base/status.h"

static weft_status check_image(const weft_image *image, const weft_image_info *want, const char *what, int32_t index,
                               weft_error *error) {
    const weft_image_info *have = &image->info;
    size_t row = (size_t)want->width * weft_format_size(want->format), size = weft_type_size(want->format.type);
    size_t pitch = image->stride < 0 ? (size_t)0 - (size_t)image->stride : (size_t)image->stride;
    char had[16], wanted[16];
    if (!image->data)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s %d has no pixels", what, (int)index);
    if (have->width != want->width || have->height != want->height || have->format.type != want->format.type ||
        have->format.channels != want->format.channels || have->alpha != want->alpha || have->space != want->space) {
        weft_format_print(have->format, had, sizeof had);
        weft_format_print(want->format, wanted, sizeof wanted);
        bool same = strcmp(had, wanted) == 0 && have->width == want->width && have->height == want->height;
        return weft_fail(error, WEFT_ERROR_FORMAT, "%s %d is %lldx%lld %s, but the plan is for %lldx%lld %s%s", what,
                         (int)index, (long long)have->width, (long long)have->height, had, (long long)want->width,
                         (long long)want->height, wanted, same ? " of another alpha or color space" : "");
    }
    if (pitch < row && want->height > 1)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s %d: a stride of %lld bytes is shorter than a row of %zu", what,
                         (int)index, (long long)image->stride, row);
    if ((uintptr_t)image->data % size != 0 || pitch % size != 0)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s %d: pixels and stride must be aligned to %zu bytes", what,
                         (int)index, size);
    return WEFT_OK;
}

/* The bytes that an image touches, for the test of overlap. */
static void extent(const weft_image *image, uintptr_t *low, uintptr_t *high) {
    size_t row = (size_t)image->info.width * weft_format_size(image->info.format);
    uintptr_t first = (uintptr_t)image->data;
    uintptr_t last = first + (uintptr_t)(image->info.height - 1) * (uintptr_t)image->stride;
    *low = first < last ? first : last;
    *high = (first < last ? last : first) + row;
}

static bool overlap(const weft_image *a, const weft_image *b) {
    uintptr_t a_low, a_high, b_low, b_high;
    extent(a, &a_low, &a_high);
    extent(b, &b_low, &b_high);
    return a_low < b_high && b_low < a_high;
}

static weft_status check_run(const weft_plan *plan, const weft_run *run, weft_error *error) {
    bool streamed = false;
    if (!plan || !run)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_plan_run needs a plan and a run");
    if (run->input_count != plan->input_count || run->output_count != plan->typed.output_count ||
        (run->input_count > 0 && !run->inputs) || !run->outputs)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the plan has %d inputs and %d outputs, the run %d and %d",
                         (int)plan->input_count, (int)plan->typed.output_count, (int)run->input_count,
                         (int)run->output_count);
    if (run->parameters && run->parameters->plan != plan)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the parameters are another plan's");
    for (int32_t i = 0; i < run->input_count; i++) {
        weft_status status = WEFT_OK;
        if (run->inputs[i].source.read)
            streamed = true;
        else
            status = check_image(&run->inputs[i].image, &plan->inputs[i], "input", i, error);
        if (status != WEFT_OK)
            return status;
    }
    for (int32_t i = 0; i < run->output_count; i++) {
        if (run->outputs[i].sink.write)
            continue;
        weft_status status = check_image(&run->outputs[i].image, &plan->outputs[i], "output", i, error);
        if (status != WEFT_OK)
            return status;
        for (int32_t k = 0; k < run->input_count; k++)
            if (!run->inputs[k].source.read && overlap(&run->outputs[i].image, &run->inputs[k].image))
                return weft_fail(error, WEFT_ERROR_ARGUMENT, "output %d overlaps input %d", (int)i, (int)k);
        for (int32_t k = 0; k < i; k++)
            if (!run->outputs[k].sink.write && overlap(&run->outputs[i].image, &run->outputs[k].image))
                return weft_fail(error, WEFT_ERROR_ARGUMENT, "output %d overlaps output %d", (int)i, (int)k);
    }
    if (streamed && !weft_plan_can_stream(plan))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "this plan needs its inputs as images: it does not walk over them once "
                                                        "from top to bottom");
    if (run->workspace && (run->workspace_size < weft_plan_workspace_size(plan) || (uintptr_t)run->workspace % 64 != 0))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the workspace needs %zu bytes aligned to 64, it has %zu",
                         weft_plan_workspace_size(plan), run->workspace_size);
    return WEFT_OK;
}

weft_status weft_plan_run(const weft_plan *plan, const weft_run *run, weft_error *error) {
    void *workspace = NULL;
    weft_status status = check_run(plan, run, error);
    if (status != WEFT_OK)
        return status;
    struct weft_run_request request = {.inputs = run->inputs,
                                       .outputs = run->outputs,
                                       .workspace = run->workspace,
                                       .progress = run->progress,
                                       .progress_user = run->progress_user};
    if (!run->workspace) {
        size_t size = weft_plan_workspace_size(plan);
        workspace = weft_allocate_aligned(size);
        if (!workspace)
            return weft_fail_memory(error, size, "the workspace");
        request.workspace = workspace;
    }
    request.blocks = run->parameters ? run->parameters->typed : plan->blocks;
    status = plan->backend->run(plan->compiled, &request, error);
    weft_free(workspace);
    return status;
}
