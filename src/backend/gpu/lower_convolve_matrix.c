/* SPDX-License-Identifier: MIT
 * Separable filters of four channels that are means, as products of matrices of numbers (kernels/gpu/convolve_matrix.gpu),
 * where that was measured to be faster than sums of products (docs/performance-gpu.md). */
#include "backend/gpu/pass.h"
#include "base/memory.h"
#include "base/status.h"
#include "filter/whole_weights.h"
#include "kernels/gpu/convolve_matrix.h"

/* The forms of the kernel, as in its variants, and the radii that take them: the larger one of both axes. */
static const struct form {
    int32_t type, reach, least;
} forms[] = {
    {TYPE_F16, 8, 6}, {TYPE_F16, 16, 9}, {TYPE_U16, 8, 6}, {TYPE_U16, 16, 9}, {TYPE_F32, 16, 10},
};
#define FORMS ((int)(sizeof forms / sizeof *forms))

static const struct form *choose_form(int32_t type, int32_t radius) {
    for (int i = 0; i < FORMS; i++)
        if (forms[i].type == type && radius >= forms[i].least && radius <= forms[i].reach)
            return &forms[i];
    return NULL;
}

/* The type of the image that the site reads; 0 where it does more than that with it. */
static int32_t type_of(const struct gpu_builder *builder, const struct gpu_site *site) {
    static const int32_t types[] = {TYPE_F16, TYPE_U16, TYPE_F32};
    for (int i = 0; i < 3; i++)
        if (weft_gpu_moves_or_converts(builder, site, types[i]))
            return types[i];
    return 0;
}

/* What stands outside is a number of every type, and times itself the same. */
static bool border_fits(const struct gpu_site *site) {
    weft_border border = weft_filter_border(site->filter, site->block);
    float value = weft_filter_border_value(site->filter, site->block);
    return border != WEFT_BORDER_SHRINK && (border != WEFT_BORDER_CONSTANT || value == 0 || value == 1);
}

static weft_status give_weights(struct gpu_pass *pass, int32_t i, const struct weft_taps *taps, weft_error *error) {
    size_t count = 2 * (size_t)taps->radius + 1;
    float *weight = weft_allocate(count, sizeof *weight);
    if (!weight)
        return weft_fail_memory(error, count * sizeof *weight, "the weights of an axis");
    for (size_t k = 0; k < count; k++)
        weight[k] = (float)taps->weight[k];
    pass->table[i].data = weight;
    pass->table[i].size = count * sizeof *weight;
    return WEFT_OK;
}

static weft_status add_pass(struct gpu_builder *builder, const struct gpu_site *site, int32_t type,
                            const struct weft_taps *taps, bool *lowered, weft_error *error) {
    int32_t x = taps[0].radius, y = taps[1].radius;
    const struct form *form = x > 0 && y > 0 ? choose_form(type, x > y ? x : y) : NULL;
    if (!form || !weft_taps_are_mean(&taps[0]) || !weft_taps_are_mean(&taps[1]))
        return WEFT_OK;
    struct gpu_pass *pass;
    const int32_t constants[] = {form->type, form->reach};
    weft_status status = weft_gpu_pass_add(builder, site, NULL, "convolve_matrix", constants, 2, &pass, error);
    for (int i = 0; i < 2 && status == WEFT_OK; i++)
        status = give_weights(pass, i, &taps[i], error);
    if (status != WEFT_OK)
        return status;
    pass->launch.radius_x = x;
    pass->launch.radius_y = pass->reach = y;
    pass->tile_width = CONVOLVE_MATRIX_CHUNK(type == TYPE_F32);
    pass->tile_height = CONVOLVE_MATRIX_WARPS * CONVOLVE_MATRIX_ROWS;
    pass->walks = pass->along = true;
    *lowered = true;
    return WEFT_OK;
}

weft_status weft_gpu_lower_convolve_matrix(struct gpu_builder *builder, const struct gpu_site *site, bool *lowered,
                                           weft_error *error) {
    struct weft_taps taps[2] = {{0}};
    weft_status status = WEFT_OK;
    *lowered = false;
    if (!site->limits->multiplies_numbers || site->in.format.channels != 4 || !border_fits(site))
        return WEFT_OK;
    int32_t type = type_of(builder, site);
    for (int i = 0; i < 2 && status == WEFT_OK && type != 0; i++)
        status = site->filter->taps(site->block, i == 0 ? WEFT_X : WEFT_Y, false, &taps[i], error);
    if (status == WEFT_OK && type != 0)
        status = add_pass(builder, site, type, taps, lowered, error);
    weft_free(taps[0].weight);
    weft_free(taps[1].weight);
    return status;
}
