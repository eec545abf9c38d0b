/* SPDX-License-Identifier: MIT
 * The ladders of GPU kernels of filters that weigh pixels: what is chosen in cases that are known by name, and of many cases that a
 * kernel gets only what it can take. */
#include <stddef.h>
#include <string.h>
#include "backend/gpu/choose/convolve.h"
#include "backend/gpu/choose/multirate.h"
#include "backend/gpu/choose/point.h"
#include "backend/gpu/choose/resample.h"
#include "backend/gpu/choose/stencil.h"
#include "backend/gpu/choose/window.h"
#include "backend/gpu/device/kernels.h"
#include "check.h"
#include "kernels/gpu/dialect/code_path.h"
#include "kernels/gpu/dialect/launch.h"

/* A gaussian of images as they lie, on a device with tensor cores for floats. */
static struct gpu_convolve_case gaussian_of(int32_t type, int32_t channels, int32_t radius) {
    return (struct gpu_convolve_case){.radius_x = radius,
                                      .radius_y = radius,
                                      .channels = channels,
                                      .means = true,
                                      .type = type,
                                      .direct = true,
                                      .border_fits = true,
                                      .has_mma_floats = true};
}
static int32_t convolve(struct gpu_convolve_case c) { return weft_gpu_choose_convolve(&c)->choice; }

static void test_convolve(void) {
    struct gpu_convolve_case c = gaussian_of(TYPE_U8, 3, 12);
    CHECK(convolve(c) == GPU_CONVOLVE_SEPARABLE);
    c.slabs = 3;
    CHECK(convolve(c) == GPU_CONVOLVE_BYTES);
    CHECK(convolve(gaussian_of(TYPE_F16, 4, 8)) == GPU_CONVOLVE_MATRIX);
    CHECK(convolve(gaussian_of(TYPE_F32, 4, 9)) == GPU_CONVOLVE_SEPARABLE);
    CHECK(convolve(gaussian_of(TYPE_F32, 4, 10)) == GPU_CONVOLVE_MATRIX);
    CHECK(convolve(gaussian_of(TYPE_F32, 1, 17)) == GPU_CONVOLVE_LINE_MATRIX);
    CHECK(convolve(gaussian_of(TYPE_F32, 1, 65)) == GPU_CONVOLVE_LINES);
    c = gaussian_of(TYPE_F32, 1, 17), c.means = false;
    CHECK(convolve(c) == GPU_CONVOLVE_SEPARABLE);
    c = gaussian_of(TYPE_F32, 1, 17), c.has_mma_floats = false;
    CHECK(convolve(c) == GPU_CONVOLVE_SEPARABLE);
    c = gaussian_of(TYPE_F16, 1, 20), c.has_mma_cooperative = true;
    CHECK(convolve(c) == GPU_CONVOLVE_COOPERATIVE);
    c.border_fits = false;
    CHECK(convolve(c) == GPU_CONVOLVE_LINES);
    c = gaussian_of(TYPE_U8, 1, 0), c.identity_x = c.identity_y = true;
    CHECK(convolve(c) == GPU_CONVOLVE_NOTHING);
    c.identity_y = false, c.radius_y = 3;
    CHECK(convolve(c) == GPU_CONVOLVE_LINES);
    c = gaussian_of(TYPE_F16, 4, 8), c.box = true;
    CHECK(convolve(c) == GPU_CONVOLVE_MATRIX);
    c.type = TYPE_F32, c.radius_x = c.radius_y = 12; /* sums of products are nearer to the mean */
    CHECK(convolve(c) == GPU_CONVOLVE_SEPARABLE);
    for (int32_t type = 0; type <= TYPE_F32; type++)
        for (int32_t radius = 1; radius < 70; radius++)
            for (int32_t bits = 0; bits < 32; bits++) {
                c = gaussian_of(type, (bits & 3) + 1, radius);
                c.has_mma_cooperative = bits & 4, c.direct = type != 0 && (bits & 8), c.box = bits & 16;
                int32_t kernel = convolve(c);
                CHECK(kernel != GPU_CONVOLVE_MATRIX || weft_gpu_convolve_matrix_form(&c));
                CHECK(kernel != GPU_CONVOLVE_LINE_MATRIX || (weft_gpu_convolve_line_form(&c) && !c.box));
                CHECK(kernel != GPU_CONVOLVE_COOPERATIVE || (weft_gpu_convolve_cooperative_form(&c) && c.direct));
                CHECK(kernel != GPU_CONVOLVE_SEPARABLE || weft_gpu_separable_radius(radius, radius) >= radius);
                CHECK(type != 0 || kernel == GPU_CONVOLVE_SEPARABLE || kernel == GPU_CONVOLVE_LINES);
            }
}

