/* SPDX-License-Identifier: MIT
 * Weighted sums of walk_whole.h: what a row adds to those of the rows around it, in whole numbers or in half floats. */
#ifndef KERNELS_GPU_WALK_WHOLE_SUMS_H
#define KERNELS_GPU_WALK_WHOLE_SUMS_H
#include "kernels/gpu/stencil/walk_whole_weights.h"

/* Both halves within 0 and `most`. */
#if defined(__CUDA_ARCH__)
FN uint lanes_within(uint v, uint most) { return __vimin_s16x2_relu(v, most * 0x10001u); }
#else
FN uint lanes_within(uint v, uint most) {
    int lower = min(max(int(v << 16) >> 16, 0), int(most)), upper = min(max(int(v) >> 16, 0), int(most));
    return uint(lower) | uint(upper) << 16;
}
#endif

FN uint weighed(whole_stencil s, int form, whole_row row, int first, int i, uint sum) {
    if (form == WHOLE_HALVES)
        return halves_product_sum(s.weight[first + 2], row.right[i],
                                  halves_product_sum(s.weight[first + 1], row.center[i],
                                                     halves_product_sum(s.weight[first], row.left[i], sum)));
    return sum + s.weight[first] * row.left[i] + s.weight[first + 1] * row.center[i] + s.weight[first + 2] * row.right[i];
}
FN void finish_sums(whole_stencil s, int form, whole_row row, INOUT(whole_state) state, INOUT_ARRAY(uint, made, 4)) {
    UNROLL for (int k = 0; k < 4; k++) {
        uint even = weighed(s, form, row, 6, 2 * k, state.most_done[2 * k]);
        uint odd = weighed(s, form, row, 6, 2 * k + 1, state.most_done[2 * k + 1]);
        if (form == WHOLE_HALVES) { /* below 0 as whole numbers are */
            made[k] = pick_bytes(lanes_within(even, 255u), lanes_within(odd, 255u), 0x6240u);
        } else {
            uint most = (256u << s.shift) - 1u;
            made[k] = bytes_of_lanes(lanes_within(even, most) << (8 - s.shift), lanes_within(odd, most) << (8 - s.shift));
        }
    }
}
FN void begin_sums(whole_stencil s, int form, whole_row row, INOUT(whole_state) state) {
    UNROLL for (int i = 0; i < 8; i++) {
        state.most_done[i] = weighed(s, form, row, 3, i, state.begun[i]);
        state.begun[i] = weighed(s, form, row, 0, i, s.start);
    }
}
#endif
