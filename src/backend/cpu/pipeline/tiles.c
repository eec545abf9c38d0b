/* SPDX-License-Identifier: MIT */
#include "backend/cpu/pipeline/tiles.h"
#include <string.h>

#define TILE ((size_t)64 << 10) /* bytes at most: systems bring pages of a file by as many */
#define PAGE ((size_t)4096)

struct tiles weft_tiles_of(int64_t width, int64_t height, size_t pixel_bytes) {
    struct tiles tiles = {.shift = 3};
    while (pixel_bytes << (2 * (tiles.shift + 1)) <= TILE)
        tiles.shift++;
    int64_t side = (int64_t)1 << tiles.shift;
    tiles.row_bytes = pixel_bytes << tiles.shift;
    tiles.bytes = ((tiles.row_bytes << tiles.shift) + PAGE - 1) / PAGE * PAGE;
    if (!weft_multiply(tiles.bytes, (size_t)((width + side - 1) >> tiles.shift), &tiles.across) ||
        !weft_multiply(tiles.across, (size_t)((height + side - 1) >> tiles.shift), &tiles.size))
        tiles.size = SIZE_MAX;
    return tiles;
}

void weft_tiles_put(const struct tiles *tiles, size_t pixel_bytes, unsigned char *image, int64_t x, int64_t y,
                    int64_t count, const void *pixels) {
    const unsigned char *from = pixels;
    for (int64_t run; count > 0; x += run, count -= run, from += (size_t)run * pixel_bytes) {
        run = weft_tiles_run(tiles, x, count);
        memcpy(image + weft_tiles_offset(tiles, pixel_bytes, x, y), from, (size_t)run * pixel_bytes);
    }
}

static bool is_of(const struct whole *whole, int32_t input, int32_t node) {
    return whole && whole->input == input && (input >= 0 || whole->node == node);
}

void weft_plan_reads(const struct cpu_plan *plan, int32_t input, int32_t node, bool *rows, bool *anywhere) {
    const struct weft_graph *graph = plan->typed->graph;
    *rows = *anywhere = false;
    for (int32_t s = 0; s < plan->schedule.stages; s++) {
        const struct stage *stage = &plan->stages[s];
        for (int32_t i = 0; i < stage->count; i++)
            if (is_of(stage->steps[i].whole, input, node))
                *(stage->steps[i].anywhere ? anywhere : rows) = true;
        for (int32_t i = 0; i < stage->global_count; i++)
            *rows = *rows || is_of(&stage->globals[i].whole, input, node) || is_of(&stage->globals[i].second, input, node);
    }
    for (int32_t n = 0; n < graph->count; n++) /* numbers that are parameters */
        for (int32_t i = 0; i < graph->nodes[n].binding_count; i++)
            *rows = *rows || (input < 0 && graph->nodes[n].bindings[i].from == node);
}
