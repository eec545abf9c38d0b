/* SPDX-License-Identifier: MIT
 * The ladder of box kernels: of bytes by tensor cores, by products of floats, by prefix sums or by running sums of columns; of
 * floats by products or by sums of cells; else by sums of columns and of lines, which take any box. */
#include "backend/gpu/choose/box.h"
#include "kernels/gpu/box/box_bytes.h"
#include "kernels/gpu/box/box_prefix_sizes.h"
#include "kernels/gpu/box/box_values.h"
#include "kernels/gpu/convolve/convolve_bytes.h"

/* Boxes of bytes up to this radius take less time as products of floats, where the API has no int8 matrices. */
#define WEIGHED_RADIUS(channels) ((channels) == 4 ? 5 : (channels) == 1 ? 4 : 2)

static int64_t window_of(const struct gpu_box_case *box) { return (2 * box->x + 1) * (2 * box->y + 1); }

int32_t weft_gpu_box_bytes_beside(int32_t radius, int32_t channels) { return (radius * channels + 7) / 8 * 8; }
int32_t weft_gpu_box_bytes_made(int32_t beside, int32_t channels) {
    int32_t unit = channels == 3 ? 48 : 16;
    return (BOX_BYTES_COLUMNS - 2 * beside) / unit * unit;
}

int32_t weft_gpu_box_prefix_beside(const struct gpu_box_case *box) {
    int32_t channels = box->channels;
    return (box->radius_x * channels + channels + BOX_PREFIX_BYTES - 1) / BOX_PREFIX_BYTES * BOX_PREFIX_BYTES;
}
int32_t weft_gpu_box_prefix_made(const struct gpu_box_case *box, int32_t threads) {
    int32_t unit = box->channels == 3 ? 3 * BOX_PREFIX_BYTES : BOX_PREFIX_BYTES;
    return (BOX_PREFIX_COLUMNS(threads) - 2 * weft_gpu_box_prefix_beside(box)) / unit * unit;
}
/* A wide block where the others would read more than a fifth more, as it takes longer by some tenths. */
int32_t weft_gpu_box_prefix_threads(const struct gpu_box_case *box) {
    int32_t few = BOX_PREFIX_THREADS, many = BOX_PREFIX_WIDE_THREADS;
    int64_t bytes = box->width * box->channels, made = weft_gpu_box_prefix_made(box, few);
    int64_t made_wide = weft_gpu_box_prefix_made(box, many);
    if (box->block_threads < many || made_wide <= 0)
        return few;
    if (made < BOX_PREFIX_COLUMNS(few) / 4)
        return many;
    int64_t reads = (bytes + made - 1) / made * few, reads_wide = (bytes + made_wide - 1) / made_wide * many;
    return 5 * reads > 6 * reads_wide ? many : few;
}

int32_t weft_gpu_box_rows_before(int32_t radius) { return (2 * radius + BOX_CELL) / BOX_CELL * BOX_CELL - radius - 1; }
int32_t weft_gpu_box_rows_made(int32_t radius) {
    int32_t made = BOX_ROWS_COLUMNS - weft_gpu_box_rows_before(radius) - radius - 1, most = BOX_ROWS_THREADS / 4 * BOX_CELL;
    return made < most ? made : most;
}

/* Bytes as stored, with a border value that is a byte too. */
static bool is_of_bytes(const struct gpu_box_case *box) {
    bool whole = box->radius_x == box->x && box->radius_y == box->y;
    return box->steps == 255 && box->direct_bytes && (box->border != WEFT_BORDER_CONSTANT || (box->border_rounds && whole));
}
/* Tensor cores gain nothing for three channels, nor for four with large windows: there the kernels below, which add up bytes as
 * stored, take less time or as much. */
