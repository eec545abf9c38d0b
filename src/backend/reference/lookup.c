/* SPDX-License-Identifier: MIT
 * The definition of lookups: every pixel of the first input by itself, and all of the second. */
#include "backend/reference/model.h"

static void table_at(const struct weft_reference_table *table, int x, int y, double *rgba) {
    reference_gather(table->user, x, y, rgba);
}

weft_status reference_lookup(const struct reference_call *call, weft_error *error) {
    const weft_image_info *size = &call->in[1]->info, *out = &call->out->info;
    struct weft_reference_table table = {table_at, call->in[1], (int)size->width, (int)size->height};
    (void)error;
    for (int64_t y = 0; y < out->height; y++)
        for (int64_t x = 0; x < out->width; x++) {
            double in[4], result[4];
            reference_gather(call->in[0], x, y, in);
            call->body->lookup(call->block, &table, in, result);
            reference_scatter(call->out, x, y, result);
        }
    return WEFT_OK;
}
