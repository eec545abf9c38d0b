/* SPDX-License-Identifier: MIT
 * Reductions and histograms of images in a GPU's memory, in every format, at any address, of sizes from a pixel to more
 * than the threads of a launch take at a time, against loops over the same bytes. test_gpu_reductions [DEVICE] */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "gpu_devices.h"
#include "weft/weft.h"

enum { NUMBERS = 4, BINS = 4, OUTPUTS = NUMBERS + BINS };
static const int32_t bin_counts[BINS] = {256, 7, 1000, 5000};
static const char text[] = "split=8[a][b][c][d][e][f][g][h];[a]reduce=min;[b]reduce=max;[c]reduce=sum;[d]reduce=mean;"
                           "[e]histogram;[f]histogram=7;[g]histogram=1000;[h]histogram=5000";

struct shape {
    int32_t width, height;
    int32_t more;  /* components between rows */
    int32_t shift; /* components before the first */
    bool flat;     /* all values are one */
};
static const struct shape shapes[] = {
    {1, 1, 0, 0, false},    {1, 1, 0, 3, false},   {3, 2, 0, 1, false},   {1, 301, 0, 0, false},  {1, 77, 47, 0, false},
    {16, 16, 0, 0, true},   {17, 5, 0, 0, false},  {33, 50, 1, 1, false}, {64, 64, 0, 0, false},  {64, 40, 64, 16, true},
    {211, 97, 0, 0, false}, {208, 99, 0, 0, true}, {320, 500, 0, 0, false},
};

static uint32_t state = 1;
static uint32_t draw(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static double of_half(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double v = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
    if (exponent == 31)
        v = fraction ? NAN : INFINITY;
    return bits & 0x8000 ? -v : v;
}

static size_t bytes_of(weft_type type) { return type == WEFT_U8 ? 1 : type == WEFT_F32 ? 4 : 2; }
static double full_of(weft_type type) { return type == WEFT_U8 ? 255 : type == WEFT_U16 ? 65535 : 1; }

static void fill(unsigned char *bytes, size_t count, weft_type type, bool flat, bool nan) {
    for (size_t i = 0; i < count; i++) {
        uint32_t number = flat ? 0x3b7123 : draw();
        if (type == WEFT_F32) {
            float v = (float)(number % 1000000) / 900000.0f - 0.05f;
            v = nan && draw() % 50 == 0 ? NAN : v;
            memcpy(bytes + 4 * i, &v, 4);
        } else if (type == WEFT_U8) {
            bytes[i] = (unsigned char)number;
        } else {
            uint16_t v = (uint16_t)(type == WEFT_U16 ? number : number % 0x3d00 | (number & 0x100000 ? 0x8000u : 0));
            v = type == WEFT_F16 && nan && draw() % 50 == 0 ? 0x7e00 : v;
            memcpy(bytes + 2 * i, &v, 2);
        }
    }
}

/* The component at `at`, in whole steps of integer types. */
static double value_at(const unsigned char *at, weft_type type) {
    uint16_t word;
    float number;
    if (type == WEFT_U8)
        return *at;
    if (type == WEFT_F32) {
        memcpy(&number, at, 4);
        return number;
    }
    memcpy(&word, at, 2);
    return type == WEFT_U16 ? word : of_half(word);
}

static int32_t bin_at(double v, weft_type type, int32_t bins) {
    double full = full_of(type);
    if (!(v > 0))
        return 0;
    /* Of floats, what is less than 2^-20 of itself below an edge lies above it; all in single precision, as on a GPU. */
    float reaching = (float)v * 1.00000095367431640625f;
    double place = type == WEFT_U8 || type == WEFT_U16 ? floor(v * bins / full) : floor((double)(reaching * (float)bins));
    return v >= full || place >= bins ? bins - 1 : (int32_t)place;
}

struct expected {
    double number[NUMBERS], size;
    double *table[BINS];
};

static void expect(struct expected *e, const unsigned char *first, const weft_image_info *info, size_t row, int32_t channel) {
    weft_type type = info->format.type;
    size_t bytes = bytes_of(type), channels = (size_t)info->format.channels;
    long double sum = 0, size = 0;
    e->number[0] = e->number[1] = NAN;
    for (int b = 0; b < BINS; b++)
        memset(e->table[b], 0, (size_t)bin_counts[b] * sizeof **e->table);
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++) {
            double v = value_at(first + (size_t)y * row + ((size_t)x * channels + (size_t)channel) * bytes, type);
            sum += v;
            size += fabs(v);
            e->number[0] = fmin(e->number[0], v), e->number[1] = fmax(e->number[1], v);
            for (int b = 0; b < BINS && !isnan(v); b++)
                e->table[b][bin_at(v, type, bin_counts[b])]++;
        }
    double full = full_of(type), pixels = (double)info->width * (double)info->height;
    e->number[0] /= full, e->number[1] /= full;
    e->number[2] = (double)(sum / full), e->number[3] = (double)(sum / full / pixels);
    e->size = (double)(size / full);
}

static bool near(double got, double wanted, double bound) {
    return isnan(wanted) ? isnan(got) : fabs(got - wanted) <= bound;
}

