/* SPDX-License-Identifier: MIT
 * The ladders of GPU kernels: what is chosen in cases that are known by name, and of all cases that a kernel gets only what it can
 * take. */
#include <stddef.h>
#include "backend/gpu/choose/box.h"
#include "backend/gpu/choose/extremum.h"
#include "backend/gpu/choose/rank.h"
#include "backend/gpu/choose/window.h"
#include "check.h"
#include "kernels/gpu/window/squares.h"

/* A box of bytes as they lie of an image of 1920x1080, border replicate, on a device without tensor cores. */
static struct gpu_box_case bytes_of(int32_t channels, int32_t radius) {
    return (struct gpu_box_case){.x = radius,
                                 .y = radius,
                                 .radius_x = radius,
                                 .radius_y = radius,
                                 .width = 1920,
                                 .height = 1080,
                                 .channels = channels,
                                 .steps = 255,
                                 .direct_bytes = true,
                                 .border = WEFT_BORDER_REPLICATE,
                                 .border_is_byte = true,
                                 .border_rounds = true,
                                 .at_once = radius <= 8,
                                 .block_threads = 1024,
                                 .block_bytes = 49152};
}
static struct gpu_box_case floats_of(int32_t channels, int32_t radius) {
    struct gpu_box_case box = bytes_of(channels, radius);
    box.steps = 0, box.direct_bytes = false, box.direct_floats = true;
    return box;
}

static void test_known_boxes(void) {
    struct gpu_box_case box = bytes_of(1, 3);
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_SEPARABLE);
    box.has_mma_bytes = true;
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_MMA);
    box.channels = 3; /* as they lie in memory */
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_BYTES);
    box.channels = 4, box.border = WEFT_BORDER_SHRINK; /* means of fewer pixels */
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_BYTES);
    box = bytes_of(1, 3), box.rounds_down = true;
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_BYTES);
    box = bytes_of(1, 12);
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_BYTES);
    box = bytes_of(1, 64);
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_PREFIX);
    box = bytes_of(1, 3), box.direct_bytes = false; /* something else is done on the way */
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_LINES);
    box = bytes_of(1, 1), box.steps = 65535, box.direct_bytes = false;
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_SEPARABLE);
    box.border = WEFT_BORDER_CONSTANT;
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_LINES);
    box = floats_of(4, 2);
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_SEPARABLE);
    box = floats_of(4, 32);
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_VALUES);
    box.block_threads = 256;
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_LINES);
    box.block_threads = 1024, box.block_bytes = 32768;
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_LINES);
    box = floats_of(2, 32);
    CHECK(weft_gpu_choose_box(&box)->choice == GPU_BOX_LINES);
}

static void test_box(const struct gpu_box_case *box) {
    const struct weft_rung *rung = weft_gpu_choose_box(box);
    enum gpu_box_kernel kernel = (enum gpu_box_kernel)rung->choice;
    bool bytes = kernel == GPU_BOX_MMA || kernel == GPU_BOX_PREFIX || kernel == GPU_BOX_BYTES;
    bool right = rung->fits(box) && (!bytes || (box->steps == 255 && box->direct_bytes));
    right = right && (kernel != GPU_BOX_MMA || box->has_mma_bytes);
    right = right && (kernel != GPU_BOX_VALUES || (box->steps == 0 && box->direct_floats));
    right = right && (kernel != GPU_BOX_SEPARABLE || !box->rounds_down || box->steps == 0);
    if (!CHECK(right))
        fprintf(stderr, "radius %d, channels %d, steps %d, border %d\n", (int)box->x, (int)box->channels, (int)box->steps,
                (int)box->border);
}

static void test_boxes(void) {
    static const int32_t radii[] = {1, 2, 4, 8, 23, 24, 64, 128, 129, 400, 2000}, steps[] = {0, 255, 65535};
    for (size_t r = 0; r < sizeof radii / sizeof *radii; r++)
        for (int32_t channels = 1; channels <= 4; channels++)
            for (size_t s = 0; s < 3; s++)
                for (int32_t border = 0; border <= WEFT_BORDER_SHRINK; border++)
                    for (int32_t bits = 0; bits < 16; bits++) {
                        struct gpu_box_case box = bytes_of(channels, radii[r]);
                        box.steps = steps[s], box.border = (weft_border)border;
                        box.direct_bytes = steps[s] == 255 && (bits & 1), box.direct_floats = steps[s] == 0 && (bits & 1);
                        box.has_mma_bytes = bits & 2, box.rounds_down = bits & 4, box.border_is_byte = bits & 8;
                        test_box(&box);
                    }
}

/* A median of an image of 1920x1080, border replicate, of bytes as they lie. */
static struct gpu_rank_case median_of(int32_t channels, int32_t radius) {
    return (struct gpu_rank_case){.radius = radius,
                                  .width = 1920,
                                  .height = 1080,
                                  .channels = channels,
                                  .steps = 255,
                                  .direct_bytes = true,
                                  .border = WEFT_BORDER_REPLICATE,
                                  .border_is_byte = true,
                                  .block_bytes = 49152};
}

