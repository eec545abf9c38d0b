/* SPDX-License-Identifier: MIT
 * Wide boxes of bytes, at a cost that does not depend on the radius. A row is bytes, of which neighbors are PLANES apart. From one
 * row of the result to the next, a column's sum changes by the byte that enters minus the byte that leaves. Each thread makes
 * prefix sums of these differences over 16 columns, a few threads make prefix sums of the threads' totals, and then a window's sum
 * changes by the difference of two prefix sums, modulo 2^32, which is exact. Each thread keeps the sums of 16 windows. The first
 * ones are made in the same way of whole columns' sums, which are those of pieces (box_pieces.gpu) and of the few rows beside them.
 *
 * A mean is a byte of the upper half of a product with 2^40 or 2^48 / pixels, rounded up: all windows have as many pixels, so
 * there is no border=shrink.
 * A block is wide or not (box_prefix.gpu, box_prefix_wide.gpu); that file defines THREADS and BLOCKS_PER_SM.
 *
 *   PLANES     the channels
 *   walk       rows that a block walks
 *   image[1]   sums of pieces */
#ifndef KERNELS_GPU_PREFIX_H
#define KERNELS_GPU_PREFIX_H
#define READS_INPUT_ONLY
#if !defined(GLSL)
#define PLAIN_FORM
#endif
#include "kernels/gpu/dialect/packed.h"
#include "kernels/gpu/box/box.h"
#include "kernels/gpu/box/box_prefix_sizes.h"

#define BYTES BOX_PREFIX_BYTES
#define COLUMNS BOX_PREFIX_COLUMNS(THREADS)
#define SCANNERS 32 /* threads that add up a channel's totals */
#define AHEAD 3 /* rows between prefetch and load */
#define SHARE (THREADS / SCANNERS)
/* One more for each eight or, where there is room, four, to avoid bank conflicts between neighbors, who have the sixteen columns
 * next to each other's. */
#if defined(__CUDA_ARCH__)
#define PACKED_TOTALS true
#define QUAD_AT(quad) ((quad) + ((quad) >> 2))
#define QUAD_NEAR(thread, quad) (5 * (thread) + QUAD_AT(quad))
/* The quad k on from quad `first` of a thread's, which lies at `place`. */
#define QUAD_ON(place, first, k) ((place) + (k) + ((((first) & 3) + (k)) >> 2))
SHARED(uvec4, prefix, COLUMNS / 4 + COLUMNS / 16);
SHARED(uint, totals, PLANES * THREADS / 32); /* of warps */
#else
#define PACKED_TOTALS false
#define QUAD_AT(quad) ((quad) + ((quad) >> 3))
#define QUAD_NEAR(thread, quad) QUAD_AT(4 * (thread) + (quad))
#define QUAD_ON(place, first, k) QUAD_NEAR(THREAD_X, (first) + (k))
SHARED(uvec4, prefix, COLUMNS / 4 + COLUMNS / 32);
SHARED(uint, totals, PLANES * (THREADS + SCANNERS));
SHARED(uint, shares, PLANES * SCANNERS);
#define TOTAL_AT(channel, thread) ((channel) * (THREADS + SCANNERS) + (thread) + (thread) / SHARE)
#endif
#if defined(GLSL)
#define prefix_word(column) prefix[QUAD_AT((column) >> 2)][(column) & 3]
#else
#define prefix_word(column) ((uint *)prefix)[4 * QUAD_AT((column) >> 2) + ((column) & 3)]
#endif

