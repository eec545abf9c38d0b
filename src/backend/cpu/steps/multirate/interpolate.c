/* SPDX-License-Identifier: MIT
 * Resampling to an image of u8 that is stored, where along x weights come again a pixel of the input further, as
 * gaussian_expand's do: after y, which goes as everywhere, from planes of f32 to rows of bytes. */
#include <math.h>
#include <string.h>
#include "backend/cpu/choose/multirate.h"
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/steps/resample/resample.h"
#include "backend/cpu/steps/resample/resample_fixed.h"
#include "backend/cpu/pipeline/run.h"
#include "base/status.h"

#define MOST_OFF 2e-4  /* of weights: 0.026 steps, and rounding between the axes another 0.004 */
#define MOST_SHIFT 16  /* sums of numbers of 16 bits stay below 2^31 */
#define LEAST_SHIFT 13
#define MOST_STEP WEFT_INTERPOLATION_STEP
#define BEHIND 64 /* numbers that are written behind a row of pairs, and that may be read before it and behind those */

struct interpolate {
    struct weft_interpolation of;
    int64_t *first; /* tap of each output: all are inside */
    int64_t taps, size;
};

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct interpolate *p = step->data;
    (void)i;
    *first = p->first[x0];
    *end = p->first[x1 - 1] + p->taps;
}

/* The state: pairs of the numbers that a row reads. */
static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    const struct interpolate *p = step->data;
    (void)columns_;
    return weft_round_up(((size_t)in_columns * (size_t)p->of.channels + 3 * BEHIND) * sizeof(int32_t));
}

/* What lies behind a row has weight 0, but it must be initialized. It is also the second half of the last pixel's pairs. */
static void end_pairs(int32_t *end, int32_t channels) {
    for (int32_t k = 1; k <= channels; k++)
        end[-k] &= 0xffff;
    memset(end, 0, BEHIND * sizeof *end);
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct interpolate *p = step->data;
    int32_t input = step->inputs[0], channels = p->of.channels;
    int64_t x0 = weft_lane_first(lane, step), x1 = weft_lane_end(lane, step), first, end;
    int32_t *pairs = (int32_t *)weft_lane_state(lane, step) + BEHIND;
    struct row in = weft_lane_fetch(lane, input, y);
    const float *planes[4];
    columns(step, 0, x0, x1, &first, &end);
    for (int32_t k = 0; k < channels; k++)
        planes[k] = weft_row_at(lane, input, &in, k, first);
    lane->kernels->pair_numbers(planes, channels, pairs, (int)(end - first));
    end_pairs(pairs + (end - first) * channels, channels);
    lane->kernels->interpolate_bytes(&p->of, pairs, first * channels, x0 * channels, out->plane[0],
                                     (x1 - x0) * channels);
}

static void destroy(void *data) {
    struct interpolate *p = data;
    weft_free(p->of.first);
    weft_free(p->of.place);
    weft_free(p->of.weights);
    weft_free(p->of.phases.weights);
    weft_free(p->of.phases.interleaved);
    weft_free(p->first);
    weft_free(p);
}

/* The state needs no initialization. */
static void begin(struct lane *lane, const struct step *step) { (void)lane, (void)step; }

static const struct step_kind kind = {
    .name = "interpolate x", .columns = columns, .state_size = state_size, .begin = begin, .run = run, .destroy = destroy};

/* After how many outputs weights come again a pixel further; 0 where they do not, or where something is outside. */
static int32_t find_step(const struct weft_axis *axis, int64_t inputs) {
    size_t count = (size_t)axis->count;
    int32_t step = 2;
    while (step <= MOST_STEP && step < axis->size && axis->first[step] != axis->first[0] + 1)
        step++;
    if (step > MOST_STEP || step >= axis->size)
        return 0;
    for (int64_t i = 0; i < axis->size; i++) {
        if (axis->first[i] < 0 || axis->first[i] + axis->count > inputs || (i > 0 && axis->first[i] < axis->first[i - 1]))
            return 0;
        if (i >= step && (axis->first[i] != axis->first[i - step] + 1 ||
                          memcmp(axis->weight + (size_t)i * count, axis->weight + (size_t)(i - step) * count,
                                 count * sizeof *axis->weight) != 0))
            return 0;
    }
    return step;
}

