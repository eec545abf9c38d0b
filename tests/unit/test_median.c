/* SPDX-License-Identifier: MIT
 * Medians of f32 against sorted values, where there are NaNs, which come last, infinities and both zeros: on every instruction
 * set of this machine, in rows of all lengths of vectors, by networks of 3 x 3 and 5 x 5 and by what takes larger squares. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "run_graph.h"

enum { MOST_WIDTH = 150, HEIGHT = 7, MOST_RADIUS = 3 };
static const int widths[] = {1, 2, 7, 8, 9, 10, 17, 18, 26, 33, 40, 66, 150}, channels[] = {1, 3, 4};

/* The next of a sequence; one in `rare` is something special. */
static float draw(uint32_t *state, uint32_t rare) {
    static const float special[] = {NAN, -NAN, INFINITY, -INFINITY, 0.0f, -0.0f};
    *state = *state * 1664525 + 1013904223;
    uint32_t drawn = *state >> 8;
    return drawn % rare == 0 ? special[drawn / rare % (sizeof special / sizeof *special)]
                             : (float)(drawn % 1021) / 256 - 2;
}

static int ascending(const void *a, const void *b) {
    float first = *(const float *)a, second = *(const float *)b;
    if (isnan(first) || isnan(second))
        return isnan(first) - isnan(second);
    return (first > second) - (first < second);
}

static float median_at(const float *in, int width, int step, int radius, bool shrink, int x, int y) {
    float all[(2 * MOST_RADIUS + 1) * (2 * MOST_RADIUS + 1)];
    size_t count = 0;
    for (int v = y - radius; v <= y + radius; v++)
        for (int u = x - radius; u <= x + radius; u++)
            if (!shrink || (u >= 0 && u < width && v >= 0 && v < HEIGHT)) {
                int column = u < 0 ? 0 : u < width ? u : width - 1, row = v < 0 ? 0 : v < HEIGHT ? v : HEIGHT - 1;
                all[count++] = in[(row * width + column) * step];
            }
    qsort(all, count, sizeof *all, ascending);
    return all[count / 2];
}

static void try_case(weft_device *device, const char *isa, int width, int step, int radius, bool shrink, uint32_t rare,
                     uint32_t *state) {
    static float in[MOST_WIDTH * HEIGHT * 4];
    const int count = width * HEIGHT * step;
    char text[40];
    for (int i = 0; i < count; i++)
        in[i] = draw(state, rare);
    snprintf(text, sizeof text, "median=%d:border=%s", radius, shrink ? "shrink" : "replicate");
    float *out = run_floats(device, text, width, HEIGHT, step, in);
    bool same = out != NULL;
    for (int i = 0; same && i < count; i++) {
        float expected = median_at(in + i % step, width, step, radius, shrink, i / step % width, i / step / width);
        same = out[i] == expected ? !(out[i] == 0 && signbit(out[i])) : isnan(out[i]) && isnan(expected);
        if (!same)
            fprintf(stderr, "%s: %s of %d columns of %d channels: component %d is %g, not %g\n", isa, text, width, step, i,
                    (double)out[i], (double)expected);
    }
    CHECK(same);
    free(out);
}

static void try_device(weft_device *device, const char *isa) {
    uint32_t state = 1;
    for (size_t i = 0; i < 3 * sizeof widths / sizeof *widths; i++)
        for (int radius = 1; radius <= MOST_RADIUS; radius++)
            for (uint32_t rare = 3; rare < 1000; rare *= 5) {
                try_case(device, isa, widths[i / 3], channels[i % 3], radius, true, rare, &state);
                try_case(device, isa, widths[i / 3], channels[i % 3], radius, false, rare, &state);
            }
}

int main(void) {
    static const char *const isas[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4", "neon", "plain"};
    int tried = 0;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = NULL;
        setenv("WEFT_CPU_ISA", isas[i], 1);
        if (weft_device_open("cpu", NULL, &device, NULL) != WEFT_OK)
            continue;
        try_device(device, isas[i]);
        weft_device_close(&device);
        tried++;
    }
    CHECK(tried > 0);
    return check_done("test_median");
}