static bool agrees(const struct expected *e, double *const *got, const weft_image_info *info, int32_t channel) {
    int32_t channels = info->format.channels;
    double pixels = (double)info->width * (double)info->height;
    bool whole = info->format.type == WEFT_U8 || info->format.type == WEFT_U16;
    /* Whole numbers add up exactly: what remains is the rounding of one quotient; extremes are f32, twice rounded. */
    /* Sums of whole numbers are exact before they are divided by 255 or 65535, by a device's division of f32. */
    double bounds[NUMBERS] = {8e-8, 8e-8, e->size * (whole ? 3e-14 : 1e-12), e->size / pixels * (whole ? 3e-14 : 1e-12)};
    bool good = true;
    for (int i = 0; i < NUMBERS; i++)
        if (!near(got[i][channel], e->number[i], bounds[i])) {
            fprintf(stderr, "number %d of channel %d: %.17g, not %.17g\n", i, (int)channel, got[i][channel], e->number[i]);
            good = false;
        }
    for (int b = 0; b < BINS; b++)
        for (int32_t i = 0; i < bin_counts[b] && good; i++)
            if (got[NUMBERS + b][i * channels + channel] != e->table[b][i]) {
                fprintf(stderr, "bin %d of %d, channel %d: %.17g, not %.17g\n", (int)i, (int)bin_counts[b], (int)channel,
                        got[NUMBERS + b][i * channels + channel], e->table[b][i]);
                good = false;
            }
    return good;
}

/* Bytes in the device's memory; then an image of them. */
static bool upload(weft_device *device, const unsigned char *bytes, size_t size, weft_image *memory, weft_error *error) {
    const weft_image_info info = {.width = (int64_t)size, .height = 1, .format = {WEFT_U8, 1}};
    weft_image host = {.info = info, .data = (void *)(uintptr_t)bytes, .stride = (ptrdiff_t)size};
    return weft_memory_create(device, &info, memory, error) == WEFT_OK &&
           weft_image_copy(device, &host, memory, error) == WEFT_OK;
}

static bool run(weft_device *device, const weft_image *image, double *const *got, weft_error *error) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_plan_options options = {.inputs = &image->info, .input_count = 1};
    weft_run_input input = {.image = *image};
    weft_run_output out[OUTPUTS] = {0};
    weft_run request = {.inputs = &input, .input_count = 1, .outputs = out, .output_count = OUTPUTS};
    bool good = weft_graph_parse(text, strlen(text), &graph, error) == WEFT_OK &&
                weft_plan_create(device, graph, &options, &plan, error) == WEFT_OK;
    for (int i = 0; good && i < OUTPUTS; i++) {
        good = weft_plan_output_info(plan, i, &out[i].image.info, error) == WEFT_OK;
        out[i].image.data = got[i];
        out[i].image.stride = (ptrdiff_t)((size_t)out[i].image.info.width * (size_t)image->info.format.channels * sizeof **got);
    }
    for (int again = 0; again < 2 && good; again++) /* what the first run left must not count */
        good = weft_plan_run(plan, &request, error) == WEFT_OK;
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    return good;
}

static void try_image(weft_device *device, const struct shape *shape, weft_type type, int32_t channels, bool resident, bool nan) {
    if (!has_turn())
        return;
    size_t bytes = bytes_of(type), row = ((size_t)shape->width * (size_t)channels + (size_t)shape->more) * bytes;
    size_t before = (size_t)shape->shift * bytes, size = before + row * (size_t)shape->height;
    unsigned char *data = malloc(size);
    double *got[OUTPUTS] = {NULL};
    struct expected expected = {.size = 0};
    weft_image memory = {.data = NULL};
    weft_image image = {.info = {.width = shape->width, .height = shape->height, .format = {type, channels}},
                        .stride = (ptrdiff_t)row};
    weft_error error = {0};
    for (int i = 0; i < OUTPUTS; i++)
        got[i] = malloc((size_t)(i < NUMBERS ? 1 : bin_counts[i - NUMBERS]) * (size_t)channels * sizeof **got);
    for (int b = 0; b < BINS; b++)
        expected.table[b] = malloc((size_t)bin_counts[b] * sizeof **expected.table);
    fill(data, size / bytes, type, shape->flat, nan);
    image.data = data + before;
    bool good = true;
    if (resident && (good = upload(device, data, size, &memory, &error))) {
        image.memory = memory.memory;
        image.data = memory.memory == WEFT_MEMORY_VULKAN ? memory.data : (char *)memory.data + before;
        image.offset = memory.memory == WEFT_MEMORY_VULKAN ? memory.offset + before : 0;
    }
    good = good && run(device, &image, got, &error);
    if (!CHECK(good))
        fprintf(stderr, "%s\n", error.message);
    for (int32_t k = 0; k < channels && good; k++) {
        expect(&expected, data + before, &image.info, row, k);
        good = agrees(&expected, got, &image.info, k);
    }
    if (!CHECK(good))
        fprintf(stderr, "%dx%d %sx%d, %d components between rows, %d before, %s memory\n", (int)shape->width,
                (int)shape->height, weft_type_name(type), (int)channels, (int)shape->more, (int)shape->shift,
                resident ? "the device's" : "host");
    weft_memory_destroy(device, &memory);
    for (int i = 0; i < OUTPUTS; i++)
        free(got[i]);
    for (int b = 0; b < BINS; b++)
        free(expected.table[b]);
    free(data);
}

static void try_gpu(weft_device *device, const char *name) {
    (void)name;
    static const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32};
    /* More than the most units of a thread, where there are few threads; sums beyond 2^32. */
    static const struct shape large = {3001, 1500, 0, 0, false}, white = {4096, 1100, 0, 0, true};
    for (int t = 0; t < 4; t++)
        for (int32_t channels = 1; channels <= 4; channels++)
            for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
                try_image(device, &shapes[s], types[t], channels, s % 2 == 0, s % 4 == 3);
                if (shapes[s].width < 70)
                    try_image(device, &shapes[s], types[t], channels, s % 2 != 0, false);
            }
    try_image(device, &large, WEFT_U8, 1, true, false);
    try_image(device, &white, WEFT_U16, 1, false, false);
}

int main(int argc, char **argv) { return check_gpus("test_gpu_reductions", argc, argv, try_gpu); }
