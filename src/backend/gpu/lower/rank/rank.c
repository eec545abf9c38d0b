/* SPDX-License-Identifier: MIT
 * Medians: small squares by networks, of numbers in registers, others by search; of bytes by bits, large ones by digits, and
 * the largest by tables of counts. */
#include "backend/gpu/pass/pass.h"
#include "base/status.h"
#include "kernels/gpu/tile/few_bytes.h"
#include "kernels/gpu/rank/rank_digits.h"
#include "kernels/gpu/rank/rank_planes.h"
#include "kernels/gpu/tile/tile.h"

#define NETWORK_RADIUS 2
#define PLANES_RADIUS 7
#define RADIUS_LIMIT 16383 /* squares of it are counted in an int */

/* The radius beyond which nothing changes, which with shrink is the image's longer side. */
static int32_t radius_of(const struct gpu_node_context *context) {
    int32_t radius = context->filter->reach(context->block, WEFT_X);
    int64_t longest = context->in.width > context->in.height ? context->in.width : context->in.height;
    bool shrink = weft_filter_border(context->filter, context->block) == WEFT_BORDER_SHRINK;
    return shrink && radius > longest - 1 ? (int32_t)(longest - 1) : radius;
}

/* Iterations of a search: four pixels each, a round for each bit that decides, each channel by itself. */
static double iterations_of_search(const struct gpu_node_context *context, int32_t radius) {
    double side = 2.0 * radius + 1, rounds = context->steps == 255 ? 8 : context->steps == 65535 ? 16 : 32;
    return rounds * context->in.format.channels * (side * side / 4 + side);
}

/* True where tables of counts are faster, or a device stops searches that long. A search of a square that its tile holds is quick; another goes through its
 * pixels again for each of about ROUNDS rounds, but through no more than the image has. */
#define ROUNDS 10
static bool is_for_bins(const struct gpu_node_context *context, int32_t radius) {
    double side = 2.0 * radius + 1, width = (double)context->in.width, height = (double)context->in.height;
    double search = ROUNDS * (side < width ? side : width) * (side < height ? side : height);
    bool fits = (TILE_COLUMNS + side - 1) * (TILE_THREAD_ROWS + side - 1) <= RANK_NUMBERS;
    bool stopped = context->limits->loop_iterations > 0 && iterations_of_search(context, radius) > context->limits->loop_iterations;
    return context->steps == 255 && (stopped || (!fits && 2 * side + side * side / height < search));
}

static weft_status add_network(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t radius,
                               struct gpu_pass **pass, weft_error *error) {
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "rank_few", &radius, 1, pass, error);
    if (status == WEFT_OK) {
        (*pass)->tile_width = TILE_COLUMNS;
        (*pass)->tile_height = TILE_ROWS(context->in.format.channels);
    }
    return status;
}

/* True where medians are of bytes: what counts is whole numbers from 0 to 255, the border's value too. */
static bool is_of_bytes(const struct gpu_node_context *context) {
    return context->steps == 255 && weft_gpu_border_is_byte(context);
}

/* The same of bytes as they lie. Networks take as many numbers as a square has places. */
static bool is_for_few_bytes(const struct gpu_builder *builder, const struct gpu_node_context *context) {
    return is_of_bytes(context) && weft_gpu_moves(builder, context, TYPE_U8) && context->in.format.channels != 2 &&
           weft_filter_border(context->filter, context->block) != WEFT_BORDER_SHRINK;
}

/* The same of numbers. */
static bool is_for_near(const struct gpu_builder *builder, const struct gpu_node_context *context, int32_t radius) {
    return radius == 1 && weft_gpu_fits_register_rows(builder, context) &&
           weft_filter_border(context->filter, context->block) != WEFT_BORDER_SHRINK;
}

static weft_status add_few_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t radius,
                                 struct gpu_pass **pass, weft_error *error) {
    int32_t constants[] = {context->in.format.channels, radius};
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "rank_few_bytes", constants, 2, pass, error);
    if (status == WEFT_OK) {
        (*pass)->tile_width = FEW_BYTES / context->in.format.channels;
        (*pass)->tile_height = 4 * FEW_ROWS(radius);
    }
    return status;
}

static weft_status add_planes(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t radius,
                              struct gpu_pass **pass, weft_error *error) {
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "rank_planes", &radius, 1, pass, error);
    if (status == WEFT_OK) {
        (*pass)->tile_width = RANK_PLANES_COLUMNS;
        (*pass)->tile_height = 4 * RANK_PLANES_ROWS(radius);
    }
    return status;
}

/* Rows of a block of medians by digits. The more, the fewer places are counted before the first row, and the more digits
 * occur among the medians of a block. */
#define CHUNK_LEAST 16
static int32_t choose_chunk(int32_t radius) { return radius > 31 ? RANK_DIGITS_CHUNK : RANK_DIGITS_CHUNK / 2; }

/* Turns of loops that a thread goes through where every digit occurs: rows before the first, and for each group of rows a
 * row's segments and its own rows. */
static double iterations_of_digits(int32_t radius, int32_t channels, int32_t chunk) {
    double group = RANK_DIGITS_GROUP, begin = (2 * radius + 1) / group + 8 * group;
    double step = RANK_DIGITS_COLUMNS(radius) / 8 + 2 * group * RANK_DIGITS_PARTS(radius) + 40;
    return 17 * channels * (begin + chunk / group * step) + chunk;
}

