/* SPDX-License-Identifier: MIT
 * Warps: a step without inputs that reads a whole image anywhere. The body says from where; indices, borders and mixing
 * are done here, a few hundred pixels at a time.
 *
 * Borders whose outside pixels are copies of pixels inside only change indices. With constant and shrink, pixels that read outside
 * are first made like the others, as with replicate, and then once more one by one.
 *
 * A mean over several places is made place by place, and added up. */
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/tiles.h"
#include "backend/cpu/steps/warp/warp.h"
#include "base/memory.h"
#include "base/status.h"
#include "filter/catalog/registry.h"

float weft_warp_around(float from, int64_t size, weft_border border, bool nearest, int64_t *places) {
    double v = !(from > -1e9f) ? -1e9 : from < 1e9f ? (double)from : 1e9;
    double whole = floor(v), share = v - whole;
    if (nearest)
        whole += share >= 0.5, share = 0;
    places[0] = weft_border_map((int64_t)whole, size, border);
    places[1] = share > 0 ? weft_border_map((int64_t)whole + 1, size, border) : places[0];
    return (float)share;
}

void weft_warp_map(const float *from, int64_t size, const struct warp *warp, int32_t (*at)[WEFT_WARP_PIECE], int count) {
    if (warp->border == WEFT_BORDER_REPLICATE || !weft_warp_goes_on(warp->border))
        return;
    for (int i = 0; i < count; i++) {
        int64_t places[2];
        if (from[i] >= 0 && from[i] <= (float)(size - 1))
            continue;
        weft_warp_around(from[i], size, warp->border, warp->nearest, places);
        at[0][i] = (int32_t)places[0], at[1][i] = (int32_t)places[1];
    }
}

/* Pixels whose border does not exist, one by one: the mean over those that count, and its weight by how much that is; 0
 * where none does. */
static void mix_at_border(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                          struct warp_piece *piece, float value, float *const *out) {
    int64_t width = warp->whole.info.width, height = warp->whole.info.height;
    bool constant = warp->border == WEFT_BORDER_CONSTANT;
    for (int i = 0; i < piece->count; i++) {
        int64_t x[2], y[2];
        float right = weft_warp_around(piece->from_x[i], width, warp->border, warp->nearest, x);
        float down = weft_warp_around(piece->from_y[i], height, warp->border, warp->nearest, y);
        if (x[0] >= 0 && x[1] >= 0 && y[0] >= 0 && y[1] >= 0)
            continue;
        float inside_share = 0;
        for (int32_t k = 0; k < pixels->channels; k++) {
            float sum = 0, weights = 0;
            for (int n = 0; n < 4; n++) {
                float weight = (n & 1 ? right : 1 - right) * (n & 2 ? down : 1 - down), pixel = value;
                bool inside = x[n & 1] >= 0 && y[n >> 1] >= 0;
                if (weight <= 0 || !(inside || constant))
                    continue;
                if (inside) {
                    ptrdiff_t offset = weft_pixel_offset(pixels, x[n & 1], y[n >> 1]);
                    lane->kernels->warp_load[pixels->type](pixels->plane[k], &offset, &pixel, 1);
                }
                sum += weight * pixel, weights += weight;
            }
            out[k][i] = weights > 0 ? sum / weights : 0;
            inside_share = weights;
        }
        piece->weight[i] *= inside_share;
    }
}

/* The same for rows of integers, which with nearest pixels need no arithmetic and have no constant. */
static void clear_at_border(const struct warp *warp, const struct warp_piece *piece, enum weft_row_type type, void *out) {
    for (int i = 0; i < piece->count; i++) {
        int64_t x[2], y[2];
        weft_warp_around(piece->from_x[i], warp->whole.info.width, warp->border, true, x);
        weft_warp_around(piece->from_y[i], warp->whole.info.height, warp->border, true, y);
        if (x[0] >= 0 && y[0] >= 0)
            continue;
        if (type == WEFT_ROW_U8)
            ((uint8_t *)out)[i] = 0;
        else
            ((uint16_t *)out)[i] = 0;
    }
}

