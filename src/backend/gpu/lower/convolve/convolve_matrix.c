/* SPDX-License-Identifier: MIT
 * Separable filters that are means, as tensor-core products of floats, where that was measured to be faster than sums of
 * products (docs/log/gpu-tensor-cores.md): of four channels and small radii in one launch (kernels/gpu/convolve/convolve_matrix.gpu),
 * otherwise an axis after the other (kernels/gpu/convolve/convolve_line_matrix.gpu); in Vulkan always so, where the device has matrices
 * that subgroups multiply together (kernels/gpu/convolve/convolve_cooperative.gpu). */
#include "backend/gpu/pass/pass.h"
#include "base/memory.h"
#include "base/status.h"
#include "filter/help/whole_weights.h"
#include "image/half.h"
#include "kernels/gpu/convolve/convolve_cooperative.h"
#include "kernels/gpu/convolve/convolve_line_matrix.h"
#include "kernels/gpu/convolve/convolve_matrix.h"

/* The forms of convolve_matrix, as in its variants, and the radii that take them: the larger one of both axes. */
static const struct form {
    int32_t type, reach, least;
} forms[] = {
    {TYPE_F16, 8, 6}, {TYPE_F16, 16, 9}, {TYPE_U16, 8, 6}, {TYPE_U16, 16, 9}, {TYPE_F32, 16, 10},
};

/* The forms of convolve_line_matrix, each for radii to 32 and to 64: what is between the axes, the channels, whether it multiplies
 * by alpha where that is asked for, and the least radius. Bytes as they are become 16 bits, 257 steps for one of the result,
 * and 16 bits stay so; colors times alpha, which is divided by later, are in two parts. */
static const struct line_form {
    int32_t type, between, channels;
    bool converts;
    int32_t least;
} line_forms[] = {
    {TYPE_U8, TYPE_U16, 1, false, 33},    {TYPE_U8, TYPE_U16, 3, false, 33},    {TYPE_U8, TYPE_U16, 4, false, 33},
    {TYPE_U8, TYPE_PARTS, 4, true, 17},   {TYPE_U16, TYPE_U16, 1, false, 17},   {TYPE_U16, TYPE_U16, 3, false, 17},
    {TYPE_U16, TYPE_U16, 4, false, 17},   {TYPE_U16, TYPE_PARTS, 4, true, 17},  {TYPE_F16, TYPE_F16, 4, false, 17},
    {TYPE_F16, TYPE_PARTS, 4, true, 17},  {TYPE_F32, TYPE_F32, 1, false, 17},   {TYPE_F32, TYPE_F32, 3, false, 17},
    {TYPE_F32, TYPE_F32, 4, true, 17},
};

/* The forms of convolve_cooperative, of one channel and of four, each for radii to 16, 32 and 64: what is between the axes, and
 * the least radius of each number of channels. */
static const struct cooperative_form {
    int32_t type, between, least_of_one, least_of_four;
} cooperative_forms[] = {
    {TYPE_U8, TYPE_F16, 11, 13}, {TYPE_U16, TYPE_PARTS, 19, 26}, {TYPE_F16, TYPE_F16, 19, 23},
};
static int32_t reach_of(int32_t radius) { return radius <= 32 ? 32 : 64; }
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static const struct form *choose_form(int32_t type, int32_t radius) {
    for (int i = 0; i < COUNT(forms); i++)
        if (forms[i].type == type && radius >= forms[i].least && radius <= forms[i].reach)
            return &forms[i];
    return NULL;
}

/* `moves`: nothing is done but to read and write images. */
static const struct line_form *choose_line(int32_t type, int32_t channels, bool moves, int32_t radius) {
    for (int i = 0; i < COUNT(line_forms); i++) {
        const struct line_form *form = &line_forms[i];
        if (form->type == type && form->channels == channels && (moves || form->converts) && radius >= form->least &&
            radius <= reach_of(radius))
            return form;
    }
    return NULL;
}

/* The type of the image that the context reads; 0 where it does more than that with it. */
static int32_t type_of(const struct gpu_builder *builder, const struct gpu_node_context *context) {
    for (int32_t type = TYPE_U8; type <= TYPE_F32; type++)
        if (weft_gpu_moves_or_converts(builder, context, type))
            return type;
    return 0;
}

