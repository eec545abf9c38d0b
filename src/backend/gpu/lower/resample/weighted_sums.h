/* SPDX-License-Identifier: MIT
 * Weighted sums along two axes, one after the other, every output with its own weights: what resamplings are lowered to. */
#ifndef BACKEND_GPU_WEIGHTED_SUMS_H
#define BACKEND_GPU_WEIGHTED_SUMS_H
#include "backend/gpu/choose/multirate.h"
#include "backend/gpu/choose/resample.h"
#include "backend/gpu/pass/pass.h"

/* Output i of an axis is the sum over k of weight[i * count + k] * input[first[i] + k]. */
struct gpu_axis {
    int32_t inputs, outputs, count;
    int32_t *first;
    float *weight;
    float *total;  /* border=constant: what each output makes of 1, otherwise NULL */
    bool identity; /* output i is input i */
    bool move;     /* each output is one pixel of the input as it is */
    bool ordered;  /* no output begins before the one before it */
    /* Multirate: output i begins at start + (shift + i) / period * advance, and its weights are those of output i - period.
     * period 0: nothing of the kind. */
    int32_t period, advance, start, shift;
};
void weft_gpu_axis_clear(struct gpu_axis *axis);

/* Adds the passes for both axes, x in axes[0]; takes over from them what it needs. Also for axes that change nothing.
 * */
weft_status weft_gpu_weigh(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                           weft_error *error);

/* Finds `period` and what belongs to it: by `first`, where each output begins, which need not be near the image, and the
 * axis's weights. */
void weft_gpu_find_period(struct gpu_axis *axis, const int64_t *first);
/* Kernels for two axes that are reduced or enlarged by whole numbers: what chooses one, and its pass. */
weft_status weft_gpu_multirate_facts(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                     const struct gpu_axis *axes, struct gpu_multirate_case *multirate, weft_error *error);
weft_status weft_gpu_add_multirate(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                   const struct gpu_multirate_case *multirate, weft_error *error);
/* Kernels by tensor cores that reduce bytes to floats, and enlarge floats to bytes, with weights that are means: whether the
 * device has them, and their passes. */
weft_status weft_gpu_decimates_bytes(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                     const struct gpu_axis *axes, bool *fits, weft_error *error);
weft_status weft_gpu_add_decimate_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                        weft_error *error);
bool weft_gpu_interpolates_bytes(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                 const struct gpu_axis *axes);
weft_status weft_gpu_add_interpolate_bytes(struct gpu_builder *builder, const struct gpu_node_context *context,
                                           struct gpu_axis *axes, weft_error *error);
/* Halving and doubling bytes, likewise, whatever their weights: the form that does, 0 without, and its pass. */
int32_t weft_gpu_resample_bytes_parts(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                      const struct gpu_axis *axes);
weft_status weft_gpu_add_resample_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                        int32_t parts, weft_error *error);
/* What both ask: whether the device can, and whether an axis's outputs are means, so that sums of bytes are bytes. */
bool weft_gpu_has_mma(const struct gpu_node_context *context);
bool weft_gpu_makes_means(const struct gpu_axis *axis);
/* Makes so many words, or NULL where there was no memory for them, a table of a pass, which then owns them. */
weft_status weft_gpu_take_table(struct gpu_pass *pass, size_t field, void *words, size_t count, weft_error *error);
/* A table of a pass: `taps` weights for each place in an axis's period, 0 beyond its own. */
weft_status weft_gpu_give_places(struct gpu_pass *pass, size_t field, const struct gpu_axis *axis, int32_t taps,
                                 weft_error *error);
/* A pass that enlarges by whole numbers, going down the image: what its kernel knows of both axes' periods. */
void weft_gpu_give_periods(struct gpu_pass *pass, const struct gpu_axis *axes);
/* Kernels for two axes whose outputs come in order and are made of pixels inside: the forms that do, where every row of the result
 * ends further down than the one before and where several may end with the same; 0 without. And the pass. */
weft_status weft_gpu_walk_slots(const struct gpu_node_context *context, const struct gpu_axis *axes, int32_t *down, int32_t *up,
                                weft_error *error);
weft_status weft_gpu_add_resample_walk(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                       bool down, int32_t slots, weft_error *error);
/* The same where both axes are halved (`down`), or doubled, and most outputs have the same weights. */
int32_t weft_gpu_by_two_slots(const struct gpu_node_context *context, const struct gpu_axis *axes, bool down);
weft_status weft_gpu_add_by_two(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                bool down, weft_error *error);
/* What both ask (resample_axis.c). Whether an axis's outputs come in order, are made of pixels inside, and of few enough: the sums
 * of more would need parts, and few columns would fit a line. */
#define WALK_MOST_WEIGHTS 128
bool weft_gpu_lies_inside(const struct gpu_axis *axis);
/* Columns of the result of a block, a multiple of 4 and `most` at most, whose numbers fit a line of so many; 0 where not even 4
 * do. */
int32_t weft_gpu_widest(const struct gpu_axis *x, int32_t channels, int32_t most, int32_t line);
/* The outputs around the middle one, from *first on and before *behind, that begin two pixels further on each, or one pixel every
 * second, as where the image is halved or doubled, and their weights; NULL and none where they do not. */
const float *weft_gpu_find_even(const struct gpu_axis *x, bool down, int32_t slots, int32_t *first, int32_t *behind);
/* Numbers of a row that a thread has: GROUP of the kernels, with EIGHT_FLOATS or without. */
int32_t weft_gpu_group(const struct gpu_launch *launch, bool eight_floats);
/* Tables of a pass: where each output along x begins, and the weights of all outputs' first pixel, then of their second and so
 * on. */
weft_status weft_gpu_give_along(struct gpu_pass *pass, struct gpu_axis *x, weft_error *error);
/* Which rows of the input a pass along y, or along both axes, needs. */
weft_status weft_gpu_axis_need(struct gpu_pass *pass, const struct gpu_axis *y, weft_error *error);

#endif
