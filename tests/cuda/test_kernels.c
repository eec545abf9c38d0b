/* SPDX-License-Identifier: MIT
 * The emulated blocks of threads: a kernel without barriers, one with barriers. */
#include <string.h>
#include "backend/gpu/kernels.h"
#include "check.h"
#include "emulated.h"

#define WIDTH 45
#define HEIGHT 19

static const struct emulated_code *code_of(const char *name, int32_t *row) {
    for (int32_t i = 0; weft_gpu_kernels[i].name; i++)
        if (strcmp(weft_gpu_kernels[i].name, name) == 0) {
            *row = i;
            return emulated_codes[weft_gpu_kernels[i].first_code];
        }
    return NULL;
}

int main(void) {
    static unsigned char input[HEIGHT][WIDTH][3];
    static float output[HEIGHT][WIDTH][3], partial[8][3][2];
    int32_t row = 0;
    const struct emulated_code *code = code_of("point", &row);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int k = 0; k < 3; k++)
                input[y][x][k] = (unsigned char)(7 * x + 11 * y + 90 * k);
    struct gpu_launch launch = {
        .image = {{.first = (uintptr_t)input,
                   .pitch = sizeof input[0],
                   .width = WIDTH,
                   .height = HEIGHT,
                   .type = TYPE_U8,
                   .channels = 3,
                   .to_y = HEIGHT},
                  {.first = (uintptr_t)output,
                   .pitch = sizeof output[0],
                   .width = WIDTH,
                   .height = HEIGHT,
                   .type = TYPE_F32,
                   .channels = 3,
                   .to_y = HEIGHT}},
        .store = {{OP_STORE, 0 | (OPERAND_IMAGE + 1) << 8, 3 | 3 << 8 | TYPE_F32 << 20, 0},
                  {OP_REDUCE, 0 | 0 << 8, 3 | 3 << 8 | TYPE_F32 << 20, 0}},
        .store_count = 2,
        .reduce = {{.partial = (uintptr_t)partial, .what = REDUCE_SUM, .channels = 3, .to_y = HEIGHT}},
        .reduce_count = 1,
        .width = WIDTH,
        .height = HEIGHT,
        .to_y = HEIGHT,
        .in_width = WIDTH,
        .in_height = HEIGHT,
        .in_channels = 3,
        .in_type = TYPE_U8,
        .channels = 3,
        .number[7] = 8,
    };
    const uint32_t blocks[3] = {1, 3, 1};
    const uint32_t threads[3] = {(uint32_t)weft_gpu_kernels[row].threads_x, (uint32_t)weft_gpu_kernels[row].threads_y,
                                 1};
    CHECK(threads[0] == 32 && threads[1] == 8);
    emulated_run(code, blocks, threads, &launch);
    double sums[3] = {0}, found[3] = {0};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int k = 0; k < 3; k++) {
                CHECK(output[y][x][k] == (float)input[y][x][k] * (1.0f / 255.0f));
                sums[k] += (double)output[y][x][k];
            }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            found[k] += (double)partial[i][k][0] + (double)partial[i][k][1];
    for (int k = 0; k < 3; k++)
        CHECK(found[k] - sums[k] < 1e-6 && sums[k] - found[k] < 1e-6);
    return check_done("test_kernels");
}
