/* SPDX-License-Identifier: MIT
 * Which components of a jumping filter's result no arithmetic but an exact one can tell: a maximum beside another that
 * differs from it in the seventh digit, a gradient at its threshold. The reference is run again with every number that
 * a step makes moved at random by what f32 steps may be off (Monte Carlo arithmetic, Parker 1997); components that jump
 * are unsteady. The same tells of colors that were divided by the tail of a blurred alpha, and then went where alpha is not
 * small, how far they may be off. Only the reference decides: no device can excuse itself. The program is linked with
 * --wrap=reference_evaluate. */
#include <math.h>
#include "backend/reference/model.h"
#include "harness.h"

/* The tolerance of gaussian, the least of the steps that make a jump's input. */
#define MOTION 4e-6
enum { RUNS = 24 };

static struct chance *moving; /* NULL: the reference is left alone */
static bool with_tails;

weft_status __real_reference_evaluate(const struct reference_call *call, weft_error *error);
weft_status __wrap_reference_evaluate(const struct reference_call *call, weft_error *error);

weft_status __wrap_reference_evaluate(const struct reference_call *call, weft_error *error) {
    weft_status status = __real_reference_evaluate(call, error);
    const struct reference_image *out = call->out;
    bool rounds = !call->filter->info.exact && !out->integral && call->filter->info.tolerance < 0.5;
    if (!moving || status != WEFT_OK || !rounds)
        return status;
    int64_t count = out->info.width * out->info.height * out->info.format.channels;
    for (int64_t i = 0; i < count; i++) {
        double part = MOTION * (2 * chance_unit(moving) - 1);
        out->data[i] += out->data[i] * part + (with_tails && out->data[i] != 0 ? part : 0);
    }
    return status;
}

void find_motion(const weft_plan *model, const struct picture *inputs, const struct picture *expected, int32_t output,
                 bool tails, struct chance *chance, double *motion) {
    const weft_image_info *info = &expected->image.info;
    for (int run = 0; run < RUNS; run++) {
        struct picture moved[HARNESS_IMAGES] = {{.memory = NULL}};
        char why[512];
        int64_t at = 0;
        moving = chance, with_tails = tails;
        bool ok = harness_run(model, inputs, moved, true, false, chance, why, sizeof why);
        moving = NULL;
        for (int64_t y = 0; ok && y < info->height; y++)
            for (int64_t x = 0; x < info->width; x++)
                for (int32_t c = 0; c < info->format.channels; c++, at++) {
                    double way = fabs(picture_get(&moved[output], x, y, c) - picture_get(expected, x, y, c));
                    motion[at] = isnan(way) ? (double)INFINITY : fmax(motion[at], way);
                }
        for (int i = 0; i < HARNESS_IMAGES; i++)
            picture_destroy(&moved[i]);
    }
}
