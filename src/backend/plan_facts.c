/* SPDX-License-Identifier: MIT
 * What a plan says of itself. */
#include "backend/plan.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/status.h"
#include "graph/reach/reach.h"

int32_t weft_plan_input_count(const weft_plan *plan) { return plan ? plan->input_count : 0; }
int32_t weft_plan_output_count(const weft_plan *plan) { return plan ? plan->output_count : 0; }

static weft_status check_getter(const weft_plan *plan, const weft_image_info *info, const char *name,
                                weft_error *error) {
    if (!plan || !info)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s needs a plan and a place for the info", name);
    return WEFT_OK;
}

weft_status weft_plan_input_info(const weft_plan *plan, int32_t index, weft_image_info *info, weft_error *error) {
    weft_status status = check_getter(plan, info, "weft_plan_input_info", error);
    if (status != WEFT_OK)
        return status;
    if (index < 0 || index >= plan->input_count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "there is no input %d", (int)index);
    *info = plan->inputs[index];
    return WEFT_OK;
}

weft_status weft_plan_output_info(const weft_plan *plan, int32_t index, weft_image_info *info, weft_error *error) {
    weft_status status = check_getter(plan, info, "weft_plan_output_info", error);
    if (status != WEFT_OK)
        return status;
    if (index < 0 || index >= plan->output_count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "there is no output %d", (int)index);
    *info = plan->outputs[index];
    return WEFT_OK;
}

bool weft_plan_output_is_values(const weft_plan *plan, int32_t index) {
    return plan && index >= 0 && index < plan->output_count && plan->values[index];
}

int32_t weft_plan_passes(const weft_plan *plan) { return plan ? plan->backend->passes(plan->compiled) : 0; }
size_t weft_plan_workspace_size(const weft_plan *plan) {
    return plan ? plan->backend->workspace_size(plan->compiled) : 0;
}

uint64_t weft_plan_memory(const weft_plan *plan) {
    if (!plan)
        return 0;
    if (plan->backend->memory)
        return plan->backend->memory(plan->compiled);
    return weft_plan_bytes(plan) + weft_plan_workspace_size(plan);
}

bool weft_plan_can_stream(const weft_plan *plan) { return plan && plan->backend->can_stream(plan->compiled); }

uint64_t weft_plan_bytes(const weft_plan *plan) {
    size_t size = 0;
    uint64_t bytes = 0;
    if (!plan)
        return 0;
    for (int32_t i = 0; i < plan->recalls.input_count; i++)
        if (weft_image_size(&plan->inputs[i], &size, NULL) == WEFT_OK)
            bytes += size;
    for (int32_t i = 0; i < plan->typed.output_count; i++)
        if (weft_image_size(&plan->outputs[i], &size, NULL) == WEFT_OK)
            bytes += size;
    return bytes;
}

/* The text of the one that was chosen, with the reason in front: a line, a key of the object, a comment. */
static weft_status add_why(const char *why, weft_plan_format format, char **text, weft_error *error) {
    struct weft_buffer buffer = {0};
    char *inner = *text;
    if (format == WEFT_PLAN_JSON && inner[0] == '{') {
        weft_buffer_print(&buffer, "{\"auto\": \"");
        for (const char *c = why; *c; c++)
            weft_buffer_print(&buffer, "%c", *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? '\'' : *c);
        weft_buffer_print(&buffer, "\", %s", inner + 1);
    } else {
        weft_buffer_print(&buffer, "%s%s\n%s", format == WEFT_PLAN_DOT ? "// " : "", why, inner);
    }
    weft_free(inner);
    return weft_buffer_take(&buffer, "the plan's description", text, error);
}

weft_status weft_plan_print(const weft_plan *plan, weft_plan_format format, char **text, weft_error *error) {
    if (!plan || !text)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_plan_print needs a plan and a place for the text");
    *text = NULL;
    weft_status status = plan->backend->print(plan->compiled, format, text, error);
    return status == WEFT_OK && plan->choice.why[0] ? add_why(plan->choice.why, format, text, error) : status;
}

weft_status weft_plan_reach(const weft_plan *plan, int32_t output, int32_t input, weft_reach *reach, weft_error *error) {
    if (!plan || !reach || output < 0 || output >= plan->output_count || input < 0 || input >= plan->input_count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_plan_reach needs a plan, one of its outputs and one of its inputs");
    return weft_graph_reach(&plan->typed, output, input, reach, error);
}
