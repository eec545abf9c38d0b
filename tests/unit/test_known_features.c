/* SPDX-License-Identifier: MIT
 * Known answers of corners, texture and local thresholds, worked out by hand. test_known_features [DEVICE] */
#include <math.h>
#include "run_graph.h"

/* Number `at` of what a filter makes of one plane. */
static void check_at(weft_device *device, const char *text, int side, const float *plane, int at, double expected,
                     double tolerance) {
    float *out = run_floats(device, text, side, side, 1, plane);
    if (out && !CHECK(fabs((double)out[at] - expected) <= tolerance))
        fprintf(stderr, "%s: number %d is %.9g, not %.9g\n", text, at, (double)out[at], expected);
    free(out);
}

static void patches(weft_device *device) {
    static const float patch[9] = {.1f, .2f, .3f, .4f, .5f, .6f, .7f, .8f, 1};
    static const struct {
        const char *text;
        double middle;
    } cases[] = {
        {"local_binary_pattern", 240. / 255}, /* below and to the right */
        {"local_binary_pattern=code=right", 225. / 255},
        {"local_binary_pattern=code=smallest", 15. / 255},
        {"local_binary_pattern=code=uniform", 4. / 255},
        {"color_local_binary_pattern", 240. / 255},
        {"adaptive_threshold=1", 1}, /* the mean is 4.6 / 9 */
        {"adaptive_threshold=1:0.0112", 1},
        {"adaptive_threshold=1:0.0111", 0},
        /* The mean over 5 x 5 is 12.9 / 25. */
        {"adaptive_threshold=2:0.0161:compat=gpuimage:border=replicate", 1},
        {"adaptive_threshold=2:0.0159:compat=gpuimage:border=replicate", 0},
        {"adaptive_threshold=1:0.0159:compat=gpuimage:border=replicate", 0}, /* the same: radii are even */
        {"nms", 0},
        {"luminance_steps=4", .5},
        {"luminance_steps=7:1", 4},
        {"clear_margin", .5},
        {"clear_margin=2", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_at(device, cases[i].text, 3, patch, 4, cases[i].middle, 1e-6);
    check_at(device, "nms", 3, patch, 8, 1, 0); /* nothing outside is larger */
    check_at(device, "nms=result=mask:threshold=1.5", 3, patch, 8, 0, 0);
}

/* Two equal neighbors, which are largest. */
static void ties(weft_device *device) {
    static const float plane[25] = {[11] = 2, [12] = 2};
    static const struct {
        const char *text;
        float left, right;
    } cases[] = {{"nms", 2, 0},
                 {"nms=ties=none", 0, 0},
                 {"nms=ties=all", 2, 2},
                 {"nms=2:3", 0, 0},
                 {"nms=3:1:result=mask", 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_at(device, cases[i].text, 5, plane, 11, cases[i].left, 0);
        check_at(device, cases[i].text, 5, plane, 12, cases[i].right, 0);
    }
}

/* An arc of `count` pixels of 7 x 7 that differ from all else by 30, once over the beginning of the ring. */
static void fast(weft_device *device) {
    static const signed char ring[16][2] = {{0, -3}, {1, -3}, {2, -2}, {3, -1}, {3, 0},  {3, 1},   {2, 2},   {1, 3},
                                            {0, 3},  {-1, 3}, {-2, 2}, {-3, 1}, {-3, 0}, {-3, -1}, {-2, -2}, {-1, -3}};
    static const struct {
        const char *text;
        int count, expected;
    } cases[] = {
        {"fast_corner=0.113725", 9, 30}, /* 29 / 255 */
        {"fast_corner=0.117647", 9, 0},  /* 30 / 255: the arc has to exceed it */
        {"fast_corner=0.05", 8, 0},
        {"fast_corner=0.05:result=mask", 9, 255},
        {"fast_corner=0.05:suppress=0", 16, 30},
        {"fast_corner=0.05:12", 11, 0},
        {"fast_corner=0.05:12", 12, 30},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int from = 0; from < 16; from++)
            for (int sign = -1; sign < 2; sign += 2) {
                unsigned char image[49], *out;
                memset(image, 100, sizeof image);
                for (int k = from; k < from + cases[i].count; k++)
                    image[24 + 7 * ring[k % 16][1] + ring[k % 16][0]] = (unsigned char)(100 + 30 * sign);
                out = run_bytes(device, cases[i].text, 7, 7, image);
                if (out && !CHECK(out[24] == cases[i].expected && out[0] == 0))
                    fprintf(stderr, "%s: %d from %d on make %d, not %d\n", cases[i].text, cases[i].count, from, out[24],
                            cases[i].expected);
                free(out);
            }
}

/* The saddle x y / 10 around the middle, whose differences at x, y are y / 5 and x / 5. */
static void corners(weft_device *device) {
    static const struct {
        const char *text;
        double middle, beside; /* at 0, 0 and 1, 1 */
    } cases[] = {
        {"harris=radius=1:result=response", .84 * 7.11111e-4, 2.84444e-3 - .04 * .0177778},
        {"noble=radius=1:result=response", .0133333, .0213333},
        {"shi_tomasi=radius=1:result=response", .0266667, .0266667},
        {"shi_tomasi=radius=1:result=response:sensitivity=3", .08, .08},
        /* Prewitt's gradients are 3 times these; the largest of the 9 around 1, 1 are cut off at 1. */
        {"harris=radius=1:result=response:compat=gpuimage", 5 * .84 * .0576, NAN},
        {"noble=radius=1:result=response:compat=gpuimage", .6, NAN},
        {"shi_tomasi=radius=1:result=response:compat=gpuimage", .72, NAN},
    };
    float plane[81];
    for (int i = 0; i < 81; i++)
        plane[i] = (float)((i % 9 - 4) * (i / 9 - 4)) * 0.1f;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_at(device, cases[i].text, 9, plane, 40, cases[i].middle, 2e-6);
        if (!isnan(cases[i].beside))
            check_at(device, cases[i].text, 9, plane, 50, cases[i].beside, 2e-6);
    }
    for (int i = 0; i < 81; i++)
        plane[i] = (float)(i % 9) * 0.1f; /* an edge at most: the difference is 0.2 */
    check_at(device, "harris=radius=1:result=response", 9, plane, 40, -.04 * 1.6e-3, 1e-9);
    check_at(device, "harris=result=mask", 9, plane, 40, 0, 0);
    memset(plane, 0, sizeof plane);
    check_at(device, "adaptive_threshold=1:0:compat=gpuimage", 9, plane, 40, 1, 0);
    check_at(device, "adaptive_threshold=1:0", 9, plane, 40, 0, 0);
    check_at(device, "shi_tomasi=result=mask", 9, plane, 0, 0, 0); /* nothing is as large as the largest */
}

/* Rows alike, whose differences go across alone: the direction is 0 or half a turn, which the alpha shows as 0.5 and 1, and not 0,
 * the other end of its range. */
static void level_directions(weft_device *device) {
    enum { WIDTH = 24, HEIGHT = 70 };
    weft_image_info in = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_F32, 3}};
    float row[3 * WIDTH], image[3 * WIDTH * HEIGHT];
    for (int i = 0; i < 3 * WIDTH; i++)
        row[i] = (float)(i * i * 37 % 101) / 101;
    for (int y = 0; y < HEIGHT; y++)
        memcpy(image + (ptrdiff_t)3 * WIDTH * y, row, sizeof row);
    for (int radius = 0; radius < 12; radius++) {
        char text[16];
        snprintf(text, sizeof text, "colour_fast=%d", radius);
        float *out = run_graph(device, text, &in, (void *[]){image}, 1, WEFT_F32, NULL);
        int wrong = 0;
        for (int i = 0; i < WIDTH * HEIGHT && out; i++) {
            float alpha = out[4 * i + 3];
            wrong += !(fabsf(alpha - 0.5f) < 1e-6f || fabsf(alpha - 1) < 1e-6f);
        }
        if (!CHECK(wrong == 0))
            fprintf(stderr, "%s: directions of %d pixels are not level\n", text, wrong);
        free(out);
    }
}

/* What has corners has one channel, whatever it is made of. */
static void channels(weft_device *device) {
    static const char *const texts[] = {"harris", "harris=compat=gpuimage", "noble=result=corners:compat=gpuimage",
                                        "shi_tomasi=result=response:compat=gpuimage"};
    static _Alignas(16) unsigned char pixels[5 * 5 * 16];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int type = 0; type < 2; type++) {
            const weft_image_info in = {
                .width = 5, .height = 5, .format = {type ? WEFT_F32 : WEFT_U8, 4}, .alpha = WEFT_ALPHA_STRAIGHT};
            weft_image_info out = {0};
            free(run_graph(device, texts[i], &in, (void *[]){pixels}, 1, 0, &out));
            if (!CHECK(out.format.channels == 1 && out.alpha == WEFT_ALPHA_NONE))
                fprintf(stderr, "%s: %d channels\n", texts[i], (int)out.format.channels);
        }
}

static void test(weft_device *device) {
    channels(device);
    patches(device);
    ties(device);
    fast(device);
    level_directions(device);
    corners(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("known features");
}