/* Add to `sum`, or subtract from it, the bytes of w that `mask` has ones for; and add byte k times `sign` (1, 0 or -1). */
#if defined(__CUDA_ARCH__)
FN uint add_masked(uint w, uint mask, uint sum) {
    asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(w), "r"(mask));
    return sum;
}
FN uint take_masked(uint w, uint mask, uint sum) {
    asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(w), "r"(mask * 255u));
    return sum;
}
FN uint add_signed(uint w, int k, uint sign, uint sum) {
    asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(w), "r"((sign & 255u) << (8 * k)));
    return sum;
}
#else
FN uint add_signed(uint w, int k, uint sign, uint sum) { return sum + sign * (w >> (8 * k) & 255u); }
FN uint masked_sum(uint w, uint mask) {
    uint some = w & (mask * 255u), halves = (some & 0x00ff00ffu) + (some >> 8 & 0x00ff00ffu);
    return (halves & 65535u) + (halves >> 16);
}
FN uint add_masked(uint w, uint mask, uint sum) { return sum + masked_sum(w, mask); }
FN uint take_masked(uint w, uint mask, uint sum) { return sum - masked_sum(w, mask); }
#endif
/* The mask with ones for the bytes 0 .. j of a word that belong to the channel of byte j. */
#define MASK_OF(j)                                                                                                     \
    (1u << (8 * (j)) | ((j) >= PLANES ? 1u << (8 * ((j)-PLANES)) : 0u) | ((j) >= 2 * PLANES ? 1u << (8 * ((j)-2 * PLANES)) : 0u) | \
     ((j) >= 3 * PLANES ? 1u : 0u))
/* The mask with ones for bytes k, k + PLANES, k + 2 PLANES and so on of a word. */
#define MASK_OF_SLOT(k)                                                                                                \
    (((k) < 4 ? 1u << (8 * (k)) : 0u) | ((k) + PLANES < 4 ? 1u << (8 * ((k) + PLANES)) : 0u) |                          \
     ((k) + 2 * PLANES < 4 ? 1u << (8 * ((k) + 2 * PLANES)) : 0u) | ((k) + 3 * PLANES < 4 ? 1u << 24 : 0u))
FN uint word_of(uvec4 w, int k) { return k == 0 ? w.x : k == 1 ? w.y : k == 2 ? w.z : w.w; }

/* Sixteen bytes of a row, from byte i on; NOTHING where sums beside the image are made of others, BY_PLACE where each byte is
 * looked up. Behind a row's last byte there is nothing, with `open` what the border says. */
#define NOTHING 0
#define IN_ONE 1
#define BY_PLACE 2
LFN(uvec4, any_bytes_by_place, address row, bool outside, int i, bool open) {
    uint beyond = uint(L.box.outside), w[4];
    for (int k = 0; k < 4; k++) {
        w[k] = 0u;
        for (int j = 0; j < 4; j++) {
            int at = i + 4 * k + j;
            if (open) /* with one border, whose code takes few registers */
                at = packed_place(at, L.in_width, PLANES, border_known);
            bool there = at >= 0 && at < L.in_width * PLANES;
            uint v = !there ? (open ? beyond : 0u) : outside ? beyond : read_u8(row, at);
            w[k] |= v << (8 * j);
        }
    }
    return words(w[0], w[1], w[2], w[3]);
}
/* The same, once in CUDA's code. */
#if defined(GLSL)
#define bytes_by_place any_bytes_by_place
#else
FN_FAR uvec4 bytes_by_place(const gpu_launch &L, thread_state &S, address row, bool outside, int i, bool open) {
    return CALL(any_bytes_by_place, row, outside, i, open);
}
#endif
LFN(uvec4, prefix_bytes, int y, int i, int how, bool open) {
    uint beyond = uint(L.box.outside) * 0x01010101u;
    if (how == NOTHING)
        return words(0u, 0u, 0u, 0u);
    int there = border_place(y, L.in_height, border_known);
    if (there < 0 && how == IN_ONE)
        return words(beyond, beyond, beyond, beyond);
    address row = CALL(packed_input, most(there, 0));
    if (how == IN_ONE)
        return read_u32x4(row, i >> 4);
    return CALL(bytes_by_place, row, there < 0, i, open);
}

/* ---- the first row's columns */

