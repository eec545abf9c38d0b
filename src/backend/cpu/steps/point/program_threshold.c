/* SPDX-License-Identifier: MIT
 * Point programs that come to a threshold of the one channel that they see: its value is found by running the program
 * on three or five times 256 values, and then a pixel is a comparison. */
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/point/program_run.h"
#include "backend/cpu/pipeline/run.h"

#define VALUES 256 /* that the program is run on at a time */
#define PIECE 512  /* pixels that are made at a time where they go past the caches */

/* What lies below `from` becomes one value, the rest another. */
struct threshold_u16 {
    bool made;
    uint16_t from, below, above;
};
struct threshold_f32 {
    bool made;
    struct weft_f32_threshold of;
};

static void *threshold_state(struct lane *lane, const struct step *step) {
    return (unsigned char *)weft_lane_state(lane, step) + weft_program_planes_size(step);
}

/* The program's results of values, the n-th of which is first + n * step. */
static void run_u16(const struct program_context *c, int32_t first, int32_t step, float *plane, uint16_t *results) {
    uint16_t values[VALUES];
    for (int32_t i = 0; i < VALUES; i++)
        values[i] = (uint16_t)(first + i * step);
    c->lane->kernels->widen[WEFT_ROW_U16](values, c->loaded, VALUES);
    weft_program_run_loaded(c, 0, VALUES, &plane);
    c->lane->kernels->narrow[WEFT_ROW_U16](plane, results, VALUES);
}

/* The threshold of one channel of u16: among every 256th value first, then among those before it. */
static const struct threshold_u16 *u16_threshold_of(struct lane *lane, const struct step *step, int64_t y,
                                                    float *planes) {
    struct threshold_u16 *threshold = threshold_state(lane, step);
    struct program_context c;
    uint16_t results[VALUES];
    int32_t at = 1, from = 1;
    if (threshold->made)
        return threshold;
    weft_program_begin(&c, lane, step, y);
    run_u16(&c, 0, VALUES, planes, results);
    threshold->below = results[0];
    while (at < VALUES && results[at] == threshold->below)
        at++;
    run_u16(&c, (at - 1) * VALUES, 1, planes, results);
    while (from < VALUES && results[from] == threshold->below)
        from++;
    from += (at - 1) * VALUES;
    run_u16(&c, UINT16_MAX - 255, 1, planes, results);
    threshold->above = results[255];
    threshold->from = (uint16_t)(from <= UINT16_MAX ? from : 0); /* none: both are the same */
    threshold->made = true;
    return threshold;
}

/* Floats in order: keys from that of -infinity to that of infinity, beyond which are NaNs. */
#define LEAST_KEY UINT64_C(0x007fffff)
#define LAST_KEY UINT64_C(0xff800000)
static float of_key(uint64_t key) {
    uint64_t held = key < LEAST_KEY ? LEAST_KEY : key > LAST_KEY ? LAST_KEY : key;
    uint32_t bits = (uint32_t)held;
    float v;
    bits = bits >> 31 ? bits ^ UINT32_C(0x80000000) : ~bits;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* The threshold of one channel of f32, eight bits of the key at a time. */
static const struct weft_f32_threshold *f32_threshold_of(struct lane *lane, const struct step *step, int64_t y,
                                                         float *planes) {
    struct threshold_f32 *threshold = threshold_state(lane, step);
    float *values = planes + WEFT_CHUNK;
    struct program_context c;
    uint64_t key = 0;
    if (threshold->made)
        return &threshold->of;
    weft_program_begin(&c, lane, step, y);
    c.inputs[0].plane[0] = values;
    for (int shift = 24; shift >= 0; shift -= 8) {
        int32_t at = 1;
        for (int32_t i = 0; i < VALUES; i++)
            values[i] = of_key(key + ((uint64_t)i << shift));
        values[0] = shift == 24 ? -INFINITY : values[0];
        weft_program_run_loaded(&c, 0, VALUES, &planes);
        threshold->of.below = shift == 24 ? planes[0] : threshold->of.below;
        while (at < VALUES && planes[at] == threshold->of.below)
            at++;
        key += (uint64_t)(shift > 0 ? at - 1 : at) << shift;
    }
    values[0] = INFINITY, values[1] = NAN;
    weft_program_run_loaded(&c, 0, 2, &planes);
    threshold->of.above = planes[0];
    threshold->of.from = of_key(key);
    threshold->of.nan_above = planes[1] == planes[0];
    threshold->made = true;
    return &threshold->of;
}

static bool store_f32(struct lane *lane, const struct step *step, int64_t y, float *planes, unsigned char *pixels,
                      bool past_caches) {
    int64_t columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    if (!past_caches)
        return false;
    const struct weft_f32_threshold *threshold = f32_threshold_of(lane, step, y, planes);
    const void *in = weft_source_row(lane, &lane->stage->steps[step->inputs[0]], y).plane[0];
    lane->kernels->threshold_f32_past_caches(in, (void *)pixels, columns, threshold);
    return true;
}

static bool store_u16(struct lane *lane, const struct step *step, int64_t y, float *planes, unsigned char *pixels,
                      bool past_caches) {
    const struct weft_kernels *kernels = lane->kernels;
    int64_t columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    const struct threshold_u16 *of = u16_threshold_of(lane, step, y, planes);
    const uint16_t *in = weft_source_row(lane, &lane->stage->steps[step->inputs[0]], y).plane[0];
    uint16_t *out = (void *)pixels, *made = (void *)(planes + (size_t)4 * WEFT_CHUNK);
    if (past_caches && kernels->threshold_u16_past_caches) {
        kernels->threshold_u16_past_caches(in, out, columns, of->from, of->below, of->above);
        return true;
    }
    for (int64_t x = 0, piece = past_caches ? PIECE : columns; x < columns; x += piece) {
        int64_t count = columns - x < piece ? columns - x : piece;
        kernels->threshold_u16(in + x, past_caches ? made : out + x, count, of->from, of->below, of->above);
        if (past_caches)
            kernels->move_past_caches(made, out + x, (size_t)count * sizeof *out);
    }
    return true;
}

const struct program_form weft_program_threshold_u16 = {.state_size = sizeof(struct threshold_u16), .store = store_u16};
const struct program_form weft_program_threshold_f32 = {.state_size = sizeof(struct threshold_f32), .store = store_f32};
