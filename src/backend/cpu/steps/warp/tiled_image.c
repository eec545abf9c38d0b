/* SPDX-License-Identifier: MIT
 * Where pixels lie for steps that read an image anywhere: in rows, or in the tiles of a file. */
#include "backend/cpu/pipeline/spill.h"
#include "backend/cpu/pipeline/tiles.h"

struct pixels weft_whole_tiles(const struct lane *lane, const struct whole *whole, struct tiles *tiles) {
    const struct cpu_run *run = lane->run;
    const struct kept *kept = whole->input < 0 ? &run->plan->kept[whole->node] : NULL;
    const unsigned char *data = NULL;
    struct pixels pixels = weft_whole_pixels(lane, whole);
    if (run->spill)
        data = !kept ? run->spill->tiled[whole->input].data : kept->tiles_size > 0 ? run->kept + kept->tiles_offset : NULL;
    if (!data)
        return pixels;
    *tiles = weft_tiles_of(whole->info.width, whole->info.height, (size_t)pixels.pixel_bytes);
    pixels.tiles = tiles;
    for (int32_t k = 0; k < pixels.channels; k++)
        pixels.plane[k] = data + (size_t)k * (kept ? kept->tiles_size : weft_type_size(pixels.type));
    return pixels;
}

void weft_pixel_offsets(const struct weft_kernels *kernels, const struct pixels *pixels, const int32_t *x,
                        const int32_t *y, ptrdiff_t *offsets, int count) {
    if (!pixels->tiles) {
        kernels->warp_offsets(x, y, pixels->row_bytes, pixels->pixel_bytes, offsets, count);
        return;
    }
    for (int i = 0; i < count; i++)
        offsets[i] = weft_tiles_offset(pixels->tiles, (size_t)pixels->pixel_bytes, x[i], y[i]);
}
