/* SPDX-License-Identifier: MIT
 * Reductions that are fused into a kernel: each thread gathers what it delivers, at the end the block leaves one partial result per
 * channel. Sums are kept in two parts, high and low, by two-sum (Knuth 1969, Dekker 1971): about 48 bits. Histograms count at once,
 * in 64 bits of two words. NaN does not count in minima, maxima and bins. */
#ifndef KERNELS_GPU_REDUCTION_H
#define KERNELS_GPU_REDUCTION_H
#include "kernels/gpu/reduce/bins.h"
#include "kernels/gpu/dialect/entry.h"
#include "kernels/gpu/program/instructions.h"

/* In GLSL the constant is defined after this point: the build passes it, read from the kernel's first line. */
#if defined(GLSL)
#define BLOCK_THREADS (THREADS_X * THREADS_Y)
#define BLOCK_WIDTH THREADS_X
#else
#define BLOCK_THREADS int(blockDim.x * blockDim.y)
#define BLOCK_WIDTH int(blockDim.x)
#endif

SHARED(float, reduce_high, 256);
SHARED(float, reduce_low, 256);

/* high + low += v, and what rounding loses goes to low. */
FN void add_exactly(INOUT(float) high, INOUT(float) low, float v) {
    PRECISE float sum = high + v;
    PRECISE float part = sum - high;
    PRECISE float lost = (high - (sum - part)) + (v - part);
    high = sum;
    low = low + (sum - sum == 0.0f ? lost : 0.0f); /* infinite and NaN sums have no rest */
}

/* Minimum and maximum that ignore NaN: of a number and NaN, the result is the number. CUDA defines it so, GLSL leaves it open. */
#if defined(GLSL)
FN float lesser(float a, float v) { return !is_nan(v) && (is_nan(a) || v < a) ? v : a; }
FN float greater(float a, float v) { return !is_nan(v) && (is_nan(a) || v > a) ? v : a; }
#else
#define lesser(a, v) fminf(a, v)
#define greater(a, v) fmaxf(a, v)
#endif

/* Takes one number into high and low. */
FN void reduce_number(int what, INOUT(float) high, INOUT(float) low, float v) {
    if (what == REDUCE_MIN)
        high = lesser(high, v);
    else if (what == REDUCE_MAX)
        high = greater(high, v);
    else
        add_exactly(high, low, v);
}
/* The same with another partial result. Sums come out with all that fits it in `high`, so that whole numbers stay exact up
 * to 2^46. */
FN void reduce_join(int what, INOUT(float) high, INOUT(float) low, float v, float v_low) {
    reduce_number(what, high, low, v);
    if (what != REDUCE_MIN && what != REDUCE_MAX) {
        low = low + v_low;
        PRECISE float sum = high + low;
        PRECISE float rest = low - (sum - high);
        low = sum - sum == 0.0f ? rest : 0.0f;
        high = sum;
    }
}
FN float reduce_neutral(int what) { return what == REDUCE_MIN || what == REDUCE_MAX ? NO_NUMBER : 0.0f; }

LFN(void, reduce_begin_one, int slot, INOUT(vec4) high, INOUT(vec4) low) {
    float neutral = slot < L.reduce_count ? reduce_neutral(L.reduce[slot].what) : 0.0f;
    high = rgba(neutral, neutral, neutral, neutral);
    low = rgba(0.0f, 0.0f, 0.0f, 0.0f);
}
LFN0(void, reduce_begin) {
    if (KNOWN(REDUCE_COUNT, L.reduce_count) > 0)
        CALL(reduce_begin_one, 0, S_(high0), S_(low0));
    if (KNOWN(REDUCE_COUNT, L.reduce_count) > 1)
        CALL(reduce_begin_one, 1, S_(high1), S_(low1));
}

LFN(void, count_value, int slot, float v, int k) {
    if (!is_nan(v)) {
        int bin = bin_of(v, L.reduce[slot].steps, L.reduce[slot].bins);
        count_more(L.reduce[slot].partial, 2 * (bin * L.reduce[slot].channels + k), 1u);
    }
}
LFN(void, reduce_take_one, int slot, vec4 v, INOUT(vec4) high, INOUT(vec4) low) {
    int what = L.reduce[slot].what, channels = L.reduce[slot].channels;
    if (what == REDUCE_HISTOGRAM) {
        CALL(count_value, slot, v.x, 0);
        if (channels > 1)
            CALL(count_value, slot, v.y, 1);
        if (channels > 2)
            CALL(count_value, slot, v.z, 2);
        if (channels > 3)
            CALL(count_value, slot, v.w, 3);
    } else {
        reduce_number(what, high.x, low.x, v.x);
        if (channels > 1)
            reduce_number(what, high.y, low.y, v.y);
        if (channels > 2)
            reduce_number(what, high.z, low.z, v.z);
        if (channels > 3)
            reduce_number(what, high.w, low.w, v.w);
    }
}
LFN(void, reduce_take, int slot, vec4 v) {
    if (slot == 0)
        CALL(reduce_take_one, 0, v, S_(high0), S_(low0));
    else
        CALL(reduce_take_one, 1, v, S_(high1), S_(low1));
}

/* Joins the block's threads: the result is in reduce_high[0] and reduce_low[0] and stays there until the next call. */
LFN(void, reduce_block, int what, int thread, float high, float low) {
    BARRIER;
    reduce_high[thread] = high;
    reduce_low[thread] = low;
    for (int half_count = BLOCK_THREADS / 2; half_count > 0; half_count /= 2) {
        BARRIER;
        if (thread < half_count) {
            float a = reduce_high[thread], b = reduce_low[thread];
            reduce_join(what, a, b, reduce_high[thread + half_count], reduce_low[thread + half_count]);
            reduce_high[thread] = a;
            reduce_low[thread] = b;
        }
    }
    BARRIER;
}

LFN(void, reduce_end_one, int slot, vec4 high, vec4 low) {
    int what = L.reduce[slot].what, channels = L.reduce[slot].channels;
    int thread = THREAD_Y * BLOCK_WIDTH + THREAD_X, at = ((BLOCK_Z * BLOCKS_Y + BLOCK_Y) * BLOCKS_X + BLOCK_X) * channels;
    for (int k = 0; k < channels && what != REDUCE_HISTOGRAM; k++) {
        CALL(reduce_block, what, thread, component(high, k), component(low, k));
        if (thread == 0) {
            write_f32(L.reduce[slot].partial, 2 * (at + k), reduce_high[0]);
            write_f32(L.reduce[slot].partial, 2 * (at + k) + 1, reduce_low[0]);
        }
    }
}
LFN0(void, reduce_end) {
    CALL(reduce_end_one, 0, S_(high0), S_(low0));
    if (KNOWN(REDUCE_COUNT, L.reduce_count) > 1)
        CALL(reduce_end_one, 1, S_(high1), S_(low1));
}

/* A kernel's first and last lines. */
#if defined(GLSL)
#define BEGIN CALL0(reduce_begin);
#else
#define BEGIN                                                                                                          \
    wait_for_prior_launches();                                                                                                 \
    thread_state S;                                                                                                    \
    CALL0(reduce_begin);
#endif
#define FINISH                                                                                                         \
    if (KNOWN(REDUCE_COUNT, L.reduce_count) > 0)                                                                       \
        CALL0(reduce_end);

#endif
