/* SPDX-License-Identifier: MIT
 * What NaN and infinity come to, as docs/design.md says, against obvious loops in double precision: one such pixel, or
 * some, in images of f32 and f16, by filters of each kind. test_not_finite [DEVICE]; without one the reference, and the
 * processor by all its instruction sets. */
#include <math.h>
#include <stdio.h>
#include "run_graph.h"

enum kind { SMALLEST, LARGEST, MIDDLE, MEAN, ANY };

/* `near`: how far from it every pixel is not finite; `far`: beyond it every pixel is as it would be. ANY only has the
 * latter, and channels may see each other. */
struct rule {
    const char *text;
    enum kind kind;
    int near_x, near_y, far_x, far_y;
};
#define SQUARE(text, kind, radius)                                                                                     \
    { text, kind, radius, radius, radius, radius }
static const struct rule rules[] = {
    SQUARE("dilate=1", LARGEST, 1),
    SQUARE("dilate=2", LARGEST, 2),
    SQUARE("dilate=9", LARGEST, 9),
    {"dilate=0:3", LARGEST, 0, 3, 0, 3},
    {"dilate=6:0", LARGEST, 6, 0, 6, 0},
    {"dilate=3:1:border=wrap", LARGEST, 3, 1, 3, 1},
    SQUARE("erode=1", SMALLEST, 1),
    SQUARE("erode=4:border=wrap", SMALLEST, 4),
    {"erode=0:20", SMALLEST, 0, 20, 0, 20},
    SQUARE("median=1", MIDDLE, 1),
    SQUARE("median=2", MIDDLE, 2),
    SQUARE("median=3:border=wrap", MIDDLE, 3),
    SQUARE("median=7", MIDDLE, 7),
    SQUARE("box=1", MEAN, 1),
    SQUARE("box=2:border=wrap", MEAN, 2),
    {"box=4:9", MEAN, 4, 9, 4, 9},
    SQUARE("box=24", MEAN, 24),
    {"box=17:0", MEAN, 17, 0, 17, 0},
    SQUARE("box=5:border=shrink", MEAN, 5),
    /* A gaussian is cut at 4.5 sigma; weights of less than 1e-5 in all lie beyond, on coarse grids up to twice as far.
     */
    {"gaussian=0.8", MEAN, 3, 3, 8, 8},
    {"gaussian=2", MEAN, 8, 8, 18, 18},
    {"gaussian=2:border=wrap", MEAN, 8, 8, 18, 18},
    {"gaussian=3:radius=5", MEAN, 5, 5, 5, 5},
    {"gaussian=3.9", MEAN, 16, 16, 36, 36},
    {"gaussian=4.5:1", MEAN, 18, 4, 41, 9},
    {"gaussian=12", MEAN, 50, 50, 108, 108},
    {"gaussian=6:0", MEAN, 25, 0, 54, 0},
    {"gaussian=40:2", MEAN, 160, 8, 360, 18},
    {"gaussian=9:radius=20", MEAN, 20, 20, 20, 20},
    {"gaussian=5:border=shrink", MEAN, 22, 22, 45, 45},
    {"convolve_separable=row=0.5|0.25|0.25:column=0.1|0.2|0.3|0.2|0.2", MEAN, 1, 2, 1, 2},
    SQUARE("convolve3x3=1|2|1|2|4|2|1|2|1:0.0625", ANY, 1),
    SQUARE("sobel", ANY, 1),
    SQUARE("laplacian", ANY, 1),
    SQUARE("unsharp_mask=1", ANY, 18),
    SQUARE("bilateral=2", ANY, 9),
    SQUARE("opening=2", ANY, 4),
    SQUARE("brightness=0.1", ANY, 0),
    SQUARE("contrast=1.3,gamma=0.7,invert", ANY, 0),
    SQUARE("transpose,transpose", ANY, 0),
    {"motion_blur=4:0", ANY, 24, 1, 24, 1},
    SQUARE("brightness=0.1,gaussian=1,gamma=0.9", ANY, 9),
    {"resize=width=40:height=21", ANY, 0, 0, 24, 40},
    {"resize=width=140:height=35", ANY, 0, 0, 8, 26},
};

