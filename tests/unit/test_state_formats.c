/* SPDX-License-Identifier: MIT
 * Filters with a memory on images of bytes, of 16 bits and of floats, of 1 to 4 channels, whose rows are narrower and wider than
 * what a GPU's block takes: what a stream of frames must give, by the formulas, in double precision. */
#include <math.h>
#include "harness/random.h"
#include "run_graph.h"

enum { FRAMES = 20, MOST = 300 * 9 * 4 };
static double numbers[FRAMES][MOST]; /* in steps of the format */

static double full_of(weft_type type) { return type == WEFT_U8 ? 255 : type == WEFT_U16 ? 65535 : 1; }
static void put(unsigned char *row, int i, weft_type type, double v) {
    uint16_t u16 = (uint16_t)v;
    float f32 = (float)v;
    if (type == WEFT_U8)
        row[i] = (unsigned char)v;
    else if (type == WEFT_U16)
        memcpy(row + 2 * i, &u16, 2);
    else
        memcpy(row + 4 * i, &f32, 4);
}
static double get(const unsigned char *row, int i, weft_type type) {
    uint16_t u16;
    float f32;
    memcpy(&u16, row + 2 * i * (type == WEFT_U16), 2);
    memcpy(&f32, row + 4 * i * (type == WEFT_F32), 4);
    return type == WEFT_U8 ? row[i] : type == WEFT_U16 ? u16 : (double)f32;
}

static double delayed(int t, int i, const double *before) {
    (void)before;
    return numbers[t < 2 ? t : t - 2][i];
}
static double blended(int t, int i, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += numbers[t - k < 0 ? t : t - k][i];
    return sum / count;
}
static double blended_7(int t, int i, const double *before) { return (void)before, blended(t, i, 7); }
static double blended_16(int t, int i, const double *before) { return (void)before, blended(t, i, 16); }
static double low_pass(int t, int i, const double *before) { return t ? numbers[t][i] * 0.3 + before[i] * 0.7 : numbers[0][i]; }

/* `within`: how far a number may be off, in steps of whole numbers, in millionths of floats. */
static void test_filter(weft_device *device, const char *text, double (*formula)(int t, int i, const double *before),
                        const weft_image_info *info, double within) {
    static unsigned char in[MOST * 4 + 9 * 16], out[sizeof in];
    static double before[MOST], now[MOST];
    const weft_type type = info->format.type;
    int across = (int)info->width * info->format.channels;
    ptrdiff_t stride = across * (type == WEFT_U8 ? 1 : type == WEFT_U16 ? 2 : 4) + (type == WEFT_U8 ? 3 : 4);
    weft_plan_options options = {.inputs = info, .input_count = 1};
    weft_run_input input = {.image = {.info = *info, .data = in, .stride = stride}};
    weft_run_output output = {.image = {.info = *info, .data = out, .stride = stride}};
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_state *state = NULL;
    weft_error error = {0};
    bool ok = weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
              weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
              weft_state_create(plan, &state, &error) == WEFT_OK;
    for (int t = 0; ok && t < FRAMES; t++) {
        weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1, .state = state};
        for (int i = 0; i < across * info->height; i++)
            put(in + i / across * stride, i % across, type, numbers[t][i]);
        ok = weft_plan_run(plan, &run, &error) == WEFT_OK;
        double off = 0;
        for (int i = 0; ok && i < across * info->height; i++) {
            now[i] = formula(t, i, before);
            off = fmax(off, fabs(get(out + i / across * stride, i % across, type) - now[i]));
        }
        memcpy(before, now, sizeof before);
        if (!CHECK(off <= within * (type == WEFT_F32 ? 1e-6 : 1)))
            fprintf(stderr, "%s, type %d, %d channels, %dx%d, frame %d: off by %g\n", text, (int)type, (int)info->format.channels,
                    (int)info->width, (int)info->height, t, off);
    }
    if (!CHECK(ok))
        fprintf(stderr, "%s: %s\n", text, error.message);
    weft_state_destroy(&state);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
}

/* All sizes with a filter and a format one after the other: devices keep the kernels of the latest plans. */
static void test_format(weft_device *device, weft_type type, int channels) {
    static const struct {
        const char *text;
        double (*formula)(int t, int i, const double *before);
        double within;
    } filters[] = {{"frame_delay=2", delayed, 0},
                   {"frame_blend=7", blended_7, 0.51},
                   {"frame_blend=16", blended_16, 0.51},
                   {"low_pass=0.7", low_pass, 0.51}};
    static const int sizes[][2] = {{1, 1}, {5, 9}, {300, 6}};
    struct chance chance = chance_of(7, "state formats", type * 4 + channels);
    for (int t = 0; t < FRAMES; t++)
        for (int i = 0; i < MOST; i++) {
            double v = (double)chance_below(&chance, 4096) / 4096;
            numbers[t][i] = type == WEFT_F32 ? v : floor(v * (full_of(type) + 1));
        }
    for (int f = 0; f < 4; f++)
        for (int s = 0; s < 3; s++) {
            weft_image_info info = {.width = sizes[s][0], .height = sizes[s][1], .format = {type, channels}};
            test_filter(device, filters[f].text, filters[f].formula, &info, filters[f].within);
        }
}

static void test_all(weft_device *device) {
    static const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_F32};
    for (int k = 0; k < 3; k++)
        for (int channels = 1; channels <= 4; channels++)
            test_format(device, types[k], channels);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test_all);
    return check_done("state_formats");
}
