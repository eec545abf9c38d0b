/* SPDX-License-Identifier: MIT
 * Resampling in steps, one per axis: the table of an axis with the border worked into it, and the steps made from it.
 */
#ifndef CPU_RESAMPLE_H
#define CPU_RESAMPLE_H
#include "backend/cpu/steps/lower.h"

/* Output i is the sum over k of weight[i * stride + k] * input[first[i] + k], k < count[i]. The border is in it
 * already: what lies outside has been mapped inside, added up per pixel, and divided out (shrink). All places lie
 * inside, except that with wrap place v is v mod inputs. With `constant` the weight of the border value follows after
 * the count. */
struct resample_table {
    int64_t inputs, outputs;
    size_t stride; /* in floats */
    int32_t taps;  /* as many as any output has */
    int64_t *first;
    int32_t *count; /* 0: nothing but the border value */
    float *weight;
    float *total;      /* constant: what each output makes of 1; NULL when that is 1 everywhere */
    int64_t low, high; /* outputs that have all `taps` taps inside, unmapped */
    bool constant;     /* some output needs the border value */
    bool wrap;         /* some place lies outside */
    bool move;         /* every output is one pixel of the input as it is, or the border value */
    bool identity;     /* output i is input i */
    bool ordered;      /* every output has a pixel, none before those of the outputs before */
};

/* Makes the table of an axis for `inputs` pixels; takes what `axis` holds, also when it fails. */
weft_status weft_resample_table(struct weft_axis *axis, int64_t inputs, weft_border border,
                                struct resample_table *table, weft_error *error);
void weft_resample_clear(struct resample_table *table);

/* The least range that holds all places of outputs [i0, i1): within [0, inputs) unless the table wraps, never empty. */
void weft_resample_hull(const struct resample_table *table, int64_t i0, int64_t i1, int64_t *first, int64_t *end);

/* Each adds a step to the stage that resamples *input, whose index it then is, and takes what the tables hold, also
 * when it fails. `scale` (from weft_allocate, or NULL for 1) is what the step before makes of a border value of 1, per
 * output of the other axis; the step takes it too. */
weft_status weft_resample_move(struct builder *b, int32_t node, struct resample_table *x, struct resample_table *y,
                               int32_t *input, weft_error *error);
weft_status weft_resample_x(struct builder *b, int32_t node, struct resample_table *x, float *scale, int32_t *input,
                            weft_error *error);
weft_status weft_resample_y(struct builder *b, int32_t node, struct resample_table *y, float *scale, int32_t *input,
                            weft_error *error);

/* The border value of the step's node in this run. */
static inline float weft_resample_border_value(const struct lane *lane, const struct step *step) {
    return weft_filter_border_value(lane->typed->graph->nodes[step->node].filter, weft_lane_block(lane, step));
}

#endif
