/* SPDX-License-Identifier: MIT
 * Programs of point filters on GPUs against the reference: what blocks prepare of them (tables of bytes, sums of
 * components) where it begins, ends and is cut short, on every number of channels, with alpha and without.
 * test_gpu_points [DEVICE] */
#include <math.h>
#include <string.h>
#include "gpu_devices.h"
#include "run_graph.h"

static const struct { int width, height; } shapes[] = {{1, 1}, {7, 3}, {131, 19}, {260, 40}};
static const char *const graphs[] = {
    /* a table, sums, a power, sums */
    "brightness=0.1,contrast=1.2,gamma=0.9,saturation=1.3,invert,brightness=-0.1,contrast=0.8,gamma=1.1,saturation=0.8,"
    "invert",
    "gamma=0.7,hue_rotate=40,sepia=0.5",
    "saturation=1.5,invert,levels",
    "brightness=0.3,contrast=2,exposure=-0.5",
    "invert,invert",
    "invert,saturation=0.4",
    "saturation=1.2,brightness=0.1",
    "solarize",
    "opacity=0.5,saturation=0.3",
    /* more runs of sums than are prepared */
    "saturation=1.1,invert,gamma=0.8,contrast=1.1,hue_rotate=20,gamma=1.2,brightness=0.1,saturation=0.9,gamma=0.9,"
    "invert,"
    "saturation=1.2,contrast=0.9",
    /* values that others take as well, and images that are read again */
    "gamma=0.8,split[a][b];[a]saturation=1.5,invert[c];[c][b]blend_screen=0.6,brightness=0.1,contrast=1.3",
    "split[a][b];[a]contrast=0.8,saturation=1.5[c];[c][b]blend_screen=0.6,gamma=0.9",
    /* other channels on the way */
    "gamma=1.3,grayscale,invert,contrast=1.5",
    "contrast=0.5,swizzle,saturation=0.5",
    /* colors by alpha */
    "gamma=2.2,premultiply,contrast=1.1,saturation=0.5",
    /* a number that is found on the device */
    "split[a][b];[a]reduce=mean[m];[b]gamma=0.8,brightness=@m,contrast=0.5,saturation=1.4",
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool is_near(double got, double expected, weft_type type) {
    return fabs(got - expected) <= (type == WEFT_U8 ? 1 : 6e-5); /* of bytes, steps */
}
static double number_at(const void *pixels, weft_type type, size_t i) {
    return type == WEFT_U8 ? ((const unsigned char *)pixels)[i] : (double)((const float *)pixels)[i];
}

static void try_case(weft_device *device, weft_device *reference, const char *text, int32_t channels, weft_alpha alpha,
                     weft_type type, int shape) {
    if (!has_turn())
        return;
    weft_image_info info = {.width = shapes[shape].width,
                            .height = shapes[shape].height,
                            .format = {WEFT_U8, channels},
                            .alpha = alpha},
                    result = info;
    size_t count = (size_t)(info.width * info.height * channels), wrong = 0, other = 0;
    unsigned char *pixels = malloc(count);
    uint32_t state = 7;
    for (size_t i = 0; pixels && i < count; i++) {
        state = state * 1664525 + 1013904223;
        pixels[i] = (unsigned char)(state >> 24);
    }
    void *got = pixels ? run_graph(device, text, &info, (void *[]){pixels}, 1, type, &result) : NULL;
    void *expected = pixels ? run_graph(reference, text, &info, (void *[]){pixels}, 1, type, &result) : NULL;
    count = (size_t)(result.width * result.height * result.format.channels);
    for (size_t i = 0; got && expected && i < count; i++) {
        double a = number_at(got, type, i), b = number_at(expected, type, i);
        other += a != b;
        if (!is_near(a, b, type) && wrong++ == 0)
            fprintf(stderr, "%s, channels %d, alpha %d, %lldx%lld: %.9g instead of %.9g at %zu\n", text, (int)channels,
                    (int)alpha, (long long)info.width, (long long)info.height, a, b, i);
    }
    CHECK(got && expected && wrong == 0 && (type != WEFT_U8 || other <= 2 + count / 200));
    free(pixels);
    free(got);
    free(expected);
}

/* What brings one form of alpha to another goes along with the kernels before and after it. */
static void try_passes(weft_device *device) {
    static const struct { const char *text; int32_t passes; } plans[] = {
        {"gaussian=3", 1}, {"swirl", 1}, {"rotate=3.2", 1}, {"swirl,gaussian=3", 2}, {"swirl,resize=50,box=2", 3},
        {"gaussian=3,swirl", 2}, {"motion_blur", 2}, {"frame_blend=4", 1}};
    weft_image_info info = {.width = 160, .height = 120, .format = {WEFT_U8, 4}, .alpha = WEFT_ALPHA_STRAIGHT};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    for (size_t i = 0; i < COUNT(plans); i++) {
        weft_graph *graph = NULL;
        weft_plan *plan = NULL;
        CHECK(weft_graph_parse(plans[i].text, strlen(plans[i].text), &graph, NULL) == WEFT_OK &&
              weft_plan_create(device, graph, &options, &plan, NULL) == WEFT_OK);
        if (!CHECK(plan && weft_plan_passes(plan) == plans[i].passes))
            fprintf(stderr, "  %s: %d passes\n", plans[i].text, plan ? (int)weft_plan_passes(plan) : 0);
        weft_plan_destroy(&plan);
        weft_graph_destroy(&graph);
    }
}

static void try_gpu(weft_device *device, const char *name) {
    weft_device *reference = NULL;
    weft_error error = {0};
    bool all = strcmp(name, "cuda") == 0; /* others compile a pipeline for each, which software takes seconds for */
    if (!CHECK(weft_device_open("reference", NULL, &reference, &error) == WEFT_OK))
        return;
    try_passes(device);
    for (size_t g = 0; g < COUNT(graphs); g++)
        for (int32_t channels = 1; channels <= 4; channels++)
            for (int alpha = 0; alpha < (channels % 2 ? 1 : 2); alpha++)
                for (int type = 0; type < 2; type++)
                    if (all || (g + (size_t)(channels + alpha + type)) % 4 == 0)
                        try_case(device, reference, graphs[g], channels, alpha ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE,
                                 type ? WEFT_F32 : WEFT_U8,
                                 (int)((g + (size_t)channels + (size_t)type) % COUNT(shapes)));
    weft_device_close(&reference);
}

int main(int argc, char **argv) { return check_gpus("test_gpu_points", argc, argv, try_gpu); }
