/* SPDX-License-Identifier: MIT
 * Point programs over bytes that need not be run pixel by pixel: those that see one component at a time become tables,
 * and weighted sums of components one matrix, both made by running the program once. */
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/point/program_run.h"
#include "backend/cpu/pipeline/run.h"

/* A lane's tables, and a chunk of the image as planes of bytes. */
struct bytes {
    bool made;
    struct weft_byte_tables tables;
};
struct floats {
    bool made;
    struct weft_float_table tables[4];
    uint8_t planes[4][WEFT_CHUNK];
};

struct matrix {
    bool made, usable;
    struct weft_pixel_matrix matrix;
};

static int32_t chunk_of(const struct step *step) { return ((const struct program *)step->data)->chunk; }

/* What a program makes of every byte: it runs on all of them, as if they were pixels. */
static void run_every(const struct program_context *c, float *const *out) {
    uint8_t every[256];
    for (int i = 0; i < 256; i++)
        every[i] = (uint8_t)i;
    for (int32_t p = 0; p < c->step->planes; p++)
        c->lane->kernels->widen[WEFT_ROW_U8](every, c->loaded + (size_t)(p * chunk_of(c->step)), 256);
    weft_program_run_loaded(c, 0, 256, out);
}

static void *tables_of(struct lane *lane, const struct step *step) {
    return (unsigned char *)weft_lane_state(lane, step) + weft_program_planes_size(step);
}

/* planes: room for as many chunks. */
static const struct weft_byte_tables *bytes_of(struct lane *lane, const struct step *step, int64_t y, float *planes) {
    struct bytes *bytes = tables_of(lane, step);
    struct program_context c;
    float *out[4];
    bool same = true;
    if (bytes->made)
        return &bytes->tables;
    weft_program_begin(&c, lane, step, y);
    for (int32_t p = 0; p < step->planes; p++)
        out[p] = planes + (size_t)p * WEFT_CHUNK;
    run_every(&c, out);
    for (int32_t p = 0; p < step->planes; p++) {
        uint8_t *to = bytes->tables.to[p];
        lane->kernels->narrow[WEFT_ROW_U8](out[p], to, 256);
        same = same && memcmp(to, bytes->tables.to[0], 256) == 0;
    }
    bytes->tables.channels = same ? 1 : step->planes;
    bytes->made = true;
    return &bytes->tables;
}

#define ROUNDING 0x1p-22f    /* of sums of some weights, as a part of their magnitudes */
#define LARGEST_NUMBER 64.0f /* of a matrix: sums in f32 are right to a thousandth of a step then */

/* Rounding errors must not change a decision at equality: a sum that is exactly 0 counts as 0. */
static float deciding_bias(const struct weft_pixel_matrix *m) {
    float bias = m->bias[0] - 0.5f, magnitude = fabsf(bias);
    for (int32_t j = 0; j < m->in; j++)
        magnitude += 255.0f * fabsf(m->weight[0][j]);
    return bias + magnitude * ROUNDING;
}

/* What a program makes of black and of each component alone. */
static const struct weft_pixel_matrix *matrix_of(struct lane *lane, const struct step *step, int64_t y, float *planes) {
    struct matrix *matrix = tables_of(lane, step);
    struct program_context c;
    struct weft_pixel_matrix *m = &matrix->matrix;
    float *out[4];
    if (matrix->made)
        return matrix->usable ? m : NULL;
    weft_program_begin(&c, lane, step, y);
    m->in = lane->stage->steps[step->inputs[0]].planes, m->out = step->planes;
    for (int32_t p = 0; p < m->in; p++)
        for (int32_t i = 0; i <= m->in; i++)
            c.loaded[(size_t)(p * chunk_of(step) + i)] = i == p + 1 ? 1.0f : 0.0f;
    for (int32_t p = 0; p < m->out; p++)
        out[p] = planes + (size_t)p * WEFT_CHUNK;
    weft_program_run_loaded(&c, 0, m->in + 1, out);
    m->binary = !((const struct program *)step->data)->affine;
    if (m->binary) { /* the other components stay */
        c.margin = true;
        weft_program_run_loaded(&c, 0, m->in + 1, out);
    }
    matrix->usable = true;
    for (int32_t k = 0; k < m->out; k++) {
        matrix->usable = matrix->usable && fabsf(out[k][0]) <= LARGEST_NUMBER;
        m->bias[k] = 255.0f * out[k][0] + 0.5f; /* rounded to nearest */
        for (int32_t j = 0; j < m->in; j++) {
            m->weight[k][j] = out[k][j + 1] - out[k][0];
            matrix->usable = matrix->usable && fabsf(m->weight[k][j]) <= LARGEST_NUMBER;
        }
    }
    if (m->binary)
        m->bias[0] = deciding_bias(m);
    matrix->made = true;
    return matrix->usable ? m : NULL;
}