static bool is_for_digits(const struct gpu_node_context *context, int32_t radius) {
    double iterations = iterations_of_digits(radius, context->in.format.channels, CHUNK_LEAST);
    if (RANK_DIGITS_COLUMNS(radius) > 256 && context->limits->block_bytes < RANK_DIGITS_WIDE_BYTES)
        return false;
    return is_of_bytes(context) && radius <= RANK_DIGITS_RADIUS &&
           (context->limits->loop_iterations == 0 || iterations <= context->limits->loop_iterations);
}

/* A pass that spreads bytes out, by channels and beyond the image's sides, and one that finds medians. */
static weft_status add_digits(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t radius,
                              struct gpu_pass **pass, weft_error *error) {
    int32_t columns = RANK_DIGITS_COLUMNS(radius), outputs = RANK_DIGITS_OUTPUTS(radius), channels = context->in.format.channels;
    int32_t constants[] = {columns, RANK_DIGITS_PARTS(radius)}, chunk = choose_chunk(radius);
    int32_t limit = context->limits->loop_iterations;
    const char *kernel = columns > 256 ? "rank_digits_wide" : "rank_digits";
    int64_t plane = (context->in.width + outputs - 1) / outputs * outputs - outputs + columns;
    struct gpu_node_context bytes = *context;
    struct gpu_pass *spread;
    weft_image_info between = context->in;
    bytes.between = TYPE_U8;
    between.width = channels * plane, between.format.channels = 1;
    weft_status status = weft_gpu_pass_add(builder, &bytes, NULL, "rank_spread", NULL, 0, &spread, error);
    if (status == WEFT_OK)
        status = weft_gpu_pass_add(builder, &bytes, &between, kernel, constants, 2, pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_put_aside(builder, context, *pass, channels * context->in.width, 8, error);
    if (status != WEFT_OK)
        return status;
    while (limit > 0 && chunk > CHUNK_LEAST && iterations_of_digits(radius, channels, chunk) > limit)
        chunk /= 2;
    spread->launch.width = (int32_t)plane;
    spread->launch.radius_x = spread->launch.radius_y = radius;
    spread->tile_width = 128;
    (*pass)->launch.in_width = (int32_t)context->in.width;
    (*pass)->launch.in_channels = channels;
    spread->launch.number[0] = (*pass)->launch.number[0] = (int32_t)plane;
    (*pass)->launch.number[1] = (*pass)->aside;
    (*pass)->launch.number[2] = chunk;
    (*pass)->tile_width = outputs, (*pass)->tile_height = chunk;
    return WEFT_OK;
}

static weft_status add_bins(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_pass **pass,
                            weft_error *error) {
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "rank_bins", NULL, 0, pass, error);
    if (status == WEFT_OK) {
        (*pass)->tile_width = (*pass)->tile_height = 1;
        (*pass)->walks = true;
    }
    return status;
}

static weft_status add_search(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t radius,
                              struct gpu_pass **pass, weft_error *error) {
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "rank", NULL, 0, pass, error);
    if (status == WEFT_OK) {
        (*pass)->launch.number[0] = 2 * radius + 1 > context->in.width;
        (*pass)->launch.number[1] = 2 * radius + 1 > context->in.height;
        if ((*pass)->launch.number[1])
            (*pass)->need = GPU_NEED_WHOLE;
        (*pass)->iterations = iterations_of_search(context, radius);
    }
    return status;
}

/* By bits, for which a thread has as many numbers as a square has places, up to the radius from which digits are faster, or
 * where the device does not take those. */
static bool is_for_planes(const struct gpu_node_context *context, int32_t radius) {
    int32_t faster = context->in.format.channels > 1 ? 6 : PLANES_RADIUS;
    return radius <= PLANES_RADIUS && is_of_bytes(context) && (radius <= faster || !is_for_digits(context, radius));
}

weft_status weft_gpu_lower_rank(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    int32_t radius = radius_of(context);
    struct gpu_pass *pass;
    weft_status status;
    if (context->filter->reach(context->block, WEFT_Y) != context->filter->reach(context->block, WEFT_X))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a median is taken over a square");
    if (radius > RADIUS_LIMIT)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a median of radius %d is more than the %d that GPUs can do",
                         (int)radius, RADIUS_LIMIT);
    if (radius == 0)
        return weft_gpu_pass_add_point(builder, context, error);
    if (radius <= NETWORK_RADIUS && is_for_few_bytes(builder, context))
        status = add_few_bytes(builder, context, radius, &pass, error);
    else if (is_for_near(builder, context, radius))
        return weft_gpu_add_register_rows(builder, context, "rank_near", &context->in.format.channels, 1, error);
    else if (radius <= NETWORK_RADIUS)
        status = add_network(builder, context, radius, &pass, error);
    else if (is_for_planes(context, radius))
        status = add_planes(builder, context, radius, &pass, error);
    else if (is_for_digits(context, radius))
        status = add_digits(builder, context, radius, &pass, error);
    else if (is_for_bins(context, radius))
        status = add_bins(builder, context, &pass, error);
    else
        status = add_search(builder, context, radius, &pass, error);
    if (status == WEFT_OK) {
        pass->launch.radius_x = pass->launch.radius_y = radius;
        pass->reach = radius;
    }
    return status;
}
