/* SPDX-License-Identifier: MIT
 * sigma means sigma: every device's gaussian against the whole sampled gaussian in double precision, for small and
 * large sigmas, on noise, a step and an impulse. */
#include <math.h>
#include <stdint.h>
#include "run_graph.h"

enum { WIDTH = 310, HEIGHT = 70 };

/* The pixel of 0 .. n - 1 that stands for place i, by walking. */
static int mirror(int i, int n) {
    while (i < 0 || i >= n)
        i = i < 0 ? -i : 2 * (n - 1) - i;
    return i;
}
static int replicate(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/* weight[x * n + j]: how much of pixel j there is in the blurred pixel x of a line of n. */
static void line_weights(double sigma, int n, int (*border)(int, int), double *weight) {
    int radius = (int)ceil(9 * sigma);
    double sum = 0;
    for (int k = -radius; k <= radius; k++)
        sum += exp(-0.5 * k * k / (sigma * sigma));
    for (int i = 0; i < n * n; i++)
        weight[i] = 0;
    for (int x = 0; x < n; x++)
        for (int k = -radius; k <= radius; k++)
            weight[x * n + border(x + k, n)] += exp(-0.5 * k * k / (sigma * sigma)) / sum;
}

static void blur(const double *in, double sigma_x, double sigma_y, int (*border)(int, int), double *out) {
    double *across = malloc(sizeof(double) * WIDTH * WIDTH), *down = malloc(sizeof(double) * HEIGHT * HEIGHT);
    double *rows = malloc(sizeof(double) * WIDTH * HEIGHT);
    if (!across || !down || !rows)
        abort();
    line_weights(sigma_x, WIDTH, border, across);
    line_weights(sigma_y, HEIGHT, border, down);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            double sum = 0;
            for (int j = 0; j < WIDTH; j++)
                sum += across[x * WIDTH + j] * in[y * WIDTH + j];
            rows[y * WIDTH + x] = sum;
        }
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            double sum = 0;
            for (int j = 0; j < HEIGHT; j++)
                sum += down[y * HEIGHT + j] * rows[j * WIDTH + x];
            out[y * WIDTH + x] = sum;
        }
    free(across);
    free(down);
    free(rows);
}

/* Whole levels of 255, so that u8 and f32 hold the same image. */
static void draw(int which, double *image) {
    uint32_t state = 1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            state = state * 1664525 + 1013904223;
            double noise = (double)(state >> 24) / 255, step = x > WIDTH / 3 ? 1 : 0;
            double impulse = x == 100 && y == 30 ? 1 : 0;
            image[y * WIDTH + x] = which == 0 ? noise : which == 1 ? step : impulse;
        }
}

/* The largest error in levels of 255 for u8, as a fraction of full scale for f32. */
static double error_of(weft_device *device, const char *text, weft_type type, const double *in, const double *truth) {
    enum { COUNT = WIDTH * HEIGHT };
    static unsigned char bytes[COUNT];
    static float floats[COUNT];
    weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {type, 1}};
    double worst = 0;
    for (int i = 0; i < COUNT; i++) {
        bytes[i] = (unsigned char)floor(in[i] * 255 + 0.5);
        floats[i] = (float)in[i];
    }
    void *out =
        run_graph(device, text, &info, (void *[]){type == WEFT_U8 ? (void *)bytes : (void *)floats}, 1, 0, NULL);
    for (int i = 0; i < COUNT && out; i++) {
        double off = type == WEFT_U8 ? fabs(((unsigned char *)out)[i] - truth[i] * 255)
                                     : fabs((double)((float *)out)[i] - truth[i]);
        if (off > worst)
            worst = off;
    }
    free(out);
    return worst;
}

static void test(weft_device *device) {
    static const double sigmas[][2] = {{.3, .3}, {.5, .5}, {1, 1},     {2, 2},  {3.9, 3.9}, {5, 5},
                                       {10, 10}, {50, 50}, {250, 250}, {7, .8}, {1.2, 40}};
    static const char *const names[] = {"noise", "step", "impulse"};
    static double image[WIDTH * HEIGHT], truth[WIDTH * HEIGHT];
    weft_device_info info;
    weft_device_describe(device, &info);
    bool slow = strcmp(info.backend, "reference") == 0;
    for (size_t s = 0; s < sizeof sigmas / sizeof *sigmas; s++)
        for (int which = 0; which < 3; which++)
            for (int border = 0; border < 2; border++) {
                char text[128];
                if (slow && sigmas[s][0] > 10)
                    continue;
                snprintf(text, sizeof text, "gaussian=%g:%g:border=%s", sigmas[s][0], sigmas[s][1],
                         border ? "replicate" : "mirror");
                draw(which, image);
                blur(image, sigmas[s][0], sigmas[s][1], border ? replicate : mirror, truth);
                double levels = error_of(device, text, WEFT_U8, image, truth);
                double fraction = error_of(device, text, WEFT_F32, image, truth);
                if (!CHECK(levels <= 0.55))
                    fprintf(stderr, "%s, %s: off by %.3f levels in u8\n", text, names[which], levels);
                if (!CHECK(fraction <= 1e-4))
                    fprintf(stderr, "%s, %s: off by %.3g in f32\n", text, names[which], fraction);
            }
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("gaussian");
}
