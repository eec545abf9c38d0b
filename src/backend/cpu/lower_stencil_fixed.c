/* SPDX-License-Identifier: MIT
 * Stencils that are weighted sums, or the length of two (filter/stencil.h, LINEAR and LENGTH_OF), of an image of u8 or, but
 * for lengths, u16 into another, its pixels not taken apart. Parameters may change from run to run, so the weights are found at the first row of a tile, by asking the body
 * what it makes of one pixel among zeros. Where whole numbers do not hold them well enough, the body itself works,
 * piece by piece, on f32. */
#include <math.h>
#include <string.h>
#include "backend/cpu/fixed_weights.h"
#include "backend/cpu/lower.h"
#include "backend/cpu/program.h"
#include "backend/cpu/run.h"
#include "base/status.h"

#define SIDE WEFT_STENCIL_ROWS
#define PIECE 256 /* pixels */

struct stencil_fixed {
    const struct weft_filter *filter;
    const struct weft_body *body;
    int32_t radius;
    weft_border border;
    weft_type type;
};

/* What a component is at most, and half of all that it may be. */
static double full_of(weft_type type) { return type == WEFT_U8 ? 255 : 65535; }
static double half_of(weft_type type) { return type == WEFT_U8 ? 128 : 32768; }

/* The weights that are not 0, in whole numbers; of a length those of both sums, in units of `factor`. */
struct weights {
    bool made, fits, length;
    int32_t count; /* even: a weight of 0 fills up */
    int32_t start, shift;
    float factor;
    int16_t weight[SIDE * SIDE + 1];
    int8_t of_x[SIDE * SIDE + 1], of_y[SIDE * SIDE + 1];
    int8_t dx[SIDE * SIDE + 1], dy[SIDE * SIDE + 1];
};

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct stencil_fixed *s = step->data;
    (void)i;
    weft_rows_around(y, s->radius, step->height, s->border, first, last);
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct stencil_fixed *s = step->data;
    (void)i;
    weft_columns_around(x0, x1, s->radius, step->width, s->border, first, end);
}

/* The weights; then, for the body, planes of a piece of each row, and of the result. */
static size_t piece_stride(const struct stencil_fixed *s) { return PIECE + 2 * (size_t)s->radius + 16; }
static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    const struct stencil_fixed *s = step->data;
    (void)columns_, (void)in_columns;
    return weft_round_up(sizeof(struct weights)) + 4 * (2 * (size_t)s->radius + 2) * piece_stride(s) * sizeof(float);
}

/* What the body makes of an image of zeros with a 1 at dx, dy; outside the square: of zeros. */
static float ask(const struct stencil_fixed *s, const void *block, int32_t dx, int32_t dy) {
    float square[SIDE][SIDE] = {{0}}, result = 0;
    struct weft_stencil_call call = {.block = block, .out = &result, .count = 1};
    for (int32_t k = 0; k <= 2 * s->radius; k++)
        call.rows[k] = square[k] + s->radius;
    if (dx <= s->radius)
        square[s->radius + dy][s->radius + dx] = 1;
    s->body->stencil(&call);
    return result;
}

/* In units of 2^-shift; false when they do not fit or are off by more than allowed. Components of u16 are taken half of
 * their range lower, to fit 16 bits with a sign, which the start makes good; only the whole sum need fit 32 bits. */
static bool quantize(struct weights *w, const double *weight, double bias, int32_t shift, weft_type type) {
    double unit = ldexp(1, shift), full = full_of(type), sum = 0, error = 0;
    int64_t together = 0;
    for (int32_t k = 0; k < w->count; k++) {
        double whole = floor(weight[k] * unit + 0.5);
        if (!(whole >= -32767 && whole <= 32767))
            return false;
        w->weight[k] = (int16_t)whole;
        together += (int64_t)whole;
        sum += fabs(whole) * full;
        error += fabs(weight[k] - whole / unit) * full;
    }
    double start = floor((bias * full - half_of(type)) * unit + unit / 2 + 0.5);
    if (!(sum + fabs(start) < 2147483647.0) || !(error + 0.5 / unit <= WEFT_FIXED_ERROR))
        return false;
    w->start = type == WEFT_U8 ? (int32_t)start : (int32_t)(uint32_t)((int64_t)start + 32768 * together);
    w->shift = shift;
    return true;
}

