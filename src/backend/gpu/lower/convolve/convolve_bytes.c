/* SPDX-License-Identifier: MIT
 * Separable filters of bytes that are means, as int8 tensor-core products (kernels/gpu/convolve/convolve_bytes.gpu). Weights are
 * whole numbers of 65536ths, and those too small to count in a byte are left out. Those of a box are all 1, in an upper byte. */
#include <math.h>
#include <stdlib.h>
#include "backend/gpu/lower/convolve/convolve.h"
#include "base/memory.h"
#include "base/status.h"
#include "filter/help/whole_weights.h"
#include "kernels/gpu/convolve/convolve_bytes.h"

#define SHIFT 16
#define WARP 32
#define MOST_REACH CONVOLVE_BYTES_REACH(5)

struct whole_axis {
    int32_t radius, weight[MOST_REACH + 1];
};

static int32_t upper_byte(int32_t weight) { return (weight + 128) / 256; }

/* The word of a band matrix that holds columns 4 t to 4 t + 3 of a slab, of the row of output m. */
static uint32_t band_word(const struct whole_axis *axis, int32_t slabs, bool down, bool lower, int32_t slab, int32_t m, int32_t t) {
    uint32_t word = 0;
    int32_t output = down ? m : CONVOLVE_BYTES_PLACE(m);
    for (int32_t i = 0; i < 4; i++) {
        int32_t column = down ? CONVOLVE_BYTES_ROW(4 * t + i) : 4 * t + i;
        int32_t away = abs(slab * CONVOLVE_BYTES_SQUARE + column - CONVOLVE_BYTES_REACH(slabs) - output);
        int32_t weight = away <= axis->radius ? axis->weight[away] : 0, upper = upper_byte(weight);
        word |= (uint32_t)((lower ? weight - 256 * upper : upper) & 255) << (8 * i);
    }
    return word;
}

/* As convolve_bytes.gpu wants them. */
static weft_status give_bands(struct gpu_pass *pass, const struct whole_axis *axes, int32_t slabs, weft_error *error) {
    size_t count = 4 * 2 * (size_t)slabs * WARP, at = 0;
    uint32_t *words = weft_allocate(count, sizeof *words);
    if (!words)
        return weft_fail_memory(error, count * sizeof *words, "the weights of both axes");
    for (int32_t kind = 0; kind < 4; kind++)
        for (int32_t i = 0; i < 2 * slabs; i++)
            for (int32_t thread = 0; thread < WARP; thread++)
                words[at++] = band_word(&axes[kind / 2], slabs, kind / 2 == 1, kind % 2 == 1, i / 2, thread / 4 + i % 2 * 8,
                                        thread % 4);
    weft_gpu_give_table(pass, LAUNCH_FIELD(convolve.matrices), words, count * sizeof *words);
    return WEFT_OK;
}

/* What the lower bytes of an axis's weights sum to. */
static int32_t sum_lower(const struct whole_axis *axis) {
    int32_t sum = 0;
    for (int32_t k = -axis->radius; k <= axis->radius; k++)
        sum += axis->weight[abs(k)] - 256 * upper_byte(axis->weight[abs(k)]);
    return sum;
}

static bool is_for_bytes(const struct gpu_builder *builder, const struct gpu_node_context *context) {
    int32_t channels = context->in.format.channels;
    return context->limits->has_mma_bytes && context->steps == 255 && channels != 2 &&
           weft_gpu_is_direct(builder, context, TYPE_U8) && weft_gpu_border_is_byte(context) &&
           weft_filter_border(context->filter, context->block) != WEFT_BORDER_SHRINK;
}

