/* SPDX-License-Identifier: MIT
 * Medians: small squares by networks, others by search; of bytes by bits, and large ones by tables of counts. */
#include "backend/gpu/pass.h"
#include "base/status.h"
#include "kernels/gpu/rank_planes.h"
#include "kernels/gpu/tile.h"

#define NETWORK_RADIUS 2
#define PLANES_RADIUS 7
#define RADIUS_LIMIT 16383 /* squares of it are counted in an int */

/* The radius beyond which nothing changes, which with shrink is the image's longer side. */
static int32_t radius_of(const struct gpu_site *site) {
    int32_t radius = site->filter->reach(site->block, WEFT_X);
    int64_t longest = site->in.width > site->in.height ? site->in.width : site->in.height;
    bool shrink = weft_filter_border(site->filter, site->block) == WEFT_BORDER_SHRINK;
    return shrink && radius > longest - 1 ? (int32_t)(longest - 1) : radius;
}

/* True where tables of counts are faster. A search of a square that its tile holds is quick; another goes through its
 * pixels again for each of about ROUNDS rounds, but through no more than the image has. */
#define ROUNDS 10
static bool is_for_bins(const struct gpu_site *site, int32_t radius) {
    double side = 2.0 * radius + 1, width = (double)site->in.width, height = (double)site->in.height;
    double search = ROUNDS * (side < width ? side : width) * (side < height ? side : height);
    bool fits = (TILE_COLUMNS + side - 1) * (TILE_THREAD_ROWS + side - 1) <= RANK_NUMBERS;
    return site->steps == 255 && !fits && 2 * side + side * side / height < search;
}

static weft_status add_network(struct gpu_builder *builder, const struct gpu_site *site, int32_t radius,
                               struct gpu_pass **pass, weft_error *error) {
    weft_status status = weft_gpu_pass_add(builder, site, NULL, "rank_few", &radius, 1, pass, error);
    if (status == WEFT_OK) {
        (*pass)->tile_width = TILE_COLUMNS;
        (*pass)->tile_height = TILE_ROWS(site->in.format.channels);
    }
    return status;
}

/* True where medians go by bits: what counts is whole numbers from 0 to 255, the border's value too. */
static bool is_for_planes(const struct gpu_site *site, int32_t radius) {
    float value = weft_filter_border_value(site->filter, site->block) * 255.0f;
    bool whole = value >= 0 && value <= 255 && value == (float)(int32_t)value;
    bool constant = weft_filter_border(site->filter, site->block) == WEFT_BORDER_CONSTANT;
    return site->steps == 255 && radius <= PLANES_RADIUS && (whole || !constant);
}

static weft_status add_planes(struct gpu_builder *builder, const struct gpu_site *site, int32_t radius,
                              struct gpu_pass **pass, weft_error *error) {
    weft_status status = weft_gpu_pass_add(builder, site, NULL, "rank_planes", &radius, 1, pass, error);
    if (status == WEFT_OK) {
        (*pass)->tile_width = RANK_PLANES_COLUMNS;
        (*pass)->tile_height = 4 * RANK_PLANES_ROWS(radius);
    }
    return status;
}

static weft_status add_bins(struct gpu_builder *builder, const struct gpu_site *site, struct gpu_pass **pass,
                            weft_error *error) {
    weft_status status = weft_gpu_pass_add(builder, site, NULL, "rank_bins", NULL, 0, pass, error);
    if (status == WEFT_OK) {
        (*pass)->tile_width = (*pass)->tile_height = 1;
        (*pass)->walks = true;
    }
    return status;
}

static weft_status add_search(struct gpu_builder *builder, const struct gpu_site *site, int32_t radius,
                              struct gpu_pass **pass, weft_error *error) {
    weft_status status = weft_gpu_pass_add(builder, site, NULL, "rank", NULL, 0, pass, error);
    if (status == WEFT_OK) {
        (*pass)->launch.number[0] = 2 * radius + 1 > site->in.width;
        (*pass)->launch.number[1] = 2 * radius + 1 > site->in.height;
        if ((*pass)->launch.number[1])
            (*pass)->need = GPU_NEED_WHOLE;
        /* Four pixels a turn, a round for each bit that decides, each channel by itself. */
        double side = 2.0 * radius + 1, rounds = site->steps == 255 ? 8 : site->steps == 65535 ? 16 : 32;
        (*pass)->turns = rounds * site->in.format.channels * (side * side / 4 + side);
    }
    return status;
}

weft_status weft_gpu_lower_rank(struct gpu_builder *builder, const struct gpu_site *site, weft_error *error) {
    int32_t radius = radius_of(site);
    struct gpu_pass *pass;
    weft_status status;
    if (site->filter->reach(site->block, WEFT_Y) != site->filter->reach(site->block, WEFT_X))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a median is taken over a square");
    if (radius > RADIUS_LIMIT)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a median of radius %d is more than the %d that GPUs can do",
                         (int)radius, RADIUS_LIMIT);
    if (radius == 0)
        return weft_gpu_pass_add_point(builder, site, error);
    if (radius <= NETWORK_RADIUS)
        status = add_network(builder, site, radius, &pass, error);
    else if (is_for_planes(site, radius))
        status = add_planes(builder, site, radius, &pass, error);
    else if (is_for_bins(site, radius))
        status = add_bins(builder, site, &pass, error);
    else
        status = add_search(builder, site, radius, &pass, error);
    if (status == WEFT_OK) {
        pass->launch.radius_x = pass->launch.radius_y = radius;
        pass->reach = radius;
    }
    return status;
}
