/* SPDX-License-Identifier: MIT
 * Filters that work in whole numbers from image to image, against sums that are made here: every type and number of
 * channels, widths below, at and above those of vectors. */
#include <math.h>
#include <stdlib.h>
#include "run_graph.h"

enum { WIDEST = 799, HIGHEST = 9 };

static const int64_t widths[] = {1, 2, 7, 16, 33, 65, 77, WIDEST};

struct picture {
    int64_t width, height;
    int channels;
    weft_type type;
    unsigned char data[2 * WIDEST * HIGHEST * 4];
};

static int at(const void *data, weft_type type, int64_t i) {
    return type == WEFT_U8 ? ((const uint8_t *)data)[i] : ((const uint16_t *)data)[i];
}
/* Numbers by chance, whose ends are frequent. */
static void fill(struct picture *p) {
    unsigned seed = 7;
    for (int64_t i = 0; i < p->width * p->height * p->channels; i++) {
        seed = seed * 1664525 + 1013904223;
        unsigned v = seed >> 16, kind = seed >> 8 & 3;
        v = kind == 0 ? 0 : kind == 1 ? 65535 : v;
        if (p->type == WEFT_U8)
            p->data[i] = (unsigned char)v;
        else
            memcpy(p->data + 2 * i, &(uint16_t){(uint16_t)v}, 2);
    }
}
static int64_t inside(int64_t i, int64_t n, bool mirror) {
    while (mirror && n > 1 && (i < 0 || i >= n))
        i = i < 0 ? -i : 2 * n - 2 - i;
    return i < 0 ? 0 : i < n ? i : n - 1;
}
static double pixel(const struct picture *p, int64_t x, int64_t y, int c, bool mirror) {
    int64_t i = inside(y, p->height, mirror) * p->width + inside(x, p->width, mirror);
    return at(p->data, p->type, i * p->channels + c);
}

/* Each component of the result is `expected` rounded, halves up, or as near as `slack` steps to that. */
typedef double expectation(const struct picture *p, int64_t x, int64_t y, int c);
static void compare(weft_device *device, const char *text, const struct picture *p, expectation *expected,
                    double slack) {
    weft_image_info info = {.width = p->width, .height = p->height, .format = {p->type, p->channels}}, made;
    void *pixels = (void *)(uintptr_t)p->data;
    void *result = run_graph(device, text, &info, &pixels, 1, 0, &made);
    int64_t wrong = 0;
    for (int64_t i = 0; result && i < made.width * made.height * p->channels; i++) {
        int64_t at_pixel = i / p->channels;
        double v = expected(p, at_pixel % made.width, at_pixel / made.width, (int)(i % p->channels));
        double got = at(result, p->type, i);
        wrong += slack == 0 ? got != floor(v + 0.5) : fabs(got - v) > 0.5 + slack;
    }
    if (wrong)
        fprintf(stderr, "  %s: %lld of %lldx%lldx%d wrong\n", text, (long long)wrong, (long long)p->width,
                (long long)p->height, p->channels);
    CHECK(wrong == 0);
    free(result);
}

static double doubled(const struct picture *p, int64_t x, int64_t y, int c) {
    int64_t x0 = x / 2, y0 = y / 2, x1 = x % 2 ? x0 + 1 : x0 - 1, y1 = y % 2 ? y0 + 1 : y0 - 1;
    return (9 * pixel(p, x0, y0, c, false) + 3 * pixel(p, x1, y0, c, false) + 3 * pixel(p, x0, y1, c, false) +
            pixel(p, x1, y1, c, false)) /
           16;
}

static double halved(const struct picture *p, int64_t x, int64_t y, int c) {
    return (pixel(p, 2 * x, 2 * y, c, false) + pixel(p, 2 * x + 1, 2 * y, c, false) +
            pixel(p, 2 * x, 2 * y + 1, c, false) + pixel(p, 2 * x + 1, 2 * y + 1, c, false)) /
           4;
}

/* The four pixels around count 1, 3, 3 and 1, of those inside. */
static double halved_tent(const struct picture *p, int64_t x, int64_t y, int c) {
    double sum = 0, weights = 0;
    for (int dy = -1; dy <= 2; dy++)
        for (int dx = -1; dx <= 2; dx++) {
            int64_t px = 2 * x + dx, py = 2 * y + dy;
            double w = (dx == 0 || dx == 1 ? 3 : 1) * (dy == 0 || dy == 1 ? 3 : 1);
            if (px < 0 || py < 0 || px >= p->width || py >= p->height)
                continue;
            sum += w * pixel(p, px, py, c, false), weights += w;
        }
    return sum / weights;
}

