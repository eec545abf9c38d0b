/* SPDX-License-Identifier: MIT
 * Known answers: numbers that were worked out elsewhere (the shaders that the filters descend from, the standards), so
 * that a filter whose body is wrong does not pass by agreeing with itself. */
#include <math.h>
#include "run_graph.h"

static bool near(double a, double b, double tolerance) { return fabs(a - b) <= tolerance; }

/* A pixel through a filter; the answers have four decimals. */
static void check_pixel(weft_device *device, const char *text, const float *in, const float *expected) {
    float *out = run_floats(device, text, 1, 1, 4, in);
    for (int c = 0; c < 4 && out; c++)
        if (!CHECK(near(out[c], expected[c], 6e-5)))
            fprintf(stderr, "%s: channel %d is %.6f, not %.6f\n", text, c, out[c], expected[c]);
    free(out);
}

static void point_filters(weft_device *device) {
    static const struct {
        const char *text;
        float expected[4];
    } cases[] = {
        {"brightness=0.2", {.45f, .7f, .95f, 1}},
        {"contrast=1.5", {.125f, .5f, .875f, 1}},
        {"saturation=0.5", {.3574f, .4824f, .6075f, 1}},
        {"gamma=2", {.0625f, .25f, .5625f, 1}},
        {"exposure=1", {.5f, 1, 1.5f, 1}},
        {"exposure=-2", {.0625f, .125f, .1875f, 1}},
        {"invert", {.75f, .5f, .25f, 1}},
        {"opacity=0.5", {.25f, .5f, .75f, .5f}},
        {"levels=in_min=0.1:gamma=1.5:in_max=0.9", {.3276f, .63f, .8707f, 1}},
        {"levels=in_min=0.5:in_max=0.5", {0, 1, 1, 1}},
        {"color_matrix=0.3588|0.7044|0.1368|0|0.299|0.587|0.114|0|0.2392|0.4696|0.0912|0|0|0|0|1",
         {.5445f, .4537f, .363f, 1}},
        {"luminance_threshold=0.46,color_matrix", {1, 1, 1, 1}},
        {"luminance_threshold=0.47,color_matrix", {0, 0, 0, 1}},
        {"grayscale,color_matrix", {.4649f, .4649f, .4649f, 1}},
        {"srgb_decode", {.0509f, .2140f, .5225f, 1}},
        {"premultiply", {.25f, .5f, .75f, 1}},
        {"brightness=0.2,contrast=1.5,invert", {.575f, .2f, -.175f, 1}},
    };
    static const float pixel[4] = {.25f, .5f, .75f, 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_pixel(device, cases[i].text, pixel, cases[i].expected);
}

/* A backdrop, and a color over it of alpha 1 and 1/2; W3C's compositing with each mode's function. */
static void blends(weft_device *device) {
    static const struct {
        const char *text;
        float opaque[4], half[4];
    } cases[] = {
        {"blend_multiply", {.15f, .15f, .675f, 1}, {.2f, .325f, .7125f, 1}},
        {"blend_subtract", {0, .2f, 0, 1}, {.125f, .35f, .375f, 1}},
        {"blend_add", {.85f, .8f, 1, 1}, {.55f, .65f, .875f, 1}},
        {"blend_screen", {.7f, .65f, .975f, 1}, {.475f, .575f, .8625f, 1}},
        {"blend_source_over", {.6f, .3f, .9f, 1}, {.425f, .4f, .825f, 1}},
        {"blend_dissolve", {.425f, .4f, .825f, 1}, {.425f, .4f, .825f, .75f}},
        {"blend_source_over=0.5", {.425f, .4f, .825f, 1}, {.3375f, .45f, .7875f, 1}},
    };
    weft_image_info info = {.width = 1, .height = 1, .format = {WEFT_F32, 4}, .alpha = WEFT_ALPHA_STRAIGHT};
    weft_image_info infos[2] = {info, info};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int half = 0; half < 2; half++) {
            float backdrop[4] = {.25f, .5f, .75f, 1}, over[4] = {.6f, .3f, .9f, half ? .5f : 1};
            const float *expected = half ? cases[i].half : cases[i].opaque;
            float *out = run_graph(device, cases[i].text, infos, (void *[]){backdrop, over}, 2, 0, NULL);
            for (int c = 0; c < 4 && out; c++)
                if (!CHECK(near(out[c], expected[c], 2e-6)))
                    fprintf(stderr, "%s: channel %d is %.6f, not %.6f\n", cases[i].text, c, out[c], expected[c]);
            free(out);
        }
}

