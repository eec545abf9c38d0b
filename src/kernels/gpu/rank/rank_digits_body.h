/* SPDX-License-Identifier: MIT
 * Medians of large squares of bytes, by two digits of 16: first which of 16 ranges of values a pixel's median is in, then,
 * for each range that occurs in the block, which of its values. That is, how many values of the square lie below each of
 * 16 thresholds; those that leave more than half of the square above are counted.
 *
 * A value counts as 16 bytes of 0 or 1, one for each threshold (four words); sums of bytes are sums of words, as long as what comes
 * out in the end fits. From one row to the next a row of places comes and one goes: their difference, column by column, is summed
 * along the row once, and a window of a row is a difference of two such sums. A thread keeps the 16 counts of its column's window
 * as halves of eight words. So the time for a pixel does not depend on the radius, but for the columns at a block's sides; it grows
 * with the number of ranges that the medians of a block fall into.
 *
 * The bytes are rank_pad's. Results go to an image of the kernel's own, the bytes of a group of rows side by side: first the upper
 * digit, then the value.
 *
 * A kernel's file says how many THREADS a block has, and which COLUMNS and PARTS there are. */
#ifndef KERNELS_GPU_RANK_DIGITS_BODY_H
#define KERNELS_GPU_RANK_DIGITS_BODY_H
#include "kernels/gpu/program/program.h"
#include "kernels/gpu/dialect/bits.h"
#include "kernels/gpu/rank/sortable_keys.h"
#include "kernels/gpu/rank/rank_bytes.h"
#include "kernels/gpu/rank/rank_digits.h"
#include "kernels/gpu/dialect/shared_atomics.h"

#define GROUP RANK_DIGITS_GROUP
#define SEGMENT 8 /* columns whose differences a thread sums */
#define SEGMENTS (COLUMNS / SEGMENT)
#define SETS (COLUMNS / THREADS) /* columns of the result that a thread has: 2 */
#define DIGITS 16
#define COPIES 8 /* of the table, so that eight threads read it at once */
/* An unused element follows each segment, to avoid bank conflicts: threads write eight elements apart and read adjacent ones. */
#define PITCH (COLUMNS + SEGMENTS + 1)
#define TOTALS_PITCH (4 * SEGMENTS + 4)
#define HALVES 0x00010001u
SHARED(uvec4, sums, GROUP * PITCH); /* of the columns before one */
SHARED(uint, totals, GROUP * TOTALS_PITCH);
SHARED(uvec4, codes, (DIGITS + 1) * COPIES);
SHARED(uint, present, RANK_DIGITS_CHUNK / GROUP); /* bit d: digit d occurs in the group */

FN int sum_at(int column) { return column + (column >> 3); }

/* 1 in each byte from byte `least` of four on. */
FN uint ones_from(int least) { return least >= 4 ? 0u : 0x01010101u << (8 * max(least, 0)); }

/* What a value counts as: it lies below threshold k where it is at most k above `base`. */
FN uvec4 code_of(uint value, int base) {
    return codes[max(min(int(value & 255u) - base, DIGITS), 0) * COPIES + (THREAD_X & (COPIES - 1))];
}

/* Eight bytes of a row of the input, wherever it is, from number `column` of its bytes on, a multiple of 8. What no row of
 * the result needs may not be there. */
LFN(uvec4, read_eight, int column, int y) {
    int wanted = min(max(y, L.from_y - L.radius_y), L.to_y - 1 + L.radius_y);
    int at = border_place(wanted, L.in_height, border_known), there = at < 0 ? max(min(wanted, L.in_height - 1), 0) : at;
    uvec4 v = read_u32x2(row_of(L.image[0].first, L.image[0].pitch, there), column >> 3);
    if (at < 0) {
        uint outside = border_known == BORDER_CONSTANT ? steps_of_float(L.border_value, 255.0f) : 255u;
        v.x = outside * 0x01010101u;
        v.y = v.x;
    }
    return v;
}

/* Bytes' values, or in the first round their upper digits. */
FN uint digits_of(uint v, bool upper) { return upper ? v >> 4 & 0x0f0f0f0fu : v; }