static struct floats *floats_of(const struct program_context *c) {
    struct floats *floats = tables_of(c->lane, c->step);
    float *out[4];
    if (floats->made)
        return floats;
    for (int32_t p = 0; p < c->step->planes; p++)
        out[p] = floats->tables[p].to;
    run_every(c, out);
    for (int32_t p = 0; p < c->step->planes; p++)
        for (int i = 0; i < 256; i++) {
            uint8_t part[sizeof(float)];
            memcpy(part, &floats->tables[p].to[i], sizeof part);
            for (int k = 0; k < 4; k++)
                floats->tables[p].part[k][i] = part[k];
        }
    floats->made = true;
    return floats;
}

static void run_by_float_tables(const struct program_context *c, int64_t x, int count, float *const *out) {
    struct floats *floats = floats_of(c);
    int32_t channels = c->lane->stage->steps[c->step->inputs[0]].planes;
    const uint8_t *pixels = (const uint8_t *)c->inputs[0].plane[0] + x * channels;
    void *planes[4] = {floats->planes[0], floats->planes[1], floats->planes[2], floats->planes[3]};
    if (channels > 1)
        c->lane->kernels->split[WEFT_ROW_U8](pixels, channels, planes, count);
    for (int32_t p = 0; p < c->step->planes; p++)
        c->lane->kernels->bytes_to_floats(&floats->tables[p], channels > 1 ? floats->planes[p] : pixels, out[p], count);
}

/* Pixels that are made at a time where they are stored past the caches. */
#define PIECE 1024

/* Row y from bytes to bytes, by tables or by a matrix. */
static void map_row(struct lane *lane, const struct step *step, int64_t y, const struct weft_byte_tables *tables,
                    const struct weft_pixel_matrix *matrix, unsigned char *made, unsigned char *pixels,
                    bool past_caches) {
    int64_t columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    const struct step *source = &lane->stage->steps[step->inputs[0]];
    const uint8_t *in = weft_source_row(lane, source, y).plane[0];
    int64_t piece = past_caches ? PIECE : columns;
    for (int64_t x = 0; x < columns; x += piece) {
        int64_t count = columns - x < piece ? columns - x : piece;
        const uint8_t *from = in + (size_t)(x * source->planes);
        unsigned char *at = pixels + (size_t)(x * step->planes), *to = past_caches ? made : at;
        if (tables)
            lane->kernels->bytes_map(tables, from, to, count * step->planes);
        else
            lane->kernels->matrix_map(matrix, from, to, count);
        if (past_caches)
            lane->kernels->move_past_caches(made, at, (size_t)(count * step->planes));
    }
}

static bool store_by_tables(struct lane *lane, const struct step *step, int64_t y, float *planes, unsigned char *pixels,
                            bool past_caches) {
    const struct weft_byte_tables *tables = bytes_of(lane, step, y, planes);
    if (past_caches && tables->channels == 1 && lane->kernels->bytes_map_past_caches) {
        int64_t columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
        const uint8_t *in = weft_source_row(lane, &lane->stage->steps[step->inputs[0]], y).plane[0];
        lane->kernels->bytes_map_past_caches(tables, in, pixels, columns * step->planes);
    } else {
        map_row(lane, step, y, tables, NULL, (unsigned char *)(planes + (size_t)4 * WEFT_CHUNK), pixels, past_caches);
    }
    return true;
}

static bool store_by_matrix(struct lane *lane, const struct step *step, int64_t y, float *planes, unsigned char *pixels,
                            bool past_caches) {
    const struct weft_pixel_matrix *matrix = matrix_of(lane, step, y, planes);
    if (matrix)
        map_row(lane, step, y, NULL, matrix, (unsigned char *)(planes + (size_t)4 * WEFT_CHUNK), pixels, past_caches);
    return matrix != NULL;
}

const struct program_form weft_program_byte_tables = {.state_size = sizeof(struct bytes), .store = store_by_tables};
const struct program_form weft_program_matrix = {.state_size = sizeof(struct matrix), .store = store_by_matrix};
const struct program_form weft_program_float_tables = {.state_size = sizeof(struct floats), .run = run_by_float_tables};
