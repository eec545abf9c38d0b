/* SPDX-License-Identifier: MIT
 * Which build of the row kernels this processor runs. */
#ifndef CPU_ISA_H
#define CPU_ISA_H
#include "kernels/cpu/kernels.h"
#include "weft/status.h"

struct weft_isa {
    const char *name; /* "x86-64-v3" */
    bool (*runs)(void);
    void (*fill)(struct weft_kernels *kernels);
    const struct weft_body *const *bodies; /* in registry order */
};

/* The best one that runs here and is not masked by WEFT_CPU_ISA, which names the highest to use; an error when that is no
 * name or cannot run here. */
weft_status weft_isa_choose(const struct weft_isa **isa, weft_error *error);

#endif
