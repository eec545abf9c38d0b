/* SPDX-License-Identifier: MIT
 * Known answers for filters of colors: what GPUImage's shaders made when they were run (compat=gpuimage where the
 * filter has a better definition), and what was worked out by hand. */
#include <math.h>
#include "run_graph.h"

struct answer {
    const char *text;
    float in[4];
    double out[4];
};

static void check(const char *text, const float *got, const double *expected) {
    for (int c = 0; c < 4 && got; c++)
        if (!CHECK(fabs(got[c] - expected[c]) <= 6e-5)) /* the answers have four decimals */
            fprintf(stderr, "%s: channel %d is %.6f, not %.6f\n", text, c, got[c], expected[c]);
}

static void one_image(weft_device *device) {
    static const struct answer answers[] = {
        {"chroma_key=similarity=0.2", {.25f, .7f, .25f, 1}, {.25, .7, .25, .9879}},
        {"chroma_key=0|1|0|1:0.8", {.25f, .7f, .25f, 1}, {.25, .7, .25, 0}},
        {"chroma_key=similarity=0.2", {.25f, .7f, .25f, .5f}, {.25, .7, .25, .49395}},
        /* Of what is green and gray the chroma is the key's by 1/5; 0.427 from it, 0.95 of that goes. */
        {"chroma_key=spill=1", {.5f, .7f, .5f, 1}, {.61152, .62141, .61152, .17816}},
        {"chroma_key=spill=1:spill_reach=0", {.5f, .7f, .5f, 1}, {.59642, .63205, .59642, .17816}},
        {"chroma_key=spill=1:spill_reach=1", {.4f, .4f, .4f, 1}, {.4, .4, .4, 1}}, /* gray has no chroma */
        {"chroma_key=spill=1:spill_reach=1", {.8f, .1f, .7f, 1}, {.8, .1, .7, 1}}, /* the opposite of green */
        {"chroma_key=spill=1", {.8f, .3f, .1f, 1}, {.8, .3, .1, 1}},               /* far from the key */
        {"chroma_key_ue=smoothing=0.2:spill=0.5", {.3f, .6f, .3f, 1}, {.3, .4561, .3, .5204}},
        {"chroma_key_ue=smoothing=0.2:spill=1", {.4f, .4f, .4f, 1}, {.4, .4, .4, 1}}, /* far from the key: as it was */
        {"chroma_key_ue=spill=1", {0, 0, 0, 1}, {0, 0, 0, 1}},
        {"chroma_key_ue", {.1f, .8f, .1f, 1}, {.1, .8, .1, 0}},
        {"hue_rotate=90:gpuimage", {.25f, .5f, .75f, 1}, {.6201, .2985, .8168, 1}},
        {"hue_rotate", {.25f, .5f, .75f, 1}, {.25, .5, .75, 1}},
        {"hue_rotate=-360", {.25f, .5f, .75f, 1}, {.25, .5, .75, 1}},
        {"hsb_adjust=90", {.25f, .5f, .75f, 1}, {.708, .275, .708, 1}},
        {"hsb_adjust=120", {1, 0, 0, .5f}, {-.29, .71, -.29, .5}},
        {"hsb_adjust=saturation=0.5:brightness=2", {.25f, .5f, .75f, 1}, {.7025, .9525, 1.2025, 1}},
        {"white_balance=7000:100:compat=gpuimage", {.25f, .5f, .75f, 1}, {.3335, .4476, .8187, 1}},
        {"white_balance", {.25f, .5f, .75f, 1}, {.25, .5, .75, 1}},
        /* From the Python package colour, with Krystek's temperatures, CAT16 and the same matrix of sRGB. */
        {"white_balance=6500:20", {.25f, .5f, .75f, 1}, {.334094, .500077, .669850, 1}},
        {"white_balance=3200:-50", {.8f, .6f, .4f, 1}, {.680004, .634892, .544951, 1}},
        {"white_balance=10000:0:6500", {.5f, .5f, .5f, 1}, {.537786, .494734, .426524, 1}},
        {"tone_curve=0|0|0.25|0.15|0.75|0.85|1|1", /* f(32), f(64) and f(128) of 255 */
         {32 / 255.f, 64 / 255.f, 128 / 255.f, 1}, {14.4126 / 255, 38.5006 / 255, 128.3 / 255, 1}},
        {"tone_curve=1|1|0.75|0.85|0|0|0.25|0.15", {224 / 255.f, -1, 2, 1}, {241.1339 / 255, 0, 1, 1}},
        {"tone_curve=red=0.5|0.25:blue=0|1|1|0:all=0.2|0.4|0.6|0", {.9f, .5f, .8f, 1}, {.35, .1, .4, 1}},
        {"vibrance=0.5", {.25f, .5f, .75f, 1}, {.0625, .40625, .75, 1}},
        {"highlight_shadow_tint=0.5:0.5", {.25f, .5f, .75f, 1}, {.3553, .446, .75, 1}},
        {"skin_tone=-0.3", {.8f, .45f, .35f, 1}, {.8, .35, .4471, 1}},
        {"skin_tone=0.3:mode=orange", {.8f, .45f, .35f, 1}, {.8, .3773, .2565, 1}},
        {"monochrome", {.25f, .5f, .75f, 1}, {.5579, .4184, .2789, 1}},
        {"false_color", {.25f, .5f, .75f, 1}, {.4649, 0, .26755, 1}},
        {"sepia", {.25f, .5f, .75f, 1}, {.5445, .4537, .363, 1}},
        {"solarize=compat=gpuimage", {.25f, .5f, .75f, 1}, {.75, .5, .25, 1}},
        {"solarize", {.25f, .5f, .75f, 1}, {.25, .5, .25, 1}},
        {"luminance_range", {.25f, .5f, .75f, 1}, {.2711, .5211, .7711, 1}},
        {"highlights_shadows=0:0.5", {.95f, .8f, .7f, 1}, {.9353, .7876, .6891, 1}},
        {"highlights_shadows=1:0", {0, 0, 0, 1}, {0, 0, 0, 1}},
        {"channel_gain=2:1:0.5", {.25f, .5f, .75f, .5f}, {.5, .5, .375, .5}},
        {"haze=0.2:0.1", {.25f, .5f, .75f, .5f}, {0, 1 / 3., 2 / 3., .5}},
        {"posterize=4", {.25f, .5f, .75f, .4f}, {1 / 3., 2 / 3., 2 / 3., .4}},
        {"posterize=4:gpuimage", {.2f, .5f, .7f, .4f}, {.25, .5, .75, .5}},
        {"swizzle=2:3:0:1", {.25f, .5f, .75f, .4f}, {.75, .4, .25, .5}},
        {"vignette=0|0:#ff0000:0:1", {.25f, .5f, .75f, 1}, {.84467, .10355, .15533, 1}},
        {"cga_palette", {.2f, .3f, .1f, 1}, {0, 0, 0, 1}},
        {"cga_palette", {.3f, .8f, .9f, .5f}, {1 / 3., 1, 1, .5}},
        {"cga_palette", {.9f, .3f, .8f, 1}, {1, 1 / 3., 1, 1}},
        {"cga_palette", {.9f, .9f, .9f, 1}, {1, 1, 1, 1}},
        {"cga_colorspace", {.9f, .3f, .8f, 1}, {1, 1 / 3., 1, 1}},
        {"opacity=0.25,alpha_extract,color_matrix,opacity", {.1f, .8f, .1f, 1}, {.25, .25, .25, 1}},
        {"chroma_key=similarity=0.2:output=matte,color_matrix,opacity", {.25f, .7f, .25f, 1}, {.9879, .9879, .9879, 1}},
        {"chroma_key=shrink=1:output=matte,color_matrix,opacity", {.5f, .2f, .1f, 1}, {1, 1, 1, 1}},
        {"chroma_key_ue=output=matte,color_matrix,opacity", {.1f, .8f, .1f, 1}, {0, 0, 0, 1}},
        {"chroma_key_ue=shrink=1:output=matte,color_matrix,opacity", {.5f, .2f, .1f, 1}, {1, 1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        float *out = run_floats(device, answers[i].text, 1, 1, 4, answers[i].in);
        check(answers[i].text, out, answers[i].out);
        free(out);
    }
}

/* (.25, .5, .75, .8) below (.6, .3, .9, .5). */
static void two_images(weft_device *device) {
    static const struct {
        const char *text;
        double out[4];
    } answers[] = {
        {"mask=compat=gpuimage", {.25, .5, .75, .3}},
        {"mask", {.25, .5, .75, .24}},
        {"alpha_combine", {.25, .5, .75, .6}},
        {"mask_highlight", {1, 0, 0, 1}},
        {"split_view", {.25, .5, .75, .8}},
        {"porter_duff=clear", {0, 0, 0, 0}},
        {"porter_duff=copy", {.6, .3, .9, .5}},
        {"porter_duff=destination", {.25, .5, .75, .8}},
        {"porter_duff=source_over", {(.3 + .1) / .9, (.15 + .2) / .9, (.45 + .3) / .9, .9}},
        {"porter_duff=destination_over", {(.2 + .06) / .9, (.4 + .03) / .9, (.6 + .09) / .9, .9}},
        {"porter_duff=source_in", {.6, .3, .9, .4}},
        {"porter_duff=destination_in", {.25, .5, .75, .4}},
        {"porter_duff=source_out", {.6, .3, .9, .1}},
        {"porter_duff=destination_out", {.25, .5, .75, .4}},
        {"porter_duff=source_atop", {(.24 + .1) / .8, (.12 + .2) / .8, (.36 + .3) / .8, .8}},
        {"porter_duff=destination_atop", {(.1 + .06) / .5, (.2 + .03) / .5, (.3 + .09) / .5, .5}},
        {"porter_duff=xor", {(.06 + .1) / .5, (.03 + .2) / .5, (.09 + .3) / .5, .5}},
        {"porter_duff=lighter", {.5, .55, 1, 1}},
        {"chroma_key_blend=0.25|0.5|0.75|1:0.2:0.1", {.6, .3, .9, .5}},
        {"chroma_key_blend=0|1|0|1:0.2:0.1", {.25, .5, .75, .8}},
        {"chroma_key_blend=0.25|0.5|0.75|1:0:0:compat=gpuimage", {.25, .5, .75, .8}},
        {"chroma_key_ue_blend=0.25|0.5|0.75|1", {.6, .3, .9, .5}},
        {"chroma_key_ue_blend", {(.2 + .06) / .9, (.4 + .03) / .9, (.6 + .09) / .9, .9}}, /* far from green */
    };
    weft_image_info info = {.width = 1, .height = 1, .format = {WEFT_F32, 4}, .alpha = WEFT_ALPHA_STRAIGHT};
    weft_image_info infos[2] = {info, info};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        float base[4] = {.25f, .5f, .75f, .8f}, over[4] = {.6f, .3f, .9f, .5f};
        float *out = run_graph(device, answers[i].text, infos, (void *[]){base, over}, 2, 0, NULL);
        check(answers[i].text, out, answers[i].out);
        free(out);
    }
}

/* On an image whose value is x + 10 y a warp shows where it looks. */
static void places(weft_device *device) {
    enum { WIDTH = 16, HEIGHT = 8 };
    static const struct {
        const char *text;
        int x, y;
        double from_x, from_y;
    } cases[] = {
        /* (3.5, 0.5) from the middle, 3.5355 away of 8: nearer = 1 - (1 - .4419) / 2 = .72097, squared .51980 */
        {"bulge=radius=0.5:border=replicate", 11, 4, 7.5 + 3.5 * .51980, 3.5 + .5 * .51980},
        {"bulge=radius=0.1:border=replicate", 11, 4, 11, 4},
        /* away .22097 of the width, of a radius of 1: 1 + (1 - .22097) / 2 = 1.38951; GPUImage: 1 + .27903 */
        {"pinch=border=replicate", 11, 4, 7.5 + 3.5 * 1.38951, 3.5 + .5 * 1.38951},
        {"pinch=border=replicate:compat=gpuimage", 11, 4, 7.5 + 3.5 * 1.27903, 3.5 + .5 * 1.27903},
        /* a quarter turn: 8 angle (1 - .44194)^2 = pi / 2 */
        {"swirl=radius=0.5:angle=0.63047:border=replicate", 11, 4, 7.5 - .5, 3.5 + 3.5},
        /* n = .4375: .5 + .5 smoothstep(.25, .5, .4375) = .921875; n = .125: .5 */
        {"stretch=border=replicate", 11, 4, 7.5 + 3.5 * .921875, 3.5 + .5 * .5},
        /* The normal (.4375, .0625, .89704); the ray is bent by -.312595 of it. */
        {"sphere_refraction=radius=0.5:border=replicate", 11, 4, 6.405917, 3.421851},
        {"glass_sphere=radius=0.5:border=replicate", 11, 4, 9.688166 + .067215, 3.656298},
        {"glass_sphere=radius=0.5:border=replicate", 0, 0, 0, 0},
        /* Radius .44194 and angle .1419, in the middle of their parts .425 and .125 */
        {"polar_pixellate=border=replicate", 11, 4, 7.5 + 3.4 * .992198, 3.5 + 3.4 * .124675},
        /* .455 and .2783; .48 and .25 */
        {"polar_pixellate=compat=gpuimage:border=replicate", 11, 4, 7.5 + 3.84 * .968912, 3.5 + 1.92 * .247404},
        {"pixellate=0.25:border=replicate", 11, 4, 9.5, 5.5},
        {"pixellate=0.25:0.25:corner:border=replicate", 11, 4, 7.5, 3.5},
    };
    float in[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        in[i] = (float)(i % WIDTH) + 10.0f * (float)(i / WIDTH);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float *out = run_floats(device, cases[i].text, WIDTH, HEIGHT, 1, in);
        double expected = cases[i].from_x + 10 * cases[i].from_y, got = out ? out[cases[i].y * WIDTH + cases[i].x] : 0;
        if (!CHECK(fabs(got - expected) < 1e-3))
            fprintf(stderr, "%s: %.5f, not %.5f\n", cases[i].text, got, expected);
        free(out);
    }
}

static void drawings(weft_device *device) {
    static const struct {
        const char *text;
        unsigned char expected[20];
    } cases[] = {
        {"crosshair=0.5|0.5|0|1:3,grayscale=1|0|0",
         {180, 180, 180, 180, 180, 180, 180, 0, 180, 180, 0, 0, 0, 0, 180, 0, 0, 0, 180, 180}},
        {"crosshair=2|1:4:#ffffff:pixel,grayscale=1|0|0",
         {180, 180, 255, 180, 180, 255, 255, 255, 255, 180, 180, 180, 255, 180, 180, 180, 180, 180, 180, 180}},
        /* Half of two that cross is seen through both. */
        {"crosshair=1|1|2|1:3:0|0|0|0.5:pixel,grayscale=1|0|0",
         {180, 90, 90, 180, 180, 90, 45, 45, 90, 180, 180, 90, 90, 180, 180, 180, 180, 180, 180, 180}},
        /* From a model in double precision: two of the four sets of lines, at a luminance of .7. */
        {"crosshatch=0.6:0.1",
         {0, 255, 0, 0, 255, 255, 0, 255, 255, 0, 0, 255, 0, 0, 255, 0, 255, 0, 0, 255}},
    };
    unsigned char in[20];
    memset(in, 180, sizeof in);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char *out = run_bytes(device, cases[i].text, 5, 4, in);
        for (int k = 0; k < 20 && out; k++)
            if (!CHECK(out[k] == cases[i].expected[k]))
                fprintf(stderr, "%s: pixel %d is %d, not %d\n", cases[i].text, k, out[k], cases[i].expected[k]);
        free(out);
    }
}

static void test(weft_device *device) {
    one_image(device);
    places(device);
    drawings(device);
    two_images(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("known colors");
}