/* `sign`: 1 or -1. */
LFN(void, add_row, uvec4 w, uint sign, INOUT_ARRAY(uint, v, BYTES)) {
    UNROLL for (int j = 0; j < BYTES; j++)
        v[j] = add_signed(word_of(w, j / 4), j % 4, sign, v[j]);
}
/* Rows from .. end - 1, all of them there, or less rows end .. from - 1. */
LFN(void, add_rows, int from, int end, int i, int how, bool open, INOUT_ARRAY(uint, v, BYTES)) {
    uint sign = from < end ? 1u : ~0u;
    int y = least(from, end), last = most(from, end);
    ROLLED for (; y < last; y += 4) {
        uvec4 w[4];
        UNROLL for (int k = 0; k < 4; k++)
            w[k] = CALL(prefix_bytes, least(y + k, last - 1), i, how, open);
        UNROLL for (int k = 0; k < 4; k++)
            CALL(add_row, w[k], y + k < last ? sign : 0u, v);
    }
}
/* What the group of pieces before number `piece` has of pieces before it, 16 bits a number. */
LFN(void, add_piece, int piece, uint sign, int i, INOUT_ARRAY(uint, v, BYTES)) {
    address row = row_of(L.image[1].first, L.image[1].pitch, L.image[1].from_y + (piece - 1) * BOX_PIECE_ROWS);
    uvec4 low = read_u32x4(row, i >> 3), high = read_u32x4(row, (i >> 3) + 1);
    UNROLL for (int j = 0; j < BYTES; j++) {
        uint both = j < 8 ? word_of(low, j / 2) : word_of(high, j / 2 - 4);
        v[j] += sign * ((j & 1) != 0 ? both >> 16 : both & 65535u);
    }
}
/* The same by way of pieces, where that is less. */
LFN(void, add_range, int from, int end, int i, int how, bool open, INOUT_ARRAY(uint, v, BYTES)) {
    int origin = L.image[1].from_y, pieces = (L.image[1].to_y - origin) / BOX_PIECE_ROWS;
    int first = (from - origin + BOX_PIECE_ROWS / 2) / BOX_PIECE_ROWS, last = (end - origin + BOX_PIECE_ROWS / 2) / BOX_PIECE_ROWS;
    last = least(last, pieces);
    bool by_pieces = how == IN_ONE && last > first;
    int top = by_pieces ? origin + first * BOX_PIECE_ROWS : end;
    CALL(add_rows, from, top, i, how, open, v);
    if (!by_pieces)
        return;
    CALL(add_rows, origin + last * BOX_PIECE_ROWS, end, i, how, open, v);
    if (first % BOX_PIECES != 0)
        CALL(add_piece, first, ~0u, i, v);
    if (last % BOX_PIECES != 0)
        CALL(add_piece, last, 1u, i, v);
    for (int group = first / BOX_PIECES; group < last / BOX_PIECES; group++)
        CALL(add_piece, (group + 1) * BOX_PIECES, 1u, i, v);
}
/* Columns of the window of row y: its rows inside, and what stands for those outside. */
LFN(void, add_window, int y, int i, int how, bool open, INOUT_ARRAY(uint, v, BYTES)) {
    int radius = L.radius_y, n = L.in_height, from = most(y - radius, 0), end = least(y + radius + 1, n);
    int above = from - (y - radius), below = y + radius + 1 - end, border = border_known;
    bool alike = border == BORDER_CONSTANT || border == BORDER_REPLICATE, one_by_one = above >= n || below >= n || alike;
    ROLLED for (int part = 0; part < 3; part++) {
        bool mirrors = border == BORDER_MIRROR || border == BORDER_SYMMETRIC;
        int distance = border == BORDER_MIRROR ? 1 : 0;
        if (part == 1)
            from = mirrors ? distance : n - above, end = from + above;
        if (part == 2)
            from = mirrors ? n - distance - below : 0, end = from + below;
        if (part == 0 || (!one_by_one && from < end))
            CALL(add_range, from, end, i, how, open, v);
    }
    int outside = one_by_one ? above + below : 0, times;
    ROLLED for (int k = 0; k < outside; k += times) {
        uvec4 w = CALL(prefix_bytes, k < above ? -1 - k : n + k - above, i, how, open);
        times = !alike ? 1 : k < above ? above : below;
        UNROLL for (int j = 0; j < BYTES; j++)
            v[j] += uint(times) * (word_of(w, j / 4) >> (8 * (j % 4)) & 255u);
    }
}

