/* SPDX-License-Identifier: MIT
 * Filters that GPUs take as bytes as they lie, against plain loops: every border, one, three and four channels, windows
 * narrower and wider than the image and than what a block makes, rows that begin anywhere in the device's memory. What
 * is not the result's stays as it was. test_gpu_bytes [DEVICE] */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "edges.h"
#include "gpu_buffer.h"
#include "gpu_devices.h"

enum what { LARGEST, SMALLEST, MEDIAN, WEIGHTED, WIDE, ALIKE };
static const char *const names[] = {"dilate", "erode", "median", "gaussian", "gaussian", "bilateral"};
/* What a mean may be off, by rounding and by what the bar allows above it. */
#define OFF 0.55

struct window {
    enum what what;
    int x, y; /* radii; of WIDE, sigmas of a gaussian that goes by coarse grids; of ALIKE, sigma in tenths of the colors */
};
static const struct window windows[] = {
    {LARGEST, 1, 1},  {SMALLEST, 2, 2},  {SMALLEST, 1, 1},  {LARGEST, 2, 2},   {SMALLEST, 2, 1},  {LARGEST, 3, 5},
    {SMALLEST, 4, 9}, {LARGEST, 8, 8},   {SMALLEST, 13, 0}, {LARGEST, 0, 21},  {LARGEST, 64, 3},  {SMALLEST, 33, 64},
    {LARGEST, 64, 64}, {SMALLEST, 17, 40}, {MEDIAN, 1, 1},  {MEDIAN, 2, 2},    {WEIGHTED, 1, 1},  {WEIGHTED, 8, 8},
    {WEIGHTED, 13, 13}, {WEIGHTED, 16, 16}, {WEIGHTED, 5, 5}, {WEIGHTED, 27, 27}, {WEIGHTED, 32, 32},
    {WIDE, 15, 15},   {WIDE, 6, 9},     {WIDE, 13, 8},    {WIDE, 11, 11},    {WIDE, 40, 20},    {ALIKE, 0, 1},
    {ALIKE, 3, 1},    {ALIKE, 4, 3},    {ALIKE, 8, 1},    {ALIKE, 8, 10},
};
#define SIGMA(radius) ((radius) / 3.0 + 0.25) /* cut where some of it is left */
#define WIDE_CUT 5                            /* of WIDE, in sigmas; less than 1e-6 is left */
/* Bytes before the image, and between its rows. */
static const struct { int width, height, before, between; } shapes[] = {
    {1, 1, 0, 0}, {3, 5, 3, 1}, {15, 40, 4, 4}, {64, 19, 0, 0}, {263, 37, 1, 2}, {1040, 70, 16, 16}, {701, 150, 32, 5},
    {216, 70, 16, 8},
};
enum { WINDOWS = sizeof windows / sizeof *windows, SHAPES = sizeof shapes / sizeof *shapes, OUTSIDE = 51 };

struct picture {
    unsigned char *bytes; /* the top left one */
    int width, height, channels, row;
};

/* The largest or smallest of a line's window. */
static int line_extremum(const unsigned char *line, int apart, int n, int i, int radius, const struct window *w,
                         enum border border) {
    int best = -1;
    for (int k = i - radius; k <= i + radius; k++) {
        int at = place_of(k, n, border), v = at >= 0 ? line[(ptrdiff_t)at * apart] : OUTSIDE;
        if (at < 0 && border != CONSTANT)
            continue;
        if (best < 0 || (w->what == LARGEST ? v > best : v < best))
            best = v;
    }
    return best;
}

static int compare(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }

static int median_at(const struct picture *p, int x, int y, int c, int radius, enum border border) {
    unsigned char all[25];
    size_t count = 0;
    for (int v = y - radius; v <= y + radius; v++)
        for (int u = x - radius; u <= x + radius; u++) {
            int row = place_of(v, p->height, border), column = place_of(u, p->width, border);
            if (row >= 0 && column >= 0)
                all[count++] = p->bytes[row * p->row + column * p->channels + c];
            else if (border == CONSTANT)
                all[count++] = OUTSIDE;
        }
    qsort(all, count, 1, compare);
    return all[count / 2];
}

