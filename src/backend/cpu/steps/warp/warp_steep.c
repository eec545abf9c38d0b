/* SPDX-License-Identifier: MIT
 * Steep warps: the pixels of an output row lie below one another in the input (as in transpose), each in another cache line, whose
 * other pixels the next output rows need. So several rows are made at a time, column by column. */
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/warp/warp.h"
#include "base/memory.h"

#define STEEP_ROWS 16 /* made at a time where a row runs down the input, */
#define STEEP_COLUMNS 64

/* The state of a steep warp: which rows there are, and the rows themselves, of components as they are in the image. */
struct block {
    bool made;
    int64_t y;
};

static size_t steep_row(const struct step *step, int64_t columns) {
    return weft_round_up((size_t)columns * ((const struct warp *)step->data)->steep) + 64;
}

size_t weft_warp_steep_state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    (void)in_columns;
    return ((const struct warp *)step->data)->steep
               ? weft_round_up(sizeof(struct block)) + STEEP_ROWS * (size_t)step->planes * steep_row(step, columns)
               : 0;
}

static enum weft_row_type type_of_size(size_t size) {
    return size == 4 ? WEFT_ROW_F32 : size == 2 ? WEFT_ROW_U16 : WEFT_ROW_U8;
}

/* Rows y and after, at most STEEP_ROWS, row i of plane k going to rows + (k * STEEP_ROWS + i) * row_bytes. */
static void make_steep(const struct lane *lane, const struct step *step, const struct pixels *pixels, int64_t y,
                       unsigned char *rows, size_t row_bytes) {
    const struct warp *warp = step->data;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step);
    int count = (int)(step->height - y < STEEP_ROWS ? step->height - y : STEEP_ROWS);
    for (int64_t x = first; x < end; x += STEEP_COLUMNS) {
        ptrdiff_t offsets[STEEP_ROWS * STEEP_COLUMNS];
        struct warp_piece piece;
        piece.count = (int)(end - x < STEEP_COLUMNS ? end - x : STEEP_COLUMNS);
        for (int i = 0; i < count; i++) {
            weft_warp_ask_body(step, weft_lane_block(lane, step), &piece, x, y + i, 0, 1);
            weft_warp_find_pixels(lane, warp, pixels, &piece);
            memcpy(offsets + i * STEEP_COLUMNS, piece.offsets[0], (size_t)piece.count * sizeof *offsets);
        }
        for (int32_t k = 0; k < step->planes; k++)
            lane->kernels->warp_move_down[type_of_size(warp->steep)](
                pixels->plane[k], offsets, STEEP_COLUMNS, count, piece.count,
                rows + (size_t)k * STEEP_ROWS * row_bytes + (size_t)(x - first) * warp->steep, row_bytes);
    }
}

void weft_warp_run_steep(struct lane *lane, const struct step *step, const struct pixels *pixels, int64_t y,
                         const struct row *out) {
    int64_t top = y - y % STEEP_ROWS;
    int count = (int)(weft_lane_end(lane, step) - weft_lane_first(lane, step));
    unsigned char *state = weft_lane_state(lane, step), *rows = state + weft_round_up(sizeof(struct block));
    struct block *block = (struct block *)(void *)state;
    size_t row_bytes = steep_row(step, step->max_columns);
    if (!block->made || block->y != top) {
        make_steep(lane, step, pixels, top, rows, row_bytes);
        *block = (struct block){true, top};
    }
    for (int32_t k = 0; k < step->planes; k++) {
        const unsigned char *row = rows + (size_t)(k * STEEP_ROWS + (y - top)) * row_bytes;
        float *plane = out->plane[k];
        if (step->type == WEFT_ROW_F32)
            lane->kernels->load[pixels->type](row, 1, &plane, count);
        else
            memcpy(plane, row, (size_t)count * weft_row_type_size(step->type));
    }
}

bool weft_warp_is_steep(const struct step *step, const void *block) {
    struct warp_piece piece;
    piece.count = (int)(step->width < WEFT_WARP_PIECE ? step->width : WEFT_WARP_PIECE);
    weft_warp_ask_body(step, block, &piece, (step->width - piece.count) / 2, step->height / 2, 0, 1);
    return step->height >= STEEP_ROWS && fabsf(piece.from_y[piece.count - 1] - piece.from_y[0]) >
                                             2 * fabsf(piece.from_x[piece.count - 1] - piece.from_x[0]);
}
