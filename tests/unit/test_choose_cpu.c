/* SPDX-License-Identifier: MIT
 * The ladders of the CPU's kernels: what is chosen in cases that are known by name, and of many cases that a kernel gets only what
 * it can take. */
#include "backend/cpu/choose/box.h"
#include "backend/cpu/choose/convolve.h"
#include "backend/cpu/choose/extremum.h"
#include "backend/cpu/choose/lookup.h"
#include "backend/cpu/choose/multirate.h"
#include "backend/cpu/choose/point.h"
#include "backend/cpu/choose/rank.h"
#include "backend/cpu/choose/resample.h"
#include "backend/cpu/choose/stencil.h"
#include "backend/cpu/choose/warp.h"
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

static int32_t convolve_of(struct cpu_convolve_case c) { return weft_cpu_choose_convolve(&c)->choice; }

static void test_convolve(void) {
    struct cpu_convolve_case c = {.type = WEFT_U8, .channels = 3, .border = WEFT_BORDER_MIRROR, .radius_y = 12,
                                  .image = true, .has_fixed = true, .whole = true, .near = true};
    struct cpu_convolve_case other = c;
    CHECK(convolve_of(c) == CPU_CONVOLVE_FIXED);
    other.whole = false;
    CHECK(convolve_of(other) == CPU_CONVOLVE_F32_FOUR);
    other = c, other.border = WEFT_BORDER_CONSTANT;
    CHECK(convolve_of(other) == CPU_CONVOLVE_F32_FOUR);
    other = c, other.has_fixed = false;
    CHECK(convolve_of(other) == CPU_CONVOLVE_F32_FOUR);
    other = c, other.image = other.near = false; /* rows that other steps make */
    CHECK(convolve_of(other) == CPU_CONVOLVE_F32);
    other = c, other.type = WEFT_F32, other.radius_y = 0;
    CHECK(convolve_of(other) == CPU_CONVOLVE_F32);
    struct cpu_convolve_case u16 = {.type = WEFT_U16, .channels = 1, .border = WEFT_BORDER_MIRROR, .radius_y = 4, .near = true};
    CHECK(convolve_of(u16) == CPU_CONVOLVE_U16);
    u16.near = false;
    CHECK(convolve_of(u16) == CPU_CONVOLVE_U16);
    other = u16, other.radius_y = 5;
    CHECK(convolve_of(other) == CPU_CONVOLVE_F32);
    other = u16, other.channels = 3;
    CHECK(convolve_of(other) == CPU_CONVOLVE_F32);
    other = u16, other.border = WEFT_BORDER_SHRINK;
    CHECK(convolve_of(other) == CPU_CONVOLVE_F32);
    for (int bits = 0; bits < 16; bits++) /* a kernel gets only what it can take */
        for (int type = WEFT_U8; type <= WEFT_F32; type++)
            for (int border = WEFT_BORDER_REPLICATE; border <= WEFT_BORDER_SHRINK; border++)
                for (int32_t radius = 0; radius < 8; radius++) {
                    c = (struct cpu_convolve_case){(weft_type)type, 1, (weft_border)border, radius, bits & 1, bits & 2, bits & 4,
                                                   bits & 8};
                    bool repeats = border != WEFT_BORDER_CONSTANT && border != WEFT_BORDER_SHRINK;
                    int32_t choice = convolve_of(c);
                    CHECK(choice != CPU_CONVOLVE_FIXED || ((bits & 7) == 7 && type == WEFT_U8 && repeats));
                    CHECK(choice != CPU_CONVOLVE_U16 || (type == WEFT_U16 && repeats && radius >= 1 && radius <= 4));
                    CHECK(choice != CPU_CONVOLVE_F32_FOUR || ((bits & 8) && radius >= 1));
                }
}

static int32_t coarse_of(struct cpu_coarse_case c) { return weft_cpu_choose_coarse(&c)->choice; }

