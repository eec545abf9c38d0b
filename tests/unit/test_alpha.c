/* SPDX-License-Identifier: MIT
 * What filters make of alpha, and of grey: known answers, on every device. */
#include <math.h>
#include "run_graph.h"

enum { WIDTH = 17, HEIGHT = 16, PIXELS = WIDTH * HEIGHT };

static bool few; /* of a device that takes long to make plans */

static weft_image_info rgba8(int64_t width, int64_t height) {
    return (weft_image_info){.width = width, .height = height, .format = {WEFT_U8, 4}, .alpha = WEFT_ALPHA_STRAIGHT};
}

static void check_row(weft_device *device, const char *text, const unsigned char *row, int64_t width,
                      const unsigned char *expected) {
    weft_image_info info = rgba8(width, 1);
    unsigned char *got = run_graph(device, text, &info, (void *[]){(void *)(uintptr_t)row}, 1, 0, NULL);
    for (int64_t i = 0; got && i < 4 * width; i++)
        if (!CHECK(abs(got[i] - expected[i]) <= 1)) {
            fprintf(stderr, "%s: component %d is %d, not %d\n", text, (int)i, got[i], expected[i]);
            break;
        }
    free(got);
}

/* An opaque red pixel, a half transparent green one, one that is hidden, an opaque grey one. */
static const unsigned char row[16] = {200, 0, 0, 255, 0, 100, 0, 128, 9, 8, 7, 0, 50, 60, 70, 255};

static void identities(weft_device *device) {
    static const char *const texts[] = {"gaussian=0",

                                        "box=0",
                                        "dilate=0",
                                        "erode=0",
                                        "median=0",
                                        "opening=0",
                                        "crop_region",
                                        "resample",
                                        "convolve3x3",
                                        "convolve_separable",
                                        "correlate_separable",
                                        "transpose,transpose",
                                        "gaussian=0:space=linear",
                                        "crop=0:0:4:1",
                                        "affine",
                                        "perspective",
                                        "rotate=0",
                                        "bilateral=0",
                                        "bilateral_levels=0",
                                        "gaussian_sampled=0",
                                        "gaussian_blur_position=0",
                                        "gaussian_selective_blur=0",
                                        "tilt_shift=0",
                                        "low_pass=0",
                                        "temporal_denoise=0",
                                        "swirl=angle=0",
                                        "bulge=scale=0",
                                        "pinch=scale=0,gaussian=0",
                                        "motion_blur=0",
                                        "zoom_blur=0,swirl=angle=0",
                                        "pixellate=0",
                                        "undistort",
                                        "sphere_lens=radius=0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!few || i % 3 == 0)
            check_row(device, texts[i], row, 4, row);
}

static void check_padded(weft_device *device, const unsigned char *two, const unsigned char *expected) {
    weft_image_info info = rgba8(2, 1);
    static const char *const texts[] = {"pad=1:border=constant:border_value=0.4",
                                        "convolve3x3=alpha=filter,pad=1:border=constant:border_value=0.4"};
    for (size_t i = 0; i < 2; i++) {
        unsigned char *got = run_graph(device, texts[i], &info, (void *[]){(void *)(uintptr_t)two}, 1, 0, NULL);
        for (int k = 0; got && k < 12; k++)
            CHECK(abs(got[k] - expected[k]) <= 1);
        free(got);
    }
}

/* The row in another type, with so many channels: of two, the first and alpha. */
static void fill(void *pixels, weft_type type, int32_t channels) {
    for (int32_t i = 0; i < 4 * channels; i++) {
        int v = row[4 * (i / channels) + (i % channels == channels - 1 ? 3 : i % channels)];
        switch (type) {
        case WEFT_U8: ((uint8_t *)pixels)[i] = (uint8_t)v; break;
        case WEFT_U16: ((uint16_t *)pixels)[i] = (uint16_t)(257 * v); break;
        case WEFT_F16: ((uint16_t *)pixels)[i] = (uint16_t)(v == 0 ? 0 : 0x3000 + 4 * v); break; /* 0.125 to 0.5 */
        default: ((float *)pixels)[i] = (float)v / 255;
        }
    }
}

/* Runs a graph that warps as given, then as an amount of 0 makes it: it keeps each byte, hidden colors too; of floats, but
 * for what multiplying and dividing by alpha rounds. */
static void check_amount(weft_device *device, const char *text, weft_type type, int32_t channels) {
    weft_image_info info = {.width = 4, .height = 1, .format = {type, channels}, .alpha = WEFT_ALPHA_STRAIGHT};
    unsigned char in[64], out[64];
    size_t size = 4 * weft_format_size(info.format);
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_parameters *parameters = NULL;
    weft_error error = {0};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_run_input input = {.image = {.info = info, .data = in, .stride = (ptrdiff_t)size}};
    weft_run_output output = {.image = {.info = info, .data = out, .stride = (ptrdiff_t)size}};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    fill(in, type, channels);
    bool good = weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
                weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
                weft_plan_run(plan, &run, &error) == WEFT_OK && memcmp(in, out, size) != 0 &&
                weft_parameters_create(plan, &parameters, &error) == WEFT_OK;
    for (weft_node n = 0; good && n < 6; n++) {
        static const char *const amounts[] = {"angle", "size", "scale", "fraction", "k1"};
        for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
            weft_parameters_set(parameters, n, amounts[i], &(double){0}, 1, NULL);
    }
    run.parameters = parameters;
    good = good && weft_plan_run(plan, &run, &error) == WEFT_OK;
    for (size_t i = 0; good && i < size / sizeof(float); i++)
        good = type == WEFT_F32 ? fabsf(((float *)(void *)in)[i] - ((float *)(void *)out)[i]) < 1e-6f
                                : memcmp(in + 4 * i, out + 4 * i, 4) == 0;
    if (!CHECK(good))
        fprintf(stderr, "%s: type %d, %d channels: %s\n", text, (int)type, (int)channels, error.message);
    weft_parameters_destroy(&parameters);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
}
static void amounts(weft_device *device) {
    static const char *const texts[] = {"swirl",
                                        "bulge",
                                        "pinch",
                                        "motion_blur",
                                        "zoom_blur=4",
                                        "pixellate=0.6",
                                        "undistort=4:4:1:1:0.4",
                                        "swirl,motion_blur",
                                        "zoom_blur=4,flip,flip,bulge",
                                        "motion_blur,crop=0:0:4:1,swirl"};
    static const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32};
    for (size_t i = 0; i < (few ? 2 : sizeof texts / sizeof *texts); i++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t += few ? 2 : 1)
            for (int32_t channels = few ? 4 : 2; channels <= 4; channels += 2)
                check_amount(device, texts[i], types[t], channels);
}

