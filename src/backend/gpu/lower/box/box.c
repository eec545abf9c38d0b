/* SPDX-License-Identifier: MIT
 * Boxes: the passes of each kernel that choose/box.c may choose. */
#include <math.h>
#include <string.h>
#include "backend/gpu/choose/box.h"
#include "backend/gpu/choose/convolve.h"
#include "backend/gpu/pass/pass.h"
#include "base/status.h"
#include "kernels/gpu/box/box_bytes.h"
#include "kernels/gpu/box/box_lines.h"
#include "kernels/gpu/box/box_values.h"
#include "kernels/gpu/box/box_prefix_sizes.h"

/* Rows that a block of `box_down` makes and pixels of a run of `box_along`: the more, the less is read before the first ones,
 * but threads must be many. */
#define DOWN_THREADS 65536
#define ALONG_THREADS 262144
#define RUN_LEAST 64
#define RUN_MOST 512

/* With these borders what is farther outside than the image is large makes no difference. */
static int32_t cut(int64_t radius, int64_t size, weft_border border) {
    int64_t enough = border == WEFT_BORDER_CONSTANT ? size : border == WEFT_BORDER_SHRINK ? size - 1 : radius;
    return (int32_t)(radius < enough ? radius : enough);
}

static int32_t power_above(int64_t count) {
    int32_t power = 0;
    while ((int64_t)1 << power < count)
        power++;
    return power;
}

/* Launch parameters of all box kernels; `scale`: the power of two by which numbers are scaled before they are summed. */
static void fill_launch(const struct gpu_node_context *context, const struct gpu_box_case *box, int32_t scale,
                        struct gpu_launch *launch) {
    double outside = nearbyint((double)launch->border_value * (context->steps ? context->steps : 1));
    bool fits = fabs(outside) < 2147483648.0;
    launch->radius_x = box->radius_x;
    launch->radius_y = box->radius_y;
    launch->box =
        (struct box_launch){.steps = context->steps,
                            .rounds_down = context->filter->rounding(context->block) == WEFT_ROUND_DOWN,
                            .window = (int32_t)((2 * box->x + 1) * (2 * box->y + 1)),
                            .outside = context->steps && fits ? (int32_t)outside : 0,
                            .outside_large = !fits,
                            .outside_steps = (float)outside,
                            .scale = (float)ldexp(1, -scale),
                            .scaled = (float)ldexp(1, -power_above(2 * box->x + 1) - power_above(2 * box->y + 1))};
}

/* Sums of pieces, then all else (kernels/gpu/box/box_prefix_sizes.h). */
static weft_status add_prefix(struct gpu_builder *builder, const struct gpu_node_context *context, const struct gpu_box_case *box,
                              weft_error *error) {
    int32_t channels = context->in.format.channels, threads = weft_gpu_box_prefix_threads(box);
    int64_t bytes = context->in.width * channels;
    weft_image_info pieces = {.width = (bytes + 7) / 8, .height = context->in.height, .format = {WEFT_U8, 1}};
    struct gpu_node_context own = *context;
    struct gpu_pass *pass;
    own.between = TYPE_U8;
    weft_status status = weft_gpu_pass_add(builder, &own, NULL, "box_pieces", NULL, 0, &pass, error);
    if (status != WEFT_OK)
        return status;
    pass->tile_width = BOX_PIECE_THREADS * BOX_PIECE_BYTES / 8;
    pass->tile_height = BOX_PIECE_ROWS * BOX_PIECES;
    pass->for_next = true;
    const char *kernel = threads == BOX_PREFIX_THREADS ? "box_prefix" : "box_prefix_wide";
    status = weft_gpu_pass_add(builder, &own, &pieces, kernel, &channels, 1, &pass, error);
    if (status != WEFT_OK)
        return status;
    struct box_launch *own_launch = &pass->launch.box;
    fill_launch(context, box, 0, &pass->launch);
    int32_t window = own_launch->window;
    bool small = window <= BOX_BYTES_LARGEST;
    uint32_t part = (uint32_t)((((uint64_t)1 << (small ? 40 : 48)) + (uint64_t)window - 1) / (uint64_t)window);
    own_launch->beside = weft_gpu_box_prefix_beside(box);
    own_launch->added = own_launch->rounds_down ? 0 : (window - 1) / 2;
    own_launch->made = weft_gpu_box_prefix_made(box, threads);
    own_launch->mean_byte = small ? 1 : 2;
    own_launch->outside = pass->launch.border == BORDER_CONSTANT ? own_launch->outside : 0;
    memcpy(&own_launch->reciprocal, &part, sizeof part);
    pass->tile_width = own_launch->made / channels;
    pass->tile_height = 1;
    pass->walks = true;
    pass->reach = box->radius_y;
    return WEFT_OK;
}