/* Of a length: lengths of whole numbers are exact before the root is taken. */
static void make_lengths(const struct stencil_fixed *s, const void *block, struct weights *w) {
    double of[2][SIDE][SIDE] = {{{0}}}, least = INFINITY, largest = 0, most = 0;
    unsigned char part[WEFT_LENGTH_BLOCK];
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        s->filter->length(block, i, part);
        if (ask(s, part, s->radius + 1, 0) != 0)
            return;
        for (int32_t dy = -s->radius; dy <= s->radius; dy++)
            for (int32_t dx = -s->radius; dx <= s->radius; dx++) {
                double v = of[i][s->radius + dy][s->radius + dx] = ask(s, part, dx, dy);
                least = v != 0 && fabs(v) < least ? fabs(v) : least;
                largest = fabs(v) > largest ? fabs(v) : largest;
                sum += fabs(v);
            }
        most = sum > most ? sum : most;
    }
    w->fits = w->length = most > 0 && most / least * full_of(s->type) < 32767 && largest / least < 127.5;
    w->factor = (float)least;
    for (int32_t dy = -s->radius; dy <= s->radius; dy++)
        for (int32_t dx = -s->radius; dx <= s->radius; dx++) {
            double x = of[0][s->radius + dy][s->radius + dx] / least, y = of[1][s->radius + dy][s->radius + dx] / least;
            w->fits = w->fits && fabs(x - floor(x + 0.5)) < 1e-6 && fabs(y - floor(y + 0.5)) < 1e-6;
            if (!w->fits || (x == 0 && y == 0))
                continue;
            w->of_x[w->count] = (int8_t)floor(x + 0.5), w->of_y[w->count] = (int8_t)floor(y + 0.5);
            w->dx[w->count] = (int8_t)dx, w->dy[w->count++] = (int8_t)dy;
        }
    if (w->count % 2) /* the middle, times nothing: the state is zeros where a tile begins */
        w->count++;
}

static void make_weights(const struct stencil_fixed *s, const void *block, struct weights *w) {
    double weight[SIDE * SIDE + 1], bias = ask(s, block, s->radius + 1, 0);
    unsigned char part[WEFT_LENGTH_BLOCK];
    w->made = true;
    if (s->type == WEFT_U8 && s->filter->length && s->filter->length(block, 0, part)) {
        make_lengths(s, block, w);
        return;
    }
    if (!s->filter->linear(block)) /* no longer */
        return;
    for (int32_t dy = -s->radius; dy <= s->radius; dy++)
        for (int32_t dx = -s->radius; dx <= s->radius; dx++) {
            double v = ask(s, block, dx, dy) - bias;
            if (v == 0)
                continue;
            weight[w->count] = v;
            w->dx[w->count] = (int8_t)dx, w->dy[w->count++] = (int8_t)dy;
        }
    if (w->count % 2 || w->count == 0)
        weight[w->count] = 0, w->dx[w->count] = 0, w->dy[w->count++] = 0;
    if (w->count % 2)
        weight[w->count] = 0, w->dx[w->count] = 0, w->dy[w->count++] = 0;
    for (int32_t shift = 15; shift >= 0 && !w->fits; shift--)
        w->fits = quantize(w, weight, bias, shift, s->type);
}

/* Pointers to components are counted in bytes. */
static const unsigned char *moved(const unsigned char *from, const struct stencil_fixed *s, int64_t components) {
    return from + components * (int64_t)weft_type_size(s->type);
}

