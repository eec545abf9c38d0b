/* SPDX-License-Identifier: MIT
 * Exact distances (Meijster, Roerdink and Hesselink 2000). The result's memory first holds how far the nearest dark pixel of each
 * column is, made by two sweeps over columns. Along a row each of these is a parabola, and the distances are the lowest of them:
 * its pieces are found from left to right on a stack, and the row is filled from them. Squares are whole numbers, so nothing is
 * lost. */
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/global/global.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/pipeline/spill.h"
#include "backend/cpu/pipeline/tiles.h"

#define NONE (1u << 30) /* no dark pixel in the column, or more */
#define FAR 3e38f
#define ROWS_ASKED 16 /* rows between two checks for a cancelled run: the rows of a task are short */

struct field {
    struct cpu_run *run;
    const struct global *global;
    const struct weft_threshold *threshold;
    uint32_t *away;
    int64_t width, height, pitch;
    int32_t columns, bands; /* of a task of the first step; tasks of the second */
};

/* A piece of the lowest parabolas: from x on the nearest is in column `column`. */
struct piece {
    int64_t column, square, x;
};

size_t weft_distance_bytes(int64_t width) { return (size_t)width * (sizeof(struct piece) + sizeof(uint32_t)); }

static void look(const struct field *f, int64_t bytes) {
    if (f->run->spill)
        weft_spill_look(f->run, bytes);
}

/* While the calling thread waits for the others. */
static void ask(void *user) {
    const struct field *f = user;
    weft_run_stops(f->run, 0);
}

static void sweep_columns(void *user, int32_t lane_index, int32_t task) {
    const struct field *f = user;
    const struct lane lane = {.run = f->run, .kernels = &f->run->plan->device->kernels};
    struct pixels pixels = weft_whole_pixels(&lane, &f->global->whole);
    int64_t from = (int64_t)task * f->columns;
    int count = (int)(f->width - from < f->columns ? f->width - from : f->columns);
    float room[4][GLOBAL_CHUNK], above = f->threshold->above;
    uint32_t last[GLOBAL_CHUNK];
    for (int i = 0; i < count; i++)
        last[i] = NONE;
    for (int64_t y = 0; y < f->height && !(y % ROWS_ASKED == 0 && weft_run_stops(f->run, lane_index)); y++) {
        const float *values = weft_global_load(&lane, &pixels, from, y, count, room);
        uint32_t *row = f->away + y * f->pitch + from;
        for (int i = 0; i < count; i++)
            row[i] = last[i] = values[i] > above ? last[i] + 1 : 0;
        look(f, pixels.row_bytes + 4 * (int64_t)count);
    }
    for (int64_t y = f->height - 2; y >= 0 && !(y % ROWS_ASKED == 0 && weft_run_stops(f->run, lane_index)); y--) {
        uint32_t *row = f->away + y * f->pitch + from;
        for (int i = 0; i < count; i++) {
            uint32_t below = last[i] + 1;
            row[i] = last[i] = row[i] < below ? row[i] : below;
        }
        look(f, 4 * (int64_t)count);
    }
}

/* The pieces of a row's lowest parabolas; none where all columns are bright. */
static int64_t find_pieces(const uint32_t *away, int64_t width, struct piece *piece) {
    int64_t count = 0;
    for (int64_t x = 0; x < width; x++) {
        if (away[x] >= NONE)
            continue;
        int64_t square = (int64_t)away[x] * away[x], from = 0;
        for (; count > 0; count--) {
            const struct piece *p = &piece[count - 1];
            /* Up to this column the earlier parabola is at least as low. This is exact: numerator and denominator are integers
             * below 2^53, and a quotient that is not an integer is at least 1 / denominator away from one. */
            double meet = (double)(x * x - p->column * p->column + square - p->square) / (double)(2 * (x - p->column));
            from = (int64_t)floor(meet) + 1;
            if (from > p->x)
                break;
        }
        if (count > 0 && from >= width)
            continue;
        piece[count] = (struct piece){x, square, count > 0 ? from : 0};
        count++;
    }
    return count;
}

static void fill_row(const struct field *f, const struct piece *piece, int64_t count, float *row) {
    for (int64_t x = 0; count == 0 && x < f->width; x++)
        row[x] = FAR;
    for (int64_t k = 0; k < count; k++) {
        int64_t end = k + 1 < count ? piece[k + 1].x : f->width, column = piece[k].column;
        double square = (double)piece[k].square;
        if (f->threshold->form)
            for (int64_t x = piece[k].x; x < end; x++)
                row[x] = (float)((double)(x - column) * (double)(x - column) + square);
        else
            for (int64_t x = piece[k].x; x < end; x++)
                row[x] = (float)sqrt((double)(x - column) * (double)(x - column) + square);
    }
}

static void fill_rows(void *user, int32_t lane_index, int32_t band) {
    const struct field *f = user;
    const struct kept *kept = &f->run->plan->kept[f->global->node];
    struct piece *piece = (struct piece *)(void *)weft_lane_memory(f->run, lane_index);
    uint32_t *away = (uint32_t *)(void *)(piece + f->width);
    const int64_t end = f->height * (band + 1) / f->bands;
    for (int64_t y = f->height * band / f->bands; y < end && !weft_run_stops(f->run, lane_index); y++) {
        uint32_t *row = f->away + y * f->pitch;
        memcpy(away, row, (size_t)f->width * sizeof *away);
        fill_row(f, piece, find_pieces(away, f->width, piece), (float *)(void *)row);
        if (kept->tiles_size > 0) {
            struct tiles tiles = weft_tiles_of(f->width, f->height, sizeof *row);
            weft_tiles_put(&tiles, sizeof *row, f->run->kept + kept->tiles_offset, 0, y, f->width, row);
        }
        look(f, 4 * f->pitch);
    }
}

void weft_global_distance(struct cpu_run *run, const struct global *global) {
    const struct kept *kept = &run->plan->kept[global->node];
    const weft_image_info *info = &run->plan->typed->info[global->node];
    struct field f = {.run = run,
                      .global = global,
                      .threshold = run->blocks[global->node],
                      .away = (uint32_t *)(void *)(run->kept + kept->offset),
                      .width = info->width,
                      .height = info->height,
                      .pitch = kept->row_bytes / (ptrdiff_t)sizeof(uint32_t),
                      .columns = run->spill ? GLOBAL_CHUNK : GLOBAL_CHUNK / 4, /* pages of a file, or caches */
                      .bands = 8 * run->plan->device->threads};
    f.bands = f.bands < f.height ? f.bands : (int32_t)f.height;
    weft_pool_run_watched(run->plan->device->pool, (int32_t)((f.width + f.columns - 1) / f.columns), sweep_columns, ask, &f);
    if (!weft_run_stops(run, 0))
        weft_pool_run_watched(run->plan->device->pool, f.bands, fill_rows, ask, &f);
}
