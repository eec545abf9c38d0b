/* SPDX-License-Identifier: MIT
 * The ladder of kernels of resamplings: pixels that are only moved; bytes by tensor cores; whole numbers; halving and doubling;
 * outputs in order, down the image; an axis at a time. */
#include "backend/gpu/choose/resample.h"

#define MANY_WEIGHTS 64
#define THREADS_OF_MULTIPROCESSOR 2048
static bool are_few(int64_t outputs, int32_t weights, int32_t multiprocessors) {
    return weights >= MANY_WEIGHTS && outputs <= (int64_t)multiprocessors * THREADS_OF_MULTIPROCESSOR;
}
#define SHARES 8
bool weft_gpu_shares_sums(int64_t outputs, int32_t weights, int32_t multiprocessors) {
    return are_few(SHARES * outputs, weights, multiprocessors);
}

static bool fits_nothing(const void *facts) {
    const struct gpu_resample_case *r = facts;
    return r->identity_x && r->identity_y;
}
static bool fits_move(const void *facts) { return ((const struct gpu_resample_case *)facts)->moves; }
static bool fits_bytes(const void *facts) { return ((const struct gpu_resample_case *)facts)->byte_parts > 0; }
static bool fits_multirate(const void *facts) { return ((const struct gpu_resample_case *)facts)->multirate; }
static bool fits_halve(const void *facts) { return ((const struct gpu_resample_case *)facts)->halving > 0; }
static bool fits_double(const void *facts) { return ((const struct gpu_resample_case *)facts)->doubling > 0; }
static bool fits_down(const void *facts) { return ((const struct gpu_resample_case *)facts)->down > 0; }
static bool fits_up(const void *facts) { return ((const struct gpu_resample_case *)facts)->up > 0; }
static bool fits_line(const void *facts) {
    const struct gpu_resample_case *r = facts;
    return r->identity_x || r->identity_y;
}

static const struct weft_rung rungs[] = {
    {GPU_RESAMPLE_NOTHING, "point", "the size stays", fits_nothing},
    {GPU_RESAMPLE_MOVE, "move", "pixels are only moved", fits_move},
    {GPU_RESAMPLE_BYTES, "resample_bytes", "bytes as stored, up to 12 weights, by int8 tensor cores", fits_bytes},
    {GPU_RESAMPLE_MULTIRATE, "interpolate, decimate", "by whole numbers", fits_multirate},
    {GPU_RESAMPLE_HALVE, "halve", "both axes halved, 1 or 4 channels, weights alike", fits_halve},
    {GPU_RESAMPLE_DOUBLE, "doubling", "both axes doubled, 1 or 4 channels, weights alike", fits_double},
    {GPU_RESAMPLE_DOWN, "resample_down", "outputs in order, a row reaches 6 of them at most: both axes down the image", fits_down},
    {GPU_RESAMPLE_UP, "resample_up", "outputs in order, 2 to 6 weights: both axes down the image", fits_up},
    {GPU_RESAMPLE_LINE, "weigh_line, weigh_share", "along one axis alone", fits_line},
    {GPU_RESAMPLE_LINES, "weigh_line, weigh_share", "all else, axis by axis", weft_always_fits},
};

const struct weft_rung *weft_gpu_choose_resample(const struct gpu_resample_case *resample) {
    return weft_first_that_fits(rungs, resample);
}
