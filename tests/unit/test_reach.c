/* SPDX-License-Identifier: MIT
 * weft_plan_reach, proven by moving single pixels of an input: what changes of the output lies within the reach, and
 * pieces of the image with so much around them make the same pixels as the whole. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "weft/weft.h"

enum { WIDTH = 300, HEIGHT = 260, PIXELS = WIDTH * HEIGHT };

static weft_device *device;

static weft_plan *plan_of(const char *text, int64_t width, int64_t height, int32_t inputs) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_error error = {0};
    weft_image_info infos[2];
    for (int i = 0; i < 2; i++)
        infos[i] = (weft_image_info){.width = width, .height = height, .format = {WEFT_F32, 1}};
    weft_plan_options options = {.inputs = infos, .input_count = inputs};
    if (weft_graph_parse(text, strlen(text), &graph, &error) != WEFT_OK ||
        weft_plan_create(device, graph, &options, &plan, &error) != WEFT_OK)
        fprintf(stderr, "%s: %s\n", text, error.message);
    weft_graph_destroy(&graph);
    CHECK(plan);
    return plan;
}

static bool run(const weft_plan *plan, float *const *inputs, int32_t count, int64_t stride, float *output) {
    weft_run_input in[2] = {0};
    weft_run_output out = {0};
    weft_image_info info;
    for (int32_t i = 0; i < count; i++) {
        weft_plan_input_info(plan, i, &info, NULL);
        in[i].image = (weft_image){.info = info, .data = inputs[i], .stride = (ptrdiff_t)stride * 4};
    }
    weft_plan_output_info(plan, 0, &info, NULL);
    out.image = (weft_image){.info = info, .data = output, .stride = (ptrdiff_t)info.width * 4};
    weft_run request = {.inputs = in, .input_count = count, .outputs = &out, .output_count = 1};
    return weft_plan_run(plan, &request, NULL) == WEFT_OK;
}

static float *pixels_by_chance(unsigned seed) {
    float *pixels = malloc(PIXELS * sizeof *pixels);
    for (int i = 0; pixels && i < PIXELS; i++) {
        seed = seed * 1664525u + 1013904223u;
        pixels[i] = (float)(seed >> 8) / 16777216.0f;
    }
    return pixels;
}

struct changed {
    int64_t left, right, above, below; /* how far from the pixel outputs have changed, against the reach's sense */
};

/* Which outputs a pixel of input `which` moves. */
static struct changed moved(const weft_plan *plan, float *const *inputs, int32_t count, int32_t which, int x, int y) {
    static float before[PIXELS], after[PIXELS];
    struct changed changed = {0, 0, 0, 0};
    float *at = &inputs[which][y * WIDTH + x], kept = *at;
    CHECK(run(plan, inputs, count, WIDTH, before));
    for (int way = 0; way < 2; way++) {
        *at = way ? 40.0f : -40.0f;
        CHECK(run(plan, inputs, count, WIDTH, after));
        for (int i = 0; i < PIXELS; i++) {
            if (memcmp(&before[i], &after[i], sizeof *before) == 0)
                continue;
            const int64_t dx = x - i % WIDTH, dy = y - i / WIDTH; /* the output looks that far */
            changed.left = -dx > changed.left ? -dx : changed.left;
            changed.right = dx > changed.right ? dx : changed.right;
            changed.above = -dy > changed.above ? -dy : changed.above;
            changed.below = dy > changed.below ? dy : changed.below;
        }
    }
    *at = kept;
    return changed;
}

/* A piece in the middle, and the whole. */
static void check_piece(const char *text, const weft_plan *plan, float *const *inputs, int32_t count,
                        const weft_reach *reach, double tolerance) {
    static float whole[PIXELS], piece[PIXELS];
    enum { X = 120, Y = 110, SIZE = 37 };
    const int64_t width = SIZE + reach->left + reach->right, height = SIZE + reach->above + reach->below;
    float *parts[2];
    double most = 0;
    if (!CHECK(X >= reach->left && Y >= reach->above && X + SIZE + reach->right <= WIDTH && Y + SIZE + reach->below <= HEIGHT))
        return;
    weft_plan *small = plan_of(text, width, height, count);
    for (int32_t i = 0; i < count; i++)
        parts[i] = inputs[i] + (Y - reach->above) * WIDTH + X - reach->left;
    CHECK(run(plan, inputs, count, WIDTH, whole) && small && run(small, parts, count, WIDTH, piece));
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            most = fmax(most, fabs((double)whole[(Y + y) * WIDTH + X + x] -
                                   (double)piece[(reach->above + y) * width + reach->left + x]));
    if (!CHECK(most <= tolerance))
        fprintf(stderr, "  %s: a piece differs by %g\n", text, most);
    weft_plan_destroy(&small);
}

