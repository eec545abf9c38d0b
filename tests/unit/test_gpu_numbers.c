/* SPDX-License-Identifier: MIT
 * Gaussians on GPUs against the reference: of radius 6 to 64, some of which are tensor-core products, and of small
 * radii, by sums in registers. Every type and border, sizes around what blocks make, with alpha and without.
 * test_gpu_numbers [DEVICE] */
#include <math.h>
#include <string.h>
#include "gpu_devices.h"
#include "run_graph.h"

static const struct { int width, height; } shapes[] = {{1, 1}, {5, 3}, {33, 130}, {150, 17}, {301, 40}, {1033, 9}, {1040, 12}};
#define WIDE_SHAPES 2 /* the last ones */
static const char *const borders[] = {"replicate", "mirror", "symmetric", "wrap", "constant", "shrink"};
static const weft_type types[] = {WEFT_U8, WEFT_F16, WEFT_U16, WEFT_F32};
static const int channels[] = {1, 3, 4};
static const char *const graphs[] = {"gaussian=2:radius=6:downsample=1:border=%s", "gaussian=3:radius=8:downsample=1:border=%s",
                                     "gaussian=4:radius=10:downsample=1:border=%s",
                                     "gaussian=6:radius=16:downsample=1:border=%s",
                                     "gaussian=9:radius=23:downsample=1:border=%s",
                                     "gaussian=15:radius=33:downsample=1:border=%s",
                                     "gaussian=25:radius=64:downsample=1:border=%s",
                                     "gaussian=4:radius=9:downsample=1:border=%s:border_value=1"};
