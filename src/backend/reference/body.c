/* SPDX-License-Identifier: MIT
 * Finds the reference form of a filter's body. */
#include "backend/reference/model.h"

/* In the order of the registry, NULL for filters without a body; made by the build. */
extern const struct weft_reference_body *const weft_reference_bodies[];

const struct weft_reference_body *reference_body(const struct weft_filter *filter) {
    return filter->custom ? NULL : weft_reference_bodies[weft_registry_index(filter)];
}