static double lanczos(double x) {
    double turn = 3.14159265358979324 * x;
    return fabs(x) >= 3 ? 0 : x == 0 ? 1 : 3 * sin(turn) * sin(turn / 3) / (turn * turn);
}
/* The weights of what lies inside add up to 1. */
static double reduced(const struct picture *p, int64_t x, int64_t y, int c, int factor) {
    double sum = 0, weights = 0, full = p->type == WEFT_U8 ? 255 : 65535;
    double x_at = ((double)x + 0.5) * factor - 0.5, y_at = ((double)y + 0.5) * factor - 0.5;
    for (int64_t py = 0; py < p->height; py++)
        for (int64_t px = (int64_t)x_at - 3 * factor; px <= (int64_t)x_at + 3 * factor + 1; px++) {
            double w = lanczos(((double)px - x_at) / factor) * lanczos(((double)py - y_at) / factor);
            if (px >= 0 && px < p->width)
                sum += w * pixel(p, px, py, c, false), weights += w;
        }
    sum /= weights;
    return sum < 0 ? 0 : sum > full ? full : sum;
}
static double half(const struct picture *p, int64_t x, int64_t y, int c) { return reduced(p, x, y, c, 2); }
static double third(const struct picture *p, int64_t x, int64_t y, int c) { return reduced(p, x, y, c, 3); }

static double area(const struct picture *p, int64_t x, int64_t y, int c, int factor) {
    double sum = 0;
    for (int dy = 0; dy < factor; dy++)
        for (int dx = 0; dx < factor; dx++)
            sum += pixel(p, factor * x + dx, factor * y + dy, c, false);
    return sum / (factor * factor);
}
static double area_3(const struct picture *p, int64_t x, int64_t y, int c) { return area(p, x, y, c, 3); }
static double area_4(const struct picture *p, int64_t x, int64_t y, int c) { return area(p, x, y, c, 4); }
static double area_6(const struct picture *p, int64_t x, int64_t y, int c) { return area(p, x, y, c, 6); }

static double mean(const struct picture *p, int64_t x, int64_t y, int c, int radius) {
    double sum = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            sum += pixel(p, x + dx, y + dy, c, true);
    return sum / ((2 * radius + 1) * (2 * radius + 1));
}
static double mean_1(const struct picture *p, int64_t x, int64_t y, int c) { return mean(p, x, y, c, 1); }
static double mean_7(const struct picture *p, int64_t x, int64_t y, int c) { return mean(p, x, y, c, 7); }
static double mean_9(const struct picture *p, int64_t x, int64_t y, int c) { return mean(p, x, y, c, 9); }

static double gaussian(const struct picture *p, int64_t x, int64_t y, int c) {
    double sum = 0, weights = 0;
    for (int dy = -7; dy <= 7; dy++)
        for (int dx = -7; dx <= 7; dx++) {
            double w = exp(-0.5 * (dx * dx + dy * dy) / (0.8 * 0.8));
            sum += w * pixel(p, x + dx, y + dy, c, true), weights += w;
        }
    return sum / weights;
}

static double sharpened(const struct picture *p, int64_t x, int64_t y, int c) {
    double v = 5 * pixel(p, x, y, c, true) - pixel(p, x - 1, y, c, true) - pixel(p, x + 1, y, c, true) -
               pixel(p, x, y - 1, c, true) - pixel(p, x, y + 1, c, true),
           full = p->type == WEFT_U8 ? 255 : 65535;
    return v < 0 ? 0 : v > full ? full : v;
}

/* No two alike, with a fraction and a bias. */
static double slanted(const struct picture *p, int64_t x, int64_t y, int c) {
    double full = p->type == WEFT_U8 ? 255 : 65535;
    double v = -2 * pixel(p, x - 1, y - 1, c, true) + 3 * pixel(p, x + 1, y - 1, c, true) + 0.5 * pixel(p, x, y, c, true) +
               pixel(p, x - 1, y + 1, c, true) - 1.25 * pixel(p, x + 1, y + 1, c, true) + 0.5 * full;
    return v < 0 ? 0 : v > full ? full : v;
}

/* The length of the gradient by Sobel, times `strength`. */
static double gradient_by(const struct picture *p, int64_t x, int64_t y, int c, double strength) {
    double across = 0, down = 0, full = p->type == WEFT_U8 ? 255 : 65535;
    for (int k = -1; k <= 1; k++) {
        int weight = 2 - k * k;
        across += weight * (pixel(p, x + 1, y + k, c, true) - pixel(p, x - 1, y + k, c, true));
        down += weight * (pixel(p, x + k, y + 1, c, true) - pixel(p, x + k, y - 1, c, true));
    }
    return fmin(strength * sqrt(across * across + down * down), full);
}
static double gradient(const struct picture *p, int64_t x, int64_t y, int c) { return gradient_by(p, x, y, c, 1); }
static double faint_gradient(const struct picture *p, int64_t x, int64_t y, int c) { return gradient_by(p, x, y, c, 0.15); }

static int ascending(const void *a, const void *b) {
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}
static double middle(const struct picture *p, int64_t x, int64_t y, int c) {
    double near[9];
    for (int k = 0; k < 9; k++)
        near[k] = pixel(p, x + k % 3 - 1, y + k / 3 - 1, c, true);
    qsort(near, 9, sizeof *near, ascending);
    return near[4];
}