/* ---- sums along a row */

/* The prefix sum of channel c up to pixel x of the image; 0 before the first pixel. `left`: the byte of the row at column 0. */
LFN(uint, prefix_of, int x, int c, int left) {
    int column = x * PLANES + c - left;
    return x < 0 || column < 0 ? 0u : prefix_word(least(column, COLUMNS - 1));
}
/* The prefix sum at a column outside the image. `beyond`: what a column of constant border adds to it. */
LFN(uint, prefix_outside, int column, int left, uint beyond) {
    int i = left + column, c = modulo(i, PLANES), x = (i - c) / PLANES, n = L.in_width, border = border_known;
    bool before = x < 0;
    int k = before ? -1 - x : x - n + 1;
    uint whole = CALL(prefix_of, n - 1, c, left), sum = uint(k) * beyond;
    if (border == BORDER_REPLICATE)
        sum = uint(k) * (before ? CALL(prefix_of, 0, c, left) : whole - CALL(prefix_of, n - 2, c, left));
    else if (border == BORDER_MIRROR)
        sum = before ? CALL(prefix_of, k, c, left) - CALL(prefix_of, 0, c, left)
                     : CALL(prefix_of, n - 2, c, left) - CALL(prefix_of, n - 2 - k, c, left);
    else if (border == BORDER_SYMMETRIC)
        sum = before ? CALL(prefix_of, k - 1, c, left) : whole - CALL(prefix_of, n - 1 - k, c, left);
    else if (border == BORDER_WRAP)
        sum = before ? whole - CALL(prefix_of, n - 1 - k, c, left) : CALL(prefix_of, k - 1, c, left);
    return before ? 0u - sum : whole + sum;
}
LFN(void, prefix_spread, int first, int end, int left, uint beyond) {
    ROLLED for (int column = first + THREAD_X; column < end; column += THREADS)
        prefix_word(column) = CALL(prefix_outside, column, left, beyond);
}

/* What windows end with is added to their sums, and what is before them is taken away: from number `part` of a quad on, and from
 * the number on that is as far from the next pixel as that is from the first one. `end` and `begin`: how many quads on from a
 * thread's own first one these are. */
#define OTHER_PART(part) ((8 - PLANES - (part)) & 3)
FN uint changed_sum(uint sum, uint more, uint less) {
#if defined(__CUDA_ARCH__)
    /* Volatile, so that the code of each part ends in sums: else it ends in what they change by, and registers do not suffice. */
    asm volatile("{.reg .u32 with; add.u32 with, %0, %1; sub.u32 %0, with, %2;}" : "+r"(sum) : "r"(more), "r"(less));
    return sum;
#else
    return sum + more - less;
#endif
}
LFN(void, add_windows, int end_place, int end, int begin_place, int begin, int part, INOUT_ARRAY(uint, sum, BYTES)) {
    int other = OTHER_PART(part);
    uvec4 above = prefix[end_place], below = prefix[begin_place];
    UNROLL for (int k = 0; k < 4; k++) {
        uvec4 next_above = above, next_below = below;
        if (k < 3 || part > 0)
            next_above = prefix[QUAD_ON(end_place, end, k + 1)];
        if (k < 3 || other > 0)
            next_below = prefix[QUAD_ON(begin_place, begin, k + 1)];
        UNROLL for (int m = 0; m < 4; m++) {
            uint more = m + part < 4 ? word_of(above, m + part) : word_of(next_above, m + part - 4);
            uint less = m + other < 4 ? word_of(below, m + other) : word_of(next_below, m + other - 4);
            sum[4 * k + m] = changed_sum(sum[4 * k + m], more, less);
        }
        above = next_above;
        below = next_below;
    }
}
LFN(void, add_windows_at, int t, INOUT_ARRAY(uint, sum, BYTES)) {
    int end = L.radius_x * PLANES >> 2, begin = (-(L.radius_x + 1) * PLANES) >> 2, part = L.radius_x * PLANES & 3;
    int end_place = QUAD_NEAR(t, end), begin_place = QUAD_NEAR(t, begin);
#if defined(__CUDA_ARCH__)
    asm volatile("" : "+r"(end_place), "+r"(begin_place)); /* all places would fill registers: made anew for each row */
#endif
    if (PLANES == 4 || part == 0)
        CALL(add_windows, end_place, end, begin_place, begin, 0, sum);
    else if (part == 2)
        CALL(add_windows, end_place, end, begin_place, begin, 2, sum);
    else if (PLANES != 2 && part == 1)
        CALL(add_windows, end_place, end, begin_place, begin, 1, sum);
    else if (PLANES != 2)
        CALL(add_windows, end_place, end, begin_place, begin, 3, sum);
}