static const char *const small[] = {"gaussian=0.34:radius=1:border=%s", "gaussian=0.67:radius=2:border=%s",
                                    "gaussian=1.34:radius=4:border=%s", "gaussian=2.67:radius=8:border=%s",
                                    "gaussian=1.34:radius=4:border=%s:border_value=0.75"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Numbers 0 to 1 as halves: 1024ths. */
static uint16_t half_of(int n) {
    int exponent = 25;
    if (n == 0)
        return 0;
    while (n < 1024)
        n *= 2, exponent--;
    return (uint16_t)((exponent - 10) << 10 | (n & 1023));
}
static double number_of_half(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    return exponent > 0 ? ldexp(1024 + (bits & 1023), exponent - 25) : ldexp(bits & 1023, -24);
}
static double number_at(const void *pixels, weft_type type, size_t i) {
    if (type == WEFT_F32)
        return (double)((const float *)pixels)[i];
    if (type == WEFT_U8)
        return ((const unsigned char *)pixels)[i] / 255.0;
    return type == WEFT_U16 ? ((const uint16_t *)pixels)[i] / 65535.0 : number_of_half(((const uint16_t *)pixels)[i]);
}

/* What a result may be off by: rounding in the image, and the bar's 1.5e-5; less alpha makes colors worse. */
static double allowed(weft_type type, bool alpha) {
    double rounding = type == WEFT_U8 ? 1 / 255.0 : type == WEFT_U16 ? 1 / 65535.0 : type == WEFT_F16 ? ldexp(1, -11) : 0;
    return rounding + (alpha ? 4 : 1) * 1.5e-5;
}

/* Floats are multiplied by `left` in the left half of the image and by `right` in the right one. */
static void try_case(weft_device *device, weft_device *reference, const char *text, weft_format format, int shape,
                     weft_alpha alpha, double left, double right) {
    if (!has_turn())
        return;
    weft_type type = format.type;
    weft_image_info info = {
        .width = shapes[shape].width, .height = shapes[shape].height, .format = format, .alpha = alpha};
    size_t count = (size_t)(info.width * info.height * format.channels), wrong = 0, other = 0;
    unsigned char *pixels = malloc(count * sizeof(float));
    uint32_t state = 7;
    for (size_t i = 0; pixels && i < count; i++) {
        state = state * 1664525 + 1013904223;
        bool in_left = i / (size_t)format.channels % (size_t)info.width * 2 < (size_t)info.width;
        int n = (int)(state >> 22), least = alpha != WEFT_ALPHA_NONE && i % 4 == 3 ? 256 : 0;
        n = n < least ? least : n;
        if (type == WEFT_F32)
            ((float *)(void *)pixels)[i] = (float)((n + (state >> 4 & 1023) / 1024.0) / 1025 * (in_left ? left : right));
        else if (type == WEFT_U8)
            pixels[i] = (unsigned char)(n / 4);
        else
            ((uint16_t *)(void *)pixels)[i] = type == WEFT_F16 ? half_of(n) : (uint16_t)(64 * n + (int)(state >> 4 & 63));
    }
    void *got = pixels ? run_graph(device, text, &info, (void *[]){pixels}, 1, type, NULL) : NULL;
    void *expected = pixels ? run_graph(reference, text, &info, (void *[]){pixels}, 1, type, NULL) : NULL;
    for (size_t i = 0; got && expected && i < count; i++) {
        double a = number_at(got, type, i), b = number_at(expected, type, i);
        other += type == WEFT_U8 && a != b;
        if (!(fabs(a - b) <= allowed(type, alpha != WEFT_ALPHA_NONE) * fmax(left, right)) && wrong++ == 0)
            fprintf(stderr, "%s, type %d, channels %d, alpha %d, %lldx%lld: %.9g instead of %.9g at %zu\n", text, (int)type,
                    (int)format.channels, (int)alpha, (long long)info.width, (long long)info.height, a, b, i);
    }
    /* Bytes are only seldom rounded the other way. */
    CHECK(got && expected && wrong == 0 && (alpha != WEFT_ALPHA_NONE || other <= 2 + count / 50));
    free(pixels);
    free(got);
    free(expected);
}

/* Rows narrower and wider than a block, of a whole number of what threads read, and not. */
static void try_small(weft_device *device, weft_device *reference) {
    size_t part = is_software(device) ? 5 : 1;
    for (size_t g = 0; g < COUNT(small); g++)
        for (size_t b = 0; b < COUNT(borders); b++)
            for (size_t t = 0; t < COUNT(types); t++)
                for (size_t s = 1; s < COUNT(shapes); s++) {
                    int planes = (g + b + t + s) % 2 ? 4 : 1;
                    char text[100];
                    snprintf(text, sizeof text, small[g], borders[b]);
                    if ((g + b + t + s) / 2 % part == 0)
                        try_case(device, reference, text, (weft_format){types[t], planes}, (int)s,
                                 planes < 4 || (g + b) % 2 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT, 1, 1);
                }
}

static void try_gpu(weft_device *device, const char *name) {
    weft_device *reference = NULL;
    weft_error error = {0};
    bool all = strcmp(name, "cuda") == 0; /* others have no kernels of their own for this */
    bool software = is_software(device);
    if (!CHECK(weft_device_open("reference", NULL, &reference, &error) == WEFT_OK))
        return;
    for (size_t g = 0; g < COUNT(graphs); g++)
        for (size_t b = 0; b < COUNT(borders); b++)
            for (size_t t = 0; t < COUNT(types); t++)
                for (size_t s = 0; s < COUNT(shapes) - WIDE_SHAPES - (g >= 5 && t != b % COUNT(types)); s++) {
                    char text[100];
                    snprintf(text, sizeof text, graphs[g], borders[b]);
                    for (size_t c = 0; c < COUNT(channels); c++)
                        if ((all || (g + b + t) % (software ? 8 : 4) == 0) &&
                            ((g + b + s + t) % COUNT(channels) == c || (channels[c] == 4 && g < 5 && t > 0)))
                            try_case(device, reference, text, (weft_format){types[t], channels[c]}, (int)s,
                                     (g + b + s) % 2 || channels[c] < 4 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT, 1, 1);
                }
    try_small(device, reference);
    /* Floats of any size. */
    for (size_t c = 0; c < COUNT(channels); c++) {
        static const double units[][2] = {{1e6, 1e6}, {1e-9, 1e-9}, {1, 2000}, {1e-12, 1e30}};
        for (size_t u = 0; u < COUNT(units); u++)
            try_case(device, reference, "gaussian=9:radius=23:downsample=1:border=mirror",
                     (weft_format){WEFT_F32, channels[c]}, 4, WEFT_ALPHA_NONE, units[u][0], units[u][1]);
    }
    /* Few outputs of many weights, whose sums threads share: along both axes, and beyond the border. */
    static const struct { const char *text; int shape; } few[] = {
        {"resize=3:200:method=lanczos3,resize=301:40:method=nearest", 4},
        {"resize=200:2:method=lanczos3,resize=33:130:method=nearest", 2},
        {"gaussian_reduce=sigma=40:step=40:margin=2:border=constant:border_value=1,resize=301:40:method=nearest", 4}};
    for (size_t g = 0; g < COUNT(few); g++)
        for (size_t t = 0; t < COUNT(types); t++)
            for (size_t c = 0; c < COUNT(channels); c++)
                if (!software || (g + t + c) % 3 == 0)
                    try_case(device, reference, few[g].text, (weft_format){types[t], channels[c]}, few[g].shape,
                             WEFT_ALPHA_NONE, 1, 1);
    /* Coarse grids of bytes, and those whose numbers are beyond what bytes hold. */
    static const char *const coarse[] = {"gaussian=15", "brightness=0.5,gaussian=15", "brightness=-0.5,gaussian=9:13"};
    for (size_t g = 0; g < COUNT(coarse); g++)
        for (size_t c = 0; c < COUNT(channels); c++)
            try_case(device, reference, coarse[g], (weft_format){WEFT_U8, channels[c]}, 4, WEFT_ALPHA_NONE, 1, 1);
    /* Colors that are divided by alpha without having been multiplied. */
    for (size_t t = 0; t < COUNT(types); t++)
        try_case(device, reference, "gaussian=8:radius=20:downsample=1,unpremultiply", (weft_format){types[t], 4}, 4,
                 WEFT_ALPHA_PREMULTIPLIED, 1, 1);
    weft_device_close(&reference);
}

int main(int argc, char **argv) { return check_gpus("test_gpu_numbers", argc, argv, try_gpu); }