/* Every variant of a kernel that is one axis of two has a case that asks for it. constants: what is read, what is made. */
static bool is_asked_for(const struct gpu_kernel_row *row, bool cooperative) {
    int32_t from = row->constants[0], to = row->constants[1], reach = row->constants[cooperative ? 4 : 3];
    for (int32_t type = TYPE_U8; type <= TYPE_F32; type++)
        for (int32_t channels = 1; channels <= 4; channels++)
            for (int32_t radius = reach == 64 ? 33 : reach == 32 && cooperative ? 17 : 1; radius <= reach; radius++) {
                struct gpu_convolve_case c = gaussian_of(type, channels, radius);
                const struct gpu_convolve_cooperative_form *a = weft_gpu_convolve_cooperative_form(&c);
                const struct gpu_convolve_line_form *b = NULL;
                for (int32_t direct = 0; !cooperative && direct < 2; direct++) {
                    c.direct = direct;
                    b = weft_gpu_convolve_line_form(&c);
                    bool first = b && from == type && to == b->between && row->constants[2] == channels;
                    if (first || (b && to == type && from == b->between && row->constants[2] == 0))
                        return true;
                }
                bool first = a && from == type && to == a->between && row->constants[2] == 0;
                if (cooperative && a && row->constants[3] == channels &&
                    (first || (to == type && from == a->between && row->constants[2] == 1)))
                    return true;
            }
    return false;
}
static void test_variants(void) {
    for (const struct gpu_kernel_row *row = weft_gpu_kernels; row->name; row++) {
        bool cooperative = strcmp(row->name, "convolve_cooperative") == 0;
        if ((cooperative || strcmp(row->name, "convolve_line_matrix") == 0) && !CHECK(is_asked_for(row, cooperative)))
            fprintf(stderr, "  %s %d %d %d %d %d\n", row->name, (int)row->constants[0], (int)row->constants[1],
                    (int)row->constants[2], (int)row->constants[3], (int)row->constants[4]);
    }
}