static weft_status add_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, const struct gpu_box_case *box,
                             weft_error *error) {
    int32_t channels = context->in.format.channels;
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "box_bytes", &channels, 1, &pass, error);
    if (status != WEFT_OK)
        return status;
    struct box_launch *own_launch = &pass->launch.box;
    fill_launch(context, box, 0, &pass->launch);
    int32_t window = own_launch->window;
    own_launch->beside = weft_gpu_box_bytes_beside(box->radius_x, channels);
    own_launch->added = own_launch->rounds_down ? -(window - 1) / 2 : 0;
    own_launch->made = weft_gpu_box_bytes_made(own_launch->beside, channels);
    own_launch->narrow = 65535 / (255 * (2 * box->radius_y + 1));
    own_launch->by_cells = box->radius_x >= BOX_BYTES_BY_CELLS;
    own_launch->outside = pass->launch.border == BORDER_CONSTANT ? own_launch->outside : 0;
    own_launch->part = 1.0f / (float)window;
    uint32_t part = (uint32_t)((((uint64_t)1 << 40) + (uint64_t)window - 1) / (uint64_t)window);
    if (window > BOX_BYTES_WINDOW)
        memcpy(&own_launch->reciprocal, &part, sizeof part);
    pass->tile_width = own_launch->made / channels;
    pass->tile_height = BOX_BYTES_ROWS;
    pass->walks = true;
    pass->reach = box->radius_y;
    return WEFT_OK;
}

/* At least a part of the window, and as much as leaves so many threads of what `lines` lines of `size` take; a multiple of
 * BOX_TURNED. */
static int32_t choose_run(int32_t part_of_window, int64_t lines, int64_t size, int64_t threads) {
    int64_t run = lines * size / threads;
    run = run < part_of_window ? part_of_window : run;
    run = run < RUN_LEAST ? RUN_LEAST : run > RUN_MOST ? RUN_MOST : run;
    return (int32_t)((run + BOX_TURNED - 1) / BOX_TURNED * BOX_TURNED);
}

