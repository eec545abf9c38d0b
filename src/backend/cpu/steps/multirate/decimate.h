/* SPDX-License-Identifier: MIT
 * What a step that decimates bytes knows, and how its weights lie. */
#ifndef CPU_DECIMATE_H
#define CPU_DECIMATE_H
#include "backend/cpu/choose/multirate.h"
#include "filter/filter.h"

struct decimate {
    struct weft_decimation of;
    int64_t first; /* tap of output 0: may be outside */
    int64_t taps, width;
    int64_t left, right; /* pixels that outputs read beyond the edges */
    weft_border border;
};

/* decimate_weights.c: the weights in 16 bits, with as many below 1 as fit; false where that is not enough. */
bool weft_decimate_round(const struct weft_axis *axis, int16_t *whole, int32_t *shift);
/* Lays pixels and weights out as the kernel wants them: see kernels/cpu/multirate/multirate.h. False without memory. */
bool weft_decimate_lay_out(struct decimate *d, const int16_t *whole);
/* The same for products of 16 bits. */
bool weft_decimate_lay_out_u16(struct decimate *d, const int16_t *whole);

#endif
