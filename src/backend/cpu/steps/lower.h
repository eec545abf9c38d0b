/* SPDX-License-Identifier: MIT
 * From nodes to steps, a folder per family: steps/FAMILY/ holds the lowering and the step kinds that it uses. */
#ifndef CPU_LOWER_H
#define CPU_LOWER_H
#include "backend/cpu/pipeline/pipeline.h"

/* The type of rows that hold an image of `type` as stored; f32 for f16 and f32. */
static inline enum weft_row_type weft_integer_row(weft_type type) {
    return type == WEFT_U8 ? WEFT_ROW_U8 : type == WEFT_U16 ? WEFT_ROW_U16 : WEFT_ROW_F32;
}

/* Adds the steps for node `node` to the stage. inputs[i] is the step that makes its input i. Unless said otherwise inputs
 * are f32 rows. *result is the step that makes the node's rows. */
typedef weft_status weft_lower(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                               weft_error *error);

weft_lower weft_lower_stencil, weft_lower_window, weft_lower_separable;
/* Windows without a body, whose weights are by patches. */
weft_lower weft_lower_patches;
/* These take rows of any type and make the same type. */
weft_lower weft_lower_extremum, weft_lower_rank;
/* The extremum over a union of rectangles of radius rectangles[i][0] along x and [1] along y; any type in. */
#define WEFT_UNION_RADIUS 16 /* along y at most */
weft_status weft_lower_union(struct builder *b, int32_t node, int32_t input, bool maximum, const int32_t (*rectangles)[2],
                             int32_t count, int32_t *result, weft_error *error);
/* Whether a separable filter of images of that format sums columns of rows of whole numbers. */
weft_status weft_separable_takes_u16(const struct weft_graph_node *node, weft_format format, bool *takes,
                                     weft_error *error);
/* True when weft_lower_rank takes rows of interleaved pixels. */
bool weft_rank_takes_pixels(const struct weft_graph_node *node);
/* Any type in; u8 and u16 stay when the node's axes are exact, otherwise f32 in. */
weft_lower weft_lower_resample;
/* Any type in. integer_result: the result goes to an image of the input's integer type and nowhere else, so the mean is
 * rounded to it exactly; otherwise (or with f32 in) the result is f32. rounding=down always makes integers of integers. */
weft_status weft_lower_box(struct builder *b, int32_t node, const int32_t *inputs, bool integer_result,
                           int32_t *result, weft_error *error);
/* True when weft_lower_reduce takes rows of interleaved pixels of that type. */
bool weft_reduce_takes_pixels(const struct weft_graph_node *node, weft_type type);
/* Whether the values of the reduction's input are taken for numbers, in f32, whatever its format. */
bool weft_reduces_numbers(const struct weft_graph_node *node);
/* Any type in; a sink. Its numbers go to lane->run as partial results: see reduction.h. */
weft_lower weft_lower_reduce;
struct whole;
/* From an image to an image of the same format, its pixels not taken apart; *result is -1 where another form must do. */
typedef weft_status weft_lower_image(struct builder *b, int32_t node, const struct whole *image, int32_t *result,
                                     weft_error *error);
weft_lower_image weft_lower_convolve_fixed, weft_lower_stencil_fixed, weft_lower_box_image, weft_lower_resample_whole,
    weft_lower_resample_fixed, weft_lower_transposed;
/* Along x from bytes, where the axis allows it; its result is f32. */
weft_lower_image weft_lower_decimate;
/* Along x to bytes, of which an image is made that is stored; f32 in. *result is -1 where the axis does not allow it. */
weft_lower weft_lower_interpolate;
/* Whether a lookup, which makes an image from one or does not, takes rows of bytes. */
bool weft_lookup_takes_bytes(const struct weft_typed_graph *typed, int32_t node, bool image);
/* Reads a whole image (a graph input or an image made by an earlier stage) at any place. f32 in, or bytes of one channel, of
 * which it makes bytes. */
weft_status weft_lower_lookup(struct builder *b, int32_t node, const int32_t *inputs, const struct whole *table,
                              int32_t *result, weft_error *error);
weft_status weft_lower_warp(struct builder *b, int32_t node, const struct whole *whole, int32_t *result,
                            weft_error *error);
/* The same, of which all is made before the stage is walked: *result reads it. */
weft_status weft_lower_global(struct builder *b, int32_t node, const struct whole *whole, int32_t *result,
                              weft_error *error);

#endif
