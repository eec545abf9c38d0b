/* SPDX-License-Identifier: MIT
 * How the CPU looks pixels up in a second image: a ladder, of which the first that fits is taken. Nothing else chooses.
 */
#ifndef BACKEND_CPU_CHOOSE_LOOKUP_H
#define BACKEND_CPU_CHOOSE_LOOKUP_H
#include "base/ladder.h"
#include "weft/image.h"

/* All that the choice depends on. */
struct cpu_lookup_case {
    bool image;          /* it makes an image from one */
    weft_format in, out; /* of these */
};

enum cpu_lookup_kernel { CPU_LOOKUP_BYTES, CPU_LOOKUP_F32 };

const struct weft_rung *weft_cpu_choose_lookup(const struct cpu_lookup_case *lookup);

#endif
