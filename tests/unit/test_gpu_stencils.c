/* SPDX-License-Identifier: MIT
 * Stencils of numbers on GPUs, which some walk down in registers, into bytes and into numbers, against the reference: every
 * border, one, three and four channels, sizes around what a thread and a block make. test_gpu_stencils [DEVICE] */
#include <math.h>
#include "gpu_devices.h"
#include "run_graph.h"

static const struct { int width, height; } shapes[] = {{1, 1}, {3, 5}, {33, 26}, {131, 61}};
static const char *const borders[] = {"replicate", "mirror", "symmetric", "wrap", "constant:border_value=0.3", "shrink"};
static const int channels[] = {1, 3, 4};
static const char *const graphs[] = {"sobel=border=%s", "laplacian=border=%s",
                                     "convolve3x3=-0.2|-0.1|0|-0.1|0.6|0.1|0|0.1|0.2:border=%s"};
static const weft_type types[] = {WEFT_U8, WEFT_F32};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Numbers a little beyond what bytes hold, so that results are cut on both sides. */
static float number_of(uint32_t *state) {
    *state = *state * 1664525 + 1013904223;
    return (float)((double)(*state >> 8) * ldexp(1.5, -24) - 0.25);
}

static void try_case(weft_device *device, weft_device *reference, const char *text, int planes, weft_type type, int shape) {
    if (!has_turn())
        return;
    weft_image_info info = {.width = shapes[shape].width, .height = shapes[shape].height,
                            .format = {WEFT_F32, planes}, .alpha = WEFT_ALPHA_NONE};
    weft_image_info of_got = {0}, of_expected = {0};
    size_t count = (size_t)(info.width * info.height * planes), wrong = 0, rounded = 0;
    float *pixels = malloc(count * sizeof *pixels);
    uint32_t state = 11;
    for (size_t i = 0; pixels && i < count; i++)
        pixels[i] = number_of(&state);
    void *got = pixels ? run_graph(device, text, &info, (void *[]){pixels}, 1, type, &of_got) : NULL;
    void *expected = pixels ? run_graph(reference, text, &info, (void *[]){pixels}, 1, type, &of_expected) : NULL;
    size_t results = (size_t)(of_got.width * of_got.height * of_got.format.channels);
    CHECK(of_got.format.channels == of_expected.format.channels);
    for (size_t i = 0; got && expected && i < results; i++) {
        double a = type == WEFT_U8 ? ((unsigned char *)got)[i] : (double)((float *)got)[i];
        double b = type == WEFT_U8 ? ((unsigned char *)expected)[i] : (double)((float *)expected)[i];
        rounded += type == WEFT_U8 && a != b;
        if (!(fabs(a - b) <= (type == WEFT_U8 ? 1 : 4e-6)) && wrong++ == 0)
            fprintf(stderr, "%s, type %d, channels %d, %dx%d: %.9g instead of %.9g at %zu\n", text, (int)type, planes,
                    shapes[shape].width, shapes[shape].height, a, b, i);
    }
    /* Bytes are only seldom rounded the other way. */
    CHECK(got && expected && wrong == 0 && rounded <= 1 + results / 200);
    free(pixels);
    free(got);
    free(expected);
}

static void try_gpu(weft_device *device, const char *name) {
    weft_device *reference = NULL;
    weft_error error = {0};
    bool software = is_software(device); /* compiles long for each border */
    (void)name;
    if (!CHECK(weft_device_open("reference", NULL, &reference, &error) == WEFT_OK))
        return;
    for (size_t g = 0; g < COUNT(graphs); g++)
        for (size_t b = 0; b < COUNT(borders); b++)
            for (size_t c = 0; c < COUNT(channels); c++)
                for (size_t t = 0; t < COUNT(types); t++)
                    for (size_t s = 0; s < COUNT(shapes); s++) {
                        char text[100];
                        snprintf(text, sizeof text, graphs[g], borders[b]);
                        if (!software || (g + b + c + t) % 3 == 0)
                            try_case(device, reference, text, channels[c], types[t], (int)s);
                    }
    weft_device_close(&reference);
}

int main(int argc, char **argv) { return check_gpus("test_gpu_stencils", argc, argv, try_gpu); }