static weft_status add_kernel(struct gpu_builder *builder, const struct gpu_node_context *context, const struct whole_axis *axes,
                              int32_t slabs, bool equal, struct gpu_pass **result, weft_error *error) {
    int32_t planes = context->in.format.channels, constants[] = {planes, slabs, equal};
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "convolve_bytes", constants, 3, &pass, error);
    if (status == WEFT_OK)
        status = give_bands(pass, axes, slabs, error);
    if (status != WEFT_OK)
        return status;
    pass->launch.radius_x = axes[WEFT_X].radius;
    pass->launch.radius_y = pass->reach = axes[WEFT_Y].radius;
    pass->tile_width = CONVOLVE_BYTES_WARPS * CONVOLVE_BYTES_GROUPS(planes, slabs) * CONVOLVE_BYTES_SQUARE;
    pass->tile_height = CONVOLVE_BYTES_SQUARE;
    pass->walks = true;
    *result = pass;
    return WEFT_OK;
}

/* The weights of both axes as whole numbers; false where they are none. */
static bool make_whole(const struct weft_taps *taps, int32_t slabs, struct whole_axis *axes) {
    for (int i = 0; i < 2; i++) {
        int32_t reach = CONVOLVE_BYTES_REACH(slabs);
        double off;
        axes[i].radius = taps[i].radius < reach ? taps[i].radius : reach;
        if (!weft_whole_weights(&taps[i], axes[i].radius, SHIFT, CONVOLVE_BYTES_LARGEST, axes[i].weight, &off))
            return false;
    }
    return true;
}

int32_t weft_gpu_find_slabs(const struct gpu_builder *builder, const struct gpu_node_context *context,
                            const struct weft_taps *taps) {
    struct whole_axis axes[2];
    int32_t slabs = 0;
    if (!is_for_bytes(builder, context))
        return 0;
    for (int i = 0; i < 2; i++) {
        int32_t needs = weft_taps_are_mean(&taps[i]) ? weft_gpu_convolve_bytes_slabs(taps[i].weight, taps[i].radius) : 0;
        if (needs == 0)
            return 0;
        slabs = needs > slabs ? needs : slabs;
    }
    return make_whole(taps, slabs, axes) ? slabs : 0;
}

weft_status weft_gpu_add_convolve_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t slabs,
                                        const struct weft_taps *taps, weft_error *error) {
    struct whole_axis axes[2];
    struct gpu_pass *pass;
    if (!make_whole(taps, slabs, axes))
        return weft_fail(error, WEFT_ERROR_INTERNAL, "the weights of '%s' are no whole numbers", context->filter->info.name);
    weft_status status = add_kernel(builder, context, axes, slabs, false, &pass, error);
    /* Lower bytes of what the first axis made are 127.5 on the average. */
    if (status == WEFT_OK)
        pass->launch.convolve.rounding = (1 << (SHIFT - 1)) + (int32_t)lround(sum_lower(&axes[WEFT_Y]) * 127.5 / 256);
    return status;
}

weft_status weft_gpu_lower_box_mma(struct gpu_builder *builder, const struct gpu_node_context *context, const int64_t *radius,
                                   weft_error *error) {
    struct whole_axis axes[2];
    int32_t slabs = weft_gpu_convolve_bytes_slabs_of(radius[0] > radius[1] ? radius[0] : radius[1]), window = 1;
    for (int i = 0; i < 2; i++) {
        axes[i].radius = (int32_t)radius[i];
        for (int32_t k = 0; k <= axes[i].radius; k++)
            axes[i].weight[k] = 256;
        window *= 2 * axes[i].radius + 1;
    }
    struct gpu_pass *pass;
    weft_status status = add_kernel(builder, context, axes, slabs, true, &pass, error);
    if (status != WEFT_OK)
        return status;
    /* Windows have an odd number of pixels, so no mean is a half. */
    bool down = context->filter->rounding(context->block) == WEFT_ROUND_DOWN;
    pass->launch.convolve.rounding = CONVOLVE_BYTES_WHOLE - (down ? (window - 1) / 2 : 0);
    pass->launch.convolve.part = 1.0f / (float)window;
    return WEFT_OK;
}
