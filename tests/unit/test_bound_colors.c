/* SPDX-License-Identifier: MIT
 * Colors and lists of numbers that come from measured ones, each from its own, on every device. */
#include <math.h>
#include "harness/random.h"
#include "run_graph.h"

enum { WIDTH = 23, HEIGHT = 9, PIXELS = WIDTH * HEIGHT };

static bool equal(const float *made, const double *expected, int count) {
    double worst = 0;
    for (int i = 0; made && i < count; i++)
        worst = fmax(worst, fabs((double)made[i] - expected[i]));
    return made && worst < 1e-5;
}

static void test_all(weft_device *device) {
    static float pixels[PIXELS * 3];
    static double expected[PIXELS * 3];
    struct chance chance = chance_of(3, "bound", 0);
    double low[3] = {1, 1, 1}, high[3] = {0, 0, 0};
    for (int i = 0; i < PIXELS * 3; i++) {
        pixels[i] = (float)(chance_below(&chance, 1000) * (i % 3 + 1) + 500) / 4000;
        low[i % 3] = fmin(low[i % 3], (double)pixels[i]), high[i % 3] = fmax(high[i % 3], (double)pixels[i]);
    }
    for (int i = 0; i < PIXELS * 3; i++)
        expected[i] = ((double)pixels[i] - low[i % 3]) / (high[i % 3] - low[i % 3]);
    float *made = run_floats(device, "split[a][b][c];[a]reduce=min[l];[b]reduce=max[h];[c]levels=in_min=@l:in_max=@h", WIDTH,
                             HEIGHT, 3, pixels);
    CHECK(equal(made, expected, PIXELS * 3));
    free(made);
    for (int i = 0; i < PIXELS * 3; i++)
        expected[i] = (double)pixels[i] + 0.5 * high[0];
    /* One number serves for all. */
    made = run_floats(device, "split[a][b];[a]swizzle=0:0:0,grayscale,reduce=max[h];[b]color_matrix=bias=@h*0.5", WIDTH, HEIGHT, 3,
                      pixels);
    CHECK(equal(made, expected, PIXELS * 3));
    free(made);
}

int main(int argc, char **argv) {
    run_on_every_device(argc, argv, test_all);
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_device *device = NULL;
    weft_error error = {0};
    const char *text = "split[a][b];[a]reduce[m];[b]color_matrix=bias=@m[1]";
    const weft_image_info info = {.width = 4, .height = 4, .format = {WEFT_U8, 3}};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    CHECK(weft_device_open("cpu", NULL, &device, NULL) == WEFT_OK);
    CHECK(weft_graph_parse(text, strlen(text), &graph, NULL) == WEFT_OK);
    CHECK(weft_plan_create(device, graph, &options, &plan, &error) == WEFT_ERROR_PARAMETER);
    CHECK(strcmp(error.message, "bias: number 3 is asked of an image that has 3") == 0);
    weft_graph_destroy(&graph);
    weft_device_close(&device);
    return check_done("bound_colors");
}
