/* SPDX-License-Identifier: MIT
 * Enlarging floats to bytes by whole numbers, as the end of a wide gaussian of bytes does, as tensor-core products
 * (kernels/gpu/multirate/interpolate_bytes.gpu): the weights, laid out as the threads of a warp have them. And what it has in
 * common with the other end, decimate_bytes.c. */
#include <math.h>
#include "backend/gpu/lower/resample/weighted_sums.h"
#include "base/memory.h"
#include "base/status.h"
#include "image/half.h"
#include "kernels/gpu/multirate/multirate_bytes.h"

#define WARP 32

bool weft_gpu_has_mma(const struct gpu_node_context *context) {
    int32_t channels = context->in.format.channels;
    return context->limits->has_mma_bytes && context->limits->has_mma_floats && channels != 2;
}

/* Whether an axis's outputs are means: then sums of bytes are bytes. */
bool weft_gpu_makes_means(const struct gpu_axis *axis) {
    for (int32_t i = 0; i < axis->period; i++) {
        double sum = 0;
        for (int32_t k = 0; k < axis->count; k++) {
            float weight = axis->weight[(size_t)i * (size_t)axis->count + (size_t)k];
            if (!(weight >= 0))
                return false;
            sum += (double)weight;
        }
        if (!(fabs(sum - 1) < 1e-4))
            return false;
    }
    return true;
}

weft_status weft_gpu_take_table(struct gpu_pass *pass, size_t field, void *words, size_t count, weft_error *error) {
    if (!words)
        return weft_fail_memory(error, count * 4, "the weights of an axis");
    weft_gpu_give_table(pass, field, words, count * 4);
    return WEFT_OK;
}

static const float *weights_at(const struct gpu_axis *axis, int32_t phase) {
    int32_t output = (phase - axis->shift + axis->period) % axis->period;
    return axis->weight + (size_t)output * (size_t)axis->count;
}

/* The weight of input k for the output `further` outputs after the one whose phase is `phase` and whose first input is 0. */
static float weight_of(const struct gpu_axis *axis, int32_t phase, int32_t further, int32_t k) {
    int32_t at = k - (phase + further) / axis->period;
    return at >= 0 && at < axis->count ? weights_at(axis, (phase + further) % axis->period)[at] : 0;
}

/* Two weights as half floats, or what they are beyond these. */
static uint32_t halves_of(float a, float b, bool left) {
    uint16_t halves[2] = {weft_float_to_half(a), weft_float_to_half(b)};
    if (left) {
        halves[0] = weft_float_to_half(a - weft_half_to_float(halves[0]));
        halves[1] = weft_float_to_half(b - weft_half_to_float(halves[1]));
    }
    return halves[0] | (uint32_t)halves[1] << 16;
}

static weft_status give_across(struct gpu_pass *pass, const struct gpu_axis *axis, weft_error *error) {
    int32_t matrices = INTERPOLATE_BYTES_MATRICES;
    size_t count = (size_t)axis->period * (size_t)matrices * 2 * WARP * 4, at = 0;
    uint32_t *words = weft_allocate(count, sizeof *words);
    for (int32_t n = 0; words && n < axis->period * matrices * 2; n++)
        for (int32_t thread = 0; thread < WARP; thread++)
            for (int32_t w = 0; w < 4; w++) {
                int32_t phase = n / 2 / matrices, k = 2 * (thread % 4) + w / 2 * 8;
                int32_t pixel = INTERPOLATE_BYTES_PIXEL(n / 2 % matrices, thread / 4 + w % 2 * 8);
                words[at++] = halves_of(weight_of(axis, phase, pixel, k), weight_of(axis, phase, pixel, k + 1), n % 2 == 1);
            }
    return weft_gpu_take_table(pass, LAUNCH_FIELD(multirate.matrices_x), words, count, error);
}

static weft_status give_below(struct gpu_pass *pass, const struct gpu_axis *axis, weft_error *error) {
    size_t count = (size_t)INTERPOLATE_BYTES_ROWS * WARP * 4, at = 0;
    uint32_t *words = weft_allocate(count, sizeof *words);
    for (int32_t n = 0; words && n < INTERPOLATE_BYTES_ROWS; n++)
        for (int32_t thread = 0; thread < WARP; thread++)
            for (int32_t w = 0; w < 4; w++) {
                int32_t phase = thread / 4, k = 2 * (thread % 4) + w % 2 * 8 - n;
                bool there = phase < axis->period;
                words[at++] = there ? halves_of(weight_of(axis, phase, 0, k), weight_of(axis, phase, 0, k + 1), w > 1) : 0;
            }
    return weft_gpu_take_table(pass, LAUNCH_FIELD(multirate.matrices_y), words, count, error);
}

/* Whether 8 rows, or the columns of a span wherever it begins, need no more places than there are. */
static bool enlarges(const struct gpu_axis *axis, int32_t span) {
    bool fits = axis->period >= MULTIRATE_BYTES_LEAST_STEP && axis->period <= MULTIRATE_BYTES_STEPS &&
                axis->count + INTERPOLATE_BYTES_ROWS - 1 <= INTERPOLATE_BYTES_PLACES;
    for (int32_t x = 0; fits && x < axis->period * span; x += span)
        fits = ((axis->shift + x) % axis->period + span - 1) / axis->period + axis->count <= INTERPOLATE_BYTES_PLACES;
    return fits && weft_gpu_makes_means(axis);
}

bool weft_gpu_interpolates_bytes(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                 const struct gpu_axis *axes) {
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    return weft_gpu_has_mma(context) && enlarges(x, INTERPOLATE_BYTES_SPAN) && enlarges(y, INTERPOLATE_BYTES_SPAN) &&
           x->count == y->count && weft_gpu_is_direct_between(builder, context, TYPE_F32, TYPE_U8);
}

weft_status weft_gpu_add_interpolate_bytes(struct gpu_builder *builder, const struct gpu_node_context *context,
                                           struct gpu_axis *axes, weft_error *error) {
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    int32_t planes = context->in.format.channels, span = INTERPOLATE_BYTES_SPAN;
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "interpolate_bytes", &planes, 1, &pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(pass, y, error);
    if (status == WEFT_OK)
        status = give_across(pass, x, error);
    if (status == WEFT_OK)
        status = give_below(pass, y, error);
    if (status == WEFT_OK)
        status = weft_gpu_give_places(pass, LAUNCH_FIELD(multirate.weights_x), x, x->count, error);
    if (status == WEFT_OK)
        status = weft_gpu_give_places(pass, LAUNCH_FIELD(multirate.weights_y), y, y->count, error);
    if (status != WEFT_OK)
        return status;
    pass->tile_width = MULTIRATE_BYTES_WARPS * INTERPOLATE_BYTES_SPANS(planes) * span;
    weft_gpu_give_periods(pass, axes);
    return WEFT_OK;
}
