/* SPDX-License-Identifier: MIT
 * Known answers of filters that look far, worked out by hand. test_known_wholes [DEVICE] */
#include <math.h>
#include "run_graph.h"

/* All numbers that a filter makes of one plane. */
static void check_all(weft_device *device, const char *text, int width, int height, const float *plane, const float *expected,
                      double tolerance) {
    float *out = run_floats(device, text, width, height, 1, plane);
    for (int i = 0; out && i < width * height; i++)
        if (!CHECK(fabs((double)out[i] - (double)expected[i]) <= tolerance))
            fprintf(stderr, "%s: number %d is %.9g, not %.9g\n", text, i, (double)out[i], (double)expected[i]);
    free(out);
}

/* A pixel is two segments: from 0.75 at the left to -0.75 in the middle, and on to -0.75 at the right. */
static void lines(weft_device *device) {
    static const float corner[16] = {1},
                       votes[16] = {0, 0, .25f, .25f, 0, .25f, 0, 0, .25f, 0, 0, 0, 0, 0, 0, 0}, none[16] = {0};
    check_all(device, "parallel_coordinates", 4, 4, corner, votes, 1e-7);
    check_all(device, "parallel_coordinates=result=lines:least=0.3", 4, 4, corner, none, 0);
    check_all(device, "parallel_coordinates=1.5", 4, 4, corner, none, 0);
}

/* Patches of one pixel: of 9 pixels 6 are alike, and 3 weigh 1 / e, or nothing. */
static void patches(weft_device *device) {
    static const float plane[4] = {0, .1f, 0, .1f}, same[4] = {0, .1f, 0, .1f},
                       near[4] = {.0155362403f, .1f - .0155362403f, .0155362403f, .1f - .0155362403f},
                       noise[4] = {.0333333f, .0666667f, .0333333f, .0666667f};
    check_all(device, "nl_means=0.1:0:1:border=replicate", 2, 2, plane, near, 2e-7);
    check_all(device, "nl_means=0.1:0:1:cutoff=0.9:border=replicate", 2, 2, plane, same, 1e-8);
    check_all(device, "nl_means=0.1:0:1:0.0708:border=replicate", 2, 2, plane, noise, 1e-6);
    check_all(device, "nl_means=0.1:5:0", 2, 2, plane, same, 1e-8);
}

/* The nearest dark pixels are at 0, 0 and 4, 2. */
static void distances(weft_device *device) {
    static const float bright[15] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, .5f}, all[2] = {1, 1}, never[2] = {3e38f, 3e38f},
                       none[2] = {0, .5f}, nothing[2] = {0},
                       squares[15] = {0, 1, 4, 5, 4, 1, 2, 5, 2, 1, 4, 5, 4, 1, 0};
    float far[15];
    for (int i = 0; i < 15; i++)
        far[i] = (float)sqrt((double)squares[i]);
    check_all(device, "distance_transform=result=square", 5, 3, bright, squares, 0);
    check_all(device, "distance_transform", 5, 3, bright, far, 1e-6);
    check_all(device, "distance_transform", 2, 1, all, never, 1e32);
    check_all(device, "distance_transform=result=square", 2, 1, all, never, 1e32);
    check_all(device, "distance_transform", 2, 1, none, nothing, 0);
}

/* Between the pixels at the mask's edges, .2 and .6, an image without gradients becomes a slope; that of .2, .2 and .6, .6 has the
 * larger gradients. Nothing to lay over changes nothing, and all of an image takes the place of the other. */
