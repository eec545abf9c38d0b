/* SPDX-License-Identifier: MIT
 * A stream of frames, and what filters with a memory make of it by the formulas of their definitions, for test_state.c. */
#ifndef TESTS_FRAME_FORMULAS_H
#define TESTS_FRAME_FORMULAS_H
#include <math.h>
#include "harness/random.h"

enum { WIDTH = 37, HEIGHT = 21, FRAMES = 9, NUMBERS = WIDTH * HEIGHT * 3 };
static float frames[FRAMES][NUMBERS];

static void draw_frames(void) {
    struct chance chance = chance_of(7, "state", 0);
    for (int t = 0; t < FRAMES; t++)
        for (int i = 0; i < NUMBERS; i++)
            frames[t][i] = (float)chance_below(&chance, 4096) / 4096;
}

/* What must come out of frame t, number i, by what came out of frame t - 1. */
static double low_pass(int t, int i, const double *before) {
    return t ? (double)frames[t][i] * 0.3 + before[i] * 0.7 : (double)frames[0][i];
}
static double delayed(int t, int i, const double *before) {
    (void)before;
    return (double)frames[t < 3 ? t : t - 3][i];
}
/* By 1 and then by 2: what the second one delays in frame 1 is frame 0. */
static double delayed_twice(int t, int i, const double *before) {
    (void)before;
    return (double)frames[t < 3 ? 0 : t - 3][i];
}
static double blended(int t, int i, const double *before) {
    double sum = 0;
    (void)before;
    for (int k = 0; k < 4; k++)
        sum += (double)frames[t - k < 0 ? t : t - k][i];
    return sum / 4;
}
static double denoised(int t, int i, const double *before) {
    double most = 0;
    for (int k = i - i % 3; k < i - i % 3 + 3; k++)
        most = fmax(most, fabs((double)frames[t][k] - before[k]));
    double weight = t ? 0.8 * exp(-most * most / (2 * 0.25 * 0.25)) : 0;
    return (double)frames[t][i] + weight * (before[i] - (double)frames[t][i]);
}
/* Two filters of one graph that keep images of their own. */
static double differs(int t, int i, const double *before) {
    static double low[NUMBERS];
    (void)before;
    low[i] = t ? (double)frames[t][i] * 0.3 + low[i] * 0.7 : (double)frames[0][i];
    return fabs((double)frames[t][i] - low[i]) + (double)frames[t < 2 ? t : t - 2][i];
}

#endif
