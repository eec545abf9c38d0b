/* SPDX-License-Identifier: MIT
 * The ladder of GPU kernels of box filters: what is chosen in cases that are known by name, and of all cases that the first rung
 * that fits is taken and that a kernel gets only what it can take. */
#include <stddef.h>
#include "backend/gpu/choose/box.h"
#include "check.h"

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
                                 .moves_bytes = true,
                                 .border = WEFT_BORDER_REPLICATE,
                                 .border_is_byte = true,
                                 .border_rounds = true,
                                 .at_once = radius <= 8,
                                 .block_threads = 1024};
}
static struct gpu_box_case floats_of(int32_t channels, int32_t radius) {
    struct gpu_box_case box = bytes_of(channels, radius);
    box.steps = 0, box.moves_bytes = false, box.moves_floats = true;
    return box;
}

static void test_known(void) {
    struct gpu_box_case box = bytes_of(1, 3);
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_SEPARABLE);
    box.has_mma_bytes = true;
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_MMA);
    box.channels = 3; /* as they lie in memory */
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_BYTES);
    box.channels = 4, box.border = WEFT_BORDER_SHRINK; /* means of fewer pixels */
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_BYTES);
    box = bytes_of(1, 3), box.rounds_down = true;
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_BYTES);
    box = bytes_of(1, 12);
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_BYTES);
    box = bytes_of(1, 64);
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_PREFIX);
    box = bytes_of(1, 3), box.moves_bytes = false; /* something else is done on the way */
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_LINES);
    box = bytes_of(1, 1), box.steps = 65535, box.moves_bytes = false;
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_SEPARABLE);
    box.border = WEFT_BORDER_CONSTANT;
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_LINES);
    box = floats_of(4, 2);
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_SEPARABLE);
    box = floats_of(4, 32);
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_VALUES);
    box.block_threads = 256;
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_LINES);
    box = floats_of(2, 32);
    CHECK(weft_gpu_choose_box(&box) == GPU_BOX_LINES);
}

static void test_one(const struct gpu_box_case *box) {
    enum gpu_box_kernel kernel = weft_gpu_choose_box(box);
    int32_t rung = 0;
    while (rung < GPU_BOX_RUNGS && !weft_gpu_box_rungs[rung].fits(box))
        rung++;
    bool right = rung < GPU_BOX_RUNGS && kernel == weft_gpu_box_rungs[rung].kernel;
    bool bytes = kernel == GPU_BOX_MMA || kernel == GPU_BOX_PREFIX || kernel == GPU_BOX_BYTES;
    right = right && (!bytes || (box->steps == 255 && box->moves_bytes));
    right = right && (kernel != GPU_BOX_MMA || box->has_mma_bytes);
    right = right && (kernel != GPU_BOX_VALUES || (box->steps == 0 && box->moves_floats));
    right = right && (kernel != GPU_BOX_SEPARABLE || !box->rounds_down || box->steps == 0);
    if (!CHECK(right))
        fprintf(stderr, "radius %d, channels %d, steps %d, border %d\n", (int)box->x, (int)box->channels, (int)box->steps,
                (int)box->border);
}

static void test_all(void) {
    static const int32_t radii[] = {1, 2, 4, 8, 23, 24, 64, 128, 129, 400, 2000}, steps[] = {0, 255, 65535};
    for (size_t r = 0; r < sizeof radii / sizeof *radii; r++)
        for (int32_t channels = 1; channels <= 4; channels++)
            for (size_t s = 0; s < 3; s++)
                for (int32_t border = 0; border <= WEFT_BORDER_SHRINK; border++)
                    for (int32_t bits = 0; bits < 16; bits++) {
                        struct gpu_box_case box = bytes_of(channels, radii[r]);
                        box.steps = steps[s], box.border = (weft_border)border;
                        box.moves_bytes = steps[s] == 255 && (bits & 1), box.moves_floats = steps[s] == 0 && (bits & 1);
                        box.has_mma_bytes = bits & 2, box.rounds_down = bits & 4, box.border_is_byte = bits & 8;
                        test_one(&box);
                    }
}

int main(void) {
    test_known();
    test_all();
    return check_done("choose");
}
