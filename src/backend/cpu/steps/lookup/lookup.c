/* SPDX-License-Identifier: MIT
 * Lookups: a step that reads rows of the image and the table as a whole, wherever it lies in memory. Bodies see pixels of
 * four components; what an image does not have comes from a row of ones, or goes to rows that nobody reads. Rows of
 * bytes, which are of one channel, become such. */
#include <limits.h>
#include "backend/cpu/choose/lookup.h"
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/point/program.h"
#include "backend/cpu/pipeline/run.h"
#include "base/status.h"
#include "kernels/lookup.h"

struct lookup {
    struct whole table;
    const struct weft_body *body;
};

/* One chunk filled with 1, then a scratch chunk for each component that is not wanted. */
static size_t state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    (void)step, (void)columns, (void)in_columns;
    return 5 * WEFT_CHUNK * sizeof(float);
}

static struct weft_table table_of(const struct lane *lane, const struct whole *whole) {
    struct pixels pixels = weft_whole_pixels(lane, whole);
    ptrdiff_t size = (ptrdiff_t)weft_type_size(pixels.type);
    ptrdiff_t rows = pixels.row_bytes < 0 ? -pixels.row_bytes : pixels.row_bytes;
    ptrdiff_t last = pixels.pixel_bytes * (whole->info.width - 1);
    struct weft_table table = {.row_bytes = pixels.row_bytes,
                               .pixel_bytes = pixels.pixel_bytes,
                               .width = (int32_t)whole->info.width,
                               .height = (int32_t)whole->info.height,
                               .type = pixels.type,
                               .alpha = pixels.channels % 2 == 0,
                               .near = rows <= INT_MAX && (rows * (whole->info.height - 1) + last) / size <= INT_MAX};
    for (int k = 0; k < 3; k++)
        table.plane[k] = pixels.plane[pixels.channels < 3 ? 0 : k];
    table.plane[3] = pixels.plane[table.alpha ? pixels.channels - 1 : 0];
    return table;
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct lookup *lookup = step->data;
    const struct step *input = &lane->stage->steps[step->inputs[0]];
    struct weft_table table = table_of(lane, &lookup->table);
    struct weft_lookup_call call = {.block = weft_lane_block(lane, step), .table = &table};
    int64_t first = weft_lane_first(lane, step), count = weft_lane_end(lane, step) - first;
    float *ones = weft_lane_state(lane, step);
    struct row in = weft_lane_fetch(lane, step->inputs[0], y);
    bool grey = input->planes < 3, alpha = input->planes % 2 == 0;
    bool out_grey = step->planes < 3, out_alpha = step->planes % 2 == 0;
    for (int i = 0; i < WEFT_CHUNK && ones[WEFT_CHUNK - 1] == 0; i++) /* in a tile's first row */
        ones[i] = 1.0f;
    for (int64_t x = 0; x < count; x += WEFT_CHUNK) {
        call.count = (int32_t)(count - x < WEFT_CHUNK ? count - x : WEFT_CHUNK);
        for (int k = 0; k < 3; k++) {
            call.in[k] = weft_row_at(lane, step->inputs[0], &in, grey ? 0 : k, first + x);
            call.out[k] = out_grey && k > 0 ? ones + (1 + k) * WEFT_CHUNK : (float *)out->plane[k] + x;
        }
        call.in[3] = alpha ? weft_row_at(lane, step->inputs[0], &in, input->planes - 1, first + x) : ones;
        call.out[3] = out_alpha ? (float *)out->plane[step->planes - 1] + x : ones + 4 * WEFT_CHUNK;
        lookup->body->lookup(&call);
    }
}

static const struct step_kind kind = {.name = "lookup", .state_size = state_size, .run = run};

/* ---- bytes of one channel: the result depends on the byte alone, so it is a table of 256 bytes, made by running the body once */

struct bytes {
    bool made;
    struct weft_byte_tables tables;
    float rows[6][256]; /* every byte; ones; what the body makes */
};

static size_t bytes_size(const struct step *step, int64_t columns, int64_t in_columns) {
    (void)step, (void)columns, (void)in_columns;
    return sizeof(struct bytes);
}
static void bytes_begin(struct lane *lane, const struct step *step) {
    ((struct bytes *)weft_lane_state(lane, step))->made = false;
}

static void make_table(struct lane *lane, const struct step *step, struct bytes *bytes) {
    const struct lookup *lookup = step->data;
    struct weft_table table = table_of(lane, &lookup->table);
    struct weft_lookup_call call = {.block = weft_lane_block(lane, step), .table = &table, .count = 256};
    uint8_t every[256];
    for (int i = 0; i < 256; i++)
        every[i] = (uint8_t)i, bytes->rows[1][i] = 1.0f;
    lane->kernels->widen[WEFT_ROW_U8](every, bytes->rows[0], 256);
    for (int k = 0; k < 4; k++)
        call.in[k] = bytes->rows[k == 3], call.out[k] = bytes->rows[2 + k];
    lookup->body->lookup(&call);
    lane->kernels->narrow[WEFT_ROW_U8](bytes->rows[2], bytes->tables.to[0], 256);
    bytes->tables.channels = 1;
    bytes->made = true;
}

static void run_bytes(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    struct bytes *bytes = weft_lane_state(lane, step);
    int64_t first = weft_lane_first(lane, step);
    struct row in = weft_lane_fetch(lane, step->inputs[0], y);
    if (!bytes->made)
        make_table(lane, step, bytes);
    lane->kernels->bytes_map(&bytes->tables, (const uint8_t *)in.plane[0] + (first - lane->first[step->inputs[0]]),
                             out->plane[0], weft_lane_end(lane, step) - first);
}

static const struct step_kind of_bytes = {
    .name = "lookup", .state_size = bytes_size, .begin = bytes_begin, .run = run_bytes};

int32_t weft_lookup_input(const struct step *step) {
    return step->kind == &kind || step->kind == &of_bytes ? ((const struct lookup *)step->data)->table.input : -1;
}

static const struct weft_rung *choose(const struct weft_typed_graph *typed, int32_t node, bool image) {
    int32_t in = typed->graph->nodes[node].inputs[0];
    return weft_cpu_choose_lookup(&(struct cpu_lookup_case){image, typed->info[in].format, typed->info[node].format});
}

bool weft_lookup_takes_bytes(const struct weft_typed_graph *typed, int32_t node, bool image) {
    return choose(typed, node, image)->choice == CPU_LOOKUP_BYTES;
}

weft_status weft_lower_lookup(struct builder *b, int32_t node, const int32_t *inputs, const struct whole *table,
                              int32_t *result, weft_error *error) {
    bool bytes = b->stage->steps[inputs[0]].type == WEFT_ROW_U8;
    const weft_image_info *info = &b->typed->info[node];
    struct lookup *lookup = weft_allocate(1, sizeof *lookup);
    if (!lookup)
        return weft_fail_memory(error, sizeof *lookup, "a lookup");
    *lookup = (struct lookup){*table, weft_cpu_body(b->bodies, b->typed->graph->nodes[node].filter)};
    return weft_stage_add(b,
                          &(struct step){.kind = bytes ? &of_bytes : &kind,
                                         .why = choose(b->typed, node, bytes)->when,
                                         .inputs = {inputs[0]},
                                         .input_count = 1,
                                         .node = node,
                                         .data = lookup,
                                         .whole = &lookup->table,
                                         .type = bytes ? WEFT_ROW_U8 : WEFT_ROW_F32,
                                         .divisible = bytes,
                                         .planes = info->format.channels,
                                         .width = info->width,
                                         .height = info->height},
                          result, error);
}
