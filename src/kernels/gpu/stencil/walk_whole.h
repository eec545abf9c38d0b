/* SPDX-License-Identifier: MIT
 * Stencils of radius 1 of bytes that are weighted sums, or the length of two that are a gradient's (filter/stencil.h, LINEAR and
 * LENGTH_OF), in whole numbers, two bytes in a register. Threads walk down as in walk.h, each on 16 bytes of a row and a word on
 * both sides; a row is taken apart once, into its part of three results.
 *
 *   walk_whole_rows.h      a row of the input, taken apart, and one of the result
 *   walk_whole_weights.h   what to make of them; where whole numbers do not hold it (CALL(walks_whole) says so) the body itself
 *                          works, by walk.h, on the same blocks
 *   walk_whole_sums.h      one of two ways to make it: weighted sums
 *   walk_whole_lengths.h   the other: lengths of gradients */
#ifndef KERNELS_GPU_WALK_WHOLE_H
#define KERNELS_GPU_WALK_WHOLE_H
#include "kernels/gpu/stencil/walk_whole_sums.h"
#if defined(LENGTH_OF)
#include "kernels/gpu/stencil/walk_whole_lengths.h"
#endif

/* A row of the input: what it adds to the result in the row before, if there is one, and to its own and the next. */
LFN(void, take_row, whole_walk w, whole_stencil s, int form, int y, bool makes, INOUT_ARRAY(uint, raw, MOST_RAW),
    INOUT_ARRAY(uint, before, 4), INOUT(whole_state) state) {
    uint made[4];
#if defined(LENGTH_OF)
    if (form == WHOLE_LENGTHS) {
        whole_row row = split_numbers(s, raw);
        if (makes) {
            finish_lengths(s, row, state, made);
            if (y <= w.y1)
                CALL(write_whole, w, y - 1, made);
        }
        begin_lengths(s, row, state);
    } else
#endif
    {
        whole_row row = split_whole(raw);
        if (makes) {
            finish_sums(s, form, row, state, made);
#if defined(KEEP_ALPHA)
            if (WALK_CHANNELS == 4 && L.number[0] < WALK_CHANNELS) {
                UNROLL for (int k = 0; k < 4; k++)
                    made[k] = (made[k] & 0x00ffffffu) | (before[k] & 0xff000000u);
            }
#endif
            if (y <= w.y1)
                CALL(write_whole, w, y - 1, made);
        }
        begin_sums(s, form, row, state);
        UNROLL for (int k = 0; k < 4; k++)
            before[k] = raw[k + 1];
    }
}

LFN(void, whole_down, whole_walk w, whole_stencil s, int form) {
    uint a[MOST_RAW], b[MOST_RAW], c[MOST_RAW], d[MOST_RAW], before[4];
    whole_state state;
    CALL(read_whole, w, w.y0 - 1, a);
    CALL(read_whole, w, w.y0, b);
    CALL(read_whole, w, w.y0 + 1, c);
    CALL(read_whole, w, w.y0 + 2, d);
    UNROLL for (int i = 0; i < MOST_NUMBERS; i++) {
        state.begun[i] = form == WHOLE_LENGTHS ? 0u : s.start;
        state.summed[i] = 0u;
    }
    CALL(take_row, w, s, form, w.y0 - 1, false, a, before, state);
    CALL(take_row, w, s, form, w.y0, false, b, before, state);
    for (int y = w.y0 + 1; y <= w.y1; y += 2) {
        UNROLL for (int k = 0; k < WHOLE_WORDS + 2; k++) {
            a[k] = c[k];
            b[k] = d[k];
        }
        CALL(read_whole, w, y + 2, c); /* on their way meanwhile */
        CALL(read_whole, w, y + 3, d);
        CALL(take_row, w, s, form, y, true, a, before, state);
        CALL(take_row, w, s, form, y + 1, true, b, before, state);
    }
}

/* CUDA has what follows twice, so that nothing asks on the way where the edges are. */
LFN(void, walk_whole, whole_stencil s, int form) {
    whole_walk w = CALL0(begin_whole);
    if (w.y0 < w.y1) {
#if !defined(GLSL)
        if (w.inside) {
            w.inside = true;
            CALL(whole_down, w, s, form);
        } else {
            w.inside = false;
            CALL(whole_down, w, s, form);
        }
#else
        if (CALL0(block_lies_inside)) {
            w.inside = true;
            CALL(whole_down, w, s, form);
        } else {
            CALL(whole_down, w, s, form);
        }
#endif
    }
}

/* False where the body itself is to work. */
LFN(bool, walks_whole, BODY_BLOCK P) {
    whole_stencil s = CALL(find_whole, P);
    if (!WHOLE_LUMINANCE && s.form == WHOLE_SUMS)
        CALL(walk_whole, s, WHOLE_SUMS);
    else if (HAS_HALVES && !WHOLE_LUMINANCE && s.form == WHOLE_HALVES)
        CALL(walk_whole, s, WHOLE_HALVES);
#if defined(LENGTH_OF)
    else if (s.form == WHOLE_LENGTHS)
        CALL(walk_whole, s, WHOLE_LENGTHS);
#endif
    return s.form != WHOLE_NONE;
}
#endif