/* The places of a square below half of them, taken from counts so that a count's highest bit is set where it is larger. */
LFN(uint, offset_at, int x, int y) {
    int count = (2 * L.radius_x + 1) * (2 * L.radius_x + 1);
    if (border_known == BORDER_SHRINK)
        count = places_on(x, L.in_width, L.radius_x) * places_on(y, L.in_height, L.radius_x);
    return uint(0x7fff - count / 2) * HALVES;
}

/* From sums within segments to sums along rows, which go to shared memory. */
FN void place_sums(INOUT_ARRAY(uvec4, v, SEGMENT), int row, int segment, bool has_row) {
    int total = row * TOTALS_PITCH + 4 * segment;
    if (has_row) {
        totals[total] = v[SEGMENT - 1].x;
        totals[total + 1] = v[SEGMENT - 1].y;
        totals[total + 2] = v[SEGMENT - 1].z;
        totals[total + 3] = v[SEGMENT - 1].w;
    }
    BARRIER;
    if (THREAD_X < 4 * GROUP) {
        uint sum = 0u;
        int first = (THREAD_X >> 2) * TOTALS_PITCH + (THREAD_X & 3);
        for (int i = 0; i < SEGMENTS; i += 16) {
            uint each[16];
            UNROLL for (int k = 0; k < 16; k++)
                each[k] = totals[first + 4 * (i + k)];
            UNROLL for (int k = 0; k < 16; k++) {
                totals[first + 4 * (i + k)] = sum;
                sum += each[k];
            }
        }
    }
    BARRIER;
    if (has_row) {
        uint a = totals[total], b = totals[total + 1], c = totals[total + 2], d = totals[total + 3];
        UNROLL for (int k = 0; k < SEGMENT; k++)
            sums[row * PITCH + sum_at(SEGMENT * segment + k + 1)] = words(v[k].x + a, v[k].y + b, v[k].z + c, v[k].w + d);
    }
    BARRIER;
}

/* How many of 16 counts are at most half of the square's places. The last one never counts: where places do not count, it may
 * overflow its half of a word. */
FN uint digit_of(INOUT_ARRAY(uint, count, 16), int first) {
    uint above = 0u;
    UNROLL for (int i = 0; i < 8; i += 2)
        above = above >> 1 | (upper_bytes(count[first + i], count[first + i + 1]) & 0x80808080u);
    return uint(DIGITS - count_bits(above | 0x80000000u));
}

/* Counts of the squares around row y - 1: of each column's bytes first, then along the row. */
LFN(void, begin_counts, int column, int x0, int y, int base, bool upper, INOUT_ARRAY(uint, count, 16),
    INOUT_ARRAY(uint, offset, 2)) {
    int row = THREAD_X / SEGMENTS, segment = THREAD_X % SEGMENTS, side = 2 * L.radius_x + 1;
    uvec4 v[SEGMENT];
    UNROLL for (int k = 0; k < SEGMENT; k++)
        v[k] = words(0u, 0u, 0u, 0u);
    for (int at = y - 1 - L.radius_x + row; at < y + L.radius_x; at += GROUP) {
        uvec4 eight = CALL(read_eight, column + SEGMENT * segment, at);
        UNROLL for (int k = 0; k < SEGMENT; k++) {
            uvec4 code = code_of(digits_of(k < 4 ? eight.x : eight.y, upper) >> (8 * (k & 3)), base);
            v[k] = words(v[k].x + code.x, v[k].y + code.y, v[k].z + code.z, v[k].w + code.w);
        }
    }
    UNROLL for (int k = 0; k < SEGMENT; k++)
        sums[row * PITCH + sum_at(SEGMENT * segment + k + 1)] = v[k];
    BARRIER;
    if (row < 2) { /* the even thresholds, the odd ones */
        uvec4 sum = words(0u, 0u, 0u, 0u);
        UNROLL for (int k = 0; k < SEGMENT; k++) {
            uvec4 all = words(0u, 0u, 0u, 0u);
            for (int i = 0; i < GROUP; i++) {
                uvec4 part = sums[i * PITCH + sum_at(SEGMENT * segment + k + 1)];
                all = words(all.x + part.x, all.y + part.y, all.z + part.z, all.w + part.w);
            }
            if (row == 0)
                all = words(even_bytes(all.x), even_bytes(all.y), even_bytes(all.z), even_bytes(all.w));
            else
                all = words(odd_bytes(all.x), odd_bytes(all.y), odd_bytes(all.z), odd_bytes(all.w));
            sum = words(sum.x + all.x, sum.y + all.y, sum.z + all.z, sum.w + all.w);
            v[k] = sum;
        }
    }
    place_sums(v, row, segment, row < 2);
    UNROLL for (int s = 0; s < SETS; s++) {
        int own = THREAD_X + THREADS * s, from = sum_at(own), to = sum_at(min(own + side, COLUMNS));
        offset[s] = CALL(offset_at, x0 + own, y - 1);
        UNROLL for (int i = 0; i < 2; i++) {
            uvec4 before = sums[i * PITCH + from], all = sums[i * PITCH + to];
            count[8 * s + i] = all.x - before.x + offset[s];
            count[8 * s + i + 2] = all.y - before.y + offset[s];
            count[8 * s + i + 4] = all.z - before.z + offset[s];
            count[8 * s + i + 6] = all.w - before.w + offset[s];
        }
    }
}

