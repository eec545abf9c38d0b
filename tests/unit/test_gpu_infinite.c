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
    {"gaussian=13:radius=40:border=symmetric:downsample=1", 40, 40},
    {"gaussian=4:radius=16:downsample=1", 16, 16},
    {"gaussian=3:radius=8:border=constant:downsample=1", 8, 8},
    {"gaussian=9:radius=21:downsample=1", 21, 21},
    {"gaussian=9:radius=34:border=shrink:downsample=1", 34, 34},
};

/* Half floats and floats, as what a test writes and what it reads. */
static uint16_t half_of(float v) { return isnan(v) ? 0x7e00 : isinf(v) ? (v < 0 ? 0xfc00 : 0x7c00) : 0x3800; }
static float number_at(const void *pixels, weft_type type, int i) {
    if (type == WEFT_F32)
        return ((const float *)pixels)[i];
    uint16_t bits = ((const uint16_t *)pixels)[i];
    return (bits & 0x7fff) > 0x7c00 ? NAN : (bits & 0x7fff) == 0x7c00 ? INFINITY : 0;
}

static void try_case(weft_device *device, int n, weft_type type, int channels, float odd) {
    if (!has_turn())
        return;
    size_t size = (size_t)(WIDTH * HEIGHT * channels);
    unsigned char *pixels = malloc(size * sizeof(float));
    for (size_t i = 0; pixels && i < size; i++) {
        float v = i == (size_t)((AT_Y * WIDTH + AT_X) * channels) ? odd : 0.5f;
        if (type == WEFT_F32)
            ((float *)(void *)pixels)[i] = v;
        else
            ((uint16_t *)(void *)pixels)[i] = half_of(v);
    }
    weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {type, channels}, .alpha = WEFT_ALPHA_NONE};
    void *out = pixels ? run_graph(device, cases[n].text, &info, (void *[]){pixels}, 1, type, NULL) : NULL;
    int wrong = 0;
    for (int i = 0; out && i < WIDTH * HEIGHT * channels; i++) {
        int x = i / channels % WIDTH, y = i / channels / WIDTH;
        bool sees = i % channels == 0 && abs(x - AT_X) <= cases[n].x && abs(y - AT_Y) <= cases[n].y;
        float v = number_at(out, type, i);
        bool good = !sees ? isfinite(v) : isnan(odd) ? isnan(v) : isinf(v);
        if (!good && wrong++ == 0)
            fprintf(stderr, "%s, %d channels, %g at %d, %d: %g at %d, %d\n", cases[n].text, channels, (double)odd, AT_X,
                    AT_Y, (double)v, x, y);
    }
    CHECK(out && wrong == 0);
    free(pixels);
    free(out);
}

static void try_gpu(weft_device *device, const char *name) {
    (void)name;
    for (int n = 0; n < (int)(sizeof cases / sizeof *cases); n++) {
        try_case(device, n, WEFT_F32, 1, INFINITY);
        try_case(device, n, WEFT_F32, n % 2 ? 3 : 4, -INFINITY);
        try_case(device, n, WEFT_F32, 4, INFINITY);
        try_case(device, n, WEFT_F32, 4, NAN);
        try_case(device, n, WEFT_F32, 1, NAN);
        try_case(device, n, WEFT_F16, 4, INFINITY);
        try_case(device, n, WEFT_F16, 4, NAN);
    }
}

int main(int argc, char **argv) { return check_gpus("test_gpu_infinite", argc, argv, try_gpu); }
