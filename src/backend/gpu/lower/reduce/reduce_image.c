/* SPDX-License-Identifier: MIT
 * Reductions of images in memory: a pass that reads the image once and does nothing else, by a kernel that knows its
 * format (kernels/gpu/dialect/grid_stride.h). */
#include "backend/gpu/pass/builder.h"
#include "base/status.h"
#include "kernels/gpu/reduce/counters.h"
#include "kernels/gpu/reduce/places.h"

#define MOST_UNITS (1 << 30) /* that threads can number */

static int32_t component_bytes(int32_t type) { return type == TYPE_U8 ? 1 : type == TYPE_F32 ? 4 : 2; }

/* Columns of counters for a bin, as a power of two; -1 when there is no room for one of each channel. Bytes are counted
 * before they are put into bins. */
static int32_t columns_log(int32_t type, int32_t channels, int32_t bins) {
    int32_t log = COUNTER_COLUMNS_LOG;
    if (type == TYPE_U8)
        return log;
    while (log >= 0 && (int64_t)bins << log > COUNTERS)
        log--;
    return log >= 0 && 1 << log >= channels ? log : -1;
}

/* A counter is 64 bits, in two words. */
size_t weft_gpu_table_bytes(const struct gpu_builder *b, const struct gpu_fused_reduction *fused) {
    size_t counters = (size_t)weft_reduction_counters(fused->what), channels = (size_t)b->typed->info[fused->input].format.channels;
    return (size_t)fused->bins * (counters > 1 ? counters : channels) * 8;
}

bool weft_gpu_gathers(const struct gpu_builder *b, const weft_image_info *info, int32_t type, enum weft_reduction what,
                      int32_t bins) {
    const struct gpu_limits *limits = &((const struct gpu_device_base *)(const void *)b->device)->limits;
    if (type == TYPE_VALUES)
        return false;
    int64_t pixels = UNIT_BYTES(info->format.channels) / (component_bytes(type) * info->format.channels);
    if (((int64_t)info->width + pixels - 1) / pixels > MOST_UNITS / (int64_t)info->height)
        return false;
    if (what != WEFT_REDUCE_HISTOGRAM) /* boxes and centroids count in the table of all blocks */
        return true;
    const int32_t constants[2] = {type, info->format.channels};
    int32_t kernel;
    return weft_gpu_find_kernel("count_image", constants, 2, &kernel, NULL) == WEFT_OK &&
           limits->block_threads >= weft_gpu_kernels[kernel].threads_x && limits->block_bytes >= COUNTERS * 4 &&
           columns_log(type, info->format.channels, bins) >= 0;
}

weft_status weft_gpu_gather_pass(struct gpu_builder *b, const struct gpu_unit *unit, weft_error *error) {
    const struct gpu_picture *picture = &b->pictures[b->picture_of[unit->start]];
    const int32_t constants[2] = {picture->type, picture->channels};
    struct gpu_fused_reduction *fused = b->fused;
    struct gpu_pass *pass;
    while (&b->units[fused->unit] != unit)
        fused++;
    bool counts = fused->what == WEFT_REDUCE_HISTOGRAM;
    if (weft_reduction_counters(fused->what) > 1) {
        weft_status status = weft_gpu_read_pass(b, b->picture_of[unit->start], "count_places", NULL, 0, &pass, error);
        if (status == WEFT_OK)
            pass->tile_height = 8 * PLACES_ROWS;
        return status;
    }
    weft_status status = weft_gpu_read_pass(b, b->picture_of[unit->start], counts ? "count_image" : "reduce_image",
                                            constants, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    pass->spreads = true;
    if (fused->what == WEFT_REDUCE_SUM || fused->what == WEFT_REDUCE_MEAN)
        fused->full = picture->type == TYPE_U8 ? 255 : picture->type == TYPE_U16 ? 65535 : 1;
    if (counts)
        pass->launch.reduced.columns_log = columns_log(picture->type, picture->channels, fused->bins);
    return WEFT_OK;
}
