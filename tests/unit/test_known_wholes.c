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

static void test(weft_device *device) {
    lines(device);
    patches(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("known wholes");
}