FN uint bytes_number(uint a, uint b, uint c, uint d, int k) {
#if defined(__CUDA_ARCH__)
    uint order = 0x0040u + 0x0011u * uint(k);
    return __byte_perm(__byte_perm(a, b, order), __byte_perm(c, d, order), 0x5410);
#else
    return (a >> (8 * k) & 255u) | (b >> (8 * k) & 255u) << 8 | (c >> (8 * k) & 255u) << 16 | (d >> (8 * k) & 255u) << 24;
#endif
}
LFN(uvec4, means, INOUT_ARRAY(uint, sum, BYTES)) {
    uint w[4], part = uint(L.box.reciprocal);
    UNROLL for (int k = 0; k < 4; k++)
        w[k] = bytes_number(upper_product(sum[4 * k], part), upper_product(sum[4 * k + 1], part),
                            upper_product(sum[4 * k + 2], part), upper_product(sum[4 * k + 3], part), L.box.mean_byte);
    return words(w[0], w[1], w[2], w[3]);
}

/* ---- the prefix sums before each thread's columns */

#if defined(__CUDA_ARCH__)
FN uint sum_of_warp(uint v) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(0xffffffffu, v);
#else
    UNROLL for (int k = 1; k < 32; k *= 2)
        v += __shfl_xor_sync(0xffffffffu, v, k);
    return v;
#endif
}
/* The sum of the values of this thread and of the threads before it in the warp. */
FN uint sum_to_here(uint v) {
    UNROLL for (int k = 1; k < 32; k *= 2) /* with whether there is one as far before */
        asm volatile("{.reg .pred there; .reg .b32 other; shfl.sync.up.b32 other|there, %0, %1, 0, 0xffffffff; @there add.u32 %0, "
                     "%0, other;}"
                     : "+r"(v)
                     : "r"(k));
    return v;
}
/* Replaces the total of each channel of a thread by the sum of the totals of the threads before it. With four channels the totals
 * of a warp fit signed 16 bits, except those of whole columns (`first`), so that two are added at a time. */
