/* SPDX-License-Identifier: MIT
 * sigma means sigma: the weights are the gaussian at whole pixels, cut where less than 1e-5 of it is left (or at
 * `radius`) and normalised.
 *
 * Above DIRECT_SIGMA the same blur is had cheaper in three steps, along each axis by itself (the multirate form):
 *   gaussian_reduce   a gaussian of s1 = SHARE steps, of whose result every step-th pixel is kept
 *   gaussian          on the coarse grid, of s2; where that is large still, by the same three steps again
 *   gaussian_expand   back to full size by a gaussian of s3 = s1
 * with s1^2 + s2^2 + s3^2 = sigma^2, all finite and each normalised, so flat areas stay flat at any sigma. The step is
 * the largest that leaves sigma >= FEWEST_STEPS steps, and at most LARGEST_STEP while that keeps the margin around the
 * coarse image smaller than the image. Where it does not, the image is reduced by LARGEST_STEP with the small margin
 * FOLD_MARGIN, then by the rest of the step by gaussian_fold, which makes the large margin of that, and expanded in two
 * steps too. The cost per pixel, about 9 products along each axis each way, does not depend on sigma.
 *
 * `downsample` bounds the step, never the accuracy: 1 is the direct form at any sigma.
 *
 * The error, half the sum of the absolute differences between the whole form's weights and the gaussian's, which is the
 * largest error of any image of values in [0, 1], along one axis: below 7e-6 for sigma 4 to 1000, over all places
 * between two coarse pixels, and below 4e-6 where sigma is 2 steps or more. That is 0.002 levels of 8 bits and half of one
 * of 16 bits. The direct form's is below 7e-6, all of it in the cut.
 *
 * border=shrink is computed directly: it divides by the weights inside, which the three steps do not know. */
#define NAME gaussian
#define SUMMARY "Blur with a gaussian"
#define ALIASES "gblur gaussian_blur"
#define SOURCE "sampled and normalised; error and cost: see src/filters/blur/gaussian.c"
#define EXAMPLE "gaussian=4"
#define TOLERANCE 1.5e-5
#define PARAMS                                                                                                         \
    FLOAT(sigma, 2, 0, 10000, "px", "standard deviation along x; 0 keeps the image")                                   \
    AUTO_FLOAT(sigma_y, 0, 10000, "px", "standard deviation along y; auto is sigma")                                   \
    AUTO_INT(radius, 0, 100000, "px", "where the gaussian is cut; auto leaves out less than 1e-5 of it")               \
    AUTO_INT(downsample, 1, 10000, "px",                                                                               \
             "work on a grid at most this coarse, where it does not show; 1 is full size, auto as coarse as sigma allows")
#define EXPAND expand
#include <math.h>
#include "filter/separable.h"
#include "filters/blur/gaussian_axis.h"

#define DIRECT_SIGMA 4.0   /* the multirate form begins above this */
#define DIRECT_CUT 4.5     /* in sigmas; 6.8e-6 of the weight lies beyond */
#define PRECISE_CUT 9.0    /* 2e-19 */
#define LEAST_WEIGHT 1e-9  /* taps below do not show in f32 */
#define SHARE 0.9          /* s1 and s3 in steps: what aliases is then below 1e-6 */
#define FEWEST_STEPS 1.77  /* sigma in steps */
#define SMALLEST_SIGMA 0.6 /* below, a sampled gaussian's width is no longer its sigma */
#define LARGEST_STEP 8
#define FOLD_MARGIN 14  /* coarse pixels: where gaussian_fold's weights have faded out, 4.7 of its FADE */
#define FOLD_LEAST 256  /* pixels of an axis that is folded */

static double sigma_along(const struct BLOCK *p, enum weft_direction direction) {
    return direction == WEFT_X || p->sigma_y < 0 ? p->sigma : p->sigma_y;
}

static double weight_at(double sigma, int32_t k) { return k ? exp(-0.5 * (k / sigma) * (k / sigma)) : 1; }

