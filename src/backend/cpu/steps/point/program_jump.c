/* SPDX-License-Identifier: MIT
 * Point programs whose result jumps at one value of the one channel that they see: that value is found by running the program
 * on three or five times 256 values, and then a pixel is a comparison. */
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/point/program_run.h"
#include "backend/cpu/pipeline/run.h"

#define VALUES 256 /* that the program is run on at a time */
#define PIECE 512  /* pixels that are made at a time where they go past the caches */

/* What lies below `from` becomes one value, the rest another. */
struct u16_jump {
    bool made;
    uint16_t from, below, above;
};
struct floats_jump {
    bool made;
    struct weft_float_jump jump;
};

size_t weft_program_jump_size(const struct step *step) {
    enum cpu_point_kernel kernel = ((const struct program *)step->data)->kernel;
    return kernel == CPU_POINT_JUMP_U16   ? sizeof(struct u16_jump)
           : kernel == CPU_POINT_JUMP_F32 ? sizeof(struct floats_jump)
                                          : 0;
}

static void *jump_state(struct lane *lane, const struct step *step) {
    return (unsigned char *)weft_lane_state(lane, step) + weft_program_planes_size(step);
}

/* The program's results of values, the n-th of which is first + n * step. */
static void run_words(const struct program_context *c, int32_t first, int32_t step, float *plane, uint16_t *results) {
    uint16_t values[VALUES];
    for (int32_t i = 0; i < VALUES; i++)
        values[i] = (uint16_t)(first + i * step);
    c->lane->kernels->widen[WEFT_ROW_U16](values, c->loaded, VALUES);
    weft_program_run_loaded(c, 0, VALUES, &plane);
    c->lane->kernels->narrow[WEFT_ROW_U16](plane, results, VALUES);
}

/* Where the result of one channel of u16 jumps: among every 256th value first, then among those before it. */
static const struct u16_jump *u16_jump_of(struct lane *lane, const struct step *step, int64_t y, float *planes) {
    struct u16_jump *jump = jump_state(lane, step);
    struct program_context c;
    uint16_t results[VALUES];
    int32_t at = 1, from = 1;
    if (jump->made)
        return jump;
    weft_program_begin(&c, lane, step, y);
    run_words(&c, 0, VALUES, planes, results);
    jump->below = results[0];
    while (at < VALUES && results[at] == jump->below)
        at++;
    run_words(&c, (at - 1) * VALUES, 1, planes, results);
    while (from < VALUES && results[from] == jump->below)
        from++;
    from += (at - 1) * VALUES;
    run_words(&c, UINT16_MAX - 255, 1, planes, results);
    jump->above = results[255];
    jump->from = (uint16_t)(from <= UINT16_MAX ? from : 0); /* none: both are the same */
    jump->made = true;
    return jump;
}

/* Floats in order: keys from that of -infinity to that of infinity, beyond which are no numbers. */
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

/* Where the result of one channel of f32 jumps, eight bits of the key at a time. */
static const struct weft_float_jump *floats_jump_of(struct lane *lane, const struct step *step, int64_t y, float *planes) {
    struct floats_jump *jump = jump_state(lane, step);
    float *values = planes + WEFT_CHUNK;
    struct program_context c;
    uint64_t key = 0;
    if (jump->made)
        return &jump->jump;
    weft_program_begin(&c, lane, step, y);
    c.inputs[0].plane[0] = values;
    for (int shift = 24; shift >= 0; shift -= 8) {
        int32_t at = 1;
        for (int32_t i = 0; i < VALUES; i++)
            values[i] = of_key(key + ((uint64_t)i << shift));
        values[0] = shift == 24 ? -INFINITY : values[0];
        weft_program_run_loaded(&c, 0, VALUES, &planes);
        jump->jump.below = shift == 24 ? planes[0] : jump->jump.below;
        while (at < VALUES && planes[at] == jump->jump.below)
            at++;
        key += (uint64_t)(shift > 0 ? at - 1 : at) << shift;
    }
    values[0] = INFINITY, values[1] = NAN;
    weft_program_run_loaded(&c, 0, 2, &planes);
    jump->jump.above = planes[0];
    jump->jump.from = of_key(key);
    jump->jump.numberless_above = planes[1] == planes[0];
    jump->made = true;
    return &jump->jump;
}

bool weft_program_store_jump(struct lane *lane, const struct step *step, int64_t y, float *planes, unsigned char *pixels,
                             bool past_caches) {
    enum cpu_point_kernel kernel = ((const struct program *)step->data)->kernel;
    const struct weft_kernels *kernels = lane->kernels;
    int64_t columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    if (kernel == CPU_POINT_JUMP_F32 && past_caches) {
        const struct weft_float_jump *jump = floats_jump_of(lane, step, y, planes);
        const void *in = weft_source_row(lane, &lane->stage->steps[step->inputs[0]], y).plane[0];
        kernels->jump_floats_past_caches(in, (void *)pixels, columns, jump);
        return true;
    }
    if (kernel != CPU_POINT_JUMP_U16)
        return false;
    const struct u16_jump *jump = u16_jump_of(lane, step, y, planes);
    const uint16_t *in = weft_source_row(lane, &lane->stage->steps[step->inputs[0]], y).plane[0];
    uint16_t *out = (void *)pixels, *made = (void *)(planes + (size_t)4 * WEFT_CHUNK);
    if (past_caches && kernels->jump_u16_past_caches) {
        kernels->jump_u16_past_caches(in, out, columns, jump->from, jump->below, jump->above);
        return true;
    }
    for (int64_t x = 0, piece = past_caches ? PIECE : columns; x < columns; x += piece) {
        int64_t count = columns - x < piece ? columns - x : piece;
        kernels->jump_u16(in + x, past_caches ? made : out + x, count, jump->from, jump->below, jump->above);
        if (past_caches)
            kernels->move_past_caches(made, out + x, (size_t)count * sizeof *out);
    }
    return true;
}
