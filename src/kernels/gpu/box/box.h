/* SPDX-License-Identifier: MIT
 * Sums of boxes. A running sum is kept in two parts, high and low (two-sum, Knuth 1969), so that a value that was added and
 * subtracted again leaves no rounding error. Infinities and NaN are only counted, NaN as both infinities, since they could not be
 * subtracted again. */
#ifndef KERNELS_GPU_BOX_H
#define KERNELS_GPU_BOX_H
#include "kernels/gpu/dialect/pixel_arithmetic.h"

#define BOX_NOTHING(sum)                                                                                               \
    sum.high = 0.0f;                                                                                                   \
    sum.low = 0.0f;                                                                                                    \
    sum.infinite = 0u;
struct box_sum {
    float high, low;
    uint infinite; /* how many are +infinity, and 65536 times how many are -infinity */
};

FN bool is_finite(float v) { return (bits_of_uint(v) & 0x7f800000u) != 0x7f800000u; }
/* 0 where v is a number, otherwise not 0; can be added up for several values. */
#if defined(__CUDA_ARCH__)
#define BOX_NOT_FINITE(v) ((v) * 0.0f)
#else
#define BOX_NOT_FINITE(v) (is_finite(v) ? 0.0f : 1.0f)
#endif

/* The rounding errors of `high` are added up in `low`; box_settle joins both every few steps. */
FN void box_add(INOUT(box_sum) sum, float v) {
    PRECISE float high = sum.high + v;
    PRECISE float part = high - sum.high;
    PRECISE float lost = (sum.high - (high - part)) + (v - part);
    sum.high = high;
    sum.low = sum.low + lost;
}
FN void box_settle(INOUT(box_sum) sum) {
    PRECISE float joined = sum.high + sum.low;
    PRECISE float rest = sum.low - (joined - sum.high);
    sum.high = joined;
    sum.low = rest;
}
/* What v adds to `infinite`. */
FN uint box_infinite(float v) {
    uint bits = bits_of_uint(v);
    return (bits == 0xff800000u ? 0u : 1u) + (bits == 0x7f800000u ? 0u : 65536u);
}
/* v goes in (sign 1) or out (-1). */
FN void box_take(INOUT(box_sum) sum, float v, float sign) {
    if (is_finite(v))
        box_add(sum, sign * v);
    else
        sum.infinite = sign > 0.0f ? sum.infinite + box_infinite(v) : sum.infinite - box_infinite(v);
}
FN float box_number(box_sum sum) {
    float v = sum.high + sum.low;
    bool up = (sum.infinite & 65535u) != 0u, down = sum.infinite > 65535u;
    v = up ? float_of_uint(0x7f800000u) : v;
    v = down ? float_of_uint(up ? 0x7fc00000u : 0xff800000u) : v;
    return v;
}

/* The number that steps_of_float rounds to `wanted`, next to v. */
FN float box_nudge(float v, uint wanted, float steps) {
    for (int i = 0; i < 4; i++) {
        uint got = steps_of_float(v, steps), bits = bits_of_uint(v);
        if (got < wanted)
            v = float_of_uint(bits + 1u);
        else if (got > wanted)
            v = float_of_uint(bits - 1u);
    }
    return v;
}

/* The mean of `count` whole numbers that sum to `total`, in full scales of `steps`; down: without its fraction and
 * within full scale. Where it is rounded to whole steps later, halves go up. */
FN float box_mean_whole(long_int total, int count, float steps, int down) {
    float mean = float(total) / to_float(count);
    if (!(mean > -2.0f && mean < steps + 2.0f)) {
        float limited = min(max(mean, 0.0f), steps);
        return down != 0 ? floor(limited + 0.5f) / steps : mean / steps;
    }
    /* The quotient is small, so an estimate is off by one at most. */
    int quotient = to_int(floor(mean));
    long_int rest = total - long_int(quotient) * long_int(count);
    if (rest < long_int(0)) {
        quotient = quotient - 1;
        rest = rest + long_int(count);
    } else if (rest >= long_int(count)) {
        quotient = quotient + 1;
        rest = rest - long_int(count);
    }
    if (down != 0)
        return min(max(to_float(quotient), 0.0f), steps) * (1.0f / steps);
    float v = (to_float(quotient) + to_float(int(rest)) / to_float(count)) / steps;
    int nearest = quotient + (2 * rest >= long_int(count) ? 1 : 0);
    return quotient < 0 || nearest > to_int(steps) ? v : box_nudge(v, uint(nearest), steps);
}

/* The mean that kernels deliver, of a sum (of numbers, or `whole`) over a rectangle with `inside` pixels inside. */
LFN(float, box_mean, float sum, long_int whole, int inside) {
    int window = L.box.window, outside = border_known == BORDER_CONSTANT ? window - inside : 0;
    int count = border_known == BORDER_SHRINK ? inside : window;
    float beyond = outside > 0 ? to_float(outside) * (L.box.steps != 0 ? L.box.outside_steps : L.border_value) : 0.0f;
    if (L.box.steps == 0)
        return sum / (to_float(count) * L.box.scaled) + beyond / to_float(count);
    if (L.box.outside_large == 0 || outside == 0)
        return box_mean_whole(whole + long_int(outside) * long_int(L.box.outside), count, to_float(L.box.steps),
                              L.box.rounds_down);
    float full = to_float(L.box.steps), mean = (float(whole) + beyond) / to_float(count);
    return L.box.rounds_down != 0 ? floor(min(max(mean, 0.0f), full)) / full : mean / full;
}

/* How many places of at - radius .. at + radius are inside. */
FN int box_inside(int at, int radius, int size) { return least(at + radius, size - 1) - most(at - radius, 0) + 1; }

#endif
