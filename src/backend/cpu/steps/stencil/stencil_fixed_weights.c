/* SPDX-License-Identifier: MIT
 * The weights of stencils in whole numbers, found by asking the body what it makes of one pixel among zeros. */
#include "backend/cpu/steps/stencil/stencil_fixed.h"
#include <math.h>
#include "backend/cpu/steps/convolve/fixed_weights.h"

#define SIDE WEFT_STENCIL_ROWS

/* What a component is at most, and half of all that it may be. */
static double full_of(weft_type type) { return type == WEFT_U8 ? 255 : 65535; }
static double half_of(weft_type type) { return type == WEFT_U8 ? 128 : 32768; }

/* What the body makes of an image of zeros with a 1 at dx, dy; outside the square: of zeros. */
static float ask(const struct stencil_fixed *s, const void *block, int32_t dx, int32_t dy) {
    float square[SIDE][SIDE] = {{0}}, result = 0;
    struct weft_stencil_call call = {.block = block, .out = &result, .count = 1};
    for (int32_t k = 0; k <= 2 * s->radius; k++)
        call.rows[k] = square[k] + s->radius;
    if (dx <= s->radius)
        square[s->radius + dy][s->radius + dx] = 1;
    s->body->stencil(&call);
    return result;
}

/* In units of 2^-shift; false when they do not fit or their error is more than allowed. From components of u16 half of their range
 * is subtracted, so that they fit signed 16 bits; the start value of the sum adds it again. Only the whole sum need fit 32 bits. */
static bool quantize(struct stencil_weights *w, const double *weight, double bias, int32_t shift, weft_type type) {
    double unit = ldexp(1, shift), full = full_of(type), sum = 0, error = 0;
    int64_t together = 0;
    for (int32_t k = 0; k < w->count; k++) {
        double whole = floor(weight[k] * unit + 0.5);
        if (!(whole >= -32767 && whole <= 32767))
            return false;
        w->weight[k] = (int16_t)whole;
        together += (int64_t)whole;
        sum += fabs(whole) * full;
        error += fabs(weight[k] - whole / unit) * full;
    }
    double start = floor((bias * full - half_of(type)) * unit + unit / 2 + 0.5);
    if (!(sum + fabs(start) < 2147483647.0) || !(error + 0.5 / unit <= WEFT_FIXED_ERROR))
        return false;
    w->start = type == WEFT_U8 ? (int32_t)start : (int32_t)(uint32_t)((int64_t)start + 32768 * together);
    w->shift = shift;
    return true;
}

/* Makes the weights of a length. With whole numbers the sum of squares is exact before the root is taken. */
static void make_lengths(const struct stencil_fixed *s, const void *block, struct stencil_weights *w) {
    double of[2][SIDE][SIDE] = {{{0}}}, least = INFINITY, largest = 0, most = 0;
    unsigned char part[WEFT_LENGTH_BLOCK];
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        s->filter->length(block, i, part);
        if (ask(s, part, s->radius + 1, 0) != 0)
            return;
        for (int32_t dy = -s->radius; dy <= s->radius; dy++)
            for (int32_t dx = -s->radius; dx <= s->radius; dx++) {
                double v = of[i][s->radius + dy][s->radius + dx] = ask(s, part, dx, dy);
                least = v != 0 && fabs(v) < least ? fabs(v) : least;
                largest = fabs(v) > largest ? fabs(v) : largest;
                sum += fabs(v);
            }
        most = sum > most ? sum : most;
    }
    /* What the sums hold, and for u16 single precision; and the largest length before it is clamped. */
    double full = full_of(s->type), held = s->type == WEFT_U8 ? 32767 : 16777216;
    w->fits = w->length = most > 0 && most / least * full < held && largest / least < 127.5 && most * full < 1e9;
    w->lengths.factor = (float)least;
    for (int32_t of_both = 0; of_both < 3 && w->fits; of_both++) { /* of x, of both, of y */
        for (int32_t i = 0; i < (2 * s->radius + 1) * (2 * s->radius + 1); i++) {
            int32_t row = i / (2 * s->radius + 1), column = i % (2 * s->radius + 1);
            double x = of[0][row][column] / least, y = of[1][row][column] / least;
            w->fits = w->fits && fabs(x - floor(x + 0.5)) < 1e-6 && fabs(y - floor(y + 0.5)) < 1e-6;
            if (!w->fits || (x == 0 && y == 0) || of_both != (y == 0 ? 0 : x == 0 ? 2 : 1))
                continue;
            w->lengths.x[w->count] = (int8_t)floor(x + 0.5), w->lengths.y[w->count] = (int8_t)floor(y + 0.5);
            w->dx[w->count] = (int8_t)(column - s->radius), w->dy[w->count++] = (int8_t)(row - s->radius);
        }
        if (w->count % 2) /* the center, with weight 0: the state is zero where a tile begins */
            w->count++;
        if (of_both == 0)
            w->lengths.y_first = w->count;
        if (of_both == 1)
            w->lengths.x_end = w->count;
    }
    w->lengths.taps = w->count;
}

void weft_stencil_weights(const struct stencil_fixed *s, const void *block, struct stencil_weights *w) {
    double weight[SIDE * SIDE + 1], bias = ask(s, block, s->radius + 1, 0);
    unsigned char part[WEFT_LENGTH_BLOCK];
    w->made = true;
    if (s->filter->length && s->filter->length(block, 0, part)) {
        make_lengths(s, block, w);
        return;
    }
    if (!s->filter->linear(block)) /* the parameters of this run make it no weighted sum */
        return;
    for (int32_t dy = -s->radius; dy <= s->radius; dy++)
        for (int32_t dx = -s->radius; dx <= s->radius; dx++) {
            double v = ask(s, block, dx, dy) - bias;
            if (v == 0)
                continue;
            weight[w->count] = v;
            w->dx[w->count] = (int8_t)dx, w->dy[w->count++] = (int8_t)dy;
        }
    if (w->count % 2 || w->count == 0)
        weight[w->count] = 0, w->dx[w->count] = 0, w->dy[w->count++] = 0;
    if (w->count % 2)
        weight[w->count] = 0, w->dx[w->count] = 0, w->dy[w->count++] = 0;
    for (int32_t shift = 15; shift >= 0 && !w->fits; shift--)
        w->fits = quantize(w, weight, bias, shift, s->type);
}