static double from_a_quarter(const struct picture *p, int64_t x, int64_t y, int c) {
    double full = p->type == WEFT_U8 ? 255 : 65535;
    return pixel(p, x, y, c, true) >= 0.25 * full ? full : 0;
}

/* 1/factor of the size, as far as the image has so many rows. */
static void test_reduced_by(weft_device *device, struct picture p, int factor, const char *method, expectation *expected,
                            double slack) {
    char text[80];
    p.width = p.width / factor * factor, p.height = p.height / factor * factor;
    if (p.width == 0 || p.height == 0)
        return;
    fill(&p);
    snprintf(text, sizeof text, "resize=width=%d:height=%d:method=%s", (int)p.width / factor, (int)p.height / factor,
             method);
    compare(device, text, &p, expected, slack);
}

static void test_reduced(weft_device *device, struct picture p) {
    double slack = p.type == WEFT_U8 ? 0.05 : 1.5; /* what weights in whole numbers, or in f32, may cost */
    test_reduced_by(device, p, 2, "lanczos3", half, slack);
    test_reduced_by(device, p, 3, "lanczos3", third, slack);
    if (p.type == WEFT_U8) { /* means, halves up */
        test_reduced_by(device, p, 3, "area", area_3, 0);
        test_reduced_by(device, p, 4, "area", area_4, 0);
        test_reduced_by(device, p, 6, "area", area_6, 0);
    }
}

static void test(weft_device *device) {
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int i = 0; i < 8; i++) {
            struct picture p = {.width = widths[w], .height = widths[w] % HIGHEST + 1, .channels = i / 2 + 1};
            p.type = i % 2 == 0 ? WEFT_U8 : WEFT_U16;
            fill(&p);
            compare(device, "resize=scale=2:method=bilinear", &p, doubled, 0);
            struct picture even = p;
            even.width = p.width / 2 * 2 + (p.width < WIDEST ? 2 : 0), even.height = p.height / 2 * 2;
            if (even.height > 0 && even.width <= WIDEST) {
                fill(&even);
                compare(device, "resize=scale=0.5:method=area", &even, halved, 0);
                if (even.height >= 4 && even.width >= 4) /* others are made in f32 */
                    compare(device, "resize=scale=0.5:method=bilinear", &even, halved_tent, 0);
            }
            test_reduced(device, p);
            compare(device, "box=1", &p, mean_1, 0);
            compare(device, "box=7", &p, mean_7, 0);
            compare(device, "box=9", &p, mean_9, 0);
            compare(device, "convolve3x3=0|-1|0|-1|5|-1|0|-1|0", &p, sharpened, 0);
            compare(device, "convolve3x3=-2|0|3|0|0.5|0|1|0|-1.25:bias=0.5", &p, slanted, 0);
            compare(device, "median=1", &p, middle, 0);
            if (p.channels == 1) {
                compare(device, "luminance_threshold=0.25", &p, from_a_quarter, 0);
                compare(device, "sobel", &p, gradient, p.type == WEFT_U8 ? 0 : 0.02);
                compare(device, "sobel=edge_strength=0.15", &p, faint_gradient, 0.02);
            }
            /* What weights in whole numbers, or in f32, may cost. */
            compare(device, "gaussian=0.8", &p, gaussian, p.type == WEFT_U8 ? 0.05 : 1.5);
        }
}

/* The same sizes of f32, which have a way of their own. */
static void test_floats(weft_device *device, int64_t width, int channels) {
    enum { HEIGHT = 6 };
    static float pixels[WIDEST * HEIGHT * 4];
    struct picture p = {.width = width / 2 * 2 + 2, .height = HEIGHT, .channels = channels, .type = WEFT_U16};
    if (p.width > WIDEST)
        p.width -= 2;
    fill(&p);
    int64_t count = p.width * p.height * channels;
    for (int64_t i = 0; i < count; i++)
        pixels[i] = (float)at(p.data, p.type, i) / 65535.0f;
    for (int way = 0; way < 2; way++) {
        weft_image_info info = {.width = p.width, .height = p.height, .format = {WEFT_F32, channels}}, made;
        const char *text = way == 0 ? "resize=scale=2:method=bilinear" : "resize=scale=0.5:method=area";
        float *result = run_graph(device, text, &info, (void *[]){pixels}, 1, 0, &made);
        int64_t wrong = 0;
        for (int64_t i = 0; result && i < made.width * made.height * channels; i++) {
            int64_t x = i / channels % made.width, y = i / channels / made.width;
            double v = (way == 0 ? doubled : halved)(&p, x, y, (int)(i % channels)) / 65535;
            wrong += !(fabs((double)result[i] - v) <= 3e-7);
        }
        CHECK(wrong == 0);
        free(result);
    }
}

int main(void) {
    weft_device *device = NULL;
    if (CHECK(weft_device_open("cpu", NULL, &device, NULL) == WEFT_OK))
        test(device);
    for (size_t w = 0; device && w < sizeof widths / sizeof *widths; w++)
        for (int channels = 1; channels <= 4; channels++)
            test_floats(device, widths[w], channels);
    weft_device_close(&device);
    return check_done("whole numbers");
}