static void patches(weft_device *device) {
    static const float patch[9] = {.1f, .2f, .3f, .4f, .5f, .6f, .7f, .8f, 1};
    static const struct {
        const char *text;
        double middle;
    } cases[] = {
        {"sobel", 2.657066},
        {"sobel=component=x", .9},
        {"sobel=component=y", 2.5},
        {"sobel=edge_strength=2", 2 * 2.657066},
        {"laplacian=gpuimage:0.5", .55},
        {"convolve3x3=0|-0.5|0|-0.5|3|-0.5|0|-0.5|0", .5},
        {"convolve3x3=-2|-1|0|-1|1|1|0|1|2", 3.1},
        {"convolve3x3=1|0|0|0|0|0|0|0|0", .1}, /* correlation: the top left weight sees the top left pixel */
        {"median=1", .5},
        {"dilate=1", 1},
        {"erode=1", .1},
        {"box=1", 4.6 / 9},
        {"correlate_separable=1|2|3:1|0|0", .2 * 2 + .1 + .3 * 3},
        {"convolve_separable=1|2|3:1|0|0", .8 * 2 + .7 * 3 + 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float *out = run_floats(device, cases[i].text, 3, 3, 1, patch);
        if (out && !CHECK(near(out[4], cases[i].middle, 5e-6)))
            fprintf(stderr, "%s: the middle is %.6f, not %.6f\n", cases[i].text, out[4], cases[i].middle);
        free(out);
    }
}

/* One white pixel in the middle of 3 x 3: corners see it among 4, edges among 6, the middle among 9. */
static void patch_average(weft_device *device) {
    static const unsigned char in[9] = {0, 0, 0, 0, 255, 0, 0, 0, 0};
    static const struct {
        const char *text;
        unsigned char corner, edge, middle;
    } cases[] = {{"box=1:border=shrink:rounding=down", 63, 42, 28},
                 {"box=1:border=shrink", 64, 43, 28},
                 {"box=1:border=constant:rounding=down", 28, 28, 28},
                 {"box=1:border=replicate", 28, 28, 28},
                 {"box=1:border=mirror", 113, 57, 28},
                 {"box=2:border=shrink:rounding=down", 28, 28, 28},
                 {"box=0:rounding=down", 0, 0, 255}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char *out = run_bytes(device, cases[i].text, 3, 3, in);
        const unsigned char *c = &cases[i].corner;
        for (int k = 0; k < 9 && out; k++)
            if (!CHECK(out[k] == (k == 4 ? cases[i].middle : k % 2 ? cases[i].edge : *c)))
                fprintf(stderr, "%s: pixel %d is %d\n", cases[i].text, k, out[k]);
        free(out);
    }
}

/* What is narrower than 3 pixels goes, and what is wider is as it was. */
static void openings(weft_device *device) {
    static const unsigned char in[14] = {0, 9, 0, 9, 9, 9, 0, 0, 9, 0, 9, 9, 9, 0};
    static const struct {
        const char *text;
        unsigned char expected[7];
    } cases[] = {{"opening=1", {0, 0, 0, 9, 9, 9, 0}},
                 {"opening=2", {0, 0, 0, 0, 0, 0, 0}},
                 {"invert,closing=1,invert", {0, 0, 0, 9, 9, 9, 0}},
                 {"closing=1", {9, 9, 9, 9, 9, 9, 9}},
                 {"closing=0", {0, 9, 0, 9, 9, 9, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char *out = run_bytes(device, cases[i].text, 7, 2, in);
        for (int k = 0; k < 14 && out; k++)
            if (!CHECK(out[k] == cases[i].expected[k % 7]))
                fprintf(stderr, "%s: pixel %d is %d, not %d\n", cases[i].text, k, out[k], cases[i].expected[k % 7]);
        free(out);
    }
}

/* The 17 weights of a compute shader's gaussian, from the first to the middle one; at radius 8 they lie on pixels. */
static void sampled_gaussian(weft_device *device) {
    static const double weights[9] = {.00002611, .00021523, .00133919, .00628988, .02229954,
                                      .05967667, .12055019, .18381709, .21157218};
    float in[17 * 17] = {0};
    in[8 * 17 + 8] = 1;
    float *out = run_floats(device, "gaussian_sampled=8:border=constant", 17, 17, 1, in);
    for (int y = 0; y < 17 && out; y++)
        for (int x = 0; x < 17; x++)
            CHECK(near(out[y * 17 + x], weights[y < 8 ? y : 16 - y] * weights[x < 8 ? x : 16 - x], 1e-8));
    free(out);
}

static void moves(weft_device *device) {
    static const unsigned char in[6] = {1, 2, 3, 4, 5, 6}; /* 3 x 2 */
    static const struct {
        const char *text;
        int64_t count;
        unsigned char expected[6];
    } cases[] = {{"flip", 6, {3, 2, 1, 6, 5, 4}},
                 {"flip=y", 6, {4, 5, 6, 1, 2, 3}},
                 {"flip=both", 6, {6, 5, 4, 3, 2, 1}},
                 {"transpose", 6, {1, 4, 2, 5, 3, 6}},
                 {"transpose=flip_x=1", 6, {4, 1, 5, 2, 6, 3}}, /* a quarter turn clockwise */
                 {"transpose=flip_y=1", 6, {3, 6, 2, 5, 1, 4}},
                 {"crop=1:0:2:2", 4, {2, 3, 5, 6}},
                 {"crop=2:1:0:0", 1, {6}},
                 {"crop_region", 6, {1, 2, 3, 4, 5, 6}},
                 {"crop_region=0.33333334|0|0.66666667|1", 4, {2, 3, 5, 6}},
                 {"crop_region=0.5|0|0.34|0.5", 1, {3}}, /* 2.51, between the second and the third */
                 {"crop_region=0.1|0.6|0|0", 1, {3}},    /* no size is one pixel: 3.1 */
                 {"resize=3:2", 6, {1, 2, 3, 4, 5, 6}},
                 {"resize=1:1:method=area", 1, {4}}}; /* 3.5, and halves go up */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char *out = run_bytes(device, cases[i].text, 3, 2, in);
        for (int64_t k = 0; k < cases[i].count && out; k++)
            if (!CHECK(out[k] == cases[i].expected[k]))
                fprintf(stderr, "%s: pixel %d is %d, not %d\n", cases[i].text, (int)k, out[k], cases[i].expected[k]);
        free(out);
    }
}

static void test(weft_device *device) {
    point_filters(device);
    blends(device);
    patches(device);
    patch_average(device);
    openings(device);
    sampled_gaussian(device);
    moves(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("known");
}