/* The weights of `step` outputs in 16 bits, `taps` of them apart; false where that is not enough. */
static bool round_weights(const struct weft_axis *axis, int32_t step, int32_t taps, int16_t *whole, int32_t *shift) {
    for (*shift = MOST_SHIFT; *shift >= LEAST_SHIFT; --*shift) {
        double off = 0, magnitude = 0;
        for (int32_t i = 0; i < step; i++) {
            const float *weight = axis->weight + (size_t)i * (size_t)axis->count;
            double sum = 0;
            off = fmax(off, weft_resample_round(weight, axis->count, ldexp(1, *shift), (int32_t)1 << *shift, whole + i * taps));
            for (int32_t k = 0; k < axis->count; k++)
                sum += fabsf(weight[k]);
            magnitude = fmax(magnitude, sum);
        }
        if (ldexp(magnitude, *shift) * 32768 < 2147483648.0 - 32768 * CPU_INTERPOLATE_TAPS - ldexp(1, *shift + 7))
            if (off <= MOST_OFF)
                return true;
    }
    return false;
}

static int32_t common(int32_t a, int32_t b) { return b == 0 ? a : common(b, a % b); }

/* Where component c begins in the coarse row, and which output's weights it has; later periods repeat the axis's first one. */
static int64_t place_of(const struct weft_axis *axis, int32_t step, int32_t channels, int64_t c) {
    int64_t x = c / channels;
    return (axis->first[x % step] + x / step) * channels + c % channels;
}

/* Two weights of 16 bits. */
static int32_t pair_of(const int16_t *weights) {
    return (int32_t)((uint32_t)(uint16_t)weights[0] | (uint32_t)(uint16_t)weights[1] << 16);
}

/* Blocks of 16 components after which the same weights come. */
static int32_t period_of(int32_t channels, int32_t step) { return channels * step / common(channels * step, 16); }

/* The component that a block begins with. */
static int32_t block_begin(const struct weft_axis *axis, int32_t step, int32_t channels, int32_t block) {
    int64_t first = INT32_MAX;
    for (int32_t c = 16 * block; c < 16 * block + 16; c++) {
        int64_t place = place_of(axis, step, channels, c);
        first = place < first ? place : first;
    }
    return (int32_t)first;
}

/* How many components of a coarse row those of a block begin in, at most. */
static int32_t span_of(const struct weft_axis *axis, int32_t step, int32_t channels) {
    int64_t span = 0;
    for (int32_t c = 0; step > 0 && c < period_of(channels, step) * 16; c++) {
        int64_t place = place_of(axis, step, channels, c) - block_begin(axis, step, channels, c / 16);
        span = place < span ? span : place + 1;
    }
    return (int32_t)span;
}

static weft_status lay_out(struct interpolate *p, const struct weft_axis *axis, int32_t step, const int16_t *whole,
                           int32_t taps, weft_error *error) {
    struct weft_interpolation *of = &p->of;
    int32_t all = of->channels * step;
    of->period = period_of(of->channels, step);
    of->span = span_of(axis, step, of->channels);
    of->advance = of->period * 16 / all * of->channels;
    of->first = weft_allocate((size_t)of->period, sizeof *of->first);
    of->place = weft_allocate((size_t)of->period * 16, sizeof *of->place);
    of->weights = weft_allocate((size_t)of->period * (size_t)of->pairs * 16, sizeof *of->weights);
    if (!of->first || !of->place || !of->weights)
        return weft_fail_memory(error, (size_t)of->period * (size_t)of->pairs * 64, "weights");
    for (int32_t c = 0; c < of->period * 16; c++) {
        int32_t block = c / 16;
        if (c % 16 == 0)
            of->first[block] = block_begin(axis, step, of->channels, block);
        of->place[c] = (int32_t)place_of(axis, step, of->channels, c) - of->first[block];
        const int16_t *weights = whole + (ptrdiff_t)(c / of->channels % step) * taps;
        for (int32_t k = 0; k < of->pairs; k++)
            of->weights[(block * of->pairs + k) * 16 + c % 16] = pair_of(weights + 2 * k);
    }
    return WEFT_OK;
}

