/* SPDX-License-Identifier: MIT
 * Running point programs, chunk by chunk, so that all that a chunk touches stays in the first-level cache. Where a
 * program is the only reader of an input image or the only source of an output, that is converted by the chunk as well
 * (weft_programs_inline): brightness,contrast,gaussian=4,gamma,saturation on u8x3 at 4K cost 1.31 times the gaussian
 * alone with conversions by the row. */
#include <string.h>
#include "backend/cpu/steps/point/program_run.h"
#include "backend/cpu/pipeline/run.h"

static const struct program_form *form_of(const struct program *program) {
    static const struct program_form by_filters = {.state_size = 0};
    static const struct program_form *const forms[] = {[CPU_POINT_FILTERS] = &by_filters,
                                                       [CPU_POINT_THRESHOLD_U16] = &weft_program_threshold_u16,
                                                       [CPU_POINT_THRESHOLD_F32] = &weft_program_threshold_f32,
                                                       [CPU_POINT_BYTE_TABLES] = &weft_program_byte_tables,
                                                       [CPU_POINT_MATRIX] = &weft_program_matrix,
                                                       [CPU_POINT_PACKED] = &weft_program_packed,
                                                       [CPU_POINT_FLOAT_TABLES] = &weft_program_float_tables};
    return forms[program->kernel];
}

static size_t state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    (void)columns, (void)in_columns;
    return weft_program_planes_size(step) + form_of(step->data)->state_size;
}

/* The rest is written before it is read. */
static void begin(struct lane *lane, const struct step *step) {
    const struct program *program = step->data;
    unsigned char *state = weft_lane_state(lane, step);
    ((float *)(void *)state)[(program->temporaries + 1) * program->chunk - 1] = 0;
    memset(state + weft_program_planes_size(step), 0, form_of(program)->state_size);
}

/* The row of an input, from the step's first column on. */
static struct row fetch(const struct program_context *c, int32_t input) {
    struct row row = weft_lane_fetch(c->lane, input, c->y);
    for (int32_t p = 0; p < c->lane->stage->steps[input].planes; p++)
        row.plane[p] = (float *)row.plane[p] + (c->first - c->lane->first[input]);
    return row;
}

void weft_program_begin(struct program_context *c, struct lane *lane, const struct step *step, int64_t y) {
    const struct program *program = step->data;
    c->lane = lane, c->step = step, c->margin = false;
    c->y = y, c->first = weft_lane_first(lane, step);
    c->temporaries = weft_lane_state(lane, step);
    c->ones = c->temporaries + (size_t)(program->temporaries * program->chunk);
    c->loaded = c->ones + program->chunk;
    if (c->ones[program->chunk - 1] == 0) /* in a tile's first row */
        for (int i = 0; i < program->chunk; i++)
            c->ones[i] = 1.0f;
    int32_t pulled = 0;
    for (int32_t i = 0; i < step->input_count; i++) {
        const struct step *source = &lane->stage->steps[step->inputs[i]];
        pulled += !source->inlined;
        c->inputs[i] = source->inlined ? weft_source_row(lane, source, y) : fetch(c, step->inputs[i]);
    }
    /* Fetching again returns the same rows, unless fetching one input evicted another's row from its ring. */
    for (int32_t i = 0; pulled > 1 && i < step->input_count; i++)
        if (!lane->stage->steps[step->inputs[i]].inlined)
            c->inputs[i] = fetch(c, step->inputs[i]);
}

static float *resolve(const struct program_context *c, struct operand operand, int64_t x, float *const *out) {
    int32_t chunk = ((const struct program *)c->step->data)->chunk;
    switch (operand.kind) {
    case PLACE_INPUT:
        if (c->lane->stage->steps[c->step->inputs[operand.index]].inlined)
            return c->loaded + (size_t)((operand.index * 4 + operand.plane) * chunk);
        return (float *)c->inputs[operand.index].plane[operand.plane] + x;
    case PLACE_TEMPORARY:
        return c->temporaries + (size_t)(operand.index * chunk);
    case PLACE_OUTPUT:
        return out[operand.plane];
    case PLACE_ONES:
        return c->ones;
    case PLACE_NONE:
        break;
    }
    return NULL;
}

