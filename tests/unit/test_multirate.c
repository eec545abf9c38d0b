/* SPDX-License-Identifier: MIT
 * Wide gaussians of bytes whose coarse grid is made from bytes, and bytes from it, in whole numbers: no pixel may be farther
 * than a twentieth of a step from what the same graph makes in f32, before it is rounded. Every step between coarse pixels,
 * every number of channels and border, rows that are cut into strips, images narrower than what lies beyond their edges. */
#include <math.h>
#include "run_graph.h"

#define MOST_OFF 0.05

static const char *const borders[] = {"replicate", "mirror", "symmetric", "wrap"};
static const double sigmas[] = {5, 5.4, 7.2, 9, 10.7, 12.5, 14.2, 16, 33, 150};
static const int sizes[][2] = {{1, 40}, {7, 5}, {64, 33}, {301, 40}, {1283, 21}, {6007, 9}};

static void compare(weft_device *device, const char *text, int width, int height, int channels,
                    unsigned char *pixels) {
    weft_image_info info = {.width = width, .height = height, .format = {WEFT_U8, channels}, .alpha = WEFT_ALPHA_NONE};
    unsigned char *bytes = run_graph(device, text, &info, (void *[]){pixels}, 1, 0, NULL);
    float *numbers = run_graph(device, text, &info, (void *[]){pixels}, 1, WEFT_F32, NULL);
    double worst = 0;
    for (int i = 0; bytes && numbers && i < width * height * channels; i++)
        worst = fmax(worst, fabs(bytes[i] - 255.0 * numbers[i]));
    if (!CHECK(bytes && numbers && worst <= 0.5 + MOST_OFF))
        fprintf(stderr, "%s, %dx%d u8x%d: %.3f steps\n", text, width, height, channels, worst);
    free(bytes);
    free(numbers);
}

static void test_multirate(weft_device *device) {
    unsigned char *pixels = malloc(4 * 6007 * 40);
    if (!CHECK(pixels))
        return;
    for (unsigned i = 0, random = 1; i < 4 * 6007 * 40; i++) {
        random = random * 1664525u + 1013904223u;
        pixels[i] = i / 5000 % 2 ? (unsigned char)(random >> 24) : random >> 31 ? 255 : 0;
    }
    for (size_t s = 0; s < sizeof sigmas / sizeof *sigmas; s++)
        for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++)
            for (int channels = 1; channels <= 4; channels++) {
                char text[120];
                snprintf(text, sizeof text, "gaussian=%g:border=%s", sigmas[s], borders[(s + z + (size_t)channels) % 4]);
                compare(device, text, sizes[z][0], sizes[z][1], channels, pixels);
            }
    compare(device, "gaussian=20:sigma_y=0", 701, 11, 3, pixels);
    compare(device, "gaussian=0:sigma_y=20", 701, 11, 3, pixels);
    compare(device, "gaussian=20:sigma_y=2", 701, 11, 4, pixels);
    free(pixels);
}

int main(int argc, char **argv) {
    char *const cpu[] = {argv[0], "cpu"};
    run_on_devices(2, argc > 1 ? argv : (char **)cpu, test_multirate);
    return check_done("multirate");
}