static void test_forms(void) {
    const double peak[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    CHECK(weft_gpu_separable_radius(3, 3) == 4 || weft_gpu_separable_radius(3, 3) == 5);
    CHECK(weft_gpu_separable_radius(18, 17) == 18 && weft_gpu_separable_radius(19, 19) == 0);
    CHECK(weft_gpu_separable_radius(18, 1) == 0); /* too much of it would be weights of 0 */
    CHECK(weft_gpu_convolve_bytes_slabs(peak, 9) == 2);
    CHECK(weft_gpu_convolve_bytes_slabs_of(1) == 2 && weft_gpu_convolve_bytes_slabs_of(1000) == 5);
}

static void test_multirate(void) {
    struct gpu_multirate_axis four_times = {.period = 4, .advance = 1, .count = 9, .outputs = 400};
    struct gpu_multirate_axis quarter = {.period = 1, .advance = 4, .count = 36, .outputs = 100};
    struct gpu_multirate_case m = {.x = four_times, .y = four_times};
    CHECK(weft_gpu_choose_multirate(&m)->choice == GPU_MULTIRATE_INTERPOLATE && weft_gpu_interpolate_form(&m) == 9);
    m.bytes = true;
    CHECK(weft_gpu_choose_multirate(&m)->choice == GPU_MULTIRATE_INTERPOLATE_BYTES);
    m = (struct gpu_multirate_case){.x = quarter, .y = quarter};
    CHECK(weft_gpu_choose_multirate(&m)->choice == GPU_MULTIRATE_DECIMATE && weft_gpu_decimate_form(&m) == 9);
    m.y.count = 40;
    CHECK(weft_gpu_choose_multirate(&m)->choice == GPU_MULTIRATE_DECIMATE && weft_gpu_decimate_form(&m) == 10);
    m.y.count = 44; /* a pixel reaches eleven */
    CHECK(weft_gpu_choose_multirate(&m)->choice == GPU_MULTIRATE_NONE);
    m.bytes = true;
    CHECK(weft_gpu_choose_multirate(&m)->choice == GPU_MULTIRATE_DECIMATE_BYTES);
    m = (struct gpu_multirate_case){.x = quarter, .y = four_times, .bytes = true};
    CHECK(weft_gpu_choose_multirate(&m)->choice == GPU_MULTIRATE_NONE);
    m = (struct gpu_multirate_case){.x = four_times, .y = four_times};
    m.x.count = m.y.count = 4; /* most of the weights would be 0 */
    CHECK(weft_gpu_choose_multirate(&m)->choice == GPU_MULTIRATE_NONE);
}

static void test_resample(void) {
    struct gpu_resample_case r = {0};
    CHECK(weft_gpu_choose_resample(&r)->choice == GPU_RESAMPLE_LINES);
    r.up = 4;
    CHECK(weft_gpu_choose_resample(&r)->choice == GPU_RESAMPLE_UP);
    r.doubling = 4;
    CHECK(weft_gpu_choose_resample(&r)->choice == GPU_RESAMPLE_DOUBLE);
    r.multirate = true;
    CHECK(weft_gpu_choose_resample(&r)->choice == GPU_RESAMPLE_MULTIRATE);
    r.byte_parts = 1;
    CHECK(weft_gpu_choose_resample(&r)->choice == GPU_RESAMPLE_BYTES);
    r.moves = true;
    CHECK(weft_gpu_choose_resample(&r)->choice == GPU_RESAMPLE_MOVE);
    r = (struct gpu_resample_case){.identity_y = true};
    CHECK(weft_gpu_choose_resample(&r)->choice == GPU_RESAMPLE_LINE);
    r.identity_x = true;
    CHECK(weft_gpu_choose_resample(&r)->choice == GPU_RESAMPLE_NOTHING);
    CHECK(weft_gpu_shares_sums(1000, 64, 1) == false && weft_gpu_shares_sums(100, 64, 1) == true);
}

static void test_bodies(void) {
    struct gpu_stencil_case s = {.radius = 1,
                                 .apart = true,
                                 .linear = true,
                                 .alone = true,
                                 .type = TYPE_U8,
                                 .source = 3,
                                 .channels = 3,
                                 .stored = TYPE_U8,
                                 .stored_channels = 3,
                                 .width = 1920};
    CHECK(weft_gpu_choose_stencil(&s)->choice == STENCIL_WHOLE);
    s.linear = false;
    CHECK(weft_gpu_choose_stencil(&s)->choice == STENCIL_WALKING);
    s.stored = TYPE_F16;
    CHECK(weft_gpu_choose_stencil(&s)->choice == STENCIL_BY_TILE);
    s.stored = TYPE_U8, s.width = 2; /* fewer pixels than a thread makes */
    CHECK(weft_gpu_choose_stencil(&s)->choice == STENCIL_BY_TILE);
    s.width = 1920, s.radius = 2;
    CHECK(weft_gpu_choose_stencil(&s)->choice == STENCIL_BY_TILE);
    struct gpu_window_case w = {.radius_x = 4,
                                .radius_y = 4,
                                .channels = 3,
                                .by_distance = true,
                                .direct_bytes = true,
                                .border = WEFT_BORDER_MIRROR,
                                .border_is_byte = true,
                                .has_mma_floats = true,
                                .launch_bytes = 227 << 10};
    CHECK(weft_gpu_choose_window(&w)->choice == GPU_WINDOW_BYTES);
    w.launch_bytes = 0;
    CHECK(weft_gpu_choose_window(&w)->choice == GPU_WINDOW_ANY);
    w.launch_bytes = 227 << 10, w.border = WEFT_BORDER_SHRINK;
    CHECK(weft_gpu_choose_window(&w)->choice == GPU_WINDOW_ANY);
}

static void test_points(void) {
    struct gpu_point_case p = {.filters = 2, .one_image = true, .bytes = true, .apart = true};
    CHECK(weft_gpu_choose_point(&p)->choice == GPU_POINT_BYTES);
    p.apart = false;
    CHECK(weft_gpu_choose_point(&p)->choice == GPU_POINT_ANY);
    p.apart = true, p.filters = 0; /* an image that is only converted */
    CHECK(weft_gpu_choose_point(&p)->choice == GPU_POINT_ANY);
    p.moves = true; /* a copy */
    CHECK(weft_gpu_choose_point(&p)->choice == GPU_POINT_MOVES);
}

int main(void) {
    test_points();
    test_convolve();
    test_forms();
    test_variants();
    test_multirate();
    test_resample();
    test_bodies();
    return check_done("choose_weighed");
}
