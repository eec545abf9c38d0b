/* SPDX-License-Identifier: MIT
 * Medians: the passes of each kernel that choose/rank.c may choose. */
#include "backend/gpu/choose/rank.h"
#include "backend/gpu/pass/pass.h"
#include "base/status.h"
#include "kernels/gpu/tile/byte_neighbors.h"
#include "kernels/gpu/rank/rank_digits.h"
#include "kernels/gpu/rank/rank_planes.h"
#include "kernels/gpu/tile/tile.h"

#define RADIUS_LIMIT 16383 /* squares of it are counted in an int */

/* The radius beyond which nothing changes, which with shrink is the image's longer side. */
static int32_t radius_of(const struct gpu_node_context *context) {
    int32_t radius = context->filter->reach(context->block, WEFT_X);
    int64_t longest = context->in.width > context->in.height ? context->in.width : context->in.height;
    bool shrink = weft_filter_border(context->filter, context->block) == WEFT_BORDER_SHRINK;
    return shrink && radius > longest - 1 ? (int32_t)(longest - 1) : radius;
}

static weft_status add_network(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t radius,
                               struct gpu_pass **pass, weft_error *error) {
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "rank_network", &radius, 1, pass, error);
    if (status == WEFT_OK) {
        (*pass)->tile_width = TILE_COLUMNS;
        (*pass)->tile_height = TILE_ROWS(context->in.format.channels);
    }
    return status;
}

static weft_status add_network_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t radius,
                                     struct gpu_pass **pass, weft_error *error) {
    int32_t constants[] = {context->in.format.channels, radius};
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "rank_network_bytes", constants, 2, pass, error);
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

/* A pass that spreads bytes out, by channels and beyond the image's sides, and one that finds medians. */
static weft_status add_digits(struct gpu_builder *builder, const struct gpu_node_context *context,
                              const struct gpu_rank_case *rank, struct gpu_pass **pass, weft_error *error) {
    int32_t radius = rank->radius;
    int32_t columns = RANK_DIGITS_COLUMNS(radius), outputs = RANK_DIGITS_OUTPUTS(radius), channels = context->in.format.channels;
    int32_t constants[] = {columns, RANK_DIGITS_PARTS(radius)}, chunk = weft_gpu_rank_digits_chunk(rank);
    const char *kernel = columns > 256 ? "rank_digits_wide" : "rank_digits";
    int64_t plane = (context->in.width + outputs - 1) / outputs * outputs - outputs + columns;
    struct gpu_node_context bytes = *context;
    struct gpu_pass *spread;
    weft_image_info between = context->in;
    bytes.between = TYPE_U8;
    between.width = channels * plane, between.format.channels = 1;
    weft_status status = weft_gpu_pass_add(builder, &bytes, NULL, "rank_pad", NULL, 0, &spread, error);
    if (status == WEFT_OK)
        status = weft_gpu_pass_add(builder, &bytes, &between, kernel, constants, 2, pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_put_aside(builder, context, *pass, channels * context->in.width, 8, error);
    if (status != WEFT_OK)
        return status;
    spread->launch.width = (int32_t)plane;
    spread->launch.radius_x = spread->launch.radius_y = radius;
    spread->tile_width = 128;
    (*pass)->launch.in_width = (int32_t)context->in.width;
    (*pass)->launch.in_channels = channels;
    spread->launch.rank.plane = (int32_t)plane;
    (*pass)->launch.rank = (struct rank_launch){.plane = (int32_t)plane, .own_image = (*pass)->aside, .rows = chunk};
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

static weft_status add_search(struct gpu_builder *builder, const struct gpu_node_context *context,
                              const struct gpu_rank_case *rank, struct gpu_pass **pass, weft_error *error) {
    int32_t side = 2 * rank->radius + 1;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "rank", NULL, 0, pass, error);
    if (status == WEFT_OK) {
        (*pass)->launch.rank.whole_x = side > context->in.width;
        (*pass)->launch.rank.whole_y = side > context->in.height;
        if ((*pass)->launch.rank.whole_y)
            (*pass)->need = GPU_NEED_WHOLE;
        (*pass)->iterations = weft_gpu_rank_search_iterations(rank);
    }
    return status;
}

weft_status weft_gpu_lower_rank(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    struct gpu_rank_case rank = {.radius = radius_of(context),
                                 .width = context->in.width,
                                 .height = context->in.height,
                                 .channels = context->in.format.channels,
                                 .steps = context->steps,
                                 .direct_bytes = weft_gpu_is_direct(builder, context, TYPE_U8),
                                 .fits_registers = weft_gpu_fits_register_rows(builder, context),
                                 .border = weft_filter_border(context->filter, context->block),
                                 .border_is_byte = weft_gpu_border_is_byte(context),
                                 .loop_iterations = context->limits->loop_iterations,
                                 .block_bytes = context->limits->block_bytes};
    int32_t radius = rank.radius;
    struct gpu_pass *pass = NULL;
    weft_status status = WEFT_OK;
    if (context->filter->reach(context->block, WEFT_Y) != context->filter->reach(context->block, WEFT_X))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a median needs the same radius along x and y");
    if (radius > RADIUS_LIMIT)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a median of radius %d is more than the %d that GPUs can do",
                         (int)radius, RADIUS_LIMIT);
    if (radius == 0)
        return weft_gpu_pass_add_point(builder, context, error);
    const struct weft_rung *rung = weft_gpu_choose_rank(&rank);
    weft_gpu_explain(builder, rung->when);
    switch ((enum gpu_rank_kernel)rung->choice) {
    case GPU_RANK_NETWORK_BYTES:
        status = add_network_bytes(builder, context, radius, &pass, error);
        break;
    case GPU_RANK_REGISTERS:
        return weft_gpu_add_register_rows(builder, context, "rank_registers", &rank.channels, 1, error);
    case GPU_RANK_NETWORK:
        status = add_network(builder, context, radius, &pass, error);
        break;
    case GPU_RANK_PLANES:
        status = add_planes(builder, context, radius, &pass, error);
        break;
    case GPU_RANK_DIGITS:
        status = add_digits(builder, context, &rank, &pass, error);
        break;
    case GPU_RANK_BINS:
        status = add_bins(builder, context, &pass, error);
        break;
    case GPU_RANK_SEARCH:
        status = add_search(builder, context, &rank, &pass, error);
        break;
    }
    if (status == WEFT_OK) {
        pass->launch.radius_x = pass->launch.radius_y = radius;
        pass->reach = radius;
    }
    return status;
}
