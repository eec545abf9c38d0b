/* SPDX-License-Identifier: MIT
 * Separable filters of bytes that are means, as products of matrices of bytes (kernels/gpu/convolve_bytes.gpu). Weights are
 * whole numbers of 65536ths, and those too small to count in a byte are left out. */
#include <math.h>
#include "backend/gpu/pass.h"
#include "base/memory.h"
#include "base/status.h"
#include "filter/whole_weights.h"
#include "kernels/gpu/convolve_bytes.h"

#define SHIFT 16
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

/* Makes the 2 radius + 1 weights of an axis table `i` of the pass, and adds up what their upper bytes leave. */
static weft_status give_weights(struct gpu_pass *pass, int i, const int32_t *weight, int32_t radius, int32_t *lower,
                                weft_error *error) {
    size_t count = 2 * (size_t)radius + 1;
    uint32_t *all = weft_allocate(count, sizeof *all);
    if (!all)
        return weft_fail_memory(error, count * sizeof *all, "the weights of an axis");
    *lower = 0;
    for (int32_t k = -radius; k <= radius; k++) {
        int32_t w = weight[k < 0 ? -k : k];
        all[k + radius] = (uint32_t)w;
        *lower += w - (w + 128) / 256 * 256;
    }
    pass->table[i].data = all;
    pass->table[i].size = count * sizeof *all;
    return WEFT_OK;
}

static bool is_for_bytes(const struct gpu_builder *builder, const struct gpu_site *site) {
    int32_t channels = site->in.format.channels;
    return site->limits->multiplies_bytes && site->steps == 255 && channels != 2 && weft_gpu_moves(builder, site, TYPE_U8) &&
           weft_gpu_border_is_byte(site) && weft_filter_border(site->filter, site->block) != WEFT_BORDER_SHRINK;
}

static weft_status add_pass(struct gpu_builder *builder, const struct gpu_site *site, const struct weft_taps *taps,
                            bool *lowered, weft_error *error) {
    int32_t weight[2][MOST_REACH + 1], radius[2], slabs = 0, lower[2];
    for (int i = 0; i < 2; i++) {
        int32_t needs = weft_taps_are_mean(&taps[i]) ? choose_slabs(&taps[i]) : 0;
        if (needs == 0)
            return WEFT_OK;
        slabs = needs > slabs ? needs : slabs;
    }
    for (int i = 0; i < 2; i++) {
        double off;
        radius[i] = taps[i].radius < CONVOLVE_BYTES_REACH(slabs) ? taps[i].radius : CONVOLVE_BYTES_REACH(slabs);
        if (!weft_whole_weights(&taps[i], radius[i], SHIFT, CONVOLVE_BYTES_LARGEST, weight[i], &off))
            return WEFT_OK;
    }
    int32_t planes = site->in.format.channels, constants[] = {planes, slabs};
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, site, NULL, "convolve_bytes", constants, 2, &pass, error);
    for (int i = 0; i < 2 && status == WEFT_OK; i++)
        status = give_weights(pass, i, weight[i], radius[i], &lower[i], error);
    if (status != WEFT_OK)
        return status;
    pass->launch.radius_x = radius[WEFT_X];
    pass->launch.radius_y = pass->reach = radius[WEFT_Y];
    /* Lower bytes of what the first axis made are 127.5 on the average. */
    pass->launch.number[0] = (1 << (SHIFT - 1)) + (int32_t)lround(lower[WEFT_Y] * 127.5 / 256);
    pass->tile_width = CONVOLVE_BYTES_WARPS * CONVOLVE_BYTES_GROUPS(planes, slabs) * CONVOLVE_BYTES_SQUARE;
    pass->tile_height = CONVOLVE_BYTES_SQUARE;
    pass->walks = true;
    *lowered = true;
    return WEFT_OK;
}

weft_status weft_gpu_lower_convolve_bytes(struct gpu_builder *builder, const struct gpu_site *site, bool *lowered,
                                          weft_error *error) {
    struct weft_taps taps[2] = {{0}};
    weft_status status = WEFT_OK;
    *lowered = false;
    if (!is_for_bytes(builder, site))
        return WEFT_OK;
    for (int i = 0; i < 2 && status == WEFT_OK; i++)
        status = site->filter->taps(site->block, i == 0 ? WEFT_X : WEFT_Y, false, &taps[i], error);
    if (status == WEFT_OK)
        status = add_pass(builder, site, taps, lowered, error);
    weft_free(taps[0].weight);
    weft_free(taps[1].weight);
    return status;
}
