/* SPDX-License-Identifier: MIT
 * Reconstruction by the hybrid algorithm (Vincent 1993). A sweep down and one up spread the marker along monotonic paths. Then a
 * queue holds the pixels whose neighbors can still rise. Where the queue is full, two further sweeps do the rest. The image lies in
 * the result's first plane and the mask in the second (workspace.c), with erosion as their negatives. */
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/global/global.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/pipeline/spill.h"
#include "backend/cpu/pipeline/tiles.h"

#define QUEUE ((uint32_t)1 << 18) /* places, a power of two */

struct growth {
    struct cpu_run *run;
    const struct global *global;
    float *image, *mask;
    int64_t width, height, pitch;
    bool eight, overfull;
    float sign;
    uint32_t *queue, first, last; /* numbers of entries ever taken and put */
};

size_t weft_reconstruct_bytes(void) { return QUEUE * sizeof(uint32_t); }

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }
static float *image_row(const struct growth *g, int64_t y) { return g->image + y * g->pitch; }
static const float *mask_row(const struct growth *g, int64_t y) { return g->mask + y * g->pitch; }

static void look(const struct growth *g, int64_t bytes) {
    if (g->run->spill)
        weft_spill_look(g->run, bytes);
}

static bool stops(const struct growth *g) { return weft_run_stops(g->run, 0); }

/* Row y of an input as floats that grow upward; NaN is below all. */
static void load_row(const struct growth *g, const struct lane *lane, const struct pixels *pixels, int64_t y, float *to) {
    float room[4][GLOBAL_CHUNK];
    for (int64_t x = 0; x < g->width; x += GLOBAL_CHUNK) {
        int count = (int)(g->width - x < GLOBAL_CHUNK ? g->width - x : GLOBAL_CHUNK);
        const float *values = weft_global_load(lane, pixels, x, y, count, room);
        for (int i = 0; i < count; i++)
            to[x + i] = isnan(values[i]) ? -INFINITY : g->sign * values[i];
    }
}

static void load(struct growth *g) {
    const struct lane lane = {.run = g->run, .kernels = &g->run->plan->device->kernels};
    struct pixels marker = weft_whole_pixels(&lane, &g->global->whole), mask = weft_whole_pixels(&lane, &g->global->second);
    for (int64_t y = 0; y < g->height && !stops(g); y++) {
        float *row = image_row(g, y), *limit = g->mask + y * g->pitch;
        load_row(g, &lane, &marker, y, row);
        load_row(g, &lane, &mask, y, limit);
        for (int64_t x = 0; x < g->width; x++)
            row[x] = smaller(row[x], limit[x]);
        look(g, 8 * g->pitch + marker.row_bytes + mask.row_bytes);
    }
}

/* Raises row y by its neighbors in the row above or below. */
static void take_beside(const struct growth *g, float *row, const float *beside) {
    int64_t last = g->width - 1;
    if (!g->eight || last == 0) {
        for (int64_t x = 0; x <= last; x++)
            row[x] = larger(row[x], beside[x]);
        return;
    }
    row[0] = larger(row[0], larger(beside[0], beside[1]));
    for (int64_t x = 1; x < last; x++)
        row[x] = larger(larger(row[x], beside[x]), larger(beside[x - 1], beside[x + 1]));
    row[last] = larger(row[last], larger(beside[last - 1], beside[last]));
}

static void sweep_down(const struct growth *g) {
    for (int64_t y = 0; y < g->height && !stops(g); y++) {
        float *row = image_row(g, y), carried = -INFINITY;
        const float *limit = mask_row(g, y);
        if (y > 0)
            take_beside(g, row, image_row(g, y - 1));
        for (int64_t x = 0; x < g->width; x++)
            row[x] = carried = smaller(larger(row[x], carried), limit[x]);
        look(g, 8 * g->pitch);
    }
}

static void put(struct growth *g, uint32_t place) {
    if (g->last - g->first == QUEUE)
        g->overfull = true;
    else
        g->queue[g->last++ % QUEUE] = place;
}

/* The pixel's value, where it can still rise to its limit; infinity where it cannot. */
static float low_of(const float *row, const float *limit, int64_t x) { return row[x] < limit[x] ? row[x] : INFINITY; }