/* A filter that leaves premultiplied colors, where none is hidden, before one that takes straight ones. */
static void neighbors(weft_device *device) {
    static const unsigned char two[8] = {200, 0, 0, 255, 0, 100, 0, 128};
    static const unsigned char largest[8] = {200, 100, 0, 255, 200, 100, 0, 255};
    static const unsigned char smallest[8] = {0, 0, 0, 128, 0, 0, 0, 128};
    static const struct {
        const char *filter;
        const unsigned char *expected;
    } cases[] = {
        {"dilate=1", largest}, {"erode=1", smallest}, {"closing=1", largest}, {"median=1:border=symmetric", two}};
    static const char *const before[] = {"", "convolve3x3=alpha=filter,", "resample=method=area,", "gaussian=0.05,"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
            char text[128];
            snprintf(text, sizeof text, "%s%s", before[k], cases[i].filter);
            check_row(device, text, two, 2, cases[i].expected);
        }
    /* What a constant border adds is of its straight color. */
    static const unsigned char added[12] = {102, 102, 102, 102, 200, 0, 0, 255, 0, 100, 0, 128};
    check_padded(device, two, added);
}

static void kernels(weft_device *device) {
    static const unsigned char opaque[12] = {200, 0, 0, 255, 0, 100, 0, 255, 50, 60, 70, 255};
    static const unsigned char steps[12] = {0, 0, 0, 255, 200, 0, 0, 255, 0, 40, 0, 255};
    static const unsigned char filtered[12] = {0};
    check_row(device, "convolve3x3=0|0|0|1|-1|0|0|0|0:border=replicate", opaque, 3, steps);
    check_row(device, "correlate_separable=1|-1|0:border=replicate", opaque, 3, steps);
    check_row(device, "convolve_separable=0|-1|1:border=replicate", opaque, 3, steps);
    check_row(device, "correlate_separable=1|-1|0:alpha=filter:border=replicate", opaque, 3, filtered);
    check_row(device, "convolve3x3=0|0|0|1|-1|0|0|0|0:alpha=filter:border=replicate", opaque, 3, filtered);
    static const unsigned char even[8] = {90, 100, 110, 77, 90, 100, 110, 255},
                               half[8] = {128, 128, 128, 77, 128, 128, 128, 255};
    check_row(device, "laplacian=bias=0.5", even, 2, half);
}

