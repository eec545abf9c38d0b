/* SPDX-License-Identifier: MIT
 * Known answers: medians, and numbers of whole images, counts, means and what is bound to them. */
#include <math.h>
#include "run_graph.h"

static bool near(double a, double b, double tolerance) { return fabs(a - b) <= tolerance; }

static void ranks_and_counts(weft_device *device) {
    static const unsigned char in[12] = {9, 1, 8, 2, 7, 3, 6, 4, 5, 255, 0, 254};
    static const struct {
        const char *text;
        unsigned char expected[12];
    } medians[] = {{"median=1", {3, 6, 4, 6, 5, 6, 4, 6, 5, 6, 4, 6}},
                   {"median=1:border=shrink", {7, 7, 4, 6, 7, 6, 4, 6, 7, 6, 6, 6}}};
    for (int i = 0; i < 2; i++) {
        unsigned char *out = run_bytes(device, medians[i].text, 4, 3, in);
        for (int k = 0; k < 12 && out; k++)
            if (!CHECK(out[k] == medians[i].expected[k]))
                fprintf(stderr, "%s: pixel %d is %d, not %d\n", medians[i].text, k, out[k], medians[i].expected[k]);
        free(out);
    }

    static const unsigned char levels[8] = {0, 63, 64, 127, 128, 191, 192, 255};
    weft_image_info info = {.width = 4, .height = 2, .format = {WEFT_U8, 1}}, result;
    double *counts = run_graph(device, "histogram=4", &info, (void *[]){(void *)(uintptr_t)levels}, 1, 0, &result);
    if (counts && CHECK(result.width == 4 && result.height == 1 && result.format.type == WEFT_F64))
        for (int k = 0; k < 4; k++)
            CHECK(counts[k] == 2);
    free(counts);
    counts = run_graph(device, "histogram", &info, (void *[]){(void *)(uintptr_t)levels}, 1, 0, &result);
    for (int k = 0, next = 0; k < 256 && counts; k++) {
        bool there = next < 8 && levels[next] == k;
        CHECK(counts[k] == there);
        next += there;
    }
    free(counts);

    static const char *const ops[] = {"reduce=min", "reduce=max", "reduce=sum", "reduce=mean"};
    static const double answers[] = {0, 1, 1020 / 255.0, 1020 / 255.0 / 8};
    for (int i = 0; i < 4; i++) {
        double *number = run_graph(device, ops[i], &info, (void *[]){(void *)(uintptr_t)levels}, 1, 0, &result);
        CHECK(number && result.width == 1 && near(*number, answers[i], 1e-6 * (1 + answers[i])));
        free(number);
    }
}

/* Of colors times alpha the histogram counts colors: the nearest step of c / a, halves up, in whole numbers. */
static void counts_of_colors(weft_device *device) {
    static unsigned char pixels[256 * 256][2];
    static const int bins[] = {8, 255, 256, 1000};
    static weft_image_info info = {
        .width = 256, .height = 256, .format = {WEFT_U8, 2}, .alpha = WEFT_ALPHA_PREMULTIPLIED};
    for (int i = 0; i < 256 * 256; i++)
        pixels[i][0] = (unsigned char)(i % 256 < i / 256 ? i % 256 : i / 256), pixels[i][1] = (unsigned char)(i / 256);
    for (int b = 0; b < 4; b++) {
        double expected[1000][2] = {{0}};
        char text[32];
        snprintf(text, sizeof text, "histogram=%d", bins[b]);
        for (int i = 0; i < 256 * 256; i++) {
            int c = pixels[i][0], a = pixels[i][1], step = a ? (2 * 255 * c + a) / (2 * a) : 0;
            expected[step < 255 ? step * bins[b] / 255 : bins[b] - 1][0]++;
            expected[a < 255 ? a * bins[b] / 255 : bins[b] - 1][1]++;
        }
        double(*counts)[2] = run_graph(device, text, &info, (void *[]){pixels}, 1, 0, NULL);
        for (int k = 0; counts && k < bins[b]; k++)
            if (!CHECK(counts[k][0] == expected[k][0] && counts[k][1] == expected[k][1]))
                fprintf(stderr, "%s: bin %d counts %.0f and %.0f, not %.0f and %.0f\n", text, k, counts[k][0], counts[k][1],
                        expected[k][0], expected[k][1]);
        free(counts);
    }
}