/* Queues pixels of row y from which one to the right or below could rise. */
static void queue_row(struct growth *g, int64_t y) {
    const float *row = image_row(g, y), *limit = mask_row(g, y);
    const float *below = y + 1 < g->height ? image_row(g, y + 1) : NULL, *below_limit = below ? mask_row(g, y + 1) : NULL;
    float left = INFINITY, middle = below ? low_of(below, below_limit, 0) : INFINITY;
    for (int64_t x = 0; x < g->width; x++) {
        bool more = x + 1 < g->width;
        float right = below && more ? low_of(below, below_limit, x + 1) : INFINITY, low = middle;
        if (more)
            low = smaller(low, low_of(row, limit, x + 1));
        if (g->eight)
            low = smaller(low, smaller(left, right));
        if (low < row[x])
            put(g, (uint32_t)(y * g->pitch + x));
        left = middle, middle = right;
    }
}

static void sweep_up(struct growth *g) {
    for (int64_t y = g->height - 1; y >= 0 && !stops(g); y--) {
        float *row = image_row(g, y), carried = -INFINITY;
        const float *limit = mask_row(g, y);
        if (y + 1 < g->height)
            take_beside(g, row, image_row(g, y + 1));
        for (int64_t x = g->width - 1; x >= 0; x--)
            row[x] = carried = smaller(larger(row[x], carried), limit[x]);
        queue_row(g, y);
        look(g, 16 * g->pitch);
    }
}

static void raise(struct growth *g, float level, int64_t place) {
    float now = g->image[place], limit = g->mask[place];
    if (now < level && now < limit) {
        g->image[place] = smaller(level, limit);
        put(g, (uint32_t)place);
    }
}

static void follow_queue(struct growth *g) {
    while (g->first != g->last) {
        int64_t place = g->queue[g->first++ % QUEUE], y = place / g->pitch, x = place - y * g->pitch;
        float level = g->image[place];
        bool before = x > 0, after = x + 1 < g->width;
        for (int64_t row = y > 0 ? -1 : 0; row <= 1 && y + row < g->height; row++) {
            int64_t at = place + row * g->pitch;
            if (before && (g->eight || row == 0))
                raise(g, level, at - 1);
            if (row != 0)
                raise(g, level, at);
            if (after && (g->eight || row == 0))
                raise(g, level, at + 1);
        }
        if (g->first % GLOBAL_CHUNK == 0) {
            look(g, GLOBAL_CHUNK * 4096); /* a page each, at most */
            if (stops(g))
                return;
        }
    }
}

static void finish(const struct growth *g) {
    const struct kept *kept = &g->run->plan->kept[g->global->node];
    for (int64_t y = 0; y < g->height; y++) {
        float *row = image_row(g, y);
        for (int64_t x = 0; x < g->width && g->sign < 0; x++)
            row[x] = -row[x];
        if (kept->tiles_size > 0) {
            struct tiles tiles = weft_tiles_of(g->width, g->height, sizeof *row);
            weft_tiles_put(&tiles, sizeof *row, g->run->kept + kept->tiles_offset, 0, y, g->width, row);
        }
        look(g, 8 * g->pitch);
    }
}

static void grow(struct growth *g) {
    load(g);
    do {
        g->overfull = false;
        sweep_down(g);
        sweep_up(g);
        follow_queue(g);
    } while (g->overfull && !stops(g));
    if (!stops(g))
        finish(g);
}

void weft_global_reconstruct(struct cpu_run *run, const struct global *global) {
    const struct kept *kept = &run->plan->kept[global->node];
    const weft_image_info *info = &run->plan->typed->info[global->node];
    const struct weft_reconstruct *p = run->blocks[global->node];
    struct growth g = {.run = run,
                       .global = global,
                       .image = (float *)(void *)(run->kept + kept->offset),
                       .mask = (float *)(void *)(run->kept + kept->offset + kept->plane_bytes),
                       .width = info->width,
                       .height = info->height,
                       .pitch = kept->row_bytes / (ptrdiff_t)sizeof(float),
                       .eight = !p->four,
                       .sign = p->erosion ? -1 : 1,
                       .queue = (uint32_t *)(void *)weft_lane_memory(run, 0)};
    grow(&g);
}