/* The body on columns of `count` pixels that begin `x` pixels into the rows. */
static void run_body(const struct lane *lane, const struct step *step, const void *block, const unsigned char *const *in,
                     float *planes, int64_t x, int count, unsigned char *out) {
    const struct stencil_fixed *s = step->data;
    size_t stride = piece_stride(s);
    int32_t channels = step->interleave, taps = 2 * s->radius + 1;
    float *result[4];
    for (int32_t k = 0; k < taps; k++) {
        float *row[4];
        for (int32_t c = 0; c < channels; c++)
            row[c] = planes + ((size_t)k * 4 + (size_t)c) * stride;
        lane->kernels->load[s->type](moved(in[k], s, (x - s->radius) * channels), channels, row, count + 2 * s->radius);
    }
    for (int32_t c = 0; c < channels; c++) {
        struct weft_stencil_call call = {.block = block, .count = count};
        call.out = result[c] = planes + ((size_t)taps * 4 + (size_t)c) * stride;
        for (int32_t k = 0; k < taps; k++)
            call.rows[k] = planes + ((size_t)k * 4 + (size_t)c) * stride + s->radius;
        s->body->stencil(&call);
    }
    lane->kernels->store[s->type]((const float *const *)result, channels,
                                  out + (size_t)(x * channels) * weft_type_size(s->type), count);
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct stencil_fixed *s = step->data;
    const void *block = weft_lane_block(lane, step);
    int32_t input = step->inputs[0], channels = step->interleave;
    int64_t first = weft_lane_first(lane, step), count = weft_lane_end(lane, step) - first;
    struct weights *w = weft_lane_state(lane, step);
    const unsigned char *in[SIDE], *taps[SIDE * SIDE + 1];
    struct row fetched[SIDE];
    if (!w->made)
        make_weights(s, block, w);
    weft_lane_fetch_rows(lane, input, y - s->radius, 2 * s->radius + 1, s->border, fetched);
    for (int32_t k = 0; k <= 2 * s->radius; k++)
        in[k] = moved(fetched[k].plane[0], s, (first - lane->first[input]) * channels);
    if (w->fits) {
        const uint16_t *words[SIDE * SIDE + 1];
        for (int32_t k = 0; k < w->count; k++) {
            taps[k] = moved(in[w->dy[k] + s->radius], s, w->dx[k] * channels);
            words[k] = (const void *)taps[k];
        }
        if (w->length)
            lane->kernels->weigh_lengths_fixed(taps, w->of_x, w->of_y, w->count, w->factor, out->plane[0],
                                               (int)(count * channels));
        else if (s->type == WEFT_U16)
            lane->kernels->weigh_word_taps_fixed(words, w->weight, w->count, w->start, w->shift, out->plane[0],
                                                 (int)(count * channels));
        else
            lane->kernels->weigh_taps_fixed(taps, w->weight, w->count, w->start, w->shift, out->plane[0],
                                            (int)(count * channels));
        return;
    }
    float *planes = (float *)(void *)((unsigned char *)w + weft_round_up(sizeof *w));
    for (int64_t x = 0; x < count; x += PIECE)
        run_body(lane, step, block, in, planes, x, (int)(count - x < PIECE ? count - x : PIECE), out->plane[0]);
}
static const struct step_kind kind = {
    .name = "stencil", .rows = rows, .columns = columns, .state_size = state_size, .run = run};

weft_status weft_lower_stencil_fixed(struct builder *b, int32_t node, const struct whole *image, int32_t *result,
                                     weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    weft_border border = weft_filter_border(n->filter, n->block);
    bool words = info->format.type == WEFT_U16, bytes = info->format.type == WEFT_U8;
    unsigned char part[WEFT_LENGTH_BLOCK];
    int32_t input;
    *result = -1;
    bool length = bytes && n->filter->length && n->filter->length(n->block, 0, part);
    if ((!bytes && !words) || !n->filter->linear || !(length || n->filter->linear(n->block)) ||
        border == WEFT_BORDER_CONSTANT ||
        (n->filter->per_channel && weft_color_channels(info) != info->format.channels))
        return WEFT_OK;
    if (border == WEFT_BORDER_SHRINK) /* a stencil is no mean: the nearest pixel inside stands in */
        border = WEFT_BORDER_REPLICATE;
    struct stencil_fixed made = {n->filter, weft_cpu_body(b->bodies, n->filter), n->filter->radius, border,
                                 info->format.type};
    /* Few weights hold u16 well enough, and those of later runs are mostly like these; f32 is faster than the body piece by
     * piece. */
    struct weights first = {.made = false};
    if (words)
        make_weights(&made, n->block, &first);
    if (words && !first.fits)
        return WEFT_OK;
    enum weft_row_type type = words ? WEFT_ROW_U16 : WEFT_ROW_U8;
    weft_status status = weft_lower_source(b, image, type, true, &input, error);
    if (status == WEFT_OK)
        status = weft_stage_pad(b, &input, n->filter->radius, border, node, error);
    if (status != WEFT_OK)
        return status;
    struct stencil_fixed *s = weft_allocate(1, sizeof *s);
    if (!s)
        return weft_fail_memory(error, sizeof *s, "a stencil");
    *s = made;
    struct step step = {
        .kind = &kind, .inputs = {input}, .input_count = 1, .node = node, .data = s, .type = type, .late = true,
        .divisible = true};
    return weft_stage_add_whole(b, step, result, error);
}
