/* SPDX-License-Identifier: MIT
 * The ladder of lookups: bytes of one channel by a table of what each becomes, else their bodies in f32. */
#include "backend/cpu/choose/lookup.h"

static bool is_byte(weft_format format) { return format.type == WEFT_U8 && format.channels == 1; }
static bool fits_bytes(const void *facts) {
    const struct cpu_lookup_case *l = facts;
    return l->image && is_byte(l->in) && is_byte(l->out);
}

static const struct weft_rung rungs[] = {
    {CPU_LOOKUP_BYTES, "bytes_map", "one channel of bytes: a table of 256 bytes", fits_bytes},
    {CPU_LOOKUP_F32, "weft_body", "all else, in f32", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_lookup(const struct cpu_lookup_case *lookup) {
    return weft_first_that_fits(rungs, lookup);
}
