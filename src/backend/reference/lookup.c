/* SPDX-License-Identifier: MIT
 * The definition of lookups: every pixel of the first input by itself, and all of the second. */
#include "backend/reference/model.h"

enum { AT_ONCE = 256 }; /* pixels of a row, which share what a body makes of the table first */

static void table_at(const struct weft_reference_table *table, int x, int y, double *rgba) {
    reference_gather(table->user, x, y, rgba);
}

weft_status reference_lookup(const struct reference_call *call, weft_error *error) {
    const weft_image_info *size = &call->in[1]->info, *out = &call->out->info;
    struct weft_reference_table table = {table_at, call->in[1], (int)size->width, (int)size->height};
    (void)error;
    for (int64_t y = 0; y < out->height; y++)
        for (int64_t x = 0; x < out->width; x += AT_ONCE) {
            double in[4 * AT_ONCE], result[4 * AT_ONCE];
            int count = out->width - x < AT_ONCE ? (int)(out->width - x) : AT_ONCE;
            for (int i = 0; i < count; i++)
                reference_gather(call->in[0], x + i, y, &in[4 * i]);
            call->body->lookup(call->block, &table, count, in, result);
            for (int i = 0; i < count; i++)
                reference_scatter(call->out, x + i, y, &result[4 * i]);
        }
    return WEFT_OK;
}
