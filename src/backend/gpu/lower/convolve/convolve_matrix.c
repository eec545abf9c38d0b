/* SPDX-License-Identifier: MIT
 * Separable filters that are means, as tensor-core products of floats: of four channels and small radii in one launch
 * (kernels/gpu/convolve/convolve_matrix.gpu), otherwise an axis after the other (kernels/gpu/convolve/convolve_line_matrix.gpu); in
 * Vulkan always so (kernels/gpu/convolve/convolve_cooperative.gpu). choose/convolve.c has their forms. */
#include "backend/gpu/lower/convolve/convolve.h"
#include "base/memory.h"
#include "base/status.h"
#include "image/half.h"
#include "kernels/gpu/convolve/convolve_cooperative.h"
#include "kernels/gpu/convolve/convolve_line_matrix.h"
#include "kernels/gpu/convolve/convolve_matrix.h"

static int32_t reach_of(int32_t radius) { return radius <= 32 ? 32 : 64; }

static weft_status give_weights(struct gpu_pass *pass, size_t field, const struct weft_taps *taps, weft_error *error) {
    size_t count = 2 * (size_t)taps->radius + 1;
    float *weight = weft_allocate(count, sizeof *weight);
    if (!weight)
        return weft_fail_memory(error, count * sizeof *weight, "the weights of an axis");
    for (size_t k = 0; k < count; k++)
        weight[k] = (float)taps->weight[k];
    weft_gpu_give_table(pass, field, weight, count * sizeof *weight);
    return WEFT_OK;
}

weft_status weft_gpu_add_convolve_matrix(struct gpu_builder *builder, const struct gpu_node_context *context,
                                         const struct gpu_convolve_case *convolve, const struct weft_taps *taps,
                                         weft_error *error) {
    const struct gpu_convolve_matrix_form *form = weft_gpu_convolve_matrix_form(convolve);
    struct gpu_pass *pass;
    const int32_t constants[] = {form->type, form->reach};
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "convolve_matrix", constants, 2, &pass, error);
    if (status == WEFT_OK)
        status = give_weights(pass, LAUNCH_FIELD(convolve.weights_x), &taps[WEFT_X], error);
    if (status == WEFT_OK)
        status = give_weights(pass, LAUNCH_FIELD(convolve.weights_y), &taps[WEFT_Y], error);
    if (status != WEFT_OK)
        return status;
    pass->launch.radius_x = taps[0].radius;
    pass->launch.radius_y = pass->reach = taps[1].radius;
    pass->tile_width = CONVOLVE_MATRIX_CHUNK(form->type == TYPE_F32);
    pass->tile_height = CONVOLVE_MATRIX_WARPS * CONVOLVE_MATRIX_ROWS;
    pass->walks = pass->along = true;
    return WEFT_OK;
}

/* Numbers of a row that a block takes, down columns: whole pixels, in multiples of 8 so that memory takes them in words. */
static int32_t block_numbers(int32_t channels) {
    int32_t numbers = LINE_MATRIX_WARPS * LINE_MATRIX_NUMBERS;
    return channels == 3 ? numbers / 24 * 24 : numbers;
}

/* Blocks that walk along an axis, `step` places at a time, with so many lines across it. */
static void walk_axis(struct gpu_pass *pass, int32_t radius, bool down, int32_t step, int32_t across) {
    pass->walks = true;
    pass->along = !down;
    pass->tile_width = down ? across : step;
    pass->tile_height = down ? step : across;
    if (down)
        pass->launch.radius_y = pass->reach = radius;
    else
        pass->launch.radius_x = radius;
}

static weft_status add_line(struct gpu_builder *builder, const struct gpu_node_context *context,
                            const struct gpu_convolve_line_form *form, const struct weft_taps *taps, int32_t radius, bool down,
                            weft_error *error) {
    struct gpu_pass *pass;
    const int32_t constants[] = {down ? form->between : form->type, down ? form->type : form->between,
                                 down ? 0 : form->channels, reach_of(radius)};
    weft_status status = weft_gpu_pass_add(builder, context, down ? &context->in : NULL, "convolve_line_matrix", constants, 4,
                                           &pass, error);
    if (status == WEFT_OK)
        status = give_weights(pass, LAUNCH_FIELD(convolve.weights), taps, error);
    if (status != WEFT_OK)
        return status;
    if (down)
        pass->launch.convolve.row_numbers = block_numbers(form->channels);
    walk_axis(pass, taps->radius, down, LINE_MATRIX_STEP,
              down ? block_numbers(form->channels) / form->channels : LINE_MATRIX_WARPS * LINE_MATRIX_ROWS(form->channels));
    return WEFT_OK;
}

