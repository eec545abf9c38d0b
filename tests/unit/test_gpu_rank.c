/* SPDX-License-Identifier: MIT
 * Medians of bytes on GPUs against sorted values, at every border, for images smaller than the square and larger than a
 * block, alone and among point filters. test_gpu_rank [DEVICE] */
#include <math.h>
#include "gpu_devices.h"
#include "run_graph.h"

enum border { REPLICATE, MIRROR, SYMMETRIC, WRAP, CONSTANT, SHRINK };
static const char *const borders[] = {"replicate", "mirror", "symmetric", "wrap", "constant", "shrink"};

static const struct {
    int radius, channels;
    enum border border;
    double value; /* outside, with constant */
    bool among;   /* point filters before and after */
} cases[] = {
    {3, 1, REPLICATE, 0, false},   {3, 4, MIRROR, 0, false},     {3, 3, SHRINK, 0, false},
    {3, 2, CONSTANT, 0.35, false}, {4, 1, WRAP, 0, true},        {4, 3, CONSTANT, 1, false},
    {4, 4, SHRINK, 0, false},      {5, 2, SYMMETRIC, 0, false},  {5, 1, SHRINK, 0, true},
    {5, 4, CONSTANT, 0, true},     {6, 1, CONSTANT, 0.2, false}, {6, 3, SHRINK, 0, true},
    {6, 4, MIRROR, 0, false},      {7, 1, MIRROR, 0, false},     {7, 4, SHRINK, 0, false},
    {7, 3, WRAP, 0, true},         {7, 2, CONSTANT, 1, false},   {7, 1, CONSTANT, -0.5, false},
    {8, 1, REPLICATE, 0, false},
};
static const struct { int width, height; } sizes[] = {{1, 1}, {2, 9}, {40, 3}, {263, 70}};

/* Where place i of a line of n is; -1 outside. */
static int place_of(int i, int n, enum border border) {
    if (i >= 0 && i < n)
        return i;
    switch (border) {
    case REPLICATE:
        return i < 0 ? 0 : n - 1;
    case MIRROR:
        return n == 1 ? 0 : place_of(i < 0 ? -i : 2 * n - 2 - i, n, border);
    case SYMMETRIC:
        return place_of(i < 0 ? -1 - i : 2 * n - 1 - i, n, border);
    case WRAP:
        return place_of(i < 0 ? i + n : i - n, n, border);
    case CONSTANT:
    case SHRINK:
        break;
    }
    return -1;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In steps of a byte; what lies between two is rounded as it is stored. */
static int median_at(const unsigned char *in, int width, int height, size_t n, int x, int y, int c) {
    static double values[17 * 17];
    size_t count = 0;
    for (int v = y - cases[n].radius; v <= y + cases[n].radius; v++)
        for (int u = x - cases[n].radius; u <= x + cases[n].radius; u++) {
            int column = place_of(u, width, cases[n].border), row = place_of(v, height, cases[n].border);
            if (column >= 0 && row >= 0)
                values[count++] = in[(row * width + column) * cases[n].channels + c];
            else if (cases[n].border == CONSTANT)
                values[count++] = 255 * cases[n].value;
        }
    qsort(values, count, sizeof *values, compare);
    return (int)floor(fmin(fmax(values[count / 2], 0), 255) + 0.5);
}

static void try_case(weft_device *device, size_t n, int width, int height) {
    int channels = cases[n].channels;
    weft_image_info info = {.width = width,
                            .height = height,
                            .format = {WEFT_U8, channels},
                            .alpha = channels % 2 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT};
    size_t size = (size_t)(width * height * channels);
    unsigned char *in = malloc(size);
    char text[120];
    uint32_t state = (uint32_t)n;
    for (size_t i = 0; in && i < size; i++) { /* a slope and noise, so that medians are neither few nor all alike */
        state = state * 1664525 + 1013904223;
        in[i] = (unsigned char)(state >> 24 & 64 ? state >> 20 : i * 255 / size);
    }
    snprintf(text, sizeof text, "%smedian=%d:border=%s:border_value=%g%s", cases[n].among ? "invert," : "",
             cases[n].radius, borders[cases[n].border], cases[n].value, cases[n].among ? ",invert" : "");
    unsigned char *out = in ? run_graph(device, text, &info, (void *[]){in}, 1, WEFT_U8, NULL) : NULL;
    bool inverted = cases[n].among;
    if (inverted) /* all but alpha */
        for (size_t i = 0; i < size; i++)
            in[i] = channels % 2 == 0 && i % (size_t)channels == (size_t)channels - 1 ? in[i]
                                                                                      : (unsigned char)(255 - in[i]);
    int wrong = 0;
    for (size_t i = 0; out && i < size && wrong == 0; i++) {
        int x = (int)i / channels % width, y = (int)i / channels / width, c = (int)i % channels;
        int expected = median_at(in, width, height, n, x, y, c);
        if (inverted && !(channels % 2 == 0 && c == channels - 1))
            expected = 255 - expected;
        if (out[i] != expected) {
            fprintf(stderr, "%s, %dx%d, %d channels: channel %d at %d, %d is %d, not %d\n", text, width, height,
                    channels, c, x, y, out[i], expected);
            wrong++;
        }
    }
    CHECK(out && wrong == 0);
    free(in);
    free(out);
}

static void try_gpu(weft_device *device, const char *name) {
    (void)name;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            try_case(device, n, sizes[s].width, sizes[s].height);
}

int main(int argc, char **argv) { return check_gpus("test_gpu_rank", argc, argv, try_gpu); }