static void test_coarse(void) {
    struct cpu_coarse_case c = {WEFT_U8,           WEFT_BORDER_MIRROR, 23, .image = true, .plain = true,
                                .has_fixed = true, .decimates = true};
    CHECK(coarse_of(c) == CPU_COARSE_DIRECT);
    c.radius = 24;
    CHECK(coarse_of(c) == CPU_COARSE_GRID);
    c.decimates = false;
    CHECK(coarse_of(c) == CPU_COARSE_DIRECT);
    c.radius = 28;
    CHECK(coarse_of(c) == CPU_COARSE_GRID);
    c.radius = 3;
    struct cpu_coarse_case others[] = {c, c, c, c, c};
    others[0].type = WEFT_U16, others[1].border = WEFT_BORDER_CONSTANT, others[2].image = false;
    others[3].plain = false, others[4].has_fixed = false;
    for (int i = 0; i < 5; i++)
        CHECK(coarse_of(others[i]) == CPU_COARSE_GRID);
}

static void test_stencil(void) {
    struct cpu_stencil_case s = {
        .image = true, .has_fixed = true, .type = WEFT_U8, .border = WEFT_BORDER_MIRROR, .sums = true};
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
    s.type = WEFT_U8, s.has_fixed = false;
    CHECK(weft_cpu_choose_stencil(&s)->choice == CPU_STENCIL_F32);
}

static void test_lookup(void) {
    struct cpu_lookup_case l = {true, {WEFT_U8, 1}, {WEFT_U8, 1}};
    CHECK(weft_cpu_choose_lookup(&l)->choice == CPU_LOOKUP_BYTES);
    l.in.channels = 3;
    CHECK(weft_cpu_choose_lookup(&l)->choice == CPU_LOOKUP_F32);
    l.in.channels = 1, l.out.type = WEFT_U16;
    CHECK(weft_cpu_choose_lookup(&l)->choice == CPU_LOOKUP_F32);
    l.out.type = WEFT_U8, l.image = false;
    CHECK(weft_cpu_choose_lookup(&l)->choice == CPU_LOOKUP_F32);
}

static void test_warp(void) {
    struct cpu_warp_case w = {.image = true, .type = WEFT_U8, .border = WEFT_BORDER_MIRROR, .input = true};
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_TRANSPOSED);
    w.type = WEFT_F16;
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_MIX);
    w.image = false, w.type = WEFT_U8;
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_BYTES);
    w.places = w.spread = true;
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_SPREAD_BYTES);
    w.input = false; /* kept by an earlier pass: perhaps as f32 */
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_SPREAD);
    w.spread = false;
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_MEAN);
    w.input = true;
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_MEAN_BYTES);
    w.input = false;
    w.places = false, w.nearest = w.steep = true;
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_NEAREST);
    w.input = true;
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_STEEP);
    w.border = WEFT_BORDER_SHRINK;
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_MOVE);
    w.border = WEFT_BORDER_CONSTANT; /* a value that may be no whole number */
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_NEAREST);
    w.border = WEFT_BORDER_SHRINK, w.type = WEFT_F32;
    CHECK(weft_cpu_choose_warp(&w)->choice == CPU_WARP_NEAREST);
}

static void no_decimate(const struct weft_decimation *decimation, const uint8_t *in, float *const *out, int count) {
    (void)decimation, (void)in, (void)out, (void)count;
}
static void no_interpolate(const struct weft_interpolation *interpolation, const int32_t *in, int64_t origin,
                           int64_t from, uint8_t *out, int64_t count) {
    (void)interpolation, (void)in, (void)origin, (void)from, (void)out, (void)count;
}
static void no_threshold(const float *in, float *out, int64_t count, const struct weft_f32_threshold *threshold) {
    (void)in, (void)out, (void)count, (void)threshold;
}

