/* SPDX-License-Identifier: MIT
 * Reference counts: how many others hold an object beside its first owner, so that owner and holders may let go in any order.
 * 0: only the owner. */
#ifndef BASE_REFERENCE_COUNT_H
#define BASE_REFERENCE_COUNT_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic int32_t weft_reference_count;

static inline void weft_reference_count_add(weft_reference_count *holders) {
    atomic_fetch_add_explicit(holders, 1, memory_order_relaxed);
}

/* True for the last one, who then destroys the thing. */
static inline bool weft_reference_count_drop(weft_reference_count *holders) {
    return atomic_fetch_sub_explicit(holders, 1, memory_order_acq_rel) == 0;
}

#endif