/* Band matrices of weights in two parts: row i of matrix b has the weights of output i of the b-th block of those that 16 places
 * reach. */
static weft_status give_matrices(struct gpu_pass *pass, const struct weft_taps *taps, int32_t reach, weft_error *error) {
    int32_t blocks = COOPERATIVE_BLOCKS(reach), step = COOPERATIVE_STEP;
    size_t count = (size_t)(blocks * 2 * step * step);
    uint16_t *half = weft_allocate(count, sizeof *half), *next = half;
    if (!half)
        return weft_fail_memory(error, count * sizeof *half, "the weights of an axis");
    for (int32_t b = 0; b < blocks; b++, next += 2 * step * step)
        for (int32_t i = 0; i < step; i++)
            for (int32_t k = 0; k < step; k++) {
                int32_t apart = k - i - (b * step - reach);
                bool inside = apart >= -taps->radius && apart <= taps->radius;
                float weight = inside ? (float)taps->weight[apart + taps->radius] * COOPERATIVE_SCALE : 0;
                next[i * step + k] = weft_float_to_half(weight);
                next[(step + i) * step + k] = weft_float_to_half(weight - weft_half_to_float(next[i * step + k]));
            }
    weft_gpu_give_table(pass, LAUNCH_FIELD(convolve.matrices), half, count * sizeof *half);
    return WEFT_OK;
}

/* `between`: its width is whole units. */
static weft_status add_cooperative(struct gpu_builder *builder, const struct gpu_node_context *context,
                                   const weft_image_info *between, const struct gpu_convolve_cooperative_form *form,
                                   const struct weft_taps *taps, int32_t radius, bool down,
                                   weft_error *error) {
    struct gpu_pass *pass;
    int32_t channels = between->format.channels, reach = radius <= 16 ? 16 : reach_of(radius);
    const int32_t constants[] = {down ? form->between : form->type, down ? form->type : form->between, down, channels, reach};
    weft_status status =
        weft_gpu_pass_add(builder, context, down ? between : NULL, "convolve_cooperative", constants, 5, &pass, error);
    if (status == WEFT_OK)
        status = give_weights(pass, LAUNCH_FIELD(convolve.weights), taps, error);
    if (status == WEFT_OK)
        status = give_matrices(pass, taps, reach, error);
    if (status != WEFT_OK)
        return status;
    walk_axis(pass, taps->radius, down, COOPERATIVE_STEP, down ? COOPERATIVE_PIXELS(channels) : COOPERATIVE_ROWS(channels));
    return WEFT_OK;
}

weft_status weft_gpu_add_convolve_cooperative(struct gpu_builder *builder, const struct gpu_node_context *context,
                                              const struct gpu_convolve_case *convolve, const struct weft_taps *taps,
                                              weft_error *error) {
    const struct gpu_convolve_cooperative_form *form = weft_gpu_convolve_cooperative_form(convolve);
    int32_t larger = taps[0].radius > taps[1].radius ? taps[0].radius : taps[1].radius;
    struct gpu_node_context lines = *context;
    weft_image_info between = context->in;
    lines.between = form->between == TYPE_PARTS ? TYPE_F32 : form->between;
    between.width = (between.width + COOPERATIVE_STEP - 1) / COOPERATIVE_STEP * COOPERATIVE_STEP;
    weft_status status = add_cooperative(builder, &lines, &between, form, &taps[0], larger, false, error);
    return status == WEFT_OK ? add_cooperative(builder, &lines, &between, form, &taps[1], larger, true, error) : status;
}

weft_status weft_gpu_add_convolve_line_matrix(struct gpu_builder *builder, const struct gpu_node_context *context,
                                              const struct gpu_convolve_case *convolve, const struct weft_taps *taps,
                                              weft_error *error) {
    const struct gpu_convolve_line_form *form = weft_gpu_convolve_line_form(convolve);
    int32_t larger = taps[0].radius > taps[1].radius ? taps[0].radius : taps[1].radius;
    struct gpu_node_context lines = *context;
    lines.between = form->between == TYPE_PARTS ? TYPE_F32 : form->between;
    weft_status status = add_line(builder, &lines, form, &taps[0], larger, false, error);
    return status == WEFT_OK ? add_line(builder, &lines, form, &taps[1], larger, true, error) : status;
}
