/* SPDX-License-Identifier: MIT
 * Known answers for filters that paint, blur along paths and put images into images, worked out by hand. */
#include <math.h>
#include "run_graph.h"

static void compare(const char *text, const float *got, const double *expected, int count) {
    for (int i = 0; i < count && got; i++)
        if (!CHECK(fabs(got[i] - expected[i]) <= 2e-6))
            fprintf(stderr, "%s: number %d is %.7f, not %.7f\n", text, i, got[i], expected[i]);
}

/* A bright pixel in the middle of 9 x 1, and of 1 x 9. */
static void paths(weft_device *device) {
    static const struct {
        const char *text;
        double expected[9];
    } cases[] = {
        {"motion_blur=0", {0, 0, 0, 0, 1, 0, 0, 0, 0}},
        {"motion_blur=0.5", {0, 0, .2, .2, .2, .2, .2, 0, 0}}, /* 2 pixels each way */
        {"motion_blur=0.5:weights=tent", {0, 0, 1 / 9., 2 / 9., 3 / 9., 2 / 9., 1 / 9., 0, 0}},
        {"motion_blur=0.5:180", {0, 0, .2, .2, .2, .2, .2, 0, 0}},
        {"motion_blur=0.125", {0, 0, 0, 1 / 6., 4 / 6., 1 / 6., 0, 0, 0}},                /* half a pixel each way */
        {"motion_blur=9:compat=gpuimage", {.05, .09, .12, .15, .18, .15, .12, .09, .05}}, /* 1 / 9 as high as wide */
        /* 3 places each way, up to half as near and as far again: from beside the middle .5, .667 and .833 away */
        {"zoom_blur=12.5", {0, 0, 0, 1 / 7., 1, 1 / 7., 0, 0, 0}},
        /* 4 places each way, .225 of the distance apart: from beside the middle .1, .325, .55, .775 away, from there
         * on .2, .65; .3, .975; .4 */
        {"zoom_blur=22.5:compat=gpuimage", {.03, .03725, .0715, .1935, 1, .1935, .0715, .03725, .03}},
    };
    static const float in[9] = {[4] = 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[96];
        float *out;
        snprintf(text, sizeof text, "%s:border=constant", cases[i].text);
        out = run_floats(device, text, 9, 1, 1, in);
        compare(text, out, cases[i].expected, 9);
        free(out);
    }
    float *out = run_floats(device, "motion_blur=0.5:90:border=shrink", 1, 9, 1, in);
    compare("motion_blur=0.5:90:border=shrink", out, (double[9]){0, 0, .2, .2, .2, .2, .2, 0, 0}, 9);
    free(out);
}

static void drawings(weft_device *device) {
    static const struct {
        const char *text;
        double expected[16];
    } cases[] = {
        /* Cells of 4 pixels: from their middle the inner pixels are .7071 away, the edge's 1.5811, the corners 2.1213.
         */
        {"polka_dot=1:0.8", {0, .4, .4, 0, .4, .4, .4, .4, .4, .4, .4, .4, 0, .4, .4, 0}},
        {"polka_dot=1:0.5", {0, 0, 0, 0, 0, .4, .4, 0, 0, .4, .4, 0, 0, 0, 0, 0}},
        {"halftone=1", {1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1}}, /* a radius of 2 x .6 */
        {"brightness=-0.4,halftone=1", {1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1}},
        {"crop=0:0:2:2,pad=1:1:1:1:constant:0.7", {.7, .7, .7, .7, .7, .4, .4, .7, .7, .4, .4, .7, .7, .7, .7, .7}},
        {"pad=-1:0:1:0:constant", {.4, .4, .4, 0, .4, .4, .4, 0, .4, .4, .4, 0, .4, .4, .4, 0}},
        {"split[a][b];[b]invert[c];[a][c]picture_in_picture=0.5|0.5:0.5|0.5:0.75",
         {.4, .4, .4, .4, .4, .55, .55, .4, .4, .55, .55, .4, .4, .4, .4, .4}},
        {"split[a][b];[b]invert[c];[a][c]picture_in_picture=1|0:0.5|0.5:1",
         {.4, .4, .4, .6, .4, .4, .4, .4, .4, .4, .4, .4, .4, .4, .4, .4}},
    };
    float in[16];
    for (int i = 0; i < 16; i++)
        in[i] = .4f;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float *out = run_floats(device, cases[i].text, 4, 4, 1, in);
        compare(cases[i].text, out, cases[i].expected, 16);
        free(out);
    }
}

/* Half of the neighbors are 1 and half are 0, and by s = 1 and sigma_color = 1 the others count exp(-1/2) = .60653:
 * means over many are .60653 / 1.60653 and 1 / 1.60653. Of 4 neighbors at distance 1, all are others, and by
 * sigma_space = 1 count exp(-1): 1.47152 / 2.47152. Within 2 pixels there are 4 of the same kind of exp(-1), and 4 of
 * exp(-2): 1.47152 / 4.48438. Where sigma_color is narrow there are no others. */
