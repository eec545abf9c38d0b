/* SPDX-License-Identifier: MIT
 * Halving and doubling images of bytes, which GPUs make as tensor-core products, against sums in double precision:
 * images narrower and wider than what a warp makes, and rows that begin anywhere in the device's memory. What is not
 * the result's stays as it was. test_gpu_resize [DEVICE] */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "gpu_buffer.h"
#include "gpu_devices.h"

/* What a byte may be off, by rounding and by what the bar allows above it. */
#define OFF 0.55
#define PI 3.14159265358979324

enum method { BILINEAR, BICUBIC, LANCZOS3, AREA, METHODS };
static const char *const names[] = {"bilinear", "bicubic", "lanczos3", "area"};
static const double reaches[] = {1, 2, 3};
/* The smaller of both images; bytes before an image, and between its rows. */
static const struct {
    int width, height, before, between;
} shapes[] = {
    {1, 1, 0, 0}, {3, 5, 3, 1}, {17, 40, 4, 4}, {64, 19, 0, 0}, {263, 37, 1, 2}, {640, 70, 16, 16}, {301, 150, 32, 5},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static double kernel(enum method method, double d) {
    double x = fabs(d);
    if (x >= reaches[method])
        return 0;
    if (method == BILINEAR)
        return 1 - x;
    if (method == BICUBIC)
        return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
    return x == 0 ? 1 : sin(PI * x) / (PI * x) * sin(PI * x / 3) / (PI * x / 3);
}

/* Number i of a line resized; `apart` numbers lie from one of it to the next. */
static double sum_at(const double *line, int apart, int in, int out, int i, enum method method) {
    double scale = in > out ? (double)in / out : 1, place = (i + 0.5) * in / out - 0.5, sum = 0, weights = 0;
    for (int k = 0; k < in; k++) {
        double weight = method == AREA ? k * out / in == i || i * in / out == k : kernel(method, (k - place) / scale);
        sum += weight * line[(ptrdiff_t)k * apart], weights += weight;
    }
    return sum / weights;
}

struct picture {
    int width, height, channels, row; /* bytes of a row, and between rows */
    size_t before, size;
    unsigned char *bytes;
};
static struct picture make_picture(int shape, int channels, bool large) {
    struct picture p = {.width = shapes[shape].width << large,
                        .height = shapes[shape].height << large,
                        .channels = channels,
                        .before = (size_t)shapes[shape].before};
    p.row = p.width * channels + shapes[shape].between;
    p.size = p.before + (size_t)(p.row * p.height) + 7;
    p.bytes = malloc(p.size);
    return p;
}

static bool upload(weft_device *device, const struct picture *p, weft_image *memory, weft_image *image,
                   weft_error *error) {
    return upload_bytes(device, p->bytes, p->size, p->before, p->width, p->height, p->channels, p->row, memory, image,
                        error);
}

/* The number of bytes that are not what they must be; `most`: the farthest that one is off. */
static int count_wrong(const struct picture *in, const struct picture *out, enum method method, double *most) {
    int channels = in->channels, row = out->width * channels, wrong = 0;
    double *from = malloc((size_t)(in->width * in->height * channels) * sizeof *from);
    double *along = malloc((size_t)(row * in->height) * sizeof *along);
    for (int i = 0; from && along && i < in->width * in->height * channels; i++)
        from[i] = in->bytes[(ptrdiff_t)in->before + i / (in->width * channels) * in->row + i % (in->width * channels)];
    for (int i = 0; from && along && i < row * in->height; i++)
        along[i] = sum_at(from + i / row * in->width * channels + i % channels, channels, in->width, out->width,
                          i % row / channels, method);
    for (size_t i = 0; from && along && i < out->size; i++) {
        ptrdiff_t at = (ptrdiff_t)i - (ptrdiff_t)out->before, y = at / out->row, x = at % out->row;
        bool inside = at >= 0 && x < row && y < out->height;
        double expected = 0xa5;
        if (inside)
            expected = fmin(fmax(sum_at(along + x, row, in->height, out->height, (int)y, method), 0), 255);
        double off = fabs(out->bytes[i] - expected);
        *most = off > *most ? off : *most;
        wrong += off > (inside ? OFF : 0);
    }
    free(from);
    free(along);
    return from && along ? wrong : 1;
}

static void try_case(weft_device *device, enum method method, bool down, int shape, int channels) {
    if (!has_turn())
        return;
    struct picture in = make_picture(shape, channels, down), out = make_picture(shape, channels, !down);
    weft_image memory[2] = {{.data = NULL}, {.data = NULL}}, image[2] = {{.data = NULL}, {.data = NULL}};
    const weft_image_info all = {.width = (int64_t)out.size, .height = 1, .format = {WEFT_U8, 1}};
    weft_image host = {.info = all, .data = out.bytes, .stride = (ptrdiff_t)out.size};
    weft_error error = {0};
    char text[120];
    uint32_t state = (uint32_t)shape;
    bool good = in.bytes && out.bytes;
    for (size_t i = 0; good && i < in.size; i++) { /* many of the largest and smallest, which sums go beyond */
        state = state * 1664525 + 1013904223;
        in.bytes[i] = (unsigned char)(state >> 30 == 0 ? state >> 20 : state >> 30 == 1 ? 0 : 255);
    }
    if (good)
        memset(out.bytes, 0xa5, out.size);
    snprintf(text, sizeof text, "resample=%d:%d:method=%s", out.width, out.height, names[method]);
    good = good && upload(device, &in, &memory[0], &image[0], &error) &&
           upload(device, &out, &memory[1], &image[1], &error) &&
           run_between(device, text, &image[0], &image[1], &error) &&
           weft_image_copy(device, &memory[1], &host, &error) == WEFT_OK;
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    double most = 0;
    int wrong = good ? count_wrong(&in, &out, method, &most) : 1;
    if (!CHECK(wrong == 0))
        fprintf(stderr, "%d bytes are wrong, by up to %g: %s of %dx%d u8x%d, %d bytes before, %d between rows\n", wrong,
                most, text, in.width, in.height, channels, (int)in.before, shapes[shape].between);
    for (int i = 0; i < 2; i++)
        weft_memory_destroy(device, &memory[i]);
    free(in.bytes);
    free(out.bytes);
}

static void try_gpu(weft_device *device, const char *name) {
    static const int channels[] = {4, 3, 1};
    (void)name;
    for (int i = 0; i < METHODS * 2 * SHAPES; i++)
        try_case(device, (enum method)(i / SHAPES / 2), i / SHAPES % 2 == 1, i % SHAPES, channels[i % 3]);
}

int main(int argc, char **argv) { return check_gpus("test_gpu_resize", argc, argv, try_gpu); }
