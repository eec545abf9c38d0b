/* SPDX-License-Identifier: MIT
 * Separable filters: the weights of both axes from the filter. border=shrink: outside counts as 0, and the result is
 * divided by the weight inside, which separates too: a factor for each column and each row. */
#include <math.h>
#include <string.h>
#include "backend/gpu/weigh.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/tile.h"

/* 1 / the weight inside, for each of `size` outputs. */
static weft_status find_factors(const struct weft_taps *taps, int64_t size, float **factor, weft_error *error) {
    double magnitude = 0;
    int64_t radius = taps->radius;
    *factor = weft_allocate((size_t)size, sizeof **factor);
    if (!*factor)
        return weft_fail_memory(error, (size_t)size * sizeof **factor, "the weights inside an image");
    for (int64_t k = 0; k <= 2 * radius; k++)
        magnitude += fabs(taps->weight[k]);
    for (int64_t i = 0; i < size; i++) {
        int64_t first = i < radius ? radius - i : 0, last = size - 1 - i < radius ? radius + size - 1 - i : 2 * radius;
        double inside = 0;
        for (int64_t k = first; k <= last; k++)
            inside += taps->weight[k];
        (*factor)[i] = (float)(1 / weft_weight_inside(inside, magnitude));
    }
    return WEFT_OK;
}

static weft_status make_axis(const struct gpu_site *site, enum weft_direction direction, struct gpu_axis *axis,
                             weft_error *error) {
    struct weft_taps taps = {0};
    int64_t size = direction == WEFT_X ? site->in.width : site->in.height;
    weft_border border = weft_filter_border(site->filter, site->block);
    weft_status status = site->filter->taps(site->block, direction, false, &taps, error);
    if (status != WEFT_OK)
        return status;
    double sum = 0;
    size_t count = 2 * (size_t)taps.radius + 1;
    *axis = (struct gpu_axis){.inputs = (int32_t)size,
                              .outputs = (int32_t)size,
                              .count = (int32_t)count,
                              .shared = true,
                              .radius = taps.radius,
                              .identity = taps.radius == 0 && taps.weight[0] == 1,
                              .ordered = true};
    axis->move = axis->identity;
    axis->weight = weft_allocate(count, sizeof *axis->weight);
    if (!axis->weight)
        status = weft_fail_memory(error, count * sizeof *axis->weight, "weights");
    for (size_t k = 0; status == WEFT_OK && k < count; k++) {
        axis->weight[k] = (float)taps.weight[k];
        sum += taps.weight[k];
    }
    axis->all = (float)sum;
    /* Of an axis that changes nothing all the weight is inside. */
    if (status == WEFT_OK && border == WEFT_BORDER_SHRINK && !axis->identity)
        status = find_factors(&taps, size, &axis->factor, error);
    weft_free(taps.weight);
    return status;
}

/* The forms of the kernel `separable`, as in its variants. */
static const int32_t strip_radii[] = {1, 2, 5, 9, 14, 18};
#define STRIP_RADII ((int32_t)(sizeof strip_radii / sizeof *strip_radii))
#define STRIP_THREADS 256
_Static_assert(2 * 18 + 1 <= LAUNCH_WEIGHTS, "the weights of the largest radius must fit a launch");

static int32_t strip_radius(const struct gpu_axis *axes) {
    int32_t radius = axes[WEFT_X].radius > axes[WEFT_Y].radius ? axes[WEFT_X].radius : axes[WEFT_Y].radius;
    for (int32_t i = 0; i < STRIP_RADII; i++)
        if (strip_radii[i] >= radius)
            return strip_radii[i];
    return 0;
}

/* The weights of an axis, with 0 up to a larger radius. */
static void give_weights(const struct gpu_axis *axis, int32_t radius, float *weight) {
    memcpy(weight + (radius - axis->radius), axis->weight, (size_t)axis->count * sizeof *weight);
}

static weft_status add_strip(struct gpu_builder *builder, const struct gpu_site *site, struct gpu_axis *axes,
                             int32_t radius, weft_error *error) {
    int32_t channels = site->in.format.channels, planes = channels == 1 ? 1 : channels == 4 ? 4 : 3;
    struct gpu_pass *pass;
    weft_status status =
        weft_gpu_pass_add(builder, site, NULL, "separable", (const int32_t[]){radius, planes}, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    pass->tile_width = STRIP_THREADS - 2 * SEPARABLE_HALO(radius);
    pass->tile_height = SEPARABLE_ROWS(radius, planes);
    pass->walks = true;
    pass->reach = radius; /* rows of weight 0 are read too */
    pass->launch.number[0] = axes[WEFT_X].factor != NULL;
    give_weights(&axes[WEFT_X], radius, pass->launch.weight_x);
    give_weights(&axes[WEFT_Y], radius, pass->launch.weight_y);
    for (int i = 0; i < 2; i++)
        if (axes[i].factor) {
            pass->table[i].data = axes[i].factor;
            pass->table[i].size = (size_t)axes[i].outputs * sizeof(float);
            axes[i].factor = NULL;
        }
    return status;
}

weft_status weft_gpu_lower_separable(struct gpu_builder *builder, const struct gpu_site *site, weft_error *error) {
    struct gpu_axis axes[2] = {{0}};
    weft_status status = make_axis(site, WEFT_X, &axes[WEFT_X], error);
    if (status == WEFT_OK)
        status = make_axis(site, WEFT_Y, &axes[WEFT_Y], error);
    int32_t radius = strip_radius(axes);
    bool strip = radius > 0 && !axes[WEFT_X].identity && !axes[WEFT_Y].identity;
    if (status == WEFT_OK)
        status = strip ? add_strip(builder, site, axes, radius, error) : weft_gpu_weigh(builder, site, axes, error);
    weft_gpu_axis_clear(&axes[WEFT_X]);
    weft_gpu_axis_clear(&axes[WEFT_Y]);
    return status;
}
