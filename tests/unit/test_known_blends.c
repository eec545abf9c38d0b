/* SPDX-License-Identifier: MIT
 * Known answers for blends: one pixel over another of alpha 1 and of 1/2, by W3C's compositing with each mode's function,
 * and by GPUImage's shaders as they were run. */
#include <math.h>
#include "run_graph.h"

struct answer {
    const char *text;
    double opaque[4], half[4];
};

static void check(weft_device *device, const char *text, const float *first, const float *second, const double *expected) {
    float backdrop[4], over[4];
    memcpy(backdrop, first, sizeof backdrop);
    memcpy(over, second, sizeof over);
    weft_image_info info = {.width = 1, .height = 1, .format = {WEFT_F32, 4}, .alpha = WEFT_ALPHA_STRAIGHT};
    weft_image_info infos[2] = {info, info};
    float *out = run_graph(device, text, infos, (void *[]){backdrop, over}, 2, 0, NULL);
    for (int c = 0; c < 4 && out; c++)
        if (!CHECK(fabs(out[c] - expected[c]) <= 6e-5)) /* the answers have four decimals */
            fprintf(stderr, "%s: channel %d is %.6f, not %.6f\n", text, c, out[c], expected[c]);
    free(out);
}

static void table(weft_device *device, const struct answer *answers, size_t count) {
    static const float backdrop[4] = {.25f, .5f, .75f, 1};
    for (size_t i = 0; i < count; i++)
        for (int half = 0; half < 2; half++) {
            float over[4] = {.6f, .3f, .9f, half ? .5f : 1};
            check(device, answers[i].text, backdrop, over, half ? answers[i].half : answers[i].opaque);
        }
}

static void standard(weft_device *device) {
    static const struct answer answers[] = {
        {"blend_multiply", {.15, .15, .675, 1}, {.2, .325, .7125, 1}},
        {"blend_add", {.85, .8, 1, 1}, {.55, .65, .875, 1}},
        {"blend_screen", {.7, .65, .975, 1}, {.475, .575, .8625, 1}},
        {"blend_luminosity", {.2535, .5035, .7535, 1}, {.25175, .50175, .75175, 1}},
        {"blend_subtract", {0, .2, 0, 1}, {.125, .35, .375, 1}},
        {"blend_divide", {.4167, 1, .8333, 1}, {.3333, .75, .7917, 1}},
        {"blend_overlay", {.3, .3, .95, 1}, {.275, .4, .85, 1}},
        {"blend_hard_light", {.4, .3, .95, 1}, {.325, .4, .85, 1}},
        {"blend_soft_light", {.3, .4, .8428, 1}, {.275, .45, .7964, 1}},
        {"blend_darken", {.25, .3, .75, 1}, {.25, .4, .75, 1}},
        {"blend_lighten", {.6, .5, .9, 1}, {.425, .5, .825, 1}},
        {"blend_color_burn", {0, 0, .7222, 1}, {.125, .25, .7361, 1}},
        {"blend_color_dodge", {.625, .7143, 1, 1}, {.4375, .6071, .875, 1}},
        {"blend_exclusion", {.55, .5, .3, 1}, {.4, .5, .525, 1}},
        {"blend_difference", {.35, .2, .15, 1}, {.3, .35, .45, 1}},
        {"blend_linear_burn", {0, 0, .65, 1}, {.125, .25, .7, 1}},
        {"blend_source_over", {.6, .3, .9, 1}, {.425, .4, .825, 1}},
        {"blend_alpha", {.425, .4, .825, 1}, {.3375, .45, .7875, 1}},
        {"blend_dissolve", {.425, .4, .825, 1}, {.425, .4, .825, .75}},
        {"blend_hue", {.5725, .3225, .8225, 1}, {.4113, .4113, .7863, 1}},
        {"blend_color", {.5965, .2965, .8965, 1}, {.4233, .3983, .8233, 1}},
        {"blend_saturation", {.2095, .5095, .8095, 1}, {.2297, .5048, .7798, 1}},
    };
    static const float base[4] = {.25f, .5f, .75f, 1}, over[4] = {.4f, .2f, .9f, 1}, yellow[4] = {1, 1, 0, 1};
    table(device, answers, sizeof answers / sizeof *answers);
    check(device, "blend_hue", base, over, (double[4]){.4975, .3546, .8546, 1});
    check(device, "blend_luminosity", base, over, (double[4]){.1345, .3845, .6345, 1});
    /* Blue would come to 1.0155, so the color moves towards its grey, .4525. */
    check(device, "blend_color", base, over, (double[4]){.5138, .3193, 1, 1});
    check(device, "blend_color", base, yellow, (double[4]){.5084, .5084, 0, 1});
}