/* A line's mean, weighed by a gaussian that is cut at a radius; `apart` numbers lie from one of it to the next. */
static double line_mean(const double *line, int apart, int n, int i, double sigma, int radius, enum border border) {
    double sum = 0, weights = 0;
    for (int k = -radius; k <= radius; k++) {
        double weight = exp(-0.5 * k * k / (sigma * sigma));
        int at = place_of(i + k, n, border);
        sum += weight * (at >= 0 ? line[(ptrdiff_t)at * apart] : border == CONSTANT ? OUTSIDE : 0);
        weights += at >= 0 || border == CONSTANT ? weight : 0;
    }
    return sum / weights;
}

static void expect_means(const struct picture *p, const struct window *w, enum border border, double *expected) {
    int row = p->width * p->channels, wide = w->what == WIDE;
    double sigma_x = wide ? w->x : SIGMA(w->x), sigma_y = wide ? w->y : SIGMA(w->y);
    int radius_x = wide ? WIDE_CUT * w->x : w->x, radius_y = wide ? WIDE_CUT * w->y : w->y;
    double *in = malloc((size_t)(row * p->height) * sizeof *in), *between = malloc((size_t)(row * p->height) * sizeof *in);
    for (int i = 0; in && between && i < row * p->height; i++)
        in[i] = p->bytes[i / row * p->row + i % row];
    for (int i = 0; in && between && i < row * p->height; i++)
        between[i] = line_mean(in + i / row * row + i % p->channels, p->channels, p->width, i % row / p->channels, sigma_x,
                               radius_x, border);
    for (int i = 0; in && between && i < row * p->height; i++)
        expected[i] = line_mean(between + i % row, row, p->height, i / row, sigma_y, radius_y, border);
    free(in);
    free(between);
}

/* Means of neighbors within a radius, by how near and how alike they are. */
#define SIGMA_SPACE 3.0
static void expect_alike(const struct picture *p, const struct window *w, enum border border, double *expected) {
    double sigma = 255 * w->y / 10.0;
    for (int i = 0; i < p->width * p->height; i++) {
        int x = i % p->width, y = i / p->width;
        double sums[4] = {0}, weights = 0;
        for (int n = 0; n < (2 * w->x + 1) * (2 * w->x + 1); n++) {
            int dx = n % (2 * w->x + 1) - w->x, dy = n / (2 * w->x + 1) - w->x, v[4];
            int column = place_of(x + dx, p->width, border), row = place_of(y + dy, p->height, border);
            double distance = 0;
            if (dx * dx + dy * dy > w->x * w->x || (border != CONSTANT && (column < 0 || row < 0)))
                continue;
            for (int c = 0; c < p->channels; c++) {
                v[c] = column < 0 || row < 0 ? OUTSIDE : p->bytes[row * p->row + column * p->channels + c];
                distance += abs(v[c] - p->bytes[y * p->row + x * p->channels + c]);
            }
            double weight = exp(-(dx * dx + dy * dy) / (2 * SIGMA_SPACE * SIGMA_SPACE) - distance * distance / (2 * sigma * sigma));
            weights += weight;
            for (int c = 0; c < p->channels; c++)
                sums[c] += weight * v[c];
        }
        for (int c = 0; c < p->channels; c++)
            expected[i * p->channels + c] = sums[c] / weights;
    }
}

/* What must come out, packed. */
static void expect(const struct picture *p, const struct window *w, enum border border, double *expected) {
    if (w->what == ALIKE) {
        expect_alike(p, w, border, expected);
        return;
    }
    if (w->what >= WEIGHTED) {
        expect_means(p, w, border, expected);
        return;
    }
    int row = p->width * p->channels;
    unsigned char *between = malloc((size_t)(row * p->height));
    for (int y = 0; between && y < p->height; y++)
        for (int i = 0; i < row; i++) {
            int x = i / p->channels, c = i % p->channels;
            const unsigned char *line = p->bytes + y * p->row + c;
            between[y * row + i] =
                (unsigned char)(w->what == MEDIAN ? median_at(p, x, y, c, w->x, border)
                                                  : line_extremum(line, p->channels, p->width, x, w->x, w, border));
        }
    for (int y = 0; between && y < p->height; y++)
        for (int i = 0; i < row; i++)
            expected[y * row + i] =
                w->what == MEDIAN ? between[y * row + i] : line_extremum(between + i, row, p->height, y, w->y, w, border);
    free(between);
}