static void test_decimate(void) {
    const struct weft_kernels none = {.has_fixed = true};
    const struct weft_kernels u16 = {.decimate_bytes = no_decimate, .multirate_by_u16 = true},
                              bytes = {.decimate_bytes = no_decimate};
    struct cpu_decimate_case d = {.kernels = &u16,
                                  .type = WEFT_U8,
                                  .border = WEFT_BORDER_MIRROR,
                                  .step = 4,
                                  .taps = 40,
                                  .rounds = true,
                                  .inside = true};
    CHECK(weft_cpu_choose_decimate(&d)->choice == CPU_DECIMATE_U16);
    d.kernels = &none;
    CHECK(weft_cpu_choose_decimate(&d)->choice == CPU_DECIMATE_RESAMPLE);
    d.kernels = &bytes;
    for (int64_t step = 0; step < 20; step++) {
        d.step = step;
        CHECK((weft_cpu_choose_decimate(&d)->choice == CPU_DECIMATE_BYTES) == (step >= 2 && step <= 8));
    }
    d.step = 4, d.taps = CPU_DECIMATE_TAPS + 1;
    CHECK(weft_cpu_choose_decimate(&d)->choice == CPU_DECIMATE_RESAMPLE);
    d.taps = 40, d.rounds = false;
    CHECK(weft_cpu_choose_decimate(&d)->choice == CPU_DECIMATE_RESAMPLE);
    d.rounds = true, d.border = WEFT_BORDER_SHRINK;
    CHECK(weft_cpu_choose_decimate(&d)->choice == CPU_DECIMATE_RESAMPLE);
}

static void test_interpolate(void) {
    const struct weft_kernels u16 = {.interpolate_bytes = no_interpolate, .multirate_by_u16 = true};
    const struct weft_kernels bytes = {.interpolate_bytes = no_interpolate};
    struct cpu_interpolate_case p = {.kernels = &u16,
                                     .type = WEFT_U8,
                                     .border = WEFT_BORDER_MIRROR,
                                     .planes = true,
                                     .pixels = 100,
                                     .step = 6,
                                     .taps = 8,
                                     .rounds = true,
                                     .span = 17};
    CHECK(weft_cpu_choose_interpolate(&p)->choice == CPU_INTERPOLATE_PHASES); /* which has no vector of components */
    p.kernels = &bytes;
    CHECK(weft_cpu_choose_interpolate(&p)->choice == CPU_INTERPOLATE_RESAMPLE);
    p.span = 16;
    CHECK(weft_cpu_choose_interpolate(&p)->choice == CPU_INTERPOLATE_PERIODS);
    p.step = 9;
    CHECK(weft_cpu_choose_interpolate(&p)->choice == CPU_INTERPOLATE_RESAMPLE);
    p.step = 6, p.taps = CPU_INTERPOLATE_TAPS + 1;
    CHECK(weft_cpu_choose_interpolate(&p)->choice == CPU_INTERPOLATE_RESAMPLE);
    p.taps = 8, p.type = WEFT_F32;
    CHECK(weft_cpu_choose_interpolate(&p)->choice == CPU_INTERPOLATE_RESAMPLE);
}

static void test_point(void) {
    struct weft_kernels kernels = {.byte_table_filters = 1,
                                   .float_table_filters = 2,
                                   .matrix_filters = 2,
                                   .threshold_f32_past_caches = no_threshold};
    struct cpu_point_case p = {.filters = 1,
                               .apart = true,
                               .affine = true,
                               .in = WEFT_U8,
                               .made = WEFT_U8,
                               .in_channels = 3,
                               .channels = 3,
                               .kernels = &kernels};
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_BYTE_TABLES);
    kernels.matrix_first = true;
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_FILTERS);
    p.packed = true;
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_PACKED);
    p.filters = 2, p.packed = false;
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_MATRIX);
    p.made = 0; /* rows for another step */
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_FLOAT_TABLES);
    p.filters = 1;
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_FILTERS);
    p.filters = 2, p.channels = 4; /* an alpha that the input has not */
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_FILTERS);
    p = (struct cpu_point_case){.filters = 1,
                                .binary = true,
                                .in = WEFT_U16,
                                .made = WEFT_U16,
                                .in_channels = 1,
                                .channels = 1,
                                .kernels = &kernels};
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_THRESHOLD_U16);
    p.in = p.made = WEFT_F32;
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_FILTERS);
    p.in_place = true;
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_THRESHOLD_F32);
    p.filters = 2;
    CHECK(weft_cpu_choose_point(&p)->choice == CPU_POINT_FILTERS);
}

int main(void) {
    test_lookup();
    test_warp();
    test_decimate();
    test_interpolate();
    test_point();
    test_stencil();
    test_convolve();
    test_coarse();
    test_rank();
    test_extremum();
    test_box();
    test_resample();
    return check_done("choose_cpu");
}