struct place {
    int width, height, x, y;
};
static const struct place places[] = {{61, 83, 30, 41},  {61, 83, 0, 0},     {61, 83, 60, 40},
                                      {130, 40, 64, 20}, {130, 40, 127, 39}, {260, 20, 120, 16},
                                      {20, 260, 16, 3},  {7, 5, 3, 2},       {1, 1, 0, 0}};

/* How far two places on a line of n are apart, there and, by border=wrap, around. */
static int apart(int a, int b, int n, bool wraps) {
    int d = abs(a - b);
    return wraps && n - d < d ? n - d : d;
}

static int ascending(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return isnan(p) || isnan(q) ? isnan(p) - isnan(q) : (p > q) - (p < q);
}

/* The least, largest or middle of a window of channel c; the border is mirrored, or wraps. */
static double ordered(const struct rule *rule, const double *in, const struct place *p, int channels, int c, int x,
                      int y) {
    static double values[64 * 64];
    bool wraps = strstr(rule->text, "wrap") != NULL;
    size_t n = 0;
    for (int v = y - rule->near_y; v <= y + rule->near_y; v++)
        for (int u = x - rule->near_x; u <= x + rule->near_x; u++) {
            int column = u, row = v, w = p->width, h = p->height;
            for (; column < 0 || column >= w;)
                column = wraps ? (column + w) % w : w == 1 ? 0 : column < 0 ? -column : 2 * (w - 1) - column;
            for (; row < 0 || row >= h;)
                row = wraps ? (row + h) % h : h == 1 ? 0 : row < 0 ? -row : 2 * (h - 1) - row;
            double value = in[(row * w + column) * channels + c];
            if (rule->kind == MIDDLE || !isnan(value))
                values[n++] = value;
        }
    qsort(values, n, sizeof *values, ascending);
    return n == 0 ? NAN : values[rule->kind == LARGEST ? n - 1 : rule->kind == SMALLEST ? 0 : n / 2];
}

static uint16_t half_of(double v) {
    int exponent;
    if (!isfinite(v))
        return isnan(v) ? 0x7e00 : v < 0 ? 0xfc00 : 0x7c00;
    double m = frexp(fabs(v), &exponent);
    return v == 0 ? 0 : (uint16_t)((v < 0 ? 0x8000 : 0) + ((exponent + 14) << 10) + (int)((m * 2 - 1) * 1024));
}
static double of_half(uint16_t bits) {
    double sign = bits & 0x8000 ? -1 : 1;
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    return exponent == 31 ? (fraction ? (double)NAN : sign * (double)INFINITY)
           : exponent     ? sign * ldexp(1 + fraction / 1024.0, exponent - 15)
                          : sign * ldexp(fraction, -24);
}

/* Runs on `count` numbers in a type; false without a result. */
static bool run(weft_device *device, const struct rule *rule, const struct place *p, weft_type type, int channels,
                const double *in, double *out, weft_image_info *made_info) {
    size_t count = (size_t)(p->width * p->height * channels);
    weft_image_info info = {.width = p->width, .height = p->height, .format = {type, channels}};
    void *pixels = malloc(count * 4), *made = NULL;
    for (size_t i = 0; pixels && i < count; i++)
        if (type == WEFT_F32)
            ((float *)pixels)[i] = (float)in[i];
        else
            ((uint16_t *)pixels)[i] = half_of(in[i]);
    if (pixels)
        made = run_graph(device, rule->text, &info, (void *[]){pixels}, 1, type, made_info);
    count = made ? (size_t)(made_info->width * made_info->height * made_info->format.channels) : 0;
    for (size_t i = 0; made && i < count; i++)
        out[i] = type == WEFT_F32 ? (double)((float *)made)[i] : of_half(((uint16_t *)made)[i]);
    free(pixels);
    free(made);
    return made != NULL && made_info->format.channels == channels;
}