void weft_program_run_loaded(const struct program_context *c, int64_t x, int count, float *const *out) {
    const struct step *step = c->step;
    const struct program *program = step->data;
    for (int32_t i = 0; i < program->count; i++) {
        const struct instruction *instruction = &program->list[i];
        struct weft_point_call call = {.block = c->lane->run->blocks[instruction->node],
                                       .user = instruction->body->user,
                                       .planes = instruction->planes,
                                       .alpha = instruction->alpha,
                                       .rest = instruction->rest,
                                       .count = count,
                                       .x = c->first + x,
                                       .y = c->y,
                                       .width = step->width,
                                       .height = step->height};
        for (int32_t k = 0; k < instruction->inputs; k++)
            for (int p = 0; p < 4; p++)
                call.in[k][p] = resolve(c, instruction->in[k][p], x, out);
        for (int p = 0; p < 4; p++)
            call.out[p] = resolve(c, instruction->out[p], x, out);
        if (c->margin && i == program->count - 1)
            instruction->body->margin(&call);
        else
            instruction->body->point(&call);
    }
    for (int32_t p = 0; p < step->planes; p++)
        if (program->result[p].kind != PLACE_NONE)
            memcpy(out[p], resolve(c, program->result[p], x, out), (size_t)count * sizeof(float));
}

/* The same, inputs being loaded first. */
static void run_chunk(const struct program_context *c, int64_t x, int count, float *const *out) {
    const struct step *step = c->step;
    const struct program *program = step->data;
    if (form_of(program)->run) {
        form_of(program)->run(c, x, count, out);
        return;
    }
    for (int32_t i = 0; i < step->input_count; i++)
        if (c->lane->stage->steps[step->inputs[i]].inlined)
            weft_source_load(c->lane, &c->lane->stage->steps[step->inputs[i]], &c->inputs[i], x, count,
                             c->loaded + (size_t)(i * 4 * program->chunk), (size_t)program->chunk);
    /* Prefetches what the next chunk reads of rows that are read from an image in place, as weft_source_load does. */
    for (int32_t i = 0; i < step->input_count; i++)
        if (c->lane->stage->steps[step->inputs[i]].direct)
            weft_prefetch((uintptr_t)((const float *)c->inputs[i].plane[0] + x + program->chunk),
                          program->chunk * (int64_t)sizeof(float));
    weft_program_run_loaded(c, x, count, out);
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *row) {
    struct program_context c;
    int64_t columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    int32_t chunk = ((const struct program *)step->data)->chunk;
    weft_program_begin(&c, lane, step, y);
    for (int64_t x = 0; x < columns; x += chunk) {
        float *out[4];
        for (int32_t p = 0; p < step->planes; p++)
            out[p] = (float *)row->plane[p] + x;
        run_chunk(&c, x, (int)(columns - x < chunk ? columns - x : chunk), out);
    }
}

void weft_program_destroy(void *data) {
    struct program *program = data;
    if (program)
        weft_free(program->list);
    weft_free(program);
}

const struct step_kind weft_program_kind = {
    .name = "program", .state_size = state_size, .begin = begin, .run = run, .destroy = weft_program_destroy};

void weft_program_store(struct lane *lane, const struct step *step, int64_t y, float *planes,
                        void (*store)(const float *const *planes, int channels, void *pixels, int count),
                        unsigned char *pixels, size_t pixel_bytes, bool past_caches) {
    struct program_context c;
    int64_t columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    int32_t chunk = ((const struct program *)step->data)->chunk;
    unsigned char *made = (unsigned char *)(planes + (size_t)4 * WEFT_CHUNK);
    float *out[4];
    const struct program_form *form = form_of(step->data);
    if (form->store && form->store(lane, step, y, planes, pixels, past_caches))
        return;
    weft_program_begin(&c, lane, step, y);
    for (int32_t p = 0; p < step->planes; p++)
        out[p] = planes + (size_t)(p * chunk);
    for (int64_t x = 0; x < columns; x += chunk) {
        int count = (int)(columns - x < chunk ? columns - x : chunk);
        unsigned char *at = pixels + (size_t)x * pixel_bytes;
        if (!store && !past_caches)
            out[0] = (float *)(void *)at;
        if (store && !past_caches)
            weft_prefetch((uintptr_t)at, count * (int64_t)pixel_bytes);
        run_chunk(&c, x, count, out);
        if (store)
            store((const float *const *)out, step->planes, past_caches ? made : at, count);
        if (past_caches)
            lane->kernels->move_past_caches(store ? made : (void *)out[0], at, (size_t)count * pixel_bytes);
    }
}