FN void parts_of_pair(uint both, INOUT(uint) low, INOUT(uint) high) {
    int signed_low = int(short(both & 65535u));
    low = uint(signed_low);
    high = uint(int(both - uint(signed_low)) >> 16);
}
FN void sum_before(INOUT_ARRAY(uint, total, PLANES), uvec4 coming, uvec4 going, bool first) {
    int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    if (PLANES == 4 && !first) {
        uint even = 0u, odd = 0u;
        UNROLL for (int k = 0; k < 4; k++) {
            even += even_bytes(word_of(coming, k)) - even_bytes(word_of(going, k));
            odd += odd_bytes(word_of(coming, k)) - odd_bytes(word_of(going, k));
        }
        uint even_here = sum_to_here(even), odd_here = sum_to_here(odd), w[4];
        if (lane == 31) {
            parts_of_pair(even_here, w[0], w[2]);
            parts_of_pair(odd_here, w[1], w[3]);
            UNROLL for (int c = 0; c < PLANES; c++)
                totals[warp * PLANES + c] = w[c];
        }
        parts_of_pair(even_here - even, total[0], total[2 % PLANES]);
        parts_of_pair(odd_here - odd, total[1 % PLANES], total[3 % PLANES]);
    } else {
        UNROLL for (int c = 0; c < PLANES; c++) {
            uint here = sum_to_here(total[c]);
            if (lane == 31)
                totals[warp * PLANES + c] = here;
            total[c] = here - total[c];
        }
    }
    BARRIER;
    UNROLL for (int c = 0; c < PLANES; c++)
        total[c] += sum_of_warp(lane < warp ? totals[lane * PLANES + c] : 0u);
}
#else
/* Some threads add up one share of the totals each, then the shares of the threads before them. */
FN void sum_before(INOUT_ARRAY(uint, total, PLANES), uvec4 coming, uvec4 going, bool first) {
    int t = THREAD_X, own_share = TOTAL_AT(t / SCANNERS, t % SCANNERS * SHARE);
    uint own[SHARE], share = 0u;
    UNROLL for (int c = 0; c < PLANES; c++)
        totals[TOTAL_AT(c, t)] = total[c];
    BARRIER;
    if (t < PLANES * SCANNERS) {
        UNROLL for (int k = 0; k < SHARE; k++) {
            own[k] = totals[own_share + k];
            share += own[k];
        }
        shares[t] = share;
    }
    BARRIER;
    if (t < PLANES * SCANNERS) {
        uint before = 0u;
        for (int k = t / SCANNERS * SCANNERS; k < t; k++)
            before += shares[k];
        UNROLL for (int k = 0; k < SHARE; k++) {
            totals[own_share + k] = before;
            before += own[k];
        }
    }
    BARRIER;
    UNROLL for (int c = 0; c < PLANES; c++)
        total[c] = totals[TOTAL_AT(c, t)];
}
#endif
/* With three channels, the bytes of a thread begin with channel `first`. Turns values in the order of its bytes into values in
 * the order of channels; with (PLANES - first) % PLANES it turns them back. */
FN void turn_slots(int first, INOUT_ARRAY(uint, v, PLANES)) {
    if (PLANES == 3) {
        uint a = v[0], b = v[1 % PLANES], c = v[2 % PLANES];
        v[0] = first == 0 ? a : first == 1 ? c : b;
        v[1 % PLANES] = first == 0 ? b : first == 1 ? a : c;
        v[2 % PLANES] = first == 0 ? c : first == 1 ? b : a;
    }
}