/* Two pixels: of red .1 and .5, green .2 and .4, blue .3 and .9. */
static void means(weft_device *device) {
    static const struct {
        const char *text;
        int channels;
        double expected[3];
    } cases[] = {{"average_color", 3, {.3, .3, .6}},
                 {"average_luminance", 1, {.2125 * .3 + .7154 * .3 + .0721 * .6}},
                 {"brightness=0.1,average_color", 3, {.4, .4, .7}}};
    float pixels[6] = {.1f, .2f, .3f, .5f, .4f, .9f};
    weft_image_info result, info = {.width = 1, .height = 2, .format = {WEFT_F32, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double *mean = run_graph(device, cases[i].text, &info, (void *[]){pixels}, 1, 0, &result);
        if (mean && CHECK(result.width == 1 && result.height == 1 && result.format.channels == cases[i].channels))
            for (int c = 0; c < cases[i].channels; c++)
                if (!CHECK(near(mean[c], cases[i].expected[c], 2e-6)))
                    fprintf(stderr, "%s: number %d is %.7f, not %.7f\n", cases[i].text, c, mean[c],
                            cases[i].expected[c]);
        free(mean);
    }
}

/* A byte that is the black point is black, however steep the curve is there, and those above follow the formula. */
static void black_points(weft_device *device) {
    static const double gammas[] = {2.5, 10};
    unsigned char in[256];
    for (int i = 0; i < 256; i++)
        in[i] = (unsigned char)i;
    for (int black = 0; black < 255; black += 17)
        for (int g = 0; g < 2; g++) {
            char text[64];
            snprintf(text, sizeof text, "levels=in_min=%.9g:gamma=%g", black / 255.0, gammas[g]);
            unsigned char *out = run_bytes(device, text, 256, 1, in);
            for (int i = 0; i < 256 && out; i++) {
                double expected = i > black ? 255 * pow((double)(i - black) / (255 - black), 1 / gammas[g]) : 0;
                if (!CHECK(near(out[i], expected, 0.501)))
                    fprintf(stderr, "%s: %d becomes %d, not %.3f\n", text, i, out[i], expected);
            }
            free(out);
        }
    unsigned char *out = run_bytes(device, "levels=in_min=0.4:in_max=0.4", 256, 1, in);
    for (int i = 0; i < 256 && out; i++)
        CHECK(out[i] == (i < 102 ? 0 : 255));
    free(out);
}

static void bindings(weft_device *device) {
    static const unsigned char in[4] = {0, 51, 102, 255}; /* mean 0.4 */
    unsigned char *out = run_bytes(device, "average_luminance_threshold", 4, 1, in);
    CHECK(out && out[0] == 0 && out[1] == 0 && out[3] == 255);
    free(out);
    /* No pixel reaches more than white. */
    out = run_bytes(device, "average_luminance_threshold=2.6", 4, 1, in);
    CHECK(out && out[3] == 0);
    free(out);
    out = run_bytes(device, "split[a][b];[b]reduce=mean[m];[a]brightness=@m*0.5", 4, 1, in);
    CHECK(out && out[0] == 51 && out[1] == 102 && out[2] == 153 && out[3] == 255);
    free(out);
}

/* Numbers of a reduction are an image for what comes after: of one pixel. */
static void blurred_numbers(weft_device *device) {
    static const unsigned char in[4] = {0, 51, 102, 255}; /* mean 0.4 */
    static const char *const graphs[] = {"reduce=mean,gaussian=2", "reduce=mean,gaussian_reduce=7.2:8:2"};
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        unsigned char *out = run_bytes(device, graphs[i], 4, 1, in);
        CHECK(out && out[0] == 102);
        free(out);
    }
}

static void test(weft_device *device) {
    ranks_and_counts(device);
    counts_of_colors(device);
    means(device);
    black_points(device);
    bindings(device);
    blurred_numbers(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("known numbers");
}