static void ancestor(weft_device *device) {
    static const struct answer answers[] = {
        {"blend_multiply=compat=gpuimage", {.15, .15, .675, 1}, {.275, .4, 1.05, 1}},
        {"blend_subtract=compat=gpuimage", {-.35, .2, -.15, 1}, {-.35, .2, -.15, 1}},
        {"blend_divide=compat=gpuimage", {.4167, 1, .8333, 1}, {.2292, .6667, .5833, 1}},
        {"blend_hard_light=compat=gpuimage", {.4, .3, .95, 1}, {.775, .55, 1.075, 1}},
        {"blend_darken=compat=gpuimage", {.25, .3, .75, 1}, {.25, .5, .75, 1}},
        {"blend_color_burn=compat=gpuimage", {-.25, -.6667, .7222, 1}, {-.25, -.6667, .7222, 1}},
        {"blend_color_dodge=compat=gpuimage", {.625, .7143, 1, 1}, {.625, .75, .875, 1}},
        {"blend_exclusion=compat=gpuimage", {.55, .5, .3, 1}, {.55, .5, .3, 1}},
        {"blend_difference=compat=gpuimage", {.35, .2, .15, 1}, {.35, .2, .15, 1}},
        {"blend_linear_burn=compat=gpuimage", {0, 0, .65, 1}, {0, 0, .65, 1}},
        {"blend_source_over=compat=gpuimage", {.6, .3, .9, 1}, {.425, .4, .825, .75}},
        {"blend_alpha=compat=gpuimage", {.425, .4, .825, 1}, {.3375, .45, .7875, 1}},
        {"blend_hue=compat=gpuimage", {.2205, .5205, .7205, 1}, {.2353, .5102, .7352, 1}},
        {"blend_add=compat=gpuimage", {.85, .8, 1, 1}, {.625, .75, .875, 1}},
        {"blend_screen=compat=gpuimage", {.7, .65, .975, 1}, {.7, .65, .975, 1}},
        {"blend_lighten=compat=gpuimage", {.6, .5, .9, 1}, {.6, .5, .9, 1}},
        {"blend_overlay=compat=gpuimage", {.3, .3, .95, 1}, {.425, .55, 1.075, 1}},
        {"blend_soft_light=compat=gpuimage", {.2875, .4, .9, 1}, {.38125, .525, .99375, 1}},
        {"blend_color=compat=gpuimage", {.5965, .2965, .8965, 1}, {.42325, .39825, .82325, 1}},
        {"blend_luminosity=compat=gpuimage", {.2535, .5035, .7535, 1}, {.25175, .50175, .75175, 1}},
        {"blend_saturation=compat=gpuimage", {.2095, .5095, .8095, 1}, {.2297, .5048, .7798, 1}},
    };
    static const float base[4] = {.25f, .5f, .75f, 1}, over[4] = {.4f, .2f, .9f, 1};
    table(device, answers, sizeof answers / sizeof *answers);
    check(device, "blend_hue=compat=gpuimage", base, over, (double[4]){.2795, .4795, .7795, 1});
}

static void test(weft_device *device) {
    standard(device);
    ancestor(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("known blends");
}