/* The same by phases. */
static weft_status lay_out_phases(struct interpolate *p, const struct weft_axis *axis, int32_t step, const int16_t *whole,
                                  int32_t taps, weft_error *error) {
    struct weft_interpolation_phases *phases = &p->of.phases;
    int32_t channels = p->of.channels, pairs = p->of.pairs;
    phases->step = step;
    phases->weights = weft_allocate((size_t)step * (size_t)pairs, sizeof *phases->weights);
    phases->interleaved = weft_allocate((size_t)step * (size_t)step, sizeof *phases->interleaved);
    if (!phases->weights || !phases->interleaved)
        return weft_fail_memory(error, (size_t)step * ((size_t)pairs * 4 + (size_t)step * 16), "weights");
    for (int32_t j = 0; j < step; j++) {
        phases->first[j] = (int32_t)axis->first[j];
        for (int32_t k = 0; k < pairs; k++)
            phases->weights[j * pairs + k] = pair_of(whole + j * taps + 2 * k);
    }
    for (int32_t byte = 0; byte < 16 * step; byte++)
        for (int32_t j = 0; j < step; j++) {
            int32_t pixel = byte / channels, from = pixel / step * channels + byte % channels;
            phases->interleaved[byte / 16 * step + j][byte % 16] = (uint8_t)(pixel % step == j ? from : 128);
        }
    return WEFT_OK;
}

/* *made is NULL where another form must do; takes the axis's places otherwise. */
static weft_status make(struct weft_axis *axis, struct cpu_interpolate_case *facts, int32_t channels,
                        struct interpolate **made, const char **why, weft_error *error) {
    int16_t whole[MOST_STEP * CPU_INTERPOLATE_TAPS] = {0};
    int32_t taps = (axis->count + 1) / 2 * 2, shift = 0, step = find_step(axis, facts->pixels);
    *made = NULL;
    facts->step = step, facts->taps = axis->count;
    facts->rounds = step > 0 && taps <= CPU_INTERPOLATE_TAPS && round_weights(axis, step, taps, whole, &shift);
    facts->span = span_of(axis, step, channels);
    const struct weft_rung *rung = weft_cpu_choose_interpolate(facts);
    if (rung->choice == CPU_INTERPOLATE_RESAMPLE)
        return WEFT_OK;
    struct interpolate *p = weft_allocate(1, sizeof *p);
    if (!p)
        return weft_fail_memory(error, sizeof *p, "a resampling");
    *p = (struct interpolate){.of = {.channels = channels, .pairs = taps / 2},
                              .first = axis->first,
                              .taps = axis->count,
                              .size = axis->size};
    axis->first = NULL;
    const struct weft_axis places = {.first = p->first};
    weft_status status = rung->choice == CPU_INTERPOLATE_PHASES ? lay_out_phases(p, &places, step, whole, taps, error)
                                                                : lay_out(p, &places, step, whole, taps, error);
    p->of.shift = shift + WEFT_INTERPOLATION_FRACTION;
    p->of.start = (int32_t)1 << (p->of.shift - 1);
    if (status == WEFT_OK)
        *made = p, *why = rung->when;
    else
        destroy(p);
    return status;
}

weft_status weft_lower_interpolate(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                                   weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    const struct step like = b->stage->steps[inputs[0]];
    weft_border border = weft_filter_border(n->filter, n->block);
    struct weft_axis x = {0}, y = {0};
    struct resample_table table = {0};
    struct interpolate *p = NULL;
    int32_t input = inputs[0];
    struct cpu_interpolate_case facts = {.kernels = b->kernels,
                                         .type = info->format.type,
                                         .border = border,
                                         .planes = like.type == WEFT_ROW_F32 && like.planes == info->format.channels,
                                         .pixels = like.width};
    const char *why = NULL;
    *result = -1;
    weft_status status = n->filter->axis(n->block, WEFT_X, like.width, &x, error);
    if (status == WEFT_OK)
        status = make(&x, &facts, info->format.channels, &p, &why, error);
    weft_axis_clear(&x);
    if (status != WEFT_OK || !p)
        return status;
    status = n->filter->axis(n->block, WEFT_Y, like.height, &y, error);
    if (status == WEFT_OK)
        status = weft_resample_table(&y, like.height, border, &table, error);
    if (status == WEFT_OK && !table.identity)
        status = weft_resample_y(b, node, &table, NULL, &input, error);
    weft_resample_clear(&table);
    if (status != WEFT_OK) {
        destroy(p);
        return status;
    }
    struct step step = {.kind = &kind,
                        .inputs = {input},
                        .input_count = 1,
                        .node = node,
                        .why = why,
                        .data = p,
                        .type = WEFT_ROW_U8,
                        .divisible = true};
    return weft_stage_add_whole(b, step, result, error);
}