/* Fewer pixels at a time where planes, and the pixels that they are made of and become, would fill a first-level cache of
 * 32 KB: with 256 blend_source_over on u8x4 takes 0.75 of the time that it does with 512, luminance_threshold on u16x1 1.15;
 * that takes 0.9 with 1024, and 1.13 on f32x1, whose rows are read where they lie. */
#define ONE_PLANE 2 /* in and out */
#define FEW_PLANES 6
static void choose_chunk(const struct stage *stage, const struct step *step) {
    struct program *program = step->data;
    int32_t planes = step->planes;
    for (int32_t i = 0; i < step->input_count; i++)
        planes += stage->steps[step->inputs[i]].planes;
    bool direct = step->input_count > 0 && stage->steps[step->inputs[0]].direct;
    program->chunk = planes > FEW_PLANES           ? WEFT_CHUNK / 4
                     : planes > ONE_PLANE || direct ? WEFT_CHUNK / 2
                                                    : WEFT_CHUNK;
}

/* Called when it is known which steps run inside others. */
static void choose_kernel(const struct stage *stage, int32_t index, const struct weft_kernels *kernels) {
    struct step *step = &stage->steps[index];
    struct program *program = step->data;
    weft_type made = 0;
    for (int32_t i = index + 1; step->inlined && i < stage->count; i++)
        if (weft_sink_output(&stage->steps[i]) >= 0 && stage->steps[i].inputs[0] == index)
            made = weft_sink_type(&stage->steps[i]);
    struct cpu_point_case facts = {.filters = program->count,
                                   .apart = program->apart,
                                   .affine = program->affine,
                                   .binary = program->binary,
                                   .packed = weft_program_takes_packed(stage, step),
                                   .channels = step->planes,
                                   .made = made,
                                   .kernels = kernels};
    if (step->input_count > 0) {
        const struct step *source = &stage->steps[step->inputs[0]];
        facts.in = source->inlined || source->direct ? weft_source_type(source) : 0;
        facts.in_place = source->direct;
        facts.in_channels = source->planes;
    }
    const struct weft_rung *rung = weft_cpu_choose_point(&facts);
    program->kernel = (enum cpu_point_kernel)rung->choice;
    step->why = rung->when;
}

void weft_programs_inline(struct stage *stage, const struct weft_kernels *kernels) {
    for (int32_t i = 0; i < stage->count; i++) {
        struct step *step = &stage->steps[i];
        bool program = step->kind == &weft_program_kind;
        for (int32_t k = 0; program && k < step->input_count; k++) {
            struct step *input = &stage->steps[step->inputs[k]];
            if (weft_source_input(input) >= 0 && !input->direct && input->pad == 0 &&
                weft_stage_readers(stage, step->inputs[k]) == 1)
                input->inlined = true;
        }
        if (weft_sink_output(step) >= 0) {
            struct step *input = &stage->steps[step->inputs[0]];
            if (input->kind == &weft_program_kind && input->pad == 0 && weft_stage_readers(stage, step->inputs[0]) == 1)
                input->inlined = true;
        }
    }
    for (int32_t i = 0; i < stage->count; i++)
        if (stage->steps[i].kind == &weft_program_kind) {
            choose_kernel(stage, i, kernels);
            choose_chunk(stage, &stage->steps[i]);
        }
}

void weft_program_nodes(const struct step *step, int32_t *nodes, int32_t *count) {
    const struct program *program = step->data;
    *count = 0;
    for (int32_t i = 0; step->kind == &weft_program_kind && i < program->count; i++)
        if (*count == 0 || nodes[*count - 1] != program->list[i].node)
            nodes[(*count)++] = program->list[i].node;
}