/* The sum over -radius .. radius, small ones first. */
static double weight_sum(double sigma, int32_t radius) {
    double sum = 0;
    for (int32_t k = radius; k > 0; k--)
        sum += 2 * weight_at(sigma, k);
    return sum + 1;
}

static weft_status taps(const void *block, enum weft_direction direction, bool precise, struct weft_taps *taps,
                        weft_error *error) {
    const struct BLOCK *p = block;
    double sigma = sigma_along(p, direction);
    int32_t radius = p->radius >= 0 ? p->radius : (int32_t)ceil((precise ? PRECISE_CUT : DIRECT_CUT) * sigma);
    if (sigma == 0)
        radius = 0;
    double sum = weight_sum(sigma, radius);
    while (!precise && radius > 0 && weight_at(sigma, radius) / sum < LEAST_WEIGHT)
        radius--;
    sum = weight_sum(sigma, radius);
    taps->radius = radius;
    taps->weight = weft_allocate(2 * (size_t)radius + 1, sizeof *taps->weight);
    if (!taps->weight)
        return weft_fail_memory(error, (2 * (size_t)radius + 1) * sizeof *taps->weight, "the weights of a gaussian");
    double center = 1;
    for (int32_t k = radius; k > 0; k--) {
        taps->weight[radius - k] = taps->weight[radius + k] = weight_at(sigma, k) / sum;
        center -= 2 * taps->weight[radius + k];
    }
    taps->weight[radius] = center; /* so that the sum is 1 whatever was rounded */
    return WEFT_OK;
}

/* The multirate form of one axis; step 1 leaves all to the gaussian in the middle, of `sigma` coarse pixels. */
struct rate {
    int32_t step, margin;
    bool folds; /* in two steps, LARGEST_STEP and the rest */
    double outer, sigma;
};

static struct rate choose_rate(double sigma, int64_t size, int32_t downsample) {
    struct rate direct = {.step = 1, .sigma = sigma}, rate = direct;
    if (sigma > DIRECT_SIGMA) {
        rate.step = (int32_t)(sigma / FEWEST_STEPS);
        if (rate.step > LARGEST_STEP && 2 * DIRECT_CUT * sigma <= (double)size)
            rate.step = LARGEST_STEP;
        if (downsample > 0 && rate.step > downsample)
            rate.step = downsample;
        rate.folds = rate.step >= 2 * LARGEST_STEP && size >= FOLD_LEAST;
        if (rate.folds)
            rate.step -= rate.step % LARGEST_STEP;
    }
    if (rate.step < 2)
        return direct;
    double steps = sigma / rate.step, outer = SHARE, rest = steps * steps - 2 * outer * outer;
    if (rest < SMALLEST_SIGMA * SMALLEST_SIGMA) {
        rest = 0;
        outer = sqrt(0.5) * steps;
    }
    rate.outer = outer * rate.step;
    rate.sigma = sqrt(rest);
    rate.margin = (int32_t)ceil(DIRECT_CUT * rate.sigma) + (int32_t)gaussian_axis_radius(outer) + 1;
    return rate;
}

struct setting {
    const char *name;
    double value;
};
static weft_status add(weft_graph *graph, const char *filter, weft_node input, const struct setting *settings,
                       size_t count, weft_node *node, weft_error *error) {
    weft_status status = weft_graph_add(graph, filter, &input, 1, node, error);
    for (size_t i = 0; status == WEFT_OK && i < count; i++)
        status = weft_graph_set(graph, *node, settings[i].name, &settings[i].value, 1, error);
    return status;
}
#define ADD(filter, input, settings, node)                                                                             \
    add(graph, filter, input, settings, sizeof settings / sizeof *settings, node, error)

/* The first, or only, step of an axis. */
static struct rate first_step(struct rate rate) {
    if (!rate.folds)
        return rate;
    return (struct rate){.step = LARGEST_STEP, .margin = FOLD_MARGIN, .outer = SHARE * LARGEST_STEP};
}

/* What the second step of an axis blurs by further, in pixels; 0 without one. */
static double further(struct rate rate) {
    double before = SHARE * LARGEST_STEP;
    return rate.folds ? sqrt(rate.outer * rate.outer - before * before) : 0;
}

