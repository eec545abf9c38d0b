/* SPDX-License-Identifier: MIT
 * One infinite pixel, or one that is no number, on GPUs: weighted sums are that wherever their window has the pixel,
 * and numbers elsewhere, whatever kernels keep beyond the window. test_gpu_infinite [DEVICE] */
#include <math.h>
#include "gpu_devices.h"
#include "run_graph.h"

enum { WIDTH = 150, HEIGHT = 90, AT_X = 70, AT_Y = 41 };

static const struct { const char *text; int x, y; /* radii */ } cases[] = {
    {"box=1", 1, 1},
    {"box=2", 2, 2},
    {"box=3", 3, 3},
    {"box=4:border=shrink", 4, 4},
    {"box=8", 8, 8},
    {"box=11:13:border=constant", 11, 13},
    {"box=15", 15, 15},
    {"box=2:7", 2, 7},
    {"box=20:1", 20, 1},
    {"gaussian=2:radius=3:downsample=1", 3, 3},
    {"gaussian=4:radius=7:border=wrap:downsample=1", 7, 7},
    {"gaussian=4:radius=12:downsample=1", 12, 12},
    {"gaussian=4:radius=16:downsample=1", 16, 16},
    {"gaussian=9:radius=21:downsample=1", 21, 21},
    {"gaussian=9:radius=34:border=shrink:downsample=1", 34, 34},
};

static void try_case(weft_device *device, int n, int channels, float odd) {
    size_t size = (size_t)(WIDTH * HEIGHT * channels);
    float *pixels = malloc(size * sizeof *pixels);
    for (size_t i = 0; pixels && i < size; i++)
        pixels[i] = 0.5f;
    if (pixels)
        pixels[(AT_Y * WIDTH + AT_X) * channels] = odd;
    weft_image_info info = {
        .width = WIDTH, .height = HEIGHT, .format = {WEFT_F32, channels}, .alpha = WEFT_ALPHA_NONE};
    float *out = pixels ? run_graph(device, cases[n].text, &info, (void *[]){pixels}, 1, WEFT_F32, NULL) : NULL;
    int wrong = 0;
    for (int i = 0; out && i < WIDTH * HEIGHT * channels; i++) {
        int x = i / channels % WIDTH, y = i / channels / WIDTH;
        bool sees = i % channels == 0 && abs(x - AT_X) <= cases[n].x && abs(y - AT_Y) <= cases[n].y;
        bool good = !sees ? isfinite(out[i]) : isnan(odd) ? isnan(out[i]) : isinf(out[i]);
        if (!good && wrong++ == 0)
            fprintf(stderr, "%s, %d channels, %g at %d, %d: %g at %d, %d\n", cases[n].text, channels, (double)odd, AT_X,
                    AT_Y, (double)out[i], x, y);
    }
    CHECK(out && wrong == 0);
    free(pixels);
    free(out);
}

static void try_gpu(weft_device *device, const char *name) {
    (void)name;
    for (int n = 0; n < (int)(sizeof cases / sizeof *cases); n++) {
        try_case(device, n, 1, INFINITY);
        try_case(device, n, n % 2 ? 3 : 4, -INFINITY);
        try_case(device, n, 1, NAN);
    }
}

int main(int argc, char **argv) { return check_gpus("test_gpu_infinite", argc, argv, try_gpu); }