static void bilaterals(weft_device *device) {
    static const struct {
        const char *text;
        double dark, bright;
    } cases[] = {
        {"bilateral_levels=9:1", .377541, .622459},
        {"bilateral_levels=9:1:wrap", .377541, .622459},
        {"bilateral_levels=9:0.05", 0, 1},
        {"bilateral_levels=0:1", 0, 1},
        {"bilateral=1:1:1", .595390, .404610},
        {"bilateral=1:1:1:wrap", .595390, .404610},
        {"bilateral=1:1", .328143, .671857},
        {"bilateral=1000:1:1", .708116, .291884}, /* 4 x .60653 / 3.42612 */
        {"bilateral=1:0.05", 0, 1},
        {"bilateral=0:1", 0, 1},
    };
    float in[16 * 16];
    for (int i = 0; i < 256; i++)
        in[i] = (float)((i + i / 16) % 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float *out = run_floats(device, cases[i].text, 16, 16, 1, in);
        for (int k = 0; k < 256 && out; k++) {
            double expected = in[k] > 0 ? cases[i].bright : cases[i].dark;
            if (!CHECK(fabs(out[k] - expected) <= 5e-5))
                fprintf(stderr, "%s: pixel %d is %.7f, not %.7f\n", cases[i].text, k, out[k], expected);
        }
        free(out);
    }
}

/* What GPUImage's shader made when it was run, at the place u, v that is a pixel's middle. */
static void noise(weft_device *device) {
    static const struct {
        const char *text;
        int at;
        double expected;
    } cases[] = {
        {"perlin_noise=8:width=50:height=50:channels=1", 38 * 50 + 16, .693694}, /* .33, .77 */
        {"perlin_noise=8:width=1:height=1:channels=1", 0, .5},                   /* .5, .5 */
        {"perlin_noise=3.2:compat=gpuimage:width=2:height=1:channels=1", 0, .635807},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float *out = run_graph(device, cases[i].text, NULL, NULL, 0, WEFT_F32, NULL);
        if (out && !CHECK(fabs(out[cases[i].at] - cases[i].expected) <= 2e-6))
            fprintf(stderr, "%s: %.7f, not %.7f\n", cases[i].text, out[cases[i].at], cases[i].expected);
        free(out);
    }
}

/* Pixels whose middle is on the rim, left and right of the center, are within the sphere; the next ones are not. */
static void rims(weft_device *device) {
    enum { HEIGHT = 3, WIDEST = 60 };
    float in[WIDEST * HEIGHT];
    for (int i = 0; i < WIDEST * HEIGHT; i++)
        in[i] = 1;
    for (int width = 5; width <= WIDEST; width++) {
        const int rim = 1 + width / 8;
        char text[80];
        snprintf(text, sizeof text, "glass_sphere=0.5|0.5:%.9g", (0.5 * width - 0.5 - rim) / width);
        float *out = run_floats(device, text, width, HEIGHT, 1, in);
        const float *middle = out ? out + width : NULL;
        if (out && !CHECK(middle[rim] > 0 && middle[width - 1 - rim] > 0 && !(middle[rim - 1] > 0) && !(middle[width - rim] > 0)))
            fprintf(stderr, "%s, width %d: %g %g, %g %g\n", text, width, middle[rim - 1], middle[rim], middle[width - 1 - rim],
                    middle[width - rim]);
        free(out);
    }
}

/* Curves that are none end in an error that names the parameter. */
static void refusals(weft_device *device) {
    static const char *const texts[] = {
        "tone_curve=0|0|1",           "tone_curve=red=0|0|0|1",         "tone_curve=green=0|0|1|1.5",
        "tone_curve=blue=-0.1|0|1|1", "tone_curve=0.5|0.1|0|0|0.5|0.2", "pad=-2:0:-2"};
    static const char *const names[] = {"all", "red", "green", "blue", "all", "right"};
    weft_image_info info = {.width = 4, .height = 4, .format = {WEFT_U8, 3}};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        weft_graph *graph = NULL;
        weft_plan *plan = NULL;
        weft_error error = {0};
        bool refused = weft_graph_parse(texts[i], strlen(texts[i]), &graph, &error) != WEFT_OK ||
                       weft_plan_create(device, graph, &options, &plan, &error) != WEFT_OK;
        CHECK(refused);
        if (!CHECK(strcmp(error.parameter, names[i]) == 0))
            fprintf(stderr, "%s: %s, of parameter '%s'\n", texts[i], error.message, error.parameter);
        weft_plan_destroy(&plan);
        weft_graph_destroy(&graph);
    }
}

static void test(weft_device *device) {
    paths(device);
    drawings(device);
    noise(device);
    bilaterals(device);
    rims(device);
    refusals(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("known effects");
}