/* A window's difference to the one a row above: bytes of four thresholds, each plus 128. */
FN void count_four(INOUT(uint) even, INOUT(uint) odd, uint before, uint all) {
    uint differ = all - before + 0x80808080u;
    even += even_bytes(differ) - 128u * HALVES;
    odd += odd_bytes(differ) - 128u * HALVES;
}

/* One digit of a channel for the groups of rows from `from` to before `to`: the upper one of all pixels, or the lower one of
 * those whose upper digit is `digit`. */
LFN(void, find_digits, int c, int x0, int y0, int from, int to, int digit, bool upper) {
    int row = THREAD_X / SEGMENTS, segment = THREAD_X % SEGMENTS, side = 2 * L.radius_x + 1, base = DIGITS * digit;
    int column = c * L.rank.plane + x0, own_image = L.rank.own_image, place_aside = c * L.width + x0 + THREAD_X;
    uint count[16], offset[2]; /* of each set */
    CALL(begin_counts, column, x0, y0 + from * GROUP, base, upper, count, offset);
    uvec4 next_in = CALL(read_eight, column + SEGMENT * segment, y0 + from * GROUP + row + L.radius_x);
    uvec4 next_out = CALL(read_eight, column + SEGMENT * segment, y0 + from * GROUP + row - L.radius_x - 1);
    for (int g = from; g < to; g++) {
        int y = y0 + g * GROUP;
        address aside = row_of(L.image[own_image].first, L.image[own_image].pitch, y);
        uvec4 v[SEGMENT];
        uint found[SETS];
        UNROLL for (int s = 0; s < SETS; s++) {
            int own = THREAD_X + THREADS * s;
            found[s] = 0u;
            if (!upper && own < RANK_DIGITS_OUTPUTS(L.radius_x) && x0 + own < L.width) {
                found[s] = read_u32(aside, place_aside + THREADS * s);
            }
        }
        UNROLL for (int k = 0; k < SEGMENT; k++) {
            int shift = 8 * (k & 3);
            uvec4 comes = code_of(digits_of(k < 4 ? next_in.x : next_in.y, upper) >> shift, base);
            uvec4 goes = code_of(digits_of(k < 4 ? next_out.x : next_out.y, upper) >> shift, base);
            uvec4 sum = k == 0 ? words(0u, 0u, 0u, 0u) : v[max(k - 1, 0)];
            v[k] = words(sum.x + comes.x - goes.x, sum.y + comes.y - goes.y, sum.z + comes.z - goes.z,
                         sum.w + comes.w - goes.w);
        }
        if (g + 1 < to) { /* loaded while this group is counted */
            next_in = CALL(read_eight, column + SEGMENT * segment, y + GROUP + row + L.radius_x);
            next_out = CALL(read_eight, column + SEGMENT * segment, y + GROUP + row - L.radius_x - 1);
        }
        place_sums(v, row, segment, true);
        UNROLL for (int s = 0; s < SETS; s++) {
            int own = THREAD_X + THREADS * s;
            uint now = found[s], seen = 0u;
            if (own < RANK_DIGITS_OUTPUTS(L.radius_x) && x0 + own < L.width) {
                UNROLL for (int i = 0; i < GROUP; i++) {
                    int at = own;
                    if (border_known == BORDER_SHRINK) {
                        uint next = CALL(offset_at, x0 + own, y + i), differ = next - offset[s];
                        offset[s] = next;
                        UNROLL for (int j = 0; j < 8; j++)
                            count[8 * s + j] += differ;
                    }
                    UNROLL for (int part = 0; part < PARTS; part++) {
                        int end = part + 1 < PARTS ? at + RANK_DIGITS_PART : own + side;
                        uvec4 before = sums[i * PITCH + sum_at(at)], all = sums[i * PITCH + sum_at(end)];
                        count_four(count[8 * s], count[8 * s + 1], before.x, all.x);
                        count_four(count[8 * s + 2], count[8 * s + 3], before.y, all.y);
                        count_four(count[8 * s + 4], count[8 * s + 5], before.z, all.z);
                        count_four(count[8 * s + 6], count[8 * s + 7], before.w, all.w);
                        at = end;
                    }
                    if (upper || int(now >> (8 * i + 4) & 15u) == digit) {
                        uint value = digit_of(count, 8 * s);
                        seen |= y + i < L.to_y ? 1u << value : 0u;
                        now |= value << (upper ? 8 * i + 4 : 8 * i);
                    }
                }
                if (upper || now != found[s])
                    write_u32(aside, place_aside + THREADS * s, now);
                if (upper && (present[g] & seen) != seen)
                    atomic_or_shared(present[g], seen);
            }
        }
    }
}