/* The number of bytes that are not what they must be. */
static int count_wrong(const struct picture *p, const unsigned char *got, size_t size, size_t before,
                       const double *expected, double off) {
    int wrong = 0, row = p->width * p->channels;
    for (size_t i = 0; i < size; i++) {
        ptrdiff_t at = (ptrdiff_t)i - (ptrdiff_t)before, y = at / p->row, x = at % p->row;
        bool inside = at >= 0 && x < row && y < p->height;
        wrong += fabs(got[i] - (inside ? expected[y * row + x] : 0xa5)) > (inside ? off : 0);
    }
    return wrong;
}

static void try_case(weft_device *device, const struct window *w, enum border border, int channels, int shape) {
    if (!has_turn())
        return;
    struct picture p = {.width = shapes[shape].width, .height = shapes[shape].height, .channels = channels};
    p.row = p.width * channels + shapes[shape].between;
    size_t before = (size_t)shapes[shape].before, size = before + (size_t)(p.row * p.height) + 7;
    unsigned char *in = malloc(size), *got = malloc(size);
    double *expected = malloc(size * sizeof *expected);
    weft_image memory[2] = {{.data = NULL}, {.data = NULL}}, image[2] = {{.data = NULL}, {.data = NULL}};
    const weft_image_info all = {.width = (int64_t)size, .height = 1, .format = {WEFT_U8, 1}};
    weft_image host = {.info = all, .data = got, .stride = (ptrdiff_t)size};
    weft_error error = {0};
    char text[120];
    uint32_t state = (uint32_t)(shape * 100 + w->x);
    bool good = in && got && expected;
    for (size_t i = 0; good && i < size; i++) { /* few of the largest and smallest, and many that are alike */
        state = state * 1664525 + 1013904223;
        in[i] = (unsigned char)(state >> 30 ? state >> 20 & 0xf8 : state >> 22);
        got[i] = 0xa5;
    }
    p.bytes = in + before;
    if (w->what == MEDIAN)
        snprintf(text, sizeof text, "median=%d:border=%s:border_value=0.2", w->x, borders[border]);
    else if (w->what == WEIGHTED)
        snprintf(text, sizeof text, "gaussian=%.9g:radius=%d:downsample=1:border=%s:border_value=0.2", SIGMA(w->x), w->x,
                 borders[border]);
    else if (w->what == ALIKE)
        snprintf(text, sizeof text, "bilateral=%g:%g:%d:border=%s:border_value=0.2", SIGMA_SPACE, w->y / 10.0, w->x,
                 borders[border]);
    else
        snprintf(text, sizeof text, "%s=%d:%d:border=%s:border_value=0.2", names[w->what], w->x, w->y, borders[border]);
    good = good && upload_bytes(device, in, size, before, p.width, p.height, p.channels, p.row, &memory[0], &image[0], &error) &&
           upload_bytes(device, got, size, before, p.width, p.height, p.channels, p.row, &memory[1], &image[1], &error) &&
           run_between(device, text, &image[0], &image[1], &error) &&
           weft_image_copy(device, &memory[1], &host, &error) == WEFT_OK;
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    if (good) {
        expect(&p, w, border, expected);
        int wrong = count_wrong(&p, got, size, before, expected, w->what >= WEIGHTED ? OFF : 0);
        good = wrong == 0;
        if (!good)
            fprintf(stderr, "%d bytes are wrong\n", wrong);
    }
    if (!CHECK(good))
        fprintf(stderr, "%s on %dx%d u8x%d, %d bytes before, %d between rows\n", text, p.width, p.height, channels,
                (int)before, shapes[shape].between);
    for (int i = 0; i < 2; i++)
        weft_memory_destroy(device, &memory[i]);
    free(in);
    free(got);
    free(expected);
}

static void try_gpu(weft_device *device, const char *name) {
    static const int channels[] = {1, 4, 3};
    const bool software = is_software(device); /* it compiles for each border and number of channels */
    (void)name;
    for (int w = 0; w < WINDOWS; w++)
        for (int border = 0; border < BORDERS; border++)
            for (int turn = 0; turn < ((windows[w].what >= MEDIAN && !software) || (w + border) % 3 == 0 ? 3 : 0); turn++)
                try_case(device, &windows[w], (enum border)border, channels[(w / 2 + border) % 3],
                         (w + 3 * border + 2 * turn) % SHAPES);
}

int main(int argc, char **argv) { return check_gpus("test_gpu_bytes", argc, argv, try_gpu); }
