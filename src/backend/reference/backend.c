/* SPDX-License-Identifier: MIT
 * The reference backend's table. Its compiled form is the typed graph itself; a run allocates what it needs. */
#include "backend/reference/model.h"
#include "backend/stateless_device.h"
#include "base/memory.h"
#include "base/status.h"

extern const struct weft_backend weft_backend_reference;

static bool at(int32_t index, weft_device_info *info) {
    return weft_stateless_at(index, "reference", "double precision model", "slow, one thread", info);
}

static weft_status open_device(const char *name, const weft_device_options *options, weft_device **device,
                               weft_error *error) {
    (void)name, (void)options;
    return weft_stateless_open(&weft_backend_reference, device, error);
}

static bool has_its_body(const struct weft_filter *filter) {
    const struct weft_reference_body *body = reference_body(filter);
    if (filter->custom)
        return true;
    switch (filter->kind) {
    case WEFT_KIND_POINT:
        return body && (filter->per_channel ? body->channel != NULL : body->point != NULL);
    case WEFT_KIND_STENCIL:
        return body && body->stencil;
    case WEFT_KIND_WINDOW:
        return !body || body->window; /* without a body it is one by patches, or of squares */
    case WEFT_KIND_WARP:
        return body && body->warp;
    case WEFT_KIND_LOOKUP:
        return body && body->lookup;
    case WEFT_KIND_SEPARABLE:
    case WEFT_KIND_BOX:
    case WEFT_KIND_EXTREMUM:
    case WEFT_KIND_RANK:
    case WEFT_KIND_RESAMPLE:
    case WEFT_KIND_REDUCE:
    case WEFT_KIND_GLOBAL:
        return true;
    case WEFT_KIND_COMPOSITE:
        break;
    }
    return false;
}

static weft_status compile(weft_device *device, const struct weft_typed_graph *typed, void **compiled,
                           weft_error *error) {
    (void)device;
    for (int32_t i = 0; i < typed->graph->count; i++) {
        const struct weft_graph_node *node = &typed->graph->nodes[i];
        if (node->filter && !has_its_body(node->filter)) {
            weft_status status =
                weft_fail(error, WEFT_ERROR_INTERNAL, "the reference has no body of '%s'", node->filter->info.name);
            weft_error_at(error, node->origin, node->filter->info.name, NULL);
            return status;
        }
    }
    *compiled = (void *)(uintptr_t)typed; /* outlives the plan, and only read */
    return WEFT_OK;
}

static int32_t passes(const void *compiled) {
    const struct weft_typed_graph *typed = compiled;
    int32_t count = 0;
    for (int32_t i = 0; i < typed->graph->count; i++)
        count += typed->graph->nodes[i].filter != NULL;
    return count;
}

static weft_status keeps(const weft_device *device, const struct weft_graph *graph, const weft_image_info *info,
                         int32_t n, bool *kept, weft_error *error) {
    (void)device, (void)info, (void)error;
    *kept = !graph->nodes[n].filter->guided;
    return WEFT_OK;
}

static bool can_stream(const void *compiled) {
    (void)compiled;
    return false;
}

const struct weft_backend weft_backend_reference = {.name = "reference",
                                                    .forks = true,
                                                    .keeps = keeps,
                                                    .at = at,
                                                    .open = open_device,
                                                    .close = weft_stateless_close,
                                                    .describe = weft_stateless_describe,
                                                    .compile = compile,
                                                    .destroy = weft_stateless_destroy,
                                                    .workspace_size = weft_stateless_workspace_size,
                                                    .passes = passes,
                                                    .can_stream = can_stream,
                                                    .print = reference_print,
                                                    .run = reference_run};