/* `tight`: some output looks exactly as far as the reach says. `tolerance`: of pieces. */
static void check_reach(const char *text, int32_t count, bool tight, double tolerance) {
    static const int places[][2] = {{150, 130}, {0, 0}, {WIDTH - 1, HEIGHT - 1}, {3, 200}, {157, 131}};
    float *inputs[2] = {pixels_by_chance(1), pixels_by_chance(2)};
    weft_plan *plan = plan_of(text, WIDTH, HEIGHT, count);
    weft_reach all = {.reads = true};
    for (int32_t which = 0; plan && which < count; which++) {
        weft_reach reach;
        struct changed most = {0, 0, 0, 0};
        CHECK(weft_plan_reach(plan, 0, which, &reach, NULL) == WEFT_OK);
        CHECK(reach.reads && !reach.whole);
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            struct changed now = moved(plan, inputs, count, which, places[p][0], places[p][1]);
            bool within =
                now.left <= reach.left && now.right <= reach.right && now.above <= reach.above && now.below <= reach.below;
            if (!CHECK(within))
                fprintf(stderr, "  %s: input %d at %d,%d is seen from %d %d %d %d, the reach is %d %d %d %d\n", text, (int)which,
                        places[p][0], places[p][1], (int)now.left, (int)now.right, (int)now.above, (int)now.below,
                        (int)reach.left, (int)reach.right, (int)reach.above, (int)reach.below);
            if (p == 0 || p == 4)
                most = now;
        }
        if (!CHECK(!tight || (most.left == reach.left && most.right == reach.right && most.above == reach.above &&
                              most.below == reach.below)))
            fprintf(stderr, "  %s: the reach is %d %d %d %d, but only %d %d %d %d is looked at\n", text, (int)reach.left,
                    (int)reach.right, (int)reach.above, (int)reach.below, (int)most.left, (int)most.right, (int)most.above,
                    (int)most.below);
        all.left = reach.left > all.left ? reach.left : all.left;
        all.right = reach.right > all.right ? reach.right : all.right;
        all.above = reach.above > all.above ? reach.above : all.above;
        all.below = reach.below > all.below ? reach.below : all.below;
    }
    if (plan)
        check_piece(text, plan, inputs, count, &all, tolerance);
    weft_plan_destroy(&plan);
    free(inputs[0]);
    free(inputs[1]);
}

static weft_reach reach_of(const char *text, int32_t inputs, int32_t input) {
    weft_plan *plan = plan_of(text, WIDTH, HEIGHT, inputs);
    weft_reach reach = {.left = -1};
    CHECK(plan && weft_plan_reach(plan, 0, input, &reach, NULL) == WEFT_OK);
    weft_plan_destroy(&plan);
    return reach;
}

static void test_known(void) {
    weft_reach reach = reach_of("box=3:1", 1, 0);
    CHECK(reach.left == 3 && reach.right == 3 && reach.above == 1 && reach.below == 1);
    reach = reach_of("gamma=2,invert", 1, 0);
    CHECK(reach.reads && !reach.whole && reach.left + reach.right + reach.above + reach.below == 0);
    reach = reach_of("median=2,sobel,box=5", 1, 0);
    CHECK(reach.left == 8 && reach.below == 8);
    reach = reach_of("split[a][b];[a]box=9[c];[b]median=1[d];[c][d]blend_add", 1, 0);
    CHECK(reach.left == 9);
    CHECK(reach_of("[0]box=9[a];[a][1]blend_add", 2, 1).left == 0 && reach_of("[0]box=9[a];[a][1]blend_add", 2, 0).left == 9);
    CHECK(reach_of("gaussian=1.5:radius=7", 1, 0).right == 7);
}

static void test_whole(void) {
    static const char *const graphs[] = {"flip",
                                         "transpose",
                                         "resize=150",
                                         "resize=scale=0.5,resize=scale=2",
                                         "reduce=mean",
                                         "histogram",
                                         "swirl",
                                         "vignette",
                                         "perlin_noise=width=300:height=260:channels=1[n];[0][n]blend_add",
                                         "box=4:border=wrap",
                                         "median=300",
                                         "split[a][b];[a]reduce=mean[m];[b]gamma=@m",
                                         "canny"};
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
        if (!CHECK(reach_of(graphs[i], 1, 0).whole))
            fprintf(stderr, "  %s\n", graphs[i]);
}

static void test_refusals(void) {
    weft_plan *plan = plan_of("invert", 8, 8, 1);
    weft_reach reach;
    CHECK(weft_plan_reach(plan, 1, 0, &reach, NULL) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_plan_reach(plan, 0, 1, &reach, NULL) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_plan_reach(plan, -1, 0, &reach, NULL) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_plan_reach(plan, 0, 0, NULL, NULL) == WEFT_ERROR_ARGUMENT);
    weft_plan_destroy(&plan);
}

int main(void) {
    weft_device_options options = {.threads = 2};
    if (weft_device_open("cpu", &options, &device, NULL) != WEFT_OK)
        return 1;
    test_known();
    test_whole();
    test_refusals();
    check_reach("dilate=2:3", 1, true, 0);
    check_reach("median=1", 1, true, 0);
    check_reach("sobel", 1, true, 1e-6);
    check_reach("box=4:2", 1, true, 1e-6);
    check_reach("gaussian=1.2:radius=4,box=3", 1, true, 1e-6);
    check_reach("box=3:border=constant,median=1:border=replicate", 1, true, 1e-6);
    check_reach("[0]box=2:5[a];[a][1]absolute_difference,box=1", 2, true, 1e-6);
    check_reach("bilateral=3", 1, false, 1e-6);
    check_reach("gaussian=9", 1, false, 1e-4);
    check_reach("unsharp_mask", 1, false, 1e-4);
    check_reach("gaussian=9,sobel,gaussian=4", 1, false, 1e-3);
    weft_device_close(&device);
    return check_done("reach");
}