static void blends(weft_device *device) {
#define LAID(mask, blend)                                                                                              \
    "split=3[a][b][c];[b]contrast=0[s];[c]luminance_threshold=" mask "[m];[s][m]mask[d];[a][d]poisson_blend" blend
    static const float plane[7] = {0, .2f, .9f, .7f, .8f, .6f, 0}, slope[7] = {0, .2f, .3f, .4f, .5f, .6f, 0},
                       steps[7] = {0, .2f, .2f, .2f, .6f, .6f, 0}, sweep[7] = {0, .325f, .675f, .775f, .725f, .5f, 0},
                       one[1] = {.3f};
    static const float half[7] = {.5f, .5f, .5f, .5f, .5f, .5f, .5f};
    check_all(device, LAID("0.1", ""), 7, 1, plane, slope, 1e-5);
    check_all(device, LAID("0.1", ""), 1, 7, plane, slope, 1e-5);
    check_all(device, LAID("0.1", "=mixed"), 7, 1, steps, steps, 1e-5);
    check_all(device, LAID("0.95", ""), 7, 1, plane, plane, 0);
    check_all(device, "split[a][b];[b]contrast=0[s];[a][s]poisson_blend", 7, 1, plane, half, 1e-6);
    check_all(device, LAID("0.1", ""), 1, 1, one, half, 1e-6);
    check_all(device, LAID("0.1", "=border=constant:border_value=0.3"), 1, 1, one, half, 1e-6);
    check_all(device, LAID("0.1", "=compat=gpuimage:mix=1:iterations=1"), 7, 1, plane, sweep, 1e-6);
#undef LAID
}

/* A hook that comes together in its last row, a pixel that touches it by a corner, and one for itself. */
static void components(weft_device *device) {
    static const float bright[24] = {1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0},
                       eight[24] = {1, 0, 1, 0, 0, 2, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0},
                       four[24] = {1, 0, 1, 0, 0, 2, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0};
    static const struct {
        const char *text;
        int count;
        double numbers[12];
    } told[] = {{"connected_components=result=count", 1, {2}},
                {"connected_components=result=count:neighbors=4", 1, {3}},
                {"connected_components=1:result=count", 1, {0}},
                {"connected_components=result=areas:most=3", 4, {15, 8, 1, 0}},
                {"connected_components=result=areas:most=1", 2, {15, 9}},
                {"connected_components=result=areas:most=3:neighbors=4", 4, {15, 7, 1, 1}},
                {"connected_components=result=boxes:most=2", 12, {0, 0, 6, 4, 0, 0, 4, 4, 5, 0, 1, 1}},
                {"connected_components=result=boxes:most=1", 8, {0, 0, 6, 4, 0, 0, 6, 4}},
                {"connected_components=2:result=boxes:most=2", 12, {0, 0, 6, 4}},
                {"connected_components=-1:result=boxes:most=1", 8, {0, 0, 0, 0, 0, 0, 6, 4}},
                {"connected_components=result=centroids:most=3", 8, {3, 25 / 15., 1.25, 1.375, 5, 0, 0, 0}},
                {"connected_components=-1:result=centroids:most=1", 4, {0, 0, 2.5, 1.5}},
                {"component_table=boxes:1", 8, {0, 0, 6, 4, 0, 0, 6, 4}}};
    weft_image_info info = {.width = 6, .height = 4, .format = {WEFT_F32, 1}};
    check_all(device, "connected_components", 6, 4, bright, eight, 0);
    check_all(device, "connected_components=neighbors=4", 6, 4, bright, four, 0);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        double *out = run_graph(device, told[i].text, &info, (void *[]){(void *)(uintptr_t)bright}, 1, 0, NULL);
        for (int k = 0; out && k < told[i].count; k++)
            if (!CHECK(fabs(out[k] - told[i].numbers[k]) <= 1e-13)) /* two floats, on a GPU */
                fprintf(stderr, "%s: number %d is %g\n", told[i].text, k, out[k]);
        free(out);
    }
}