static bool fits_mma(const void *facts) {
    const struct gpu_box_case *box = facts;
    int32_t reach = box->channels == 4 ? CONVOLVE_BYTES_REACH(3) : CONVOLVE_BYTES_REACH(5);
    return is_of_bytes(box) && box->has_mma_bytes && (box->channels == 1 || box->channels == 4) && box->border_is_byte &&
           box->border != WEFT_BORDER_SHRINK && box->x <= reach && box->y <= reach;
}
/* Means of so few pixels are further from halves than sums of products of floats are off. */
static bool fits_few_bytes(const void *facts) {
    const struct gpu_box_case *box = facts;
    int32_t most = WEIGHED_RADIUS(box->channels);
    return is_of_bytes(box) && box->x > 0 && box->x <= most && box->y > 0 && box->y <= most && box->at_once &&
           !box->has_mma_bytes && box->border_is_byte && box->border != WEFT_BORDER_SHRINK && !box->rounds_down;
}
static bool fits_prefix(const void *facts) {
    const struct gpu_box_case *box = facts;
    int32_t threads = weft_gpu_box_prefix_threads(box);
    return is_of_bytes(box) && box->border != WEFT_BORDER_SHRINK && window_of(box) >= BOX_PREFIX_LEAST &&
           window_of(box) <= BOX_PREFIX_LARGEST && box->radius_x < BOX_PREFIX_COLUMNS(threads) &&
           weft_gpu_box_prefix_made(box, threads) >= BOX_PREFIX_COLUMNS(threads) / 4 &&
           (box->radius_x >= BOX_BYTES_BY_CELLS || box->radius_y >= BOX_BYTES_BY_CELLS);
}
static bool fits_bytes(const void *facts) {
    const struct gpu_box_case *box = facts;
    int32_t beside = weft_gpu_box_bytes_beside(box->radius_x, box->channels);
    return is_of_bytes(box) && window_of(box) <= BOX_BYTES_LARGEST && box->radius_y <= BOX_BYTES_RADIUS_Y &&
           weft_gpu_box_bytes_made(beside, box->channels) >= BOX_BYTES_COLUMNS / 2;
}
/* For floats, a sum of products is as accurate as a running sum that loses no bits, and faster. For 3 x 3 means of 16 bits, it
 * rounds to the right value: a mean of nine values is at least 1/18 of a step away from a half, and the six roundings of a sum
 * of up to 1 add an error of at most 6 / 2^24, which is 0.024 steps. */
static bool fits_products(const void *facts) {
    const struct gpu_box_case *box = facts;
    if (box->steps == 0)
        return box->at_once;
    return box->steps == 65535 && box->x == 1 && box->y == 1 && box->border != WEFT_BORDER_CONSTANT &&
           box->border != WEFT_BORDER_SHRINK && !box->rounds_down;
}
/* Floats as stored, with windows that are no higher than the image. */
static bool fits_values(const void *facts) {
    const struct gpu_box_case *box = facts;
    return box->steps == 0 && box->direct_floats && box->channels != 2 && box->radius_x == box->x && box->radius_y == box->y &&
           box->radius_x >= BOX_LEAST_RADIUS && box->radius_y >= BOX_LEAST_RADIUS && box->y < box->height &&
           weft_gpu_box_rows_made(box->radius_x) >= BOX_ROWS_COLUMNS / 3 && box->block_threads >= BOX_ROWS_THREADS &&
           box->block_bytes >= BOX_ROWS_BYTES;
}

static const struct weft_rung rungs[] = {
    {GPU_BOX_MMA, "convolve_bytes", "bytes of 1 or 4 channels, up to the reach of int8 tensor cores", fits_mma},
    {GPU_BOX_SEPARABLE, "separable", "bytes, small radii (to 4, 2, 2, 5 for 1 to 4 channels), where no int8 matrix kernel is",
     fits_few_bytes},
    {GPU_BOX_PREFIX, "box_pieces, box_prefix", "bytes, a radius of 24 and more", fits_prefix},
    {GPU_BOX_BYTES, "box_bytes", "bytes, windows that are small beside a block", fits_bytes},
    {GPU_BOX_SEPARABLE, "separable", "floats of small radii, 3 x 3 of 16 bits", fits_products},
    {GPU_BOX_VALUES, "box_rows, box_columns", "f16 and f32 as stored", fits_values},
    {GPU_BOX_LINES, "box_down, box_along", "all else", weft_always_fits},
};

const struct weft_rung *weft_gpu_choose_box(const struct gpu_box_case *box) { return weft_first_that_fits(rungs, box); }
