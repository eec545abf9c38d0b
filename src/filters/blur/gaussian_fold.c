/* SPDX-License-Identifier: MIT
 * A step of the multirate gaussian (gaussian.c) where its margin would be larger than the image: from what gaussian_reduce made
 * with a small margin, the same with a larger sigma, a larger step and any margin. Beyond the image the border repeats it, so
 * its pixels stand for many places, and a weight is the sum of a gaussian over these.
 *
 * The places that a mirrored image's pixels stand for lie elsewhere between its pixels than those on this side of the edge.
 * So near the edge one side's weights fade out while the other's fade in, slowly enough for the pixels' distance. */
#define NAME gaussian_fold
#define SUMMARY "Blur what gaussian_reduce made and keep few pixels, far beyond the image"
#define STEP_OF "gaussian"
#define SOURCE "sampled; error: see src/filters/blur/gaussian.c"
#define EXAMPLE                                                                                                                    \
    "gaussian_reduce=3.6:4:12,gaussian_fold=43:48:4:512:2:43:48:512:2,gaussian_expand=10.75:12:152:152,"        \
    "gaussian_expand=3.6:4:512:512"
#define ALPHA PREMULTIPLIED
#define AVERAGES true
#define PARAMS                                                                                                         \
    FLOAT(sigma, 20, 0, 10000, "px", "width of the blur along x, in pixels of the whole image")                        \
    INT(step, 0, 0, 10000, "px", "distance between the result's pixels along x; 0 leaves this axis as it is")          \
    INT(input_step, 8, 1, 10000, "px", "distance between the input's pixels")                                          \
    INT(width, 256, 1, 1000000000, "px", "width of the whole image")                                                   \
    INT(margin, 0, 0, MOST_MARGIN, "", "pixels of the result that lie outside the image on each side, along x")        \
    FLOAT(sigma_y, 20, 0, 10000, "px", "width of the blur along y")                                                    \
    INT(step_y, 0, 0, 10000, "px", "distance between the result's pixels along y; 0 leaves this axis as it is")        \
    INT(height, 256, 1, 1000000000, "px", "height of the whole image")                                                 \
    INT(margin_y, 0, 0, MOST_MARGIN, "", "margin along y")
#include <math.h>
#include "filters/blur/gaussian_margin.h"
#include "filter/resample.h"

#define CUT 7.0         /* in sigmas; 3e-12 of the weight lies beyond */
#define FADE 3.0        /* sigma of what fades, in pixels of the input: what aliases is then below 1e-6 */
#define MOST_COPIES 1000 /* of the image on each side; the rest of a gaussian that is so much wider is flat */
#define MOST_VALUES 0x1p26 /* of gaussians that an axis adds up: a multirate gaussian takes 2^21 */

/* The input: pixel j lies at place begin + j * step of an image of `size` pixels. */
struct line {
    double begin, step;
    int64_t count, size;
    weft_border border;
};

/* How much of pixel j stands on this side of the image's edges. */
static double share(double place, double from, double to, double fade) {
    return 0.25 * erfc((from - place) / (fade * sqrt(2))) * erfc((place - to) / (fade * sqrt(2)));
}

static double weight_at(double distance, double sigma) {
    double d = distance / sigma;
    return fabs(d) < CUT ? exp(-0.5 * d * d) : 0;
}

/* The weights of a place where the image is repeated periodically; unless border=wrap every second copy is mirrored. */
static void add_copies(const struct line *line, double place, double sigma, double *weight) {
    bool wraps = line->border == WEFT_BORDER_WRAP;
    double from = line->border == WEFT_BORDER_MIRROR ? 0 : -0.5, to = (double)line->size - 1 - from, period = to - from;
    double first = fmax(floor((place - CUT * sigma - from) / period) - 1, -MOST_COPIES);
    double last = fmin(ceil((place + CUT * sigma - from) / period) + 1, MOST_COPIES);
    for (int64_t j = 0; j < line->count; j++) {
        double at = line->begin + (double)j * line->step, sum = 0;
        for (double copy = first; copy <= last; copy++) {
            bool straight = wraps || fmod(copy, 2) == 0;
            sum += weight_at(straight ? place - at - copy * period : place + at - 2 * from - (copy + 1) * period, sigma);
        }
        weight[j] = sum * share(at, from, to, FADE * line->step);
    }
}

/* The same where the edge pixel is repeated: it has the weights of all places beyond it. */
static void add_ends(const struct line *line, double place, double sigma, double *weight) {
    double first = floor((place - CUT * sigma - line->begin) / line->step);
    double last = ceil((place + CUT * sigma - line->begin) / line->step);
    for (double j = first; j <= last; j++) {
        double inside = fmin(fmax(j, 0), (double)(line->count - 1));
        weight[(int64_t)inside] += weight_at(place - line->begin - j * line->step, sigma);
    }
}

static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *table,
                        weft_error *error) {
    const struct BLOCK *p = block;
    bool y = direction == WEFT_Y;
    int64_t step = y ? p->step_y : p->step, whole = y ? p->height : p->width, margin = y ? p->margin_y : p->margin;
    double sigma = fmax(y ? p->sigma_y : p->sigma, 0.5 * p->input_step);
    if (step == 0)
        return weft_axis_pick(0, 1, size, table, error);
    int64_t outputs = (whole + step - 1) / step + 2 * margin;
    struct line line = {.begin = 0.5 * (double)(whole - 1 - (size - 1) * p->input_step),
                        .step = p->input_step,
                        .count = size,
                        .size = whole,
                        .border = (weft_border)p->border};
    bool repeats = whole > 1 && (line.border == WEFT_BORDER_MIRROR || line.border == WEFT_BORDER_SYMMETRIC ||
                               line.border == WEFT_BORDER_WRAP);
    double reach = 2 * CUT * sigma / (double)(repeats ? whole : p->input_step);
    double values = (double)outputs * (repeats ? (double)size * fmin(reach + 4, 2 * MOST_COPIES + 1) : reach + 2);
    if (values > MOST_VALUES)
        return weft_fail(error, WEFT_ERROR_FORMAT, "its weights would add up %.0f values of a gaussian, and at most %.0f may be",
                         values, MOST_VALUES);
    double *weight = weft_allocate((size_t)size, sizeof *weight);
    weft_status status = weight ? weft_axis_allocate(outputs, size, table, error)
                                : weft_fail_memory(error, (size_t)size * sizeof *weight, "the weights of a gaussian");
    for (int64_t i = 0; status == WEFT_OK && i < outputs; i++) {
        double place = 0.5 * (double)(whole - 1 - (outputs - 1) * step) + (double)(i * step), sum = 0;
        for (int64_t j = 0; j < size; j++)
            weight[j] = 0;
        if (repeats)
            add_copies(&line, place, sigma, weight);
        else
            add_ends(&line, place, sigma, weight);
        for (int64_t j = 0; j < size; j++)
            sum += weight[j];
        table->first[i] = 0;
        for (int64_t j = 0; j < size; j++)
            table->weight[i * size + j] = sum > 0 ? (float)(weight[j] / sum) : j == 0;
    }
    weft_free(weight);
    return status;
}