LFN0(void, box_by_prefix) {
    int t = THREAD_X, radius = L.radius_y, bytes = L.in_width * PLANES, x0 = BLOCK_X * L.box.made,
        left = x0 - L.box.beside;
    int i = left + BYTES * t, y0 = L.from_y + BLOCK_Y * L.walk, y1 = least(y0 + L.walk, L.to_y);
    /* Sums beside the image are those of columns of the block, but where a row goes on at its other end, or the window goes
     * around more than once. */
    bool near = border_known != BORDER_MIRROR && border_known != BORDER_SYMMETRIC ? true : L.in_width >= L.radius_x + 2;
    bool spreads = border_known == BORDER_WRAP ? bytes <= L.box.made && L.in_width >= L.radius_x + 2 : near;
    bool inside = i >= 0 && i < bytes;
    int how = !inside ? (spreads ? NOTHING : BY_PLACE) : PACKED_IN_WHOLE(16) && i + BYTES <= bytes ? IN_ONE : BY_PLACE;
    int reach = (L.radius_x + 1) * PLANES, before = most(-left, 0), behind = bytes - left;
    int last = least(behind + reach, COLUMNS);
    bool at_edge = spreads && (before > 0 || behind < last);
    bool makes = i >= x0 && i < least(x0 + L.box.made, bytes);
    int first_channel = modulo(i, PLANES), image = STORED_IMAGE, from = i;
    uint sum[BYTES];
    UNROLL for (int j = 0; j < BYTES; j++)
        sum[j] = 0u;
    if (how != NOTHING)
        CALL(add_window, y0, from, how, !spreads, sum);
    UNROLL for (int j = PLANES; j < BYTES; j++)
        sum[j] += sum[j - PLANES];
    int own = QUAD_NEAR(t, 0);
    bool writes_whole = PACKED_OUT_WHOLE(16) && i + BYTES <= bytes;
    UNROLL for (int k = 0; k < 4; k++)
        prefix[own + k] = words(sum[4 * k], sum[4 * k + 1], sum[4 * k + 2], sum[4 * k + 3]);
    UNROLL for (int j = 0; j < BYTES; j++)
        sum[j] = uint(L.box.added);
    uvec4 coming = words(0u, 0u, 0u, 0u), going = coming;
    for (int y = y0; y < y1; y++) {
        uint before_own[PLANES];
        uvec4 end_of_own = prefix[own + 3];
        UNROLL for (int s = 0; s < PLANES; s++) {
            int last_byte = BYTES - PLANES + (s + PLANES * BYTES - BYTES) % PLANES;
            before_own[s] = word_of(end_of_own, last_byte - 12);
            if (y > y0 && (PLANES != 4 || !PACKED_TOTALS)) {
                before_own[s] = 0u;
                UNROLL for (int k = 0; k < 4; k++) {
                    uint mask = MASK_OF_SLOT((s + PLANES * BYTES - 4 * k) % PLANES);
                    before_own[s] = add_masked(word_of(coming, k), mask, take_masked(word_of(going, k), mask, before_own[s]));
                }
            }
        }
        turn_slots(first_channel, before_own);
        sum_before(before_own, coming, going, y == y0);
        turn_slots((PLANES - first_channel) % PLANES, before_own);
        uint p[BYTES + PLANES];
        UNROLL for (int j = 0; j < PLANES; j++)
            p[j] = before_own[j];
        if (y == y0) {
            UNROLL for (int k = 0; k < 4; k++) {
                uvec4 w = prefix[own + k];
                prefix[own + k] = words(w.x + p[4 * k % PLANES], w.y + p[(4 * k + 1) % PLANES],
                                        w.z + p[(4 * k + 2) % PLANES], w.w + p[(4 * k + 3) % PLANES]);
            }
        } else {
            UNROLL for (int j = 0; j < BYTES; j++) {
                int k = j / 4, at = 4 * k + j % 4 % PLANES;
                uint rest = take_masked(word_of(going, k), MASK_OF(j % 4), p[at]);
                p[j + PLANES] = add_masked(word_of(coming, k), MASK_OF(j % 4), rest);
                if (j % 4 == 3)
                    prefix[own + k] = words(p[j + PLANES - 3], p[j + PLANES - 2], p[j + PLANES - 1], p[j + PLANES]);
            }
        }
        if (y + 1 < y1) {
            if (how == IN_ONE && y >= radius && y + 1 + radius < L.in_height) {
                coming = read_u32x4(CALL(packed_input, y + 1 + radius) + address(i), 0);
                going = read_u32x4(CALL(packed_input, y - radius) + address(i), 0);
#if !defined(GLSL)
                if ((t & 7) == 0 && y + AHEAD < y1 && y + AHEAD + radius < L.in_height)
                    ask_memory_for(CALL(packed_input, y + AHEAD + radius) + address(i));
#endif
            } else {
                coming = CALL(prefix_bytes, y + 1 + radius, from, how, !spreads);
                going = CALL(prefix_bytes, y - radius, from, how, !spreads);
            }
        }
        BARRIER;
        if (at_edge) {
            uint beyond = y == y0 ? uint(L.box.outside * (2 * radius + 1)) : 0u;
            CALL(prefix_spread, most(before - reach, 0), before, left, beyond);
            CALL(prefix_spread, behind, last, left, beyond);
            BARRIER;
        }
        if (makes) {
            CALL(add_windows_at, t, sum);
            bool wanted = y >= L.image[image].from_y && y < L.image[image].to_y;
            uvec4 w = CALL(means, sum);
            address row = row_of(L.image[image].first, L.image[image].pitch, y);
            if (wanted && writes_whole)
                write_u32x4(row + address(i), 0, w);
            else if (wanted)
                write_packed_piece(row, i, bytes, false, w);
        }
    }
}

#endif
