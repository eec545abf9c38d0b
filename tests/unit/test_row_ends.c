/* SPDX-License-Identifier: MIT
 * Where a row ends does not show: a picture that repeats itself along its rows comes out of a filter that is the same
 * everywhere repeating itself, bit for bit, though rows are worked on by the vector and what is left of them pixel by
 * pixel, where a compiler may round products and sums in another order. On every instruction set of this machine. */
#include "run_graph.h"

enum { PERIOD = 16, WIDTH = 4 * PERIOD + 13, HEIGHT = 9, REACH = 8, MOST_CHANNELS = 4 };

static const char *const graphs[] = {"motion_blur=0.375:border=mirror",
                                     "motion_blur=0.375:90",
                                     "motion_blur=0.375:border=shrink",
                                     "affine=1|0|0.375|0|1|0.25",
                                     "affine=1|0|0.375|0|1|0",
                                     "gaussian=0.8",
                                     "convolve3x3=0.1|-0.3|0.7|0.2|0.9|-0.4|0.3|0.1|0.7",
                                     "bilateral=1:0.3:2",
                                     "sobel",
                                     "canny_gradient_5",
                                     "unsharp_mask=0.8",
                                     "convolve=0.1|0.7|0.3:3",
                                     "hue_rotate=40,vibrance=0.7",
                                     "colour_fast_response",
                                     "saturation=0.3,gamma=2",
                                     "median=1"};

static float noise(int i) { return (float)((unsigned)(i + 1) * 2654435761u >> 8) / 16777216.0f; }

static void repeats(weft_device *device, const char *isa, const char *text, int channels) {
    static float in[WIDTH * HEIGHT * MOST_CHANNELS];
    weft_image_info info = {.width = WIDTH,
                            .height = HEIGHT,
                            .format = {WEFT_F32, channels},
                            .alpha = channels % 2 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT};
    weft_image_info made;
    int wrong = 0, first = -1;
    for (int i = 0; i < WIDTH * HEIGHT * channels; i++) {
        int x = i / channels % WIDTH, y = i / channels / WIDTH;
        in[i] = noise((y * PERIOD + x % PERIOD) * MOST_CHANNELS + i % channels);
    }
    float *out = run_graph(device, text, &info, (void *[]){in}, 1, WEFT_F32, &made);
    for (int y = 0; y < HEIGHT && out; y++)
        for (int x = REACH; x + PERIOD < WIDTH - REACH; x++)
            for (int k = 0; k < made.format.channels; k++) {
                const float *here = out + (y * WIDTH + x) * made.format.channels + k;
                bool differs = memcmp(here, here + PERIOD * made.format.channels, sizeof *here) != 0;
                first = differs && first < 0 ? x + PERIOD : first;
                wrong += differs;
            }
    if (!CHECK(wrong == 0))
        fprintf(stderr,
                "%s of %d channels, %s: %d numbers are not what they are %d columns before, first in column %d\n", text,
                channels, isa, wrong, PERIOD, first);
    free(out);
}

int main(void) {
    static const char *const isas[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64"};
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = NULL;
        setenv("WEFT_CPU_ISA", isas[i], 1);
        if (weft_device_open("cpu", &(weft_device_options){.threads = 1}, &device, NULL) != WEFT_OK)
            continue; /* not this machine's */
        for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++)
            for (int channels = 1; channels <= MOST_CHANNELS; channels++)
                repeats(device, isas[i], graphs[g], channels);
        weft_device_close(&device);
    }
    return check_done("row ends");
}