bool weft_warp_find_pixels(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                           struct warp_piece *p) {
    const struct weft_kernels *kernels = lane->kernels;
    int64_t width = warp->whole.info.width, height = warp->whole.info.height;
    bool outside;
    if (warp->nearest) {
        outside = kernels->warp_nearest(p->from_x, width, p->x[0], p->count);
        outside |= kernels->warp_nearest(p->from_y, height, p->y[0], p->count);
    } else {
        outside = kernels->warp_between(p->from_x, width, p->x[0], p->x[1], p->right, p->count);
        outside |= kernels->warp_between(p->from_y, height, p->y[0], p->y[1], p->down, p->count);
    }
    if (outside) {
        weft_warp_map(p->from_x, width, warp, p->x, p->count);
        weft_warp_map(p->from_y, height, warp, p->y, p->count);
    }
    for (int n = 0; n < (warp->nearest ? 1 : 4); n++)
        weft_pixel_offsets(kernels, pixels, p->x[n & 1], p->y[n >> 1], p->offsets[n], p->count);
    return outside;
}

static void make_pixels(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                        enum weft_row_type type, struct warp_piece *p, bool outside, float value, void *const *out) {
    const struct weft_kernels *kernels = lane->kernels;
    const ptrdiff_t *const offsets[4] = {p->offsets[0], p->offsets[1], p->offsets[2], p->offsets[3]};
    outside = outside && !weft_warp_goes_on(warp->border);
    for (int32_t k = 0; k < pixels->channels; k++) {
        if (type != WEFT_ROW_F32)
            kernels->warp_move[type](pixels->plane[k], offsets[0], out[k], p->count);
        else if (warp->nearest)
            kernels->warp_load[pixels->type](pixels->plane[k], offsets[0], out[k], p->count);
        else
            kernels->warp_mix[pixels->type](pixels->plane[k], offsets, p->right, p->down, out[k], p->count);
        if (outside && type != WEFT_ROW_F32)
            clear_at_border(warp, p, type, out[k]);
    }
    if (outside && type == WEFT_ROW_F32) {
        float *planes[4] = {out[0], out[1], out[2], out[3]};
        mix_at_border(lane, warp, pixels, p, value, planes);
    }
}

void weft_warp_piece_any(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                         enum weft_row_type type, struct warp_piece *piece, float value, void *const *out) {
    if (warp->spread) {
        weft_warp_spread_any(lane, warp, pixels, piece, value, out);
        return;
    }
    bool outside = weft_warp_find_pixels(lane, warp, pixels, piece);
    make_pixels(lane, warp, pixels, type, piece, outside, value, out);
}

void weft_warp_ask_body(const struct step *step, const void *block, struct warp_piece *piece, int64_t x, int64_t y, int32_t k,
                        int32_t places) {
    const struct warp *warp = step->data;
    struct weft_warp_call call = {.block = block,
                                  .from_x = piece->from_x,
                                  .from_y = piece->from_y,
                                  .weight = piece->weight,
                                  .k = k,
                                  .places = places,
                                  .count = piece->count,
                                  .x = x,
                                  .y = y,
                                  .width = step->width,
                                  .height = step->height,
                                  .in_width = warp->whole.info.width,
                                  .in_height = warp->whole.info.height};
    warp->body->warp(&call);
}

/* The mean over all places by their weights, 0 where none counts. */
static void mean_of_places(const struct lane *lane, const struct step *step, const struct pixels *pixels,
                           struct warp_piece *piece, int64_t x, int64_t y, float value, void *const *out) {
    const struct warp *warp = step->data;
    const struct weft_kernels *kernels = lane->kernels;
    const void *block = weft_lane_block(lane, step);
    const weft_image_info *in = &warp->whole.info;
    int32_t places = lane->typed->graph->nodes[step->node].filter->places(block, in->width, in->height);
    float parts[4][WEFT_WARP_PIECE], weights[WEFT_WARP_PIECE] = {0};
    void *const part[4] = {parts[0], parts[1], parts[2], parts[3]};
    if (places == 1 && warp->spread) {
        weft_warp_ask_body(step, block, piece, x, y, 0, 1);
        if (!weft_warp_bytes(lane, warp, pixels, piece, value, out))
            weft_warp_spread_any(lane, warp, pixels, piece, value, out);
        return;
    }
    for (int32_t k = 0; k < step->planes; k++)
        memset(out[k], 0, (size_t)piece->count * sizeof(float));
    for (int32_t n = 0; n < places; n++) {
        weft_warp_ask_body(step, block, piece, x, y, n, places);
        if ((warp->spread || !weft_warp_level(lane, warp, pixels, piece, part)) &&
            !weft_warp_bytes(lane, warp, pixels, piece, value, part))
            weft_warp_piece_any(lane, warp, pixels, WEFT_ROW_F32, piece, value, part);
        for (int32_t k = 0; k < step->planes; k++)
            kernels->warp_add(parts[k], piece->weight, out[k], piece->count);
        kernels->warp_add(NULL, piece->weight, weights, piece->count);
    }
    for (int32_t k = 0; k < step->planes; k++)
        kernels->warp_divide(out[k], weights, piece->count);
}

