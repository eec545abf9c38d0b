/* SPDX-License-Identifier: MIT
 * The ladders of the CPU's kernels: what is chosen in cases that are known by name, and of many cases that a kernel gets only what
 * it can take. */
#include "backend/cpu/choose/box.h"
#include "backend/cpu/choose/convolve.h"
#include "backend/cpu/choose/extremum.h"
#include "backend/cpu/choose/rank.h"
#include "backend/cpu/choose/resample.h"
#include "backend/cpu/choose/stencil.h"
#include "check.h"

static int32_t rank_of(int64_t radius, weft_border border, enum weft_row_type type) {
    return weft_cpu_choose_rank(&(struct cpu_rank_case){radius, border, type, 12})->choice;
}

static void test_rank(void) {
    CHECK(rank_of(2, WEFT_BORDER_SHRINK, WEFT_ROW_F32) == CPU_RANK_NETWORK);
    CHECK(rank_of(3, WEFT_BORDER_MIRROR, WEFT_ROW_U8) == CPU_RANK_BITS);
    CHECK(rank_of(3, WEFT_BORDER_SHRINK, WEFT_ROW_U8) == CPU_RANK_HISTOGRAM); /* fewer values at the edges */
    CHECK(rank_of(13, WEFT_BORDER_MIRROR, WEFT_ROW_U8) == CPU_RANK_HISTOGRAM);
    CHECK(rank_of(13, WEFT_BORDER_MIRROR, WEFT_ROW_U16) == CPU_RANK_BLOCK);
    CHECK(rank_of(32768, WEFT_BORDER_MIRROR, WEFT_ROW_U8) == CPU_RANK_BLOCK); /* counts in 16 bits */
}

static int32_t extremum_of(int64_t x, int64_t y, weft_border border) {
    return weft_cpu_choose_extremum(&(struct cpu_extremum_case){x, y, border})->choice;
}

static void test_extremum(void) {
    CHECK(extremum_of(1, 1, WEFT_BORDER_REPLICATE) == CPU_EXTREMUM_SQUARE);
    CHECK(extremum_of(1, 1, WEFT_BORDER_WRAP) == CPU_EXTREMUM_DIRECT);
    CHECK(extremum_of(100, 2, WEFT_BORDER_REPLICATE) == CPU_EXTREMUM_DIRECT);
    CHECK(extremum_of(0, 3, WEFT_BORDER_REPLICATE) == CPU_EXTREMUM_BLOCKS);
}

static void test_box(void) {
    for (int64_t x = 0; x < 300; x += 13)
        for (int64_t y = 1; y < 20000; y = 2 * y + 1)
            for (int type = 0; type < WEFT_ROW_TYPES; type++) {
                struct cpu_box_case box = {x, y, x, y, (enum weft_row_type)type};
                int32_t kernel = weft_cpu_choose_box(&box)->choice;
                double most = type == WEFT_ROW_U8 ? 255 : 65535, column = (2 * (double)y + 1) * most;
                CHECK((type == WEFT_ROW_F32) == (kernel == CPU_BOX_SEPARABLE || kernel == CPU_BOX_F32));
                CHECK(kernel != CPU_BOX_SEPARABLE || (x <= 8 && y <= 8));
                CHECK(kernel != CPU_BOX_U16 || (type == WEFT_ROW_U8 && column <= 65535));
                CHECK(kernel != CPU_BOX_U32 || column * (2 * (double)x + 1) <= 4294967295.0);
            }
}

static int32_t resample_of(bool ratio, int32_t period, int32_t advance, int32_t taps) {
    return weft_cpu_choose_resample(&(struct cpu_resample_case){ratio, period, advance, 1000, taps})->choice;
}

static void test_resample(void) {
    CHECK(resample_of(true, 16, 1, 4) == CPU_RESAMPLE_GROW);
    CHECK(resample_of(true, 2, 1, 4) == CPU_RESAMPLE_PHASES);
    CHECK(resample_of(true, 1, 17, 40) == CPU_RESAMPLE_DOT); /* too many pixels taken apart for an output */
    CHECK(resample_of(true, 50, 3, 4) == CPU_RESAMPLE_GATHER); /* few outputs of a phase */
    CHECK(resample_of(false, 0, 0, 6) == CPU_RESAMPLE_DOT);
    CHECK(resample_of(false, 0, 0, 2) == CPU_RESAMPLE_GATHER);
}

static int32_t convolve_of(weft_type type, int32_t channels, weft_border border, int32_t radius, bool whole) {
    return weft_cpu_choose_convolve(&(struct cpu_convolve_case){type, channels, border, radius, whole})->choice;
}

static void test_convolve(void) {
    CHECK(convolve_of(WEFT_U8, 3, WEFT_BORDER_MIRROR, 12, true) == CPU_CONVOLVE_FIXED);
    CHECK(convolve_of(WEFT_U8, 3, WEFT_BORDER_MIRROR, 12, false) == CPU_CONVOLVE_F32);
    CHECK(convolve_of(WEFT_U8, 3, WEFT_BORDER_CONSTANT, 12, true) == CPU_CONVOLVE_F32);
    CHECK(convolve_of(WEFT_U16, 1, WEFT_BORDER_MIRROR, 4, false) == CPU_CONVOLVE_U16);
    CHECK(convolve_of(WEFT_U16, 1, WEFT_BORDER_MIRROR, 5, false) == CPU_CONVOLVE_F32);
    CHECK(convolve_of(WEFT_U16, 3, WEFT_BORDER_MIRROR, 4, false) == CPU_CONVOLVE_F32);
    CHECK(convolve_of(WEFT_U16, 1, WEFT_BORDER_SHRINK, 4, false) == CPU_CONVOLVE_F32);
}

static void test_stencil(void) {
    struct cpu_stencil_case s = {.image = true, .type = WEFT_U8, .border = WEFT_BORDER_MIRROR, .sums = true};
    CHECK(weft_cpu_choose_stencil(&s)->choice == CPU_STENCIL_FIXED);
    s.type = WEFT_U16;
    CHECK(weft_cpu_choose_stencil(&s)->choice == CPU_STENCIL_F32);
    s.fits_u16 = true;
    CHECK(weft_cpu_choose_stencil(&s)->choice == CPU_STENCIL_FIXED);
    s.apart = true;
    CHECK(weft_cpu_choose_stencil(&s)->choice == CPU_STENCIL_F32);
    s.apart = false, s.border = WEFT_BORDER_CONSTANT;
    CHECK(weft_cpu_choose_stencil(&s)->choice == CPU_STENCIL_F32);
    s.border = WEFT_BORDER_WRAP, s.type = WEFT_F16;
    CHECK(weft_cpu_choose_stencil(&s)->choice == CPU_STENCIL_F32);
}

int main(void) {
    test_stencil();
    test_convolve();
    test_rank();
    test_extremum();
    test_box();
    test_resample();
    return check_done("choose_cpu");
}
