/* SPDX-License-Identifier: MIT
 * Boxes of bytes on GPUs against sums, at every border, for images smaller than the window and larger than a block,
 * with one to four channels and no alpha, to the nearest whole step and down. test_gpu_box [DEVICE] */
#include "edges.h"
#include "gpu_devices.h"
#include "run_graph.h"

static const struct { int x, y; } radii[] = {{1, 1}, {0, 3}, {5, 0}, {2, 7}, {8, 8}, {31, 31}, {63, 64}, {127, 127}, {300, 200},
                                             {24, 40}, {45, 9}, {71, 0}, {100, 100}, {400, 255}};
static const struct { int width, height; } sizes[] = {{1, 1}, {2, 9}, {40, 3}, {301, 139}, {1033, 11}, {37, 500}, {8500, 3}};
enum { RADII = sizeof radii / sizeof *radii, SIZES = sizeof sizes / sizeof *sizes, OUTSIDE = 77 };

/* Sums of columns over the rows around y, for `width` pixels of one channel; how many rows are outside goes to
 * *missing. */
static void sum_columns(const unsigned char *in, int width, int height, int channels, int c, int y, int radius,
                        enum border border, int64_t *sums, int *missing) {
    *missing = 0;
    memset(sums, 0, (size_t)width * sizeof *sums);
    for (int v = y - radius; v <= y + radius; v++) {
        int row = place_of(v, height, border);
        *missing += row < 0;
        for (int x = 0; row >= 0 && x < width; x++)
            sums[x] += in[(row * width + x) * channels + c];
    }
}

static int mean_of(const int64_t *sums, int width, int x, int rows, int missing, int radius, enum border border,
                   bool down) {
    int64_t sum = 0, count = 0;
    for (int u = x - radius; u <= x + radius; u++) {
        int column = place_of(u, width, border), outside = column < 0 ? rows : missing;
        sum += (column < 0 ? 0 : sums[column]) + (border == CONSTANT ? OUTSIDE * outside : 0);
        count += rows - (border == SHRINK ? outside : 0);
    }
    return (int)(down ? sum / count : (2 * sum + count) / (2 * count));
}

static void try_case(weft_device *device, int rx, int ry, int channels, enum border border, bool down, int width,
                     int height) {
    if (!has_turn())
        return;
    weft_image_info info = {.width = width, .height = height, .format = {WEFT_U8, channels}, .alpha = WEFT_ALPHA_NONE};
    size_t size = (size_t)(width * height * channels);
    unsigned char *in = malloc(size);
    int64_t *sums = malloc((size_t)width * sizeof *sums);
    char text[160];
    uint32_t state = (uint32_t)(rx + 7 * ry);
    for (size_t i = 0; in && i < size; i++) { /* noise, and a part that is white, where sums are largest */
        state = state * 1664525 + 1013904223;
        in[i] = i < size / 3 ? 255 : (unsigned char)(state >> 24);
    }
    snprintf(text, sizeof text, "box=%d:%d:rounding=%s:border=%s:border_value=%.9g", rx, ry, down ? "down" : "nearest",
             borders[border], OUTSIDE / 255.0);
    unsigned char *out = in && sums ? run_graph(device, text, &info, (void *[]){in}, 1, WEFT_U8, NULL) : NULL;
    int wrong = 0;
    for (int i = 0; out && i < height * channels && wrong == 0; i++) {
        int y = i / channels, c = i % channels, missing;
        sum_columns(in, width, height, channels, c, y, ry, border, sums, &missing);
        for (int x = 0; x < width && wrong == 0; x++) {
            int found = out[(y * width + x) * channels + c];
            int expected = mean_of(sums, width, x, 2 * ry + 1, missing, rx, border, down);
            wrong += !is_expected(text, width, height, channels, c, x, y, found, expected);
        }
    }
    CHECK(out && wrong == 0);
    free(in);
    free(out);
    free(sums);
}

static void try_gpu(weft_device *device, const char *name) {
    (void)name;
    for (int n = 0; n < RADII * BORDERS; n++)
        for (int s = 0; s < SIZES; s++)
            try_case(device, radii[n / BORDERS].x, radii[n / BORDERS].y, 1 + (n + s) % 4, (enum border)(n % BORDERS),
                     (n + s) % 3 == 0, sizes[s].width, sizes[s].height);
}

int main(int argc, char **argv) { return check_gpus("test_gpu_box", argc, argv, try_gpu); }
