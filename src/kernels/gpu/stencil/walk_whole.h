/* SPDX-License-Identifier: MIT
 * Stencils of radius 1 of bytes that are weighted sums, or the length of two that are a gradient's (filter/stencil.h, LINEAR and
 * LENGTH_OF), in whole numbers, two bytes in a register. Threads walk down as in walk.h, each on 16 bytes of a row and a word on
 * both sides; a row is unpacked once and added to the three results that read it.
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

/* A row of sums in one of their forms; `made` is the result in the row before, where `makes` says that there is one. */
FN void take_sums(whole_stencil s, int form, whole_row row, bool makes, INOUT(whole_state) state, INOUT_ARRAY(uint, made, 4)) {
    if (makes)
        finish_sums(s, form, row, state, made);
    begin_sums(s, form, row, state);
}
/* A row of the input: what it adds to the result in the row before, if there is one, and to its own and the next. */
LFN(void, take_row, whole_walk w, whole_stencil s, bool lengths, int y, bool makes, INOUT_ARRAY(uint, raw, MOST_RAW),
    INOUT_ARRAY(uint, before, 4), INOUT(whole_state) state) {
    uint made[4];
#if defined(LENGTH_OF)
    if (lengths) {
        whole_row row = split_numbers(s, raw);
        if (makes)
            finish_lengths(s, row, state, made);
        begin_lengths(s, row, state);
    } else
#endif
    {
        whole_row row = split_whole(raw);
        if (HAS_HALVES && s.form == WHOLE_HALVES)
            take_sums(s, WHOLE_HALVES, row, makes, state, made);
        else
            take_sums(s, WHOLE_SUMS, row, makes, state, made);
#if defined(KEEP_ALPHA)
        if (WALK_CHANNELS == 4 && L.stencil.channels < WALK_CHANNELS) {
            UNROLL for (int k = 0; k < 4; k++)
                made[k] = (made[k] & 0x00ffffffu) | (before[k] & 0xff000000u);
        }
#endif
        UNROLL for (int k = 0; k < 4; k++)
            before[k] = raw[k + 1];
    }
    if (makes && y <= w.y1)
        CALL(write_whole, w, y - 1, made);
}

/* Rows are loaded two ahead, and the first two iterations store nothing: one loop body for all of them, since it takes long to
 * compile. */
LFN(void, whole_down, whole_walk w, whole_stencil s, bool lengths) {
    uint a[MOST_RAW], b[MOST_RAW], c[MOST_RAW], d[MOST_RAW], before[4];
    whole_state state;
    UNROLL for (int i = 0; i < MOST_NUMBERS; i++) {
        state.begun[i] = lengths ? 0u : s.start;
        state.summed[i] = 0u;
    }
    for (int y = w.y0 - 3; y <= w.y1; y += 2) {
        UNROLL for (int k = 0; k < WHOLE_WORDS + 2; k++) {
            a[k] = c[k];
            b[k] = d[k];
        }
        CALL(read_whole, w, y + 2, c); /* loaded while this row is used */
        CALL(read_whole, w, y + 3, d);
        if (y >= w.y0 - 1) {
            CALL(take_row, w, s, lengths, y, y > w.y0, a, before, state);
            CALL(take_row, w, s, lengths, y + 1, y > w.y0, b, before, state);
        }
    }
}

/* In CUDA the loop exists twice, so that blocks inside need no tests for edges. */
LFN(void, walk_whole, whole_stencil s, bool lengths) {
    whole_walk w = CALL0(begin_whole);
    if (w.y0 < w.y1) {
#if !defined(GLSL)
        if (w.inside) {
            w.inside = true;
            CALL(whole_down, w, s, lengths);
        } else {
            w.inside = false;
            CALL(whole_down, w, s, lengths);
        }
#else
        if (CALL0(block_lies_inside)) {
            w.inside = true;
            CALL(whole_down, w, s, lengths);
        } else {
            CALL(whole_down, w, s, lengths);
        }
#endif
    }
}

/* False where the filter's body must be used. */
LFN(bool, walks_whole, BODY_BLOCK P) {
    whole_stencil s = CALL(find_whole, P);
    if (!WHOLE_LUMINANCE && (s.form == WHOLE_SUMS || (HAS_HALVES && s.form == WHOLE_HALVES)))
        CALL(walk_whole, s, false);
#if defined(LENGTH_OF)
    else if (s.form == WHOLE_LENGTHS)
        CALL(walk_whole, s, true);
#endif
    return s.form != WHOLE_NONE;
}
#endif
