/* SPDX-License-Identifier: MIT
 * What lies outside an image, for each border: a kernel that reads one pixel k places away shows it. */
#include "run_graph.h"

static const char *const borders[] = {"replicate", "mirror", "symmetric", "wrap", "constant", "shrink"};

/* Walks back into 0 .. n - 1 one turn at a time; -1 for nothing there. */
static int64_t walk(int64_t i, int64_t n, int border) {
    while (i < 0 || i >= n)
        switch (border) {
        case 0:
            i = i < 0 ? 0 : n - 1;
            break;
        case 1:
            i = n == 1 ? 0 : i < 0 ? -i : 2 * (n - 1) - i;
            break;
        case 2:
            i = i < 0 ? -1 - i : 2 * n - 1 - i;
            break;
        case 3:
            i = i < 0 ? i + n : i - n;
            break;
        default:
            return -1;
        }
    return i;
}

/* The patterns of the public header, spelled out: two places each way from a b c d. */
static void patterns(weft_device *device) {
    static const float row[4] = {1, 2, 3, 4};
    static const float expected[6][2][2] = {{{1, 1}, {4, 4}}, {{3, 2}, {3, 2}}, {{2, 1}, {4, 3}},
                                            {{3, 4}, {1, 2}}, {{9, 9}, {9, 9}}, {{0, 0}, {0, 0}}};
    for (int b = 0; b < 6; b++) {
        char text[128];
        snprintf(text, sizeof text, "correlate_separable=row=1|0|0|0|0:border=%s:border_value=9", borders[b]);
        float *left = run_floats(device, text, 4, 1, 1, row);
        snprintf(text, sizeof text, "correlate_separable=row=0|0|0|0|1:border=%s:border_value=9", borders[b]);
        float *right = run_floats(device, text, 4, 1, 1, row);
        if (left && right)
            CHECK(left[0] == expected[b][0][0] && left[1] == expected[b][0][1] && left[2] == 1 && left[3] == 2 &&
                  right[0] == 3 && right[1] == 4 && right[2] == expected[b][1][0] && right[3] == expected[b][1][1]);
        free(left);
        free(right);
    }
}

/* Kernels of one weight as far away as ten times the image. */
static void far_away(weft_device *device) {
    static const int64_t sizes[] = {1, 2, 3, 5, 8}, distances[] = {-23, -7, -2, -1, 1, 2, 6, 19};
    float line[8];
    for (int i = 0; i < 8; i++)
        line[i] = (float)(i + 1);
    for (int b = 0; b < 6; b++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t d = 0; d < sizeof distances / sizeof *distances; d++)
                for (int vertical = 0; vertical < 2; vertical++) {
                    char text[512];
                    int length =
                        snprintf(text, sizeof text, "correlate_separable=border=%s:border_value=9:%s=", borders[b],
                                 vertical ? "column" : "row");
                    int64_t n = sizes[s], distance = distances[d], radius = distance < 0 ? -distance : distance;
                    for (int64_t k = -radius; k <= radius; k++)
                        length += snprintf(text + length, sizeof text - (size_t)length, "%s%d", k > -radius ? "|" : "",
                                           k == distance);
                    float *out = run_floats(device, text, vertical ? 1 : n, vertical ? n : 1, 1, line);
                    for (int64_t i = 0; i < n && out; i++) {
                        int64_t from = walk(i + distance, n, b);
                        float expected = from >= 0 ? line[from] : b == 4 ? 9 : 0;
                        if (!CHECK(out[i] == expected))
                            fprintf(stderr, "%s of %d, place %d, %d away%s: %g, not %g\n", borders[b], (int)n, (int)i,
                                    (int)distance, vertical ? " down" : "", out[i], expected);
                    }
                    free(out);
                }
}

/* A border_value just below the half of a step of u16, where f32 has no place for the half. */
static void nearest_step(weft_device *device) {
    const float value = 0.383604169f;
    uint16_t white = 65535, least = (uint16_t)((double)value * 65535 + 0.5);
    weft_image_info info = {.width = 1, .height = 1, .format = {WEFT_U16, 1}};
    weft_device_info about;
    weft_device_describe(device, &about);
    uint16_t *out = run_graph(device, "erode=border=constant:border_value=0.383604169", &info, (void *[]){&white}, 1, 0, NULL);
    if (strcmp(about.backend, "cpu") == 0 || strcmp(about.backend, "reference") == 0) /* GPUs have f32 only */
        CHECK(out && *out == least);
    free(out);
}

static void test(weft_device *device) {
    patterns(device);
    nearest_step(device);
    far_away(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("borders");
}
