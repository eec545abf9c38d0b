/* SPDX-License-Identifier: MIT
 * Filters whose kernel is built around their own body: stencils, windows, warps, lookups. The kernel is called after the kind
 * and the filter. */
#include <stdio.h>
#include <string.h>
#include "backend/gpu/choose/stencil.h"
#include "backend/gpu/choose/window.h"
#include "backend/gpu/pass/builder.h"
#include "base/status.h"
#include "kernels/gpu/tile/tile.h"
#include "kernels/gpu/dialect/code_path.h"
#include "kernels/gpu/window/window_bytes.h"

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

static void set_stencil(struct gpu_pass *pass, const struct gpu_node_context *context) {
    const struct weft_filter *filter = context->filter;
    pass->launch.stencil.channels = weft_filter_copies_alpha(filter, context->block) ? weft_color_channels(&context->in)
                                                                                     : context->in.format.channels;
    pass->launch.radius_x = pass->launch.radius_y = filter->radius;
    if (pass->launch.border == BORDER_SHRINK) /* a stencil is no mean: the nearest pixel inside stands in */
        pass->launch.border = BORDER_REPLICATE;
    pass->reach = filter->radius;
    pass->tile_width = TILE_COLUMNS;
    pass->tile_height = STENCIL_ROWS(context->in.format.channels);
}

static struct gpu_stencil_case stencil_case(const struct weft_filter *filter, const struct gpu_limits *limits,
                                            const struct gpu_launch *launch) {
    const struct gpu_instruction *load = &launch->load[0], *store = &launch->store[0];
    bool luminance = launch->load_count == 1 && (weft_gpu_conversions(launch) & CONVERTS_LUMINANCE) != 0;
    return (struct gpu_stencil_case){.radius = filter->radius,
                                     .apart = !filter->pixels,
                                     .linear = filter->linear != NULL,
                                     .length = filter->length != NULL,
                                     .alone = launch->store_count == 1 && store->op == OP_STORE,
                                     .luminance = luminance,
                                     .loads = launch->load_count > 0 && !luminance,
                                     .type = luminance ? load->shape >> 12 & 15 : launch->in_type,
                                     .source = luminance ? load->shape & 15 : launch->in_channels,
                                     .channels = launch->in_channels,
                                     .stored = store->shape >> 20 & 15,
                                     .stored_channels = store->shape >> 8 & 15,
                                     .width = launch->width,
                                     .few_registers = limits->few_registers};
}

bool weft_gpu_stencil_walks(const struct weft_filter *filter, const struct gpu_limits *limits, struct gpu_pass *pass) {
    if (filter->kind != WEFT_KIND_STENCIL)
        return false;
    struct gpu_stencil_case stencil = stencil_case(filter, limits, &pass->launch);
    const struct weft_rung *rung = weft_gpu_choose_stencil(&stencil);
    pass->why = rung->when;
    if (rung->choice == STENCIL_BY_TILE)
        return false;
    int32_t type = stencil.type, source = stencil.source, channels = stencil.channels;
    weft_gpu_choose_path(pass, rung->choice);
    pass->walks = true;
    pass->tile_width = rung->choice == STENCIL_WHOLE ? WALK_WHOLE_BYTES(source, channels, limits->few_registers) / source
                                                     : TILE_COLUMNS * WALK_PIXELS(type, source, channels, limits->few_registers);
    pass->tile_height = WALK_STEP;
    return true;
}

static void set_window(struct gpu_pass *pass, const struct gpu_node_context *context) {
    int32_t radius_x = context->filter->reach(context->block, WEFT_X), radius_y = context->filter->reach(context->block, WEFT_Y);
    if (pass->launch.border == BORDER_SHRINK) { /* further away nothing counts */
        radius_x = context->in.width <= radius_x ? (int32_t)context->in.width - 1 : radius_x;
        radius_y = context->in.height <= radius_y ? (int32_t)context->in.height - 1 : radius_y;
    }
    int32_t channels = context->in.format.channels, columns = smaller(WINDOW_COLUMNS(channels), 2 * radius_x + 1);
    bool few = context->limits->few_registers;
    pass->launch.window.columns = columns;
    pass->launch.window.rows = smaller(WINDOW_PIECE_ROWS(channels, few), 2 * radius_y + 1);
    pass->tile_width = TILE_COLUMNS;
    pass->tile_height = WINDOW_ROWS(channels, few);
    pass->launch.radius_x = radius_x;
    pass->launch.radius_y = radius_y;
    pass->reach = radius_y;
    pass->iterations = 1.1 * WINDOW_STEPS(channels, few) * (2.0 * radius_x + 1) * (2.0 * radius_y + 1); /* and filling tiles */
}

