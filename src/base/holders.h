/* SPDX-License-Identifier: MIT
 * How many hold a thing beside its first owner, so that it may be closed in any order: what is zeroed is held by one. */
#ifndef BASE_HOLDERS_H
#define BASE_HOLDERS_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic int32_t weft_holders;

static inline void weft_holders_add(weft_holders *holders) {
    atomic_fetch_add_explicit(holders, 1, memory_order_relaxed);
}

/* True for the last one, who then destroys the thing. */
static inline bool weft_holders_leave(weft_holders *holders) {
    return atomic_fetch_sub_explicit(holders, 1, memory_order_acq_rel) == 0;
}

#endif