LFN0(void, medians_by_digits) {
    int t = THREAD_X, channels = in_channels_known;
    int x0 = BLOCK_X * RANK_DIGITS_OUTPUTS(L.radius_x), y0 = L.from_y + BLOCK_Y * L.rank.rows;
    int rows = min(L.rank.rows, L.to_y - y0), groups = (rows + GROUP - 1) / GROUP;
    for (int i = t; i < (DIGITS + 1) * COPIES; i += THREADS) {
        int least = i / COPIES;
        codes[i] = words(ones_from(least), ones_from(least - 4), ones_from(least - 8), ones_from(least - 12));
    }
    if (t < GROUP)
        sums[t * PITCH] = words(0u, 0u, 0u, 0u);
    for (int c = 0; c < channels; c++) {
        BARRIER;
        if (t < groups)
            present[t] = 0u;
        BARRIER;
        for (int digit = -1; digit < DIGITS; digit++) { /* -1: the upper ones */
            int from = digit < 0 ? 0 : groups, to = digit < 0 ? groups : 0;
            for (int g = 0; g < groups && digit >= 0; g++)
                if ((present[g] >> digit & 1u) != 0u) {
                    from = min(from, g);
                    to = g + 1;
                }
            if (from < to)
                CALL(find_digits, c, x0, y0, from, to, max(digit, 0), digit < 0);
            BARRIER;
        }
    }

    for (int s = 0; s < SETS; s++) {
        int own = t + THREADS * s, x = x0 + own;
        if (own >= RANK_DIGITS_OUTPUTS(L.radius_x) || x >= L.width)
            continue;
        for (int i = 0; i < rows; i++) {
            int y = y0 + i, group = y - i % GROUP;
            address aside = row_of(L.image[L.rank.own_image].first, L.image[L.rank.own_image].pitch, group);
            uint v0 = read_u8(aside, x * GROUP + i % GROUP), v1 = 0u, v2 = 0u, v3 = 0u;
            if (channels > 1)
                v1 = read_u8(aside, (L.width + x) * GROUP + i % GROUP);
            if (channels > 2)
                v2 = read_u8(aside, (2 * L.width + x) * GROUP + i % GROUP);
            if (channels > 3)
                v3 = read_u8(aside, (3 * L.width + x) * GROUP + i % GROUP);
            CALL(hand_on, x, y, v0, v1, v2, v3);
        }
    }
}

#endif
