/* SPDX-License-Identifier: MIT
 * The definition of global filters: from every seed to all that it is connected to. */
#include "backend/reference/model.h"
#include "base/memory.h"
#include "base/status.h"

weft_status reference_global(const struct reference_call *call, weft_error *error) {
    const struct weft_connect *connect = call->block;
    int64_t width = call->out->info.width, height = call->out->info.height, waiting = 0;
    const double *in = reference_row(call->in[0], 0, 0);
    double *out = reference_row(call->out, 0, 0);
    int64_t *places = weft_allocate((size_t)width * (size_t)height, sizeof *places);
    if (!places)
        return weft_fail_memory(error, (size_t)width * (size_t)height * sizeof *places, "pixels to go on from");
    for (int64_t i = 0; i < width * height; i++)
        if (in[i] > (double)connect->high) {
            out[i] = 1;
            places[waiting++] = i;
        }
    while (waiting > 0) {
        int64_t at = places[--waiting], x = at % width, y = at / width;
        for (int64_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < height; v++)
            for (int64_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < width; u++) {
                int64_t i = v * width + u;
                if (out[i] == 0 && in[i] > (double)connect->low && !(connect->four && u != x && v != y)) {
                    out[i] = 1;
                    places[waiting++] = i;
                }
            }
    }
    weft_free(places);
    return WEFT_OK;
}
