/* SPDX-License-Identifier: MIT
 * Warps on a grid (struct weft_filter), of an input of the graph, to rows of whole pixels. Where an output row reads a column of
 * the input, each pixel is in another cache line, whose other pixels the next rows need. So several rows are made at a time. */
#include <string.h>
#include "backend/cpu/choose/warp.h"
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/tiles.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/cpu/convert/transpose.h"

#define BLOCK_BYTES 64 /* of a line of the input, at least; and rows, */
#define BLOCK_ROWS 8   /* at least */

struct transposed {
    struct whole whole;
    const struct weft_body *body;
};

/* Which rows there are; the rows follow. */
struct block {
    bool made;
    int64_t y;
};

static int64_t block_rows(const struct step *step) {
    int64_t rows = BLOCK_BYTES / (int64_t)weft_step_element(step);
    return rows > BLOCK_ROWS ? rows : BLOCK_ROWS;
}

/* An odd number of cache lines, so that the same column of the rows spreads over all sets of the cache. */
static size_t row_size(const struct step *step, int64_t columns) {
    return weft_round_up((size_t)columns * weft_step_element(step) + 4) | 64;
}

static size_t state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    (void)in_columns;
    return weft_round_up(sizeof(struct block)) + (size_t)block_rows(step) * row_size(step, columns);
}

/* Which pixel of the input becomes pixel x, y. */
struct place {
    int64_t x, y;
};
static struct place place_of(const struct lane *lane, const struct step *step, int64_t x, int64_t y) {
    const struct transposed *transposed = step->data;
    float from_x, from_y;
    struct weft_warp_call call = {.block = weft_lane_block(lane, step),
                                  .from_x = &from_x,
                                  .from_y = &from_y,
                                  .count = 1,
                                  .x = x,
                                  .y = y,
                                  .width = step->width,
                                  .height = step->height,
                                  .in_width = transposed->whole.info.width,
                                  .in_height = transposed->whole.info.height};
    transposed->body->warp(&call);
    return (struct place){(int64_t)from_x, (int64_t)from_y};
}

/* How many pixels, of `count`, lie in the tile of `at`; `next` is where the second of them lies. */
static int64_t in_tile(const struct pixels *pixels, struct place at, struct place next, int64_t count) {
    const int64_t side = pixels->tiles ? (int64_t)1 << pixels->tiles->shift : INT64_MAX;
    int64_t from = next.x != at.x ? at.x : at.y, step = next.x - at.x + next.y - at.y;
    int64_t left = !pixels->tiles ? count : step > 0 ? side - (from & (side - 1)) : (from & (side - 1)) + 1;
    return left < count ? left : count;
}

/* Rows from y on, as many as a block has; of an image in tiles, one tile after the other. */
static void make(const struct lane *lane, const struct step *step, int64_t y, unsigned char *rows, size_t row_bytes) {
    struct tiles tiles;
    struct pixels pixels = weft_whole_tiles(lane, &((const struct transposed *)step->data)->whole, &tiles);
    const ptrdiff_t across = pixels.tiles ? (ptrdiff_t)tiles.row_bytes : pixels.row_bytes;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), size = (int64_t)weft_step_element(step);
    int64_t bottom = step->height - y < block_rows(step) ? step->height : y + block_rows(step), columns, count;
    for (int64_t top = y; top < bottom; top += count) {
        count = bottom - top;
        for (int64_t x = first; x < end; x += columns) {
            struct place at = place_of(lane, step, x, top), right = place_of(lane, step, x + 1, top);
            struct place below = place_of(lane, step, x, top + 1);
            columns = in_tile(&pixels, at, right, end - x);
            count = in_tile(&pixels, at, below, count); /* the same for all columns of a tile's rows */
            struct weft_transposed_block block = {
                .in = pixels.plane[0] + weft_pixel_offset(&pixels, at.x, at.y),
                .across = (right.y - at.y) * across + (right.x - at.x) * pixels.pixel_bytes,
                .down = (below.y - at.y) * across + (below.x - at.x) * pixels.pixel_bytes,
                .out = rows + (size_t)(top - y) * row_bytes + (x - first) * size,
                .out_bytes = (ptrdiff_t)row_bytes,
                .size = (int)size,
                .columns = (int)columns,
                .rows = (int)count};
            lane->kernels->transpose_block(&block);
        }
    }
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    int64_t top = y - y % block_rows(step), columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    unsigned char *state = weft_lane_state(lane, step), *rows = state + weft_round_up(sizeof(struct block));
    struct block *block = (struct block *)(void *)state;
    size_t row_bytes = row_size(step, step->max_columns);
    if (!block->made || block->y != top) {
        make(lane, step, top, rows, row_bytes);
        *block = (struct block){true, top};
    }
    memcpy(out->plane[0], rows + (size_t)(y - top) * row_bytes, (size_t)columns * weft_step_element(step));
}

static const struct step_kind kind = {.name = "transposed", .state_size = state_size, .run = run};

weft_status weft_lower_transposed(struct builder *b, int32_t node, const struct whole *whole, int32_t *result,
                                  weft_error *error) {
    const struct weft_filter *filter = b->typed->graph->nodes[node].filter;
    weft_type in = whole->info.format.type;
    const struct weft_rung *rung = weft_cpu_choose_warp(&(struct cpu_warp_case){.image = filter->grid, .type = in});
    *result = -1;
    if (rung->choice != CPU_WARP_TRANSPOSED)
        return WEFT_OK;
    struct transposed *transposed = weft_allocate(1, sizeof *transposed);
    if (!transposed)
        return weft_fail_memory(error, sizeof *transposed, "a transposed warp");
    *transposed = (struct transposed){*whole, weft_cpu_body(b->bodies, filter)};
    b->stage->reads_whole_input = true;
    struct step step = {.kind = &kind,
                        .why = rung->when,
                        .node = node,
                        .data = transposed,
                        .whole = &transposed->whole,
                        .anywhere = true,
                        .type = weft_integer_row(in),
                        .late = true};
    return weft_stage_add_whole(b, step, result, error);
}