/* One row; and two pixels that touch by a corner. */
static void reconstructions(weft_device *device) {
    static const struct {
        const char *text;
        int width, height;
        float marker[7], mask[7], made[7];
    } cases[] = {
        {"reconstruction", 7, 1, {0, 3, 0, 0, 0, 0, 9}, {2, 5, 4, 1, 6, 6, NAN}, {2, 3, 3, 1, 1, 1, -INFINITY}},
        {"reconstruction", 3, 1, {NAN, -1, 7}, {5, 5, 5}, {5, 5, 5}},
        {"reconstruction=erosion", 3, 1, {9, 3, 0}, {2, 1, 5}, {3, 3, 5}},
        {"reconstruction=erosion", 3, 1, {9, NAN, 8}, {2, NAN, 5}, {9, INFINITY, 8}},
        {"reconstruction", 2, 2, {1, 0, 0, 0}, {1, 0, 0, 2}, {1, 0, 0, 1}},
        {"reconstruction=neighbors=4", 2, 2, {1, 0, 0, 0}, {1, 0, 0, 2}, {1, 0, 0, 0}},
        {"reconstruction", 1, 1, {3}, {2}, {2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_image_info info = {.width = cases[i].width, .height = cases[i].height, .format = {WEFT_F32, 1}};
        void *const pixels[2] = {(void *)(uintptr_t)cases[i].marker, (void *)(uintptr_t)cases[i].mask};
        float *out = run_graph(device, cases[i].text, (weft_image_info[]){info, info}, pixels, 2, WEFT_F32, NULL);
        for (int k = 0; out && k < cases[i].width * cases[i].height; k++)
            if (!CHECK(out[k] == cases[i].made[k]))
                fprintf(stderr, "%s, case %d: number %d is %.9g, not %.9g\n", cases[i].text, (int)i, k, (double)out[k],
                        (double)cases[i].made[k]);
        free(out);
    }
}

/* The element is the pixel to the left and the one above. */
static void elements(weft_device *device) {
    static const float plane[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, largest[9] = {1, 2, 3, 4, 4, 5, 7, 7, 8},
                       smallest[9] = {1, 1, 2, 1, 2, 3, 4, 5, 6}, between[9] = {0, 1, 1, 3, 2, 2, 3, 2, 2};
    check_all(device, "structure_element=dilate:0|1|0|1|0|0|0|0|0:border=replicate", 3, 3, plane, largest, 0);
    check_all(device, "structure_element=erode:0|1|1|0:border=replicate", 3, 3, plane, smallest, 0);
    check_all(device, "structure_element=gradient:0|1|1|0:2:border=replicate", 3, 3, plane, between, 0);
    check_all(device, "structure_element=dilate:1:1", 3, 3, plane, plane, 0);
}

/* What takes no element, or images of several sizes. */
static void refusals(weft_device *device) {
    enum { PAIR = 3 };
    static const struct {
        const char *text, *message;
    } bad[] = {{"structure_element=dilate:0|0|0|0", "element has no pixel"},
               {"structure_element=dilate:1|1|1:2", "element has 3 numbers; it takes whole rows of 2"},
               {"structure_element=dilate:1|1|1", "element has 3 numbers; it takes whole rows of 2"},
               [PAIR] = {"reconstruction", "reconstruction needs images of one size, but input 2 is 2x3 and input 1 is 3x3"}};
    const weft_image_info infos[2] = {{.width = 3, .height = 3, .format = {WEFT_F32, 1}},
                                      {.width = 2, .height = 3, .format = {WEFT_F32, 1}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weft_graph *graph = NULL;
        weft_plan *plan = NULL;
        weft_error error = {0};
        weft_status status = weft_graph_parse(bad[i].text, strlen(bad[i].text), &graph, &error);
        if (status == WEFT_OK)
            status = weft_plan_create(device, graph, &(weft_plan_options){.inputs = infos, .input_count = 1 + (i == PAIR)}, &plan,
                                      &error);
        if (!CHECK(status == (i == PAIR ? WEFT_ERROR_FORMAT : WEFT_ERROR_PARAMETER) && strstr(error.message, bad[i].message)))
            fprintf(stderr, "%s: %s\n", bad[i].text, error.message);
        weft_plan_destroy(&plan);
        weft_graph_destroy(&graph);
    }
}

static void test(weft_device *device) {
    elements(device);
    refusals(device);
    lines(device);
    patches(device);
    distances(device);
    blends(device);
    components(device);
    reconstructions(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("known wholes");
}