/* Pixels x .. x + count of row y, to planes[k] + offset. */
static void make_piece(const struct lane *lane, const struct step *step, const struct pixels *pixels, int64_t x,
                       int64_t y, int count, void *const *planes, size_t offset) {
    const struct warp *warp = step->data;
    const void *block = weft_lane_block(lane, step);
    const struct weft_filter *filter = lane->typed->graph->nodes[step->node].filter;
    struct warp_piece piece;
    void *out[4] = {NULL};
    piece.count = count;
    for (int32_t k = 0; k < step->planes; k++)
        out[k] = (unsigned char *)planes[k] + offset * weft_row_type_size(step->type);
    float value = weft_filter_border_value(filter, block);
    if (filter->places) {
        mean_of_places(lane, step, pixels, &piece, x, y, value, out);
        return;
    }
    weft_warp_ask_body(step, block, &piece, x, y, 0, 1);
    if (!weft_warp_bytes(lane, warp, pixels, &piece, value, out))
        weft_warp_piece_any(lane, warp, pixels, step->type, &piece, value, out);
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct warp *warp = step->data;
    struct tiles tiles;
    struct pixels pixels = weft_whole_tiles(lane, &warp->whole, &tiles);
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step);
    if (warp->steep)
        weft_warp_run_steep(lane, step, &pixels, y, out);
    else
        for (int64_t x = first; x < end; x += WEFT_WARP_PIECE)
            make_piece(lane, step, &pixels, x, y, (int)(end - x < WEFT_WARP_PIECE ? end - x : WEFT_WARP_PIECE), out->plane,
                       (size_t)(x - first));
}

static const struct step_kind kind = {.name = "warp", .state_size = weft_warp_steep_state_size, .run = run};

weft_status weft_lower_warp(struct builder *b, int32_t node, const struct whole *whole, int32_t *result,
                            weft_error *error) {
    const struct weft_graph_node *of = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    struct warp *warp = weft_allocate(1, sizeof *warp);
    if (!warp)
        return weft_fail_memory(error, sizeof *warp, "a warp");
    *warp = (struct warp){.whole = *whole,
                          .body = weft_cpu_body(b->bodies, of->filter),
                          .border = weft_filter_border(of->filter, of->block),
                          .spread = of->filter->spread,
                          .nearest = of->filter->info.exact};
    struct step step = {.kind = &kind,
                        .node = node,
                        .data = warp,
                        .whole = &warp->whole,
                        .anywhere = true,
                        .type = WEFT_ROW_F32,
                        .planes = info->format.channels,
                        .width = info->width,
                        .height = info->height,
                        .pad_node = -1};
    weft_type in = whole->info.format.type;
    const struct weft_rung *rung =
        weft_cpu_choose_warp(&(struct cpu_warp_case){.input = whole->input >= 0,
                                                     .type = in,
                                                     .border = warp->border,
                                                     .nearest = warp->nearest,
                                                     .places = of->filter->places != NULL,
                                                     .spread = warp->spread > 0,
                                                     .steep = warp->nearest && weft_warp_is_steep(&step, of->block)});
    warp->kernel = (enum cpu_warp_kernel)rung->choice;
    step.why = rung->when;
    if (warp->kernel == CPU_WARP_STEEP)
        warp->steep = weft_type_size(in);
    /* Integers stay what they are when they are only moved. */
    if (warp->kernel == CPU_WARP_STEEP || warp->kernel == CPU_WARP_MOVE)
        step.type = weft_integer_row(in);
    return weft_stage_add(b, &step, result, error);
}