static bool try_place(weft_device *device, const struct rule *rule, const struct place *p, weft_type type, int channels,
                      double odd) {
    static double in[130 * 40 * 4 + 4], usual[130 * 40 * 4 + 4], out[130 * 40 * 4 + 4], clean[130 * 40 * 4 + 4];
    int count = p->width * p->height * channels, at = (p->y * p->width + p->x) * channels, wrong = 0;
    bool wraps = strstr(rule->text, "wrap") != NULL, orders = rule->kind < MEAN;
    uint32_t state = 7;
    for (int i = 0; i < count; i++) {
        state = state * 1664525 + 1013904223;
        in[i] = usual[i] = (state >> 22) / 1024.0;
    }
    in[at] = odd;
    if (orders && p->width > 8) /* some more, a whole window of one channel among them */
        for (int i = 0; i < count; i += 1 + (int)(state >> 8) % 97, state = state * 1664525 + 1013904223)
            in[i] = (state & 1u << 20) != 0 ? NAN : odd;
    weft_image_info made;
    if (!run(device, rule, p, type, channels, in, out, &made) ||
        !run(device, rule, p, type, channels, usual, clean, &made))
        return false;
    count = (int)(made.width * made.height) * channels;
    for (int i = 0; i < count; i++) {
        int width = (int)made.width, c = i % channels, x = i / channels % width, y = i / channels / width;
        if (width != p->width) /* resized: the pixel of the input there */
            x = (2 * x + 1) * p->width / (2 * width);
        if (made.height != p->height)
            y = (2 * y + 1) * p->height / (2 * (int)made.height);
        int dx = apart(x, p->x, p->width, wraps), dy = apart(y, p->y, p->height, wraps);
        double expected = orders ? ordered(rule, in, p, channels, c, x, y) : clean[i];
        bool same = isnan(expected) ? (rule->kind == MIDDLE ? isnan(out[i]) : !isfinite(out[i]))
                                    : fabs(out[i] - expected) < 4e-6 * (1 + fabs(expected)) || out[i] == expected;
        if (rule->kind == MEAN && c == 0 && dx <= rule->near_x && dy <= rule->near_y)
            same = !isfinite(out[i]);
        else if (!orders && (c == 0 || rule->kind == ANY) && dx <= rule->far_x && dy <= rule->far_y)
            same = same || rule->kind == ANY || !isfinite(out[i]) || fabs(out[i] - expected) < 1e-3;
        if (!same && wrong++ == 0)
            fprintf(stderr, "%s, %dx%d f%d x%d, %g at %d, %d: channel %d at %d, %d is %g, not %g\n", rule->text,
                    p->width, p->height, type == WEFT_F32 ? 32 : 16, channels, odd, p->x, p->y, c, x, y, out[i],
                    expected);
    }
    return wrong == 0;
}

static size_t share = 4; /* one in so many cases is tried */

static void try_device(weft_device *device) {
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (size_t p = 0; p < sizeof places / sizeof *places; p++)
            for (size_t k = 0; k < 3; k++) {
                if ((r + p + k) % share > 0)
                    continue;
                bool gray = strcmp(rules[r].text, "sobel") == 0; /* whose result has one channel */
                int channels = gray ? 1 : (r + p + k) % 3 == 0 ? 1 : (r + p + k) % 3 == 1 ? 3 : 4;
                weft_type type = (r + p) % 4 == 0 ? WEFT_F16 : WEFT_F32;
                CHECK(try_place(device, &rules[r], &places[p], type, channels, odd[k]));
            }
}

int main(int argc, char **argv) {
    static const char *const isas[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4", "neon", "plain"};
    weft_device *device = NULL;
    int tried = 0;
    if (argc > 1) {
        share = strcmp(argv[1], "cpu") == 0 ? 1 : 7;
        run_on_devices(argc, argv, try_device);
        return check_done("test_not_finite");
    }
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        setenv("WEFT_CPU_ISA", isas[i], 1);
        if (weft_device_open("cpu", NULL, &device, NULL) != WEFT_OK)
            continue;
        int before = check_failed;
        try_device(device);
        if (check_failed > before)
            fprintf(stderr, "(%s)\n", isas[i]);
        weft_device_close(&device);
        tried++;
    }
    CHECK(tried > 0);
    share = 7;
    run_on_devices(2, (char *[]){argv[0], "reference"}, try_device);
    return check_done("test_not_finite");
}
