/* SPDX-License-Identifier: MIT
 * The ladder of kernels of medians: small squares by sorting networks, in registers. For bytes, larger squares go by bits, still
 * larger ones by digits, and the largest by histograms. All others are found by search. */
#include "backend/gpu/choose/rank.h"
#include "kernels/gpu/rank/rank_digits.h"
#include "kernels/gpu/tile/tile.h"

#define NETWORK_RADIUS 2
#define PLANES_RADIUS 7

/* Four pixels each, a round for each bit that decides, each channel by itself. */
double weft_gpu_rank_search_iterations(const struct gpu_rank_case *rank) {
    double side = 2.0 * rank->radius + 1, rounds = rank->steps == 255 ? 8 : rank->steps == 65535 ? 16 : 32;
    return rounds * rank->channels * (side * side / 4 + side);
}

/* Iterations of loops of a thread where every digit occurs: rows before the first, and for each group of rows a
 * row's segments and its own rows. */
static double iterations_of_digits(const struct gpu_rank_case *rank, int32_t chunk) {
    int32_t radius = rank->radius;
    double group = RANK_DIGITS_GROUP, begin = (2 * radius + 1) / group + 8 * group;
    double step = RANK_DIGITS_COLUMNS(radius) / 8 + 2 * group * RANK_DIGITS_PARTS(radius) + 40;
    return 17 * rank->channels * (begin + chunk / group * step) + chunk;
}

/* The more rows, the fewer places are counted before the first one, and the more digits occur among the medians of a block. */
#define CHUNK_LEAST 16
int32_t weft_gpu_rank_digits_chunk(const struct gpu_rank_case *rank) {
    int32_t chunk = rank->radius > 31 ? RANK_DIGITS_CHUNK : RANK_DIGITS_CHUNK / 2, limit = rank->loop_iterations;
    while (limit > 0 && chunk > CHUNK_LEAST && iterations_of_digits(rank, chunk) > limit)
        chunk /= 2;
    return chunk;
}

/* What counts is whole numbers from 0 to 255, the border's value too. */
static bool is_of_bytes(const struct gpu_rank_case *rank) { return rank->steps == 255 && rank->border_is_byte; }

/* Networks take as many numbers as a square has places. */
static bool fits_network_bytes(const void *facts) {
    const struct gpu_rank_case *rank = facts;
    return rank->radius <= NETWORK_RADIUS && is_of_bytes(rank) && rank->direct_bytes && rank->channels != 2 &&
           rank->border != WEFT_BORDER_SHRINK;
}
static bool fits_registers(const void *facts) {
    const struct gpu_rank_case *rank = facts;
    return rank->radius == 1 && rank->fits_registers && rank->border != WEFT_BORDER_SHRINK;
}
static bool fits_network(const void *facts) { return ((const struct gpu_rank_case *)facts)->radius <= NETWORK_RADIUS; }
static bool fits_digits(const void *facts) {
    const struct gpu_rank_case *rank = facts;
    if (RANK_DIGITS_COLUMNS(rank->radius) > 256 && rank->block_bytes < RANK_DIGITS_WIDE_BYTES)
        return false;
    return is_of_bytes(rank) && rank->radius <= RANK_DIGITS_RADIUS &&
           (rank->loop_iterations == 0 || iterations_of_digits(rank, CHUNK_LEAST) <= rank->loop_iterations);
}
/* A thread has as many numbers as a square has places, up to the radius from which digits are faster, or where the device does
 * not take those. */
static bool fits_planes(const void *facts) {
    const struct gpu_rank_case *rank = facts;
    int32_t faster = rank->channels > 1 ? 6 : PLANES_RADIUS;
    return rank->radius <= PLANES_RADIUS && is_of_bytes(rank) && (rank->radius <= faster || !fits_digits(rank));
}
/* Where tables of counts are faster, or a device stops searches that long. A search of a square that its tile holds is quick;
 * another goes through its pixels again for each of about ROUNDS rounds, but through no more than the image has. */
#define ROUNDS 10
static bool fits_bins(const void *facts) {
    const struct gpu_rank_case *rank = facts;
    double side = 2.0 * rank->radius + 1, width = (double)rank->width, height = (double)rank->height;
    double search = ROUNDS * (side < width ? side : width) * (side < height ? side : height);
    bool fits = (TILE_COLUMNS + side - 1) * (TILE_THREAD_ROWS + side - 1) <= RANK_NUMBERS;
    bool stopped = rank->loop_iterations > 0 && weft_gpu_rank_search_iterations(rank) > rank->loop_iterations;
    return rank->steps == 255 && (stopped || (!fits && 2 * side + side * side / height < search));
}

static const struct weft_rung rungs[] = {
    {GPU_RANK_NETWORK_BYTES, "rank_network_bytes", "bytes as stored, radius 1 and 2", fits_network_bytes},
    {GPU_RANK_REGISTERS, "rank_registers", "f32 as stored, radius 1", fits_registers},
    {GPU_RANK_NETWORK, "rank_network", "radius 1 and 2: a network", fits_network},
    {GPU_RANK_PLANES, "rank_planes", "values of bytes, radius to 7: bit by bit", fits_planes},
    {GPU_RANK_DIGITS, "rank_pad, rank_digits", "values of bytes, radius to 127: digit by digit", fits_digits},
    {GPU_RANK_BINS, "rank_bins", "values of bytes, squares that a search would take long for: tables of counts", fits_bins},
    {GPU_RANK_SEARCH, "rank", "all else: a search", weft_always_fits},
};

const struct weft_rung *weft_gpu_choose_rank(const struct gpu_rank_case *rank) { return weft_first_that_fits(rungs, rank); }
