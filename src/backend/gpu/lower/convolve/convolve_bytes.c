/* SPDX-License-Identifier: MIT
 * Separable filters of bytes that are means, as int8 tensor-core products (kernels/gpu/convolve/convolve_bytes.gpu). Weights are
 * whole numbers of 65536ths, and those too small to count in a byte are left out. Those of a box are all 1, in an upper byte. */
#include <math.h>
#include <stdlib.h>
#include "backend/gpu/pass/pass.h"
#include "base/memory.h"
#include "base/status.h"
#include "filter/help/whole_weights.h"
#include "kernels/gpu/convolve/convolve_bytes.h"

#define SHIFT 16
#define WARP 32
/* What an axis may leave out, in steps of a byte. */
#define LEFT_OUT 0.01

/* The forms of the kernel, as in its variants. */
static const int32_t slabs_of_form[] = {2, 3, 5};
#define FORMS ((int)(sizeof slabs_of_form / sizeof *slabs_of_form))
#define MOST_REACH CONVOLVE_BYTES_REACH(5)

/* The least form whose reach leaves out no more than may be; 0 without. */
static int32_t choose_slabs(const struct weft_taps *taps) {
    for (int i = 0; i < FORMS; i++) {
        int32_t reach = CONVOLVE_BYTES_REACH(slabs_of_form[i]);
        double beyond = 0;
        for (int32_t k = taps->radius; k > reach; k--)
            beyond += 2 * taps->weight[taps->radius + k];
        if (beyond * 255 <= LEFT_OUT)
            return slabs_of_form[i];
    }
    return 0;
}

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

/* Table 0: as convolve_bytes.gpu wants it. */
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
    pass->table[0].data = words;
    pass->table[0].size = count * sizeof *words;
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
    return context->limits->has_mma_bytes && context->steps == 255 && channels != 2 && weft_gpu_moves(builder, context, TYPE_U8) &&
           weft_gpu_border_is_byte(context) && weft_filter_border(context->filter, context->block) != WEFT_BORDER_SHRINK;
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

static weft_status add_pass(struct gpu_builder *builder, const struct gpu_node_context *context, const struct weft_taps *taps,
                            bool *lowered, weft_error *error) {
    struct whole_axis axes[2];
    int32_t slabs = 0;
    for (int i = 0; i < 2; i++) {
        int32_t needs = weft_taps_are_mean(&taps[i]) ? choose_slabs(&taps[i]) : 0;
        if (needs == 0)
            return WEFT_OK;
        slabs = needs > slabs ? needs : slabs;
    }
    for (int i = 0; i < 2; i++) {
        int32_t reach = CONVOLVE_BYTES_REACH(slabs);
        double off;
        axes[i].radius = taps[i].radius < reach ? taps[i].radius : reach;
        if (!weft_whole_weights(&taps[i], axes[i].radius, SHIFT, CONVOLVE_BYTES_LARGEST, axes[i].weight, &off))
            return WEFT_OK;
    }
    struct gpu_pass *pass;
    weft_status status = add_kernel(builder, context, axes, slabs, false, &pass, error);
    if (status != WEFT_OK)
        return status;
    /* Lower bytes of what the first axis made are 127.5 on the average. */
    pass->launch.number[0] = (1 << (SHIFT - 1)) + (int32_t)lround(sum_lower(&axes[WEFT_Y]) * 127.5 / 256);
    *lowered = true;
    return WEFT_OK;
}

weft_status weft_gpu_lower_convolve_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, bool *lowered,
                                          weft_error *error) {
    struct weft_taps taps[2] = {{0}};
    weft_status status = WEFT_OK;
    *lowered = false;
    if (!is_for_bytes(builder, context))
        return WEFT_OK;
    for (int i = 0; i < 2 && status == WEFT_OK; i++)
        status = context->filter->taps(context->block, i == 0 ? WEFT_X : WEFT_Y, false, &taps[i], error);
    if (status == WEFT_OK)
        status = add_pass(builder, context, taps, lowered, error);
    weft_free(taps[0].weight);
    weft_free(taps[1].weight);
    return status;
}

weft_status weft_gpu_lower_box_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, const int64_t *radius,
                                     weft_error *error) {
    struct whole_axis axes[2];
    int32_t slabs = slabs_of_form[FORMS - 1], window = 1;
    for (int i = FORMS - 1; i >= 0; i--)
        if (radius[0] <= CONVOLVE_BYTES_REACH(slabs_of_form[i]) && radius[1] <= CONVOLVE_BYTES_REACH(slabs_of_form[i]))
            slabs = slabs_of_form[i];
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
    pass->launch.number[0] = CONVOLVE_BYTES_WHOLE - (down ? (window - 1) / 2 : 0);
    pass->launch.value[0] = 1.0f / (float)window;
    return WEFT_OK;
}