/* What stands outside is a number of every type, and times itself the same. */
static bool border_fits(const struct gpu_node_context *context) {
    weft_border border = weft_filter_border(context->filter, context->block);
    float value = weft_filter_border_value(context->filter, context->block);
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

static weft_status add_pass(struct gpu_builder *builder, const struct gpu_node_context *context, const struct form *form,
                            const struct weft_taps *taps, weft_error *error) {
    struct gpu_pass *pass;
    const int32_t constants[] = {form->type, form->reach};
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "convolve_matrix", constants, 2, &pass, error);
    for (int i = 0; i < 2 && status == WEFT_OK; i++)
        status = give_weights(pass, i, &taps[i], error);
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

static weft_status add_line(struct gpu_builder *builder, const struct gpu_node_context *context, const struct line_form *form,
                            const struct weft_taps *taps, int32_t radius, bool down, weft_error *error) {
    struct gpu_pass *pass;
    const int32_t constants[] = {down ? form->between : form->type, down ? form->type : form->between,
                                 down ? 0 : form->channels, reach_of(radius)};
    weft_status status = weft_gpu_pass_add(builder, context, down ? &context->in : NULL, "convolve_line_matrix", constants, 4,
                                           &pass, error);
    if (status == WEFT_OK)
        status = give_weights(pass, 0, taps, error);
    if (status != WEFT_OK)
        return status;
    pass->walks = true;
    pass->along = !down;
    if (down) {
        pass->launch.radius_y = pass->reach = taps->radius;
        pass->launch.number[0] = block_numbers(form->channels);
        pass->tile_width = pass->launch.number[0] / form->channels;
        pass->tile_height = LINE_MATRIX_STEP;
    } else {
        pass->launch.radius_x = taps->radius;
        pass->tile_width = LINE_MATRIX_STEP;
        pass->tile_height = LINE_MATRIX_WARPS * LINE_MATRIX_ROWS(form->channels);
    }
    return WEFT_OK;
}

static const struct cooperative_form *choose_cooperative(int32_t type, int32_t channels, int32_t radius) {
    for (int i = 0; i < COUNT(cooperative_forms) && (channels == 1 || channels == 4); i++) {
        const struct cooperative_form *form = &cooperative_forms[i];
        if (form->type == type && radius >= (channels == 1 ? form->least_of_one : form->least_of_four) && radius <= 64)
            return form;
    }
    return NULL;
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
    pass->table[1].data = half;
    pass->table[1].size = count * sizeof *half;
    return WEFT_OK;
}

/* `between`: its width is whole units. */
static weft_status add_cooperative(struct gpu_builder *builder, const struct gpu_node_context *context, const weft_image_info *between,
                                   const struct cooperative_form *form, const struct weft_taps *taps, int32_t radius,
                                   bool down, weft_error *error) {
    struct gpu_pass *pass;
    int32_t channels = between->format.channels, reach = radius <= 16 ? 16 : reach_of(radius);
    const int32_t constants[] = {down ? form->between : form->type, down ? form->type : form->between, down, channels, reach};
    weft_status status =
        weft_gpu_pass_add(builder, context, down ? between : NULL, "convolve_cooperative", constants, 5, &pass, error);
    if (status == WEFT_OK)
        status = give_weights(pass, 0, taps, error);
    if (status == WEFT_OK)
        status = give_matrices(pass, taps, reach, error);
    if (status != WEFT_OK)
        return status;
    pass->walks = true;
    pass->along = !down;
    if (down) {
        pass->launch.radius_y = pass->reach = taps->radius;
        pass->tile_width = COOPERATIVE_PIXELS(channels);
        pass->tile_height = COOPERATIVE_STEP;
    } else {
        pass->launch.radius_x = taps->radius;
        pass->tile_width = COOPERATIVE_STEP;
        pass->tile_height = COOPERATIVE_ROWS(channels);
    }
    return WEFT_OK;
}

static weft_status add_cooperative_passes(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t type,
                                          const struct weft_taps *taps, bool *lowered, weft_error *error) {
    int32_t x = taps[0].radius, y = taps[1].radius, larger = x > y ? x : y;
    const struct cooperative_form *form = choose_cooperative(type, context->in.format.channels, larger);
    if (!form || x == 0 || y == 0 || !weft_taps_are_mean(&taps[0]) || !weft_taps_are_mean(&taps[1]) ||
        !weft_gpu_moves(builder, context, type))
        return WEFT_OK;
    *lowered = true;
    struct gpu_node_context lines = *context;
    weft_image_info between = context->in;
    lines.between = form->between == TYPE_PARTS ? TYPE_F32 : form->between;
    between.width = (between.width + COOPERATIVE_STEP - 1) / COOPERATIVE_STEP * COOPERATIVE_STEP;
    weft_status status = add_cooperative(builder, &lines, &between, form, &taps[0], larger, false, error);
    return status == WEFT_OK ? add_cooperative(builder, &lines, &between, form, &taps[1], larger, true, error) : status;
}

static weft_status add_passes(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t type,
                              const struct weft_taps *taps, bool *lowered, weft_error *error) {
    int32_t x = taps[0].radius, y = taps[1].radius, larger = x > y ? x : y, channels = context->in.format.channels;
    const struct form *form = channels == 4 ? choose_form(type, larger) : NULL;
    const struct line_form *line = context->filter->kind == WEFT_KIND_BOX
                                       ? NULL
                                       : choose_line(type, channels, weft_gpu_moves(builder, context, type), larger);
    if (x == 0 || y == 0 || !weft_taps_are_mean(&taps[0]) || !weft_taps_are_mean(&taps[1]) || (!form && !line))
        return WEFT_OK;
    *lowered = true;
    if (form)
        return add_pass(builder, context, form, taps, error);
    struct gpu_node_context lines = *context;
    lines.between = line->between == TYPE_PARTS ? TYPE_F32 : line->between;
    weft_status status = add_line(builder, &lines, line, &taps[0], larger, false, error);
    return status == WEFT_OK ? add_line(builder, &lines, line, &taps[1], larger, true, error) : status;
}

weft_status weft_gpu_lower_convolve_matrix(struct gpu_builder *builder, const struct gpu_node_context *context, bool *lowered,
                                           weft_error *error) {
    struct weft_taps taps[2] = {{0}};
    weft_status status = WEFT_OK;
    *lowered = false;
    bool together = context->limits->has_mma_cooperative;
    if ((!context->limits->has_mma_floats && !together) || !border_fits(context))
        return WEFT_OK;
    int32_t type = type_of(builder, context);
    if (context->filter->kind == WEFT_KIND_BOX && (type != TYPE_F16 || together))
        type = 0; /* sums of products of floats are nearer to the mean */
    for (int i = 0; i < 2 && status == WEFT_OK && type != 0; i++)
        status = weft_gpu_find_taps(context, i == 0 ? WEFT_X : WEFT_Y, &taps[i], error);
    if (status == WEFT_OK && type != 0 && together)
        status = add_cooperative_passes(builder, context, type, taps, lowered, error);
    else if (status == WEFT_OK && type != 0)
        status = add_passes(builder, context, type, taps, lowered, error);
    weft_free(taps[0].weight);
    weft_free(taps[1].weight);
    return status;
}