/* `kernel`: the name of the form for bytes, which exists for filters that weigh by distance (kernels/gpu/window/window_bytes.h). */
static struct gpu_window_case window_case(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                          const char *kernel) {
    const struct gpu_kernel_row *row = weft_gpu_kernels;
    while (row->name && strcmp(row->name, kernel) != 0)
        row++;
    return (struct gpu_window_case){.radius_x = context->filter->reach(context->block, WEFT_X),
                                    .radius_y = context->filter->reach(context->block, WEFT_Y),
                                    .channels = context->in.format.channels,
                                    .by_distance = row->name != NULL,
                                    .direct_bytes = weft_gpu_is_direct(builder, context, TYPE_U8),
                                    .border = weft_filter_border(context->filter, context->block),
                                    .border_is_byte = weft_gpu_border_is_byte(context),
                                    .has_mma_floats = context->limits->has_mma_floats,
                                    .launch_bytes = context->limits->launch_bytes};
}

static weft_status add_window_of_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, const char *kernel,
                                       weft_error *error) {
    struct gpu_pass *pass;
    int32_t channels = context->in.format.channels, radius_y = context->filter->reach(context->block, WEFT_Y);
    int32_t constants[] = {channels, WINDOW_BYTES_SHARED(channels), WINDOW_BYTES_HEIGHT(radius_y)};
    weft_status status = weft_gpu_pass_add(builder, context, NULL, kernel, constants, 3, &pass, error);
    if (status != WEFT_OK)
        return status;
    pass->launch.radius_x = context->filter->reach(context->block, WEFT_X);
    pass->launch.radius_y = pass->reach = radius_y;
    pass->tile_width = WINDOW_BYTES_COLUMNS;
    pass->tile_height = WINDOW_BYTES_ROWS * WINDOW_BYTES_TILES;
    return WEFT_OK;
}

static void set_warp(struct gpu_pass *pass, const struct gpu_node_context *context) {
    const struct weft_filter *filter = context->filter;
    int32_t places = filter->places ? filter->places(context->block, context->in.width, context->in.height) : 1;
    bool several = filter->places && !filter->spread;
    int32_t words = several ? context->in.format.channels : 1; /* the tallest tile, which holds whole ones of the others */
    int32_t rows = WARP_ROWS(words, several);
    int64_t tiles = (context->out.width + TILE_COLUMNS - 1) / TILE_COLUMNS * ((context->out.height + rows - 1) / rows);
    int32_t pixels = filter->spread ? filter->spread * filter->spread : 1;
    int64_t down = several || places > 1 ? 1 : tiles / (WARP_BLOCKS * (int64_t)context->limits->multiprocessors);
    down = down < 1 ? 1 : down > WARP_MOST_TILES ? WARP_MOST_TILES : down;
    pass->need = GPU_NEED_WHOLE;
    pass->tile_width = TILE_COLUMNS;
    pass->tile_height = pass->launch.walk = rows * (int32_t)down;
    pass->iterations = (double)down * (WARP_STEPS(words, several) * (double)places * pixels + 6);
}

static weft_status set_lookup(struct gpu_builder *builder, struct gpu_pass *pass, const struct gpu_node_context *context,
                              weft_error *error) {
    pass->table_image = weft_gpu_image_slot(builder, pass, context->table);
    pass->launch.lookup.table = pass->table_image;
    return pass->table_image >= 0 ? WEFT_OK
                                  : weft_fail(error, WEFT_ERROR_INTERNAL, "the table does not fit among a launch's images");
}

weft_status weft_gpu_lower_body(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    struct gpu_pass *pass;
    char kernel[128];
    int length = snprintf(kernel, sizeof kernel, "%s_%s", context->filter->info.kind, context->filter->info.name);
    if (length < 0 || (size_t)length >= sizeof kernel)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a filter's name is too long for a kernel's");
    if (context->filter->kind == WEFT_KIND_WINDOW) {
        char of_bytes[sizeof kernel + 8];
        snprintf(of_bytes, sizeof of_bytes, "%s_bytes_%s", context->filter->info.kind, context->filter->info.name);
        struct gpu_window_case window = window_case(builder, context, of_bytes);
        const struct weft_rung *rung = weft_gpu_choose_window(&window);
        weft_gpu_explain(builder, rung->when);
        if (rung->choice == GPU_WINDOW_BYTES)
            return add_window_of_bytes(builder, context, of_bytes, error);
    }
    weft_status status = weft_gpu_pass_add(builder, context, NULL, kernel, NULL, 0, &pass, error);
    if (status != WEFT_OK)
        return status;
    if (context->filter->kind == WEFT_KIND_STENCIL)
        set_stencil(pass, context);
    else if (context->filter->kind == WEFT_KIND_WINDOW)
        set_window(pass, context);
    else if (context->filter->kind == WEFT_KIND_WARP)
        set_warp(pass, context);
    else
        status = set_lookup(builder, pass, context, error);
    return status;
}