/* Colors under an alpha of 0 do not reach those that are seen. */
static void hidden(weft_device *device) {
    static const unsigned char two[8] = {200, 100, 60, 255, 0, 0, 0, 0};
    weft_image_info info = rgba8(2, 1);
    unsigned char *got =
        run_graph(device, "crop_region=0.125|0|0.75|1", &info, (void *[]){(void *)(uintptr_t)two}, 1, 0, NULL);
    CHECK(got && abs(got[0] - 200) <= 1 && abs(got[1] - 100) <= 1 && abs(got[2] - 60) <= 1 && abs(got[3] - 127) <= 1);
    free(got);
    weft_image_info told;
    double *mean = run_graph(device, "average_color", &info, (void *[]){(void *)(uintptr_t)two}, 1, WEFT_F64, &told);
    CHECK(mean && fabs(mean[0] * 255 - 200) < 1e-3 && fabs(mean[2] * 255 - 60) < 1e-3 && fabs(mean[3] - .5) < 1e-6);
    free(mean);
    mean = run_graph(device, "reduce", &info, (void *[]){(void *)(uintptr_t)two}, 1, WEFT_F64, &told);
    CHECK(mean && fabs(mean[0] * 255 - 100) < 1e-3 && fabs(mean[3] - .5) < 1e-6);
    free(mean);
    mean = run_graph(device, "average_luminance", &info, (void *[]){(void *)(uintptr_t)two}, 1, WEFT_F64, &told);
    double luminance = .2125 * 200 + .7154 * 100 + .0721 * 60;
    CHECK(mean && fabs(mean[0] * 255 - luminance) < 1e-3 && fabs(mean[1] - .5) < 1e-6);
    free(mean);
}

/* A grey picture's alpha is no green. */
static void grey_pixels(weft_device *device) {
    static const float in[8] = {.5f, .25f, .5f, 1, .5f, .5f, .5f, .75f};
    float *out = run_floats(device, "toon=1:2", 4, 1, 2, in);
    for (int i = 0; out && i < 8; i++)
        CHECK(fabsf(out[i] - in[i]) < 1e-6f);
    free(out);
}

/* A picture of greys in a format, whose first is `level` and each further one `step` more. Without a step
 * it must become white, with one stay. */
static void check_greys(weft_device *device, weft_type type, int32_t channels, int level, int step, const char *text) {
    weft_image_info info = {.width = WIDTH,
                            .height = HEIGHT,
                            .format = {type, channels},
                            .alpha = channels == 4 ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE};
    static unsigned char bytes[PIXELS * 4];
    static uint16_t words[PIXELS * 4];
    static float numbers[PIXELS * 4];
    void *pixels = type == WEFT_U8 ? (void *)bytes : type == WEFT_U16 ? (void *)words : (void *)numbers;
    double full = type == WEFT_U8 ? 255 : 65535;
    for (int i = 0; i < PIXELS * channels; i++) {
        bool alpha = channels == 4 && i % 4 == 3;
        int each = level + i / channels * step;
        bytes[i] = (unsigned char)(alpha ? 200 : each & 255);
        words[i] = (uint16_t)(alpha ? 50000 : each & 65535);
        numbers[i] = alpha ? .7f : (float)((each & 65535) / full);
    }
    void *out = run_graph(device, text, &info, (void *[]){pixels}, 1, type, &info);
    bool good = out != NULL;
    for (int i = 0; good && i < PIXELS; i++) {
        int at = i * info.format.channels, each = level + i * step;
        if (type == WEFT_U8)
            good = ((unsigned char *)out)[at] == (step ? each & 255 : 255);
        else if (type == WEFT_U16)
            good = ((uint16_t *)out)[at] == (step ? each & 65535 : 65535);
        else
            good = ((float *)out)[at] == (step ? (float)((each & 65535) / full) : 1);
    }
    if (!CHECK(good))
        fprintf(stderr, "%s: of grey %d, %s x%d\n", text, level, weft_type_name(type), (int)channels);
    free(out);
}

/* Luminance of grey is that grey, which reaches a threshold and a mean of itself. */
static void greys(weft_device *device) {
    static const int32_t channels[] = {1, 3, 4};
    static const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_F32};
    int stride = few ? 64 : 1;
    for (size_t t = 0; t < 3; t++)
        for (size_t c = few ? t : 0; c < (few ? t + 1 : 3); c++) {
            check_greys(device, types[t], channels[c], 0, types[t] == WEFT_U8 ? 1 : 241, "grayscale");
            for (int i = 0; i < 256; i += stride) {
                int level = types[t] == WEFT_U8 ? i : i * 257 - (i > 0) * (i * 37 % 256);
                char text[64];
                snprintf(text, sizeof text, "luminance_threshold=%.17g", level / (types[t] == WEFT_U8 ? 255. : 65535.));
                check_greys(device, types[t], channels[c], level, 0, text);
                if (i % (5 * stride) == 0)
                    check_greys(device, types[t], channels[c], level, 0, "average_luminance_threshold");
            }
        }
}

static void test(weft_device *device) {
    identities(device);
    amounts(device);
    neighbors(device);
    kernels(device);
    hidden(device);
    grey_pixels(device);
    greys(device);
}

int main(int argc, char **argv) {
    weft_device_info each;
    if (argc > 1)
        run_on_devices(argc, argv, test);
    if (argc < 2)
        run_on_devices(2, (char *[]){argv[0], "cpu", NULL}, test);
    few = true;
    for (int32_t i = 0; argc < 2 && weft_device_at(i, &each); i++)
        if (each.available && strcmp(each.backend, "cpu") != 0 && strcmp(each.backend, "null") != 0)
            run_on_devices(2, (char *[]){argv[0], (char *)(uintptr_t)each.backend, NULL}, test);
    return check_done("alpha");
}