/* Sums of columns, then of those along rows (kernels/gpu/box/box_lines.h). */
static weft_status add_lines(struct gpu_builder *builder, const struct gpu_node_context *context, const struct gpu_box_case *box,
                             weft_error *error) {
    int32_t channels = context->in.format.channels, planes = channels == 1 ? 1 : channels == 4 ? 4 : 3, steps = context->steps;
    int64_t most = (2 * box->y + 1) * steps, all = most * (2 * box->x + 1);
    int32_t down[] = {planes, steps != 0}, along[] = {planes, steps == 0 ? 0 : all <= UINT32_MAX ? 1 : 2};
    int32_t scale = power_above(2 * box->x + 1) + power_above(2 * box->y + 1);
    struct gpu_node_context own = *context;
    struct gpu_pass *pass;
    own.between = steps != 0 && most <= UINT16_MAX ? TYPE_U16 : TYPE_F32;
    weft_status status = weft_gpu_pass_add(builder, &own, NULL, "box_down", down, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    fill_launch(context, box, scale, &pass->launch);
    int64_t width = context->in.width, height = context->in.height;
    pass->launch.box.made = choose_run(2 * box->radius_y / 3, width / BOX_DOWN_PIXELS(planes), height, DOWN_THREADS);
    pass->tile_width = BOX_LINES_THREADS * BOX_DOWN_PIXELS(planes), pass->tile_height = pass->launch.box.made;
    pass->reach = box->radius_y;
    status = weft_gpu_pass_add(builder, &own, &context->in, "box_along", along, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    fill_launch(context, box, scale, &pass->launch);
    pass->launch.box.made = choose_run(box->radius_x, height * channels, width, ALONG_THREADS);
    pass->launch.box.part = (float)(1 / (double)pass->launch.box.window);
    pass->tile_width = BOX_RUNS(planes) * pass->launch.box.made, pass->tile_height = BOX_TURNED;
    return WEFT_OK;
}

/* Sums along rows, and of cells of those down columns, then the rest (kernels/gpu/box/box_values.h). */
static weft_status add_values(struct gpu_builder *builder, const struct gpu_node_context *context, const struct gpu_box_case *box,
                              weft_error *error) {
    int32_t type = weft_gpu_is_direct(builder, context, TYPE_F16) ? TYPE_F16 : TYPE_F32, channels = context->in.format.channels;
    int32_t constants[] = {type, channels}, scale = power_above(2 * box->x + 1) + power_above(2 * box->y + 1);
    int64_t numbers = (context->in.width * channels + 3) / 4 * 4, cells = ((numbers + BOX_CELL - 1) / BOX_CELL + 3) / 4 * 4;
    weft_image_info sums = {.width = numbers + cells, .height = context->in.height, .format = {WEFT_F32, 1}};
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "box_rows", constants, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    fill_launch(context, box, scale, &pass->launch);
    int64_t most = weft_gpu_box_rows_made(box->radius_x), blocks = (context->in.width + most - 1) / most;
    int64_t made = ((context->in.width + blocks - 1) / blocks + BOX_CELL - 1) / BOX_CELL * BOX_CELL;
    pass->launch.box.beside = weft_gpu_box_rows_before(box->radius_x);
    pass->launch.box.row_sums = (int32_t)numbers;
    pass->launch.box.made = (int32_t)made;
    pass->launch.box.row_cells = (int32_t)cells;
    pass->tile_width = (int32_t)((sums.width + blocks - 1) / blocks), pass->tile_height = BOX_CELL;
    pass->ahead = 0;
    status = weft_gpu_pass_add(builder, context, &sums, "box_columns", &type, 1, &pass, error);
    if (status != WEFT_OK)
        return status;
    fill_launch(context, box, scale, &pass->launch);
    pass->launch.box.channels = channels;
    pass->launch.box.row_sums = (int32_t)numbers;
    pass->launch.box.made = BOX_COLUMNS_CELLS;
    pass->launch.box.row_cells = (int32_t)cells;
    pass->launch.box.part = (float)(1 / ((double)pass->launch.box.window * (double)pass->launch.box.scaled));
    pass->tile_width = BOX_COLUMNS_THREADS * 4 / channels, pass->tile_height = BOX_COLUMNS_CELLS * BOX_CELL;
    pass->ahead = box->radius_y + 1;
    pass->reach = box->radius_y;
    return WEFT_OK;
}

static struct gpu_box_case case_of(const struct gpu_builder *builder, const struct gpu_node_context *context) {
    weft_border border = weft_filter_border(context->filter, context->block);
    double outside = nearbyint((double)weft_filter_border_value(context->filter, context->block) * 255);
    struct gpu_box_case box = {.x = context->filter->reach(context->block, WEFT_X),
                               .y = context->filter->reach(context->block, WEFT_Y),
                               .width = context->in.width,
                               .height = context->in.height,
                               .channels = context->in.format.channels,
                               .steps = context->steps,
                               .direct_bytes = weft_gpu_is_direct(builder, context, TYPE_U8),
                               .direct_floats = weft_gpu_is_direct(builder, context, TYPE_F16) ||
                                               weft_gpu_is_direct(builder, context, TYPE_F32),
                               .border = border,
                               .border_is_byte = weft_gpu_border_is_byte(context),
                               .border_rounds = outside >= 0 && outside <= 255,
                               .rounds_down = context->filter->rounding(context->block) == WEFT_ROUND_DOWN,
                               .has_mma_bytes = context->limits->has_mma_bytes,
                               .block_threads = context->limits->block_threads,
                               .block_bytes = context->limits->block_bytes};
    box.radius_x = cut(box.x, box.width, border), box.radius_y = cut(box.y, box.height, border);
    box.at_once = weft_gpu_separable_radius(box.x, box.y) > 0;
    return box;
}

weft_status weft_gpu_lower_box(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    struct gpu_box_case box = case_of(builder, context);
    int64_t columns = 2 * box.x + 1, rows = 2 * box.y + 1, steps = context->steps ? context->steps : 1;
    if (box.x == 0 && box.y == 0)
        return weft_gpu_pass_add_point(builder, context, error);
    /* The number of pixels is an int, and half of it a remainder; a column's sum fits 32 bits. */
    if (columns * rows > INT32_MAX || rows * steps > UINT32_MAX)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "a box of %lldx%lld pixels is too large for a GPU, which sums at most %d, and %d in a column",
                         (long long)columns, (long long)rows, INT32_MAX, (int)(UINT32_MAX / steps));
    const struct weft_rung *rung = weft_gpu_choose_box(&box);
    weft_gpu_explain(builder, rung->when);
    switch ((enum gpu_box_kernel)rung->choice) {
    case GPU_BOX_MMA:
        return weft_gpu_lower_box_mma(builder, context, (const int64_t[]){box.x, box.y}, error);
    case GPU_BOX_SEPARABLE:
        return weft_gpu_lower_separable(builder, context, error);
    case GPU_BOX_PREFIX:
        return add_prefix(builder, context, &box, error);
    case GPU_BOX_BYTES:
        return add_bytes(builder, context, &box, error);
    case GPU_BOX_VALUES:
        return add_values(builder, context, &box, error);
    case GPU_BOX_LINES:
        break;
    }
    return add_lines(builder, context, &box, error);
}
