/* SPDX-License-Identifier: MIT
 * Medians of bytes on GPUs against sorted values, at every border, for images smaller than the square and larger than a
 * block, alone and among point filters. test_gpu_rank [DEVICE] */
#include <math.h>
#include "edges.h"
#include "gpu_devices.h"
#include "run_graph.h"

struct median {
    int radius, channels;
    enum border border;
    double value; /* outside, with constant */
    bool among;   /* point filters before and after */
};
static const struct median cases[] = {
    {3, 1, REPLICATE, 0, false},   {3, 4, MIRROR, 0, false},     {3, 3, SHRINK, 0, false},
    {3, 2, CONSTANT, 0.35, false}, {4, 1, WRAP, 0, true},        {4, 3, CONSTANT, 1, false},
    {4, 4, SHRINK, 0, false},      {5, 2, SYMMETRIC, 0, false},  {5, 1, SHRINK, 0, true},
    {5, 4, CONSTANT, 0, true},     {6, 1, CONSTANT, 0.2, false}, {6, 3, SHRINK, 0, true},
    {6, 4, MIRROR, 0, false},      {7, 1, MIRROR, 0, false},     {7, 4, SHRINK, 0, false},
    {7, 3, WRAP, 0, true},         {7, 2, CONSTANT, 1, false},   {7, 1, CONSTANT, -0.5, false},
    {9, 1, CONSTANT, 0.35, false}, {30, 1, CONSTANT, 1.5, false}, {64, 1, MIRROR, 0, false},
};
static const int large[] = {8, 20, 50, 127}; /* at every border */
static const struct { int width, height; } sizes[] = {{1, 1}, {2, 9}, {40, 3}, {263, 70}, {301, 139}};

/* How often each value is in a square, and how many places are outside that count. */
struct counts {
    int of[256], outside, all;
};

static void count_column(struct counts *counts, const unsigned char *in, int width, int height, const struct median *m,
                         int x, int y, int c, int change) {
    int column = place_of(x, width, m->border);
    for (int v = y - m->radius; v <= y + m->radius; v++) {
        int row = place_of(v, height, m->border);
        bool there = column >= 0 && row >= 0;
        if (there)
            counts->of[in[(row * width + column) * m->channels + c]] += change;
        else if (m->border == CONSTANT)
            counts->outside += change;
        counts->all += there || m->border == CONSTANT ? change : 0;
    }
}

/* In steps of a byte; what lies between two is rounded as it is stored. */
static int median_of(const struct counts *counts, double value) {
    int outside = (int)floor(fmin(fmax(255 * value, 0), 255) + 0.5), place = counts->all / 2;
    bool passed = false; /* the places outside */
    for (int i = 0; i < 256; i++) {
        if (!passed && 255 * value <= i) {
            passed = true;
            if (place < counts->outside)
                return outside;
            place -= counts->outside;
        }
        if (place < counts->of[i])
            return i;
        place -= counts->of[i];
    }
    return outside;
}

static void try_case(weft_device *device, const struct median *m, int width, int height) {
    if (!has_turn())
        return;
    int channels = m->channels;
    weft_image_info info = {.width = width,
                            .height = height,
                            .format = {WEFT_U8, channels},
                            .alpha = channels % 2 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT};
    size_t size = (size_t)(width * height * channels);
    unsigned char *in = malloc(size);
    char text[120];
    uint32_t state = (uint32_t)m->radius;
    for (size_t i = 0; in && i < size; i++) { /* a slope and noise, so that medians are neither few nor all alike */
        state = state * 1664525 + 1013904223;
        size_t slope = m->radius % 2 ? i * 255 / size : i / (size_t)channels % (size_t)width * 255 / (size_t)width;
        in[i] = (unsigned char)(state >> 24 & 64 ? state >> 20 : slope);
    }
    snprintf(text, sizeof text, "%smedian=%d:border=%s:border_value=%g%s", m->among ? "invert," : "",
             m->radius, borders[m->border], m->value, m->among ? ",invert" : "");
    unsigned char *out = in ? run_graph(device, text, &info, (void *[]){in}, 1, WEFT_U8, NULL) : NULL;
    bool inverted = m->among;
    if (inverted) /* all but alpha */
        for (size_t i = 0; i < size; i++)
            in[i] = channels % 2 == 0 && i % (size_t)channels == (size_t)channels - 1 ? in[i]
                                                                                      : (unsigned char)(255 - in[i]);
    int wrong = 0;
    for (int i = 0; out && i < height * channels && wrong == 0; i++) {
        int y = i / channels, c = i % channels;
        bool turned = inverted && !(channels % 2 == 0 && c == channels - 1);
        struct counts counts = {.all = 0};
        for (int x = -m->radius; x < m->radius; x++)
            count_column(&counts, in, width, height, m, x, y, c, 1);
        for (int x = 0; x < width && wrong == 0; x++) {
            count_column(&counts, in, width, height, m, x + m->radius, y, c, 1);
            int found = out[(y * width + x) * channels + c], expected = median_of(&counts, m->value);
            count_column(&counts, in, width, height, m, x - m->radius, y, c, -1);
            expected = turned ? 255 - expected : expected;
            wrong += !is_expected(text, width, height, channels, c, x, y, found, expected);
        }
    }
    CHECK(out && wrong == 0);
    free(in);
    free(out);
}

static void try_gpu(weft_device *device, const char *name) {
    size_t all = sizeof sizes / sizeof *sizes;
    (void)name;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        for (size_t s = 0; s < all - (cases[n].radius < 8); s++)
            try_case(device, &cases[n], sizes[s].width, sizes[s].height);
    for (int n = 0; n < 24; n++) {
        int radius = large[n / 6], channels = radius > 63 ? 1 : 1 + n % 5 % 4; /* software devices stop long loops */
        struct median m = {radius, channels, (enum border)(n % 6), 1, n % 4 == 2};
        for (size_t s = 0; s < all; s++)
            try_case(device, &m, sizes[s].width, sizes[s].height);
    }
}

int main(int argc, char **argv) { return check_gpus("test_gpu_rank", argc, argv, try_gpu); }