static int64_t coarse_size(int64_t size, int32_t step, int32_t margin) { return (size + step - 1) / step + 2 * margin; }

/* Adds the blur by sigma_x and sigma_y of an image of width x height. */
static weft_status blur(weft_graph *graph, const struct BLOCK *p, double sigma_x, double sigma_y, int64_t width,
                        int64_t height, weft_node input, int32_t downsample, weft_node *result, weft_error *error) {
    struct rate x = choose_rate(sigma_x, width, downsample), y = choose_rate(sigma_y, height, downsample);
    /* The border counts on an axis of step 1, which has no margin; along the other no border is reached. */
    const struct setting direct[] = {{"sigma", sigma_x},
                                     {"sigma_y", sigma_y},
                                     {"downsample", 1},
                                     {"border", p->border},
                                     {"border_value", p->border_value}};
    if (x.step == 1 && y.step == 1)
        return ADD("gaussian", input, direct, result);
    struct rate u = first_step(x), v = first_step(y);
    bool folds = x.folds || y.folds;
    int64_t coarse_width = coarse_size(width, u.step, u.margin), coarse_height = coarse_size(height, v.step, v.margin);
    int64_t blurred_width = x.folds ? coarse_size(width, x.step, x.margin) : coarse_width;
    int64_t blurred_height = y.folds ? coarse_size(height, y.step, y.margin) : coarse_height;
    const struct setting reduction[] = {{"sigma", u.outer},    {"step", u.step},   {"margin", u.margin},
                                        {"sigma_y", v.outer},  {"step_y", v.step}, {"margin_y", v.margin},
                                        {"border", p->border}, {"border_value", p->border_value}};
    const struct setting fold[] = {{"sigma", further(x)},        {"step", x.folds ? x.step : 0},
                                   {"sigma_y", further(y)},      {"step_y", y.folds ? y.step : 0},
                                   {"width", (double)width},     {"margin", x.folds ? x.margin : 0},
                                   {"height", (double)height},   {"margin_y", y.folds ? y.margin : 0},
                                   {"input_step", LARGEST_STEP}, {"border", p->border}};
    const struct setting unfold[] = {
        {"sigma", further(x) / LARGEST_STEP},   {"step", x.folds ? x.step / LARGEST_STEP : 1}, {"width", (double)coarse_width},
        {"sigma_y", further(y) / LARGEST_STEP}, {"step_y", y.folds ? y.step / LARGEST_STEP : 1}, {"height", (double)coarse_height}};
    const struct setting expansion[] = {{"sigma", u.outer},   {"step", u.step},   {"width", (double)width},
                                        {"sigma_y", v.outer}, {"step_y", v.step}, {"height", (double)height}};
    weft_node coarse;
    weft_status status = ADD("gaussian_reduce", input, reduction, &coarse);
    if (status == WEFT_OK && folds)
        status = ADD("gaussian_fold", coarse, fold, &coarse);
    if (status == WEFT_OK)
        status = blur(graph, p, x.sigma, y.sigma, blurred_width, blurred_height, coarse, downsample > 0 ? 1 : downsample,
                      &coarse, error);
    if (status == WEFT_OK && folds)
        status = ADD("gaussian_expand", coarse, unfold, &coarse);
    return status == WEFT_OK ? ADD("gaussian_expand", coarse, expansion, result) : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    *result = -1;
    bool fits = info->width <= INT32_MAX && info->height <= INT32_MAX;
    if (p->radius >= 0 || p->border == WEFT_BORDER_SHRINK || !fits ||
        (choose_rate(sigma_along(p, WEFT_X), info->width, p->downsample).step == 1 &&
         choose_rate(sigma_along(p, WEFT_Y), info->height, p->downsample).step == 1))
        return WEFT_OK;
    return blur(graph, p, sigma_along(p, WEFT_X), sigma_along(p, WEFT_Y), info->width, info->height, *inputs,
                p->downsample, result, error);
}
