/* SPDX-License-Identifier: MIT
 * A node by the function of its kind. */
#include "backend/reference/model.h"
#include "base/status.h"

weft_status reference_evaluate(const struct reference_call *call, weft_error *error) {
    if (call->filter->custom)
        return reference_custom(call, error);
    switch (call->filter->kind) {
    case WEFT_KIND_POINT:
        return reference_point(call, error);
    case WEFT_KIND_STENCIL:
        return reference_stencil(call, error);
    case WEFT_KIND_WINDOW:
        return call->filter->squares ? reference_squares(call, error)
               : call->body          ? reference_window(call, error)
                                     : reference_patch(call, error);
    case WEFT_KIND_SEPARABLE:
        return reference_separable(call, error);
    case WEFT_KIND_BOX:
        return reference_box(call, error);
    case WEFT_KIND_EXTREMUM:
        return reference_extremum(call, error);
    case WEFT_KIND_RANK:
        return reference_rank(call, error);
    case WEFT_KIND_RESAMPLE:
        return reference_resample(call, error);
    case WEFT_KIND_WARP:
        return reference_warp(call, error);
    case WEFT_KIND_LOOKUP:
        return reference_lookup(call, error);
    case WEFT_KIND_REDUCE:
        return reference_reduce(call, error);
    case WEFT_KIND_GLOBAL:
        return reference_global(call, error);
    case WEFT_KIND_COMPOSITE:
        break;
    }
    return weft_fail(error, WEFT_ERROR_INTERNAL, "the composite '%s' was not expanded", call->filter->info.name);
}