static void test_known_medians(void) {
    struct gpu_rank_case rank = median_of(3, 1);
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_NETWORK_BYTES);
    rank.border = WEFT_BORDER_SHRINK; /* of fewer pixels */
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_NETWORK);
    rank = median_of(3, 6);
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_PLANES);
    rank.radius = 7;
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_DIGITS);
    rank.channels = 1;
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_PLANES);
    rank = median_of(1, 64);
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_DIGITS);
    rank.block_bytes = 32768; /* too little for blocks of 512 columns */
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_BINS);
    rank = median_of(1, 200);
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_BINS);
    rank = median_of(1, 1), rank.steps = 0, rank.direct_bytes = false, rank.fits_registers = true;
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_REGISTERS);
    rank.radius = 3;
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_SEARCH);
    rank = median_of(4, 100), rank.loop_iterations = 20000; /* a device that stops long threads */
    CHECK(weft_gpu_choose_rank(&rank)->choice == GPU_RANK_BINS);
}

static void test_medians(void) {
    static const int32_t steps[] = {0, 255, 65535};
    for (int32_t radius = 1; radius < 300; radius += radius < 10 ? 1 : 29)
        for (int32_t channels = 1; channels <= 4; channels++)
            for (size_t s = 0; s < 3; s++)
                for (int32_t bits = 0; bits < 16; bits++) {
                    struct gpu_rank_case rank = median_of(channels, radius);
                    rank.steps = steps[s], rank.direct_bytes = steps[s] == 255 && (bits & 1);
                    rank.fits_registers = steps[s] == 0 && (bits & 1), rank.border_is_byte = bits & 2;
                    rank.border = bits & 4 ? WEFT_BORDER_SHRINK : WEFT_BORDER_MIRROR;
                    rank.loop_iterations = bits & 8 ? 20000 : 0;
                    enum gpu_rank_kernel kernel = (enum gpu_rank_kernel)weft_gpu_choose_rank(&rank)->choice;
                    bool bytes = kernel == GPU_RANK_NETWORK_BYTES || kernel == GPU_RANK_PLANES || kernel == GPU_RANK_DIGITS;
                    CHECK(!bytes || (rank.steps == 255 && rank.border_is_byte));
                    CHECK(kernel != GPU_RANK_BINS || rank.steps == 255);
                    CHECK(radius > 2 || kernel <= GPU_RANK_NETWORK);
                    CHECK(kernel != GPU_RANK_PLANES || radius <= 7);
                    int32_t chunk = weft_gpu_rank_digits_chunk(&rank);
                    CHECK(chunk >= 16 && chunk % 4 == 0);
                }
}

static void test_extrema(void) {
    struct gpu_extremum_case bytes = {.x = 2, .y = 2, .channels = 4, .direct_bytes = true, .border_is_byte = true};
    CHECK(weft_gpu_choose_extremum(&bytes)->choice == GPU_EXTREMUM_SMALL);
    bytes.channels = 3;
    CHECK(weft_gpu_choose_extremum(&bytes)->choice == GPU_EXTREMUM_BYTES);
    bytes.few_registers = true;
    CHECK(weft_gpu_choose_extremum(&bytes)->choice == GPU_EXTREMUM_SMALL);
    bytes.y = 1;
    CHECK(weft_gpu_choose_extremum(&bytes)->choice == GPU_EXTREMUM_BYTES);
    bytes.y = 40;
    CHECK(weft_gpu_choose_extremum(&bytes)->choice == GPU_EXTREMUM_WALK_BYTES);
    bytes.y = 65;
    CHECK(weft_gpu_choose_extremum(&bytes)->choice == GPU_EXTREMUM_LINES);
    bytes.x = bytes.y = 3, bytes.border_is_byte = false;
    CHECK(weft_gpu_choose_extremum(&bytes)->choice == GPU_EXTREMUM_TILE);
    bytes.x = 0; /* along one axis */
    CHECK(weft_gpu_choose_extremum(&bytes)->choice == GPU_EXTREMUM_LINES);
    struct gpu_extremum_case values = {.x = 1, .y = 1, .channels = 4, .direct_f32 = true, .fits_registers = true};
    CHECK(weft_gpu_choose_extremum(&values)->choice == GPU_EXTREMUM_VALUES);
    values.few_registers = true;
    CHECK(weft_gpu_choose_extremum(&values)->choice == GPU_EXTREMUM_REGISTERS);
    values.x = 2;
    CHECK(weft_gpu_choose_extremum(&values)->choice == GPU_EXTREMUM_VALUES);
    values.y = 30;
    CHECK(weft_gpu_choose_extremum(&values)->choice == GPU_EXTREMUM_WALK_VALUES);
    values.x = 60; /* too few are made of what a block reads */
    CHECK(weft_gpu_choose_extremum(&values)->choice == GPU_EXTREMUM_TILE);
}

/* Wide blocks wherever their sums fit, never where they do not: Vulkan promises 16 KB, some devices have 32. */
static void test_squares(void) {
    CHECK(weft_gpu_squares_threads(1024, 49152) == SQUARES_WIDE_THREADS);
    CHECK(weft_gpu_squares_threads(1024, 32768) == SQUARES_THREADS);
    CHECK(weft_gpu_squares_threads(192, 49152) == SQUARES_THREADS);
    for (int32_t bytes = 32768; bytes <= 65536; bytes += 64)
        CHECK(SQUARES_BYTES(weft_gpu_squares_threads(256, bytes)) <= bytes);
}

int main(void) {
    test_known_boxes();
    test_boxes();
    test_known_medians();
    test_medians();
    test_extrema();
    test_squares();
    return check_done("choose");
}
