/* SPDX-License-Identifier: MIT
 * The ladder of kernels of separable filters: means by tensor cores, where that was measured to be faster than sums of products
 * (docs/log/gpu-tensor-cores.md): bytes in whole numbers, others in floats; four channels and small radii in one launch, all
 * others one axis after the other. All else by sums of products, both axes in one launch up to some radius. */
#include "backend/gpu/choose/convolve.h"
#include <stddef.h>
#include "kernels/gpu/convolve/convolve_bytes.h"
#include "kernels/gpu/convolve/convolve_line_matrix.h"
#include "kernels/gpu/dialect/launch.h"
#include "kernels/gpu/tile/tile.h"

#define COUNT(list) ((int32_t)(sizeof(list) / sizeof *(list)))

/* The forms of the kernel `separable`, as in its variants. */
static const int32_t separable_radii[] = {1, 2, 4, 5, 8, 9, 14, 16, 18};
_Static_assert(2 * 18 + 1 <= LAUNCH_WEIGHTS, "the weights of the largest radius must fit a launch");

int32_t weft_gpu_separable_radius(int64_t x, int64_t y) {
    int64_t larger = x > y ? x : y, smaller = x > y ? y : x;
    for (int32_t i = 0; i < COUNT(separable_radii); i++)
        if (separable_radii[i] >= larger && smaller >= SEPARABLE_LEAST(separable_radii[i]))
            return separable_radii[i];
    return 0;
}

static const int32_t slabs_of_form[] = {2, 3, 5};
#define LEFT_OUT 0.01 /* that an axis may leave out, in steps of a byte */

int32_t weft_gpu_convolve_bytes_slabs(const double *weight, int32_t radius) {
    for (int32_t i = 0; i < COUNT(slabs_of_form); i++) {
        double beyond = 0;
        for (int32_t k = radius; k > CONVOLVE_BYTES_REACH(slabs_of_form[i]); k--)
            beyond += 2 * weight[radius + k];
        if (beyond * 255 <= LEFT_OUT)
            return slabs_of_form[i];
    }
    return 0;
}
int32_t weft_gpu_convolve_bytes_slabs_of(int64_t radius) {
    int32_t i = 0;
    while (i < COUNT(slabs_of_form) - 1 && radius > CONVOLVE_BYTES_REACH(slabs_of_form[i]))
        i++;
    return slabs_of_form[i];
}

/* Where axes are both weighed. Of boxes, sums of products of floats are nearer to the mean, but for half floats. */
static bool multiplies(const struct gpu_convolve_case *c) {
    return c->type != 0 && c->border_fits && c->means && c->radius_x > 0 && c->radius_y > 0;
}
static int32_t larger_radius(const struct gpu_convolve_case *c) { return c->radius_x > c->radius_y ? c->radius_x : c->radius_y; }

static const struct gpu_convolve_matrix_form matrix_forms[] = {
    {TYPE_F16, 8, 6}, {TYPE_F16, 16, 9}, {TYPE_U16, 8, 6}, {TYPE_U16, 16, 9}, {TYPE_F32, 16, 10},
};
const struct gpu_convolve_matrix_form *weft_gpu_convolve_matrix_form(const struct gpu_convolve_case *c) {
    int32_t radius = larger_radius(c);
    for (int32_t i = 0; i < COUNT(matrix_forms) && c->channels == 4; i++)
        if (matrix_forms[i].type == c->type && radius >= matrix_forms[i].least && radius <= matrix_forms[i].reach)
            return &matrix_forms[i];
    return NULL;
}

/* Bytes as they are become 16 bits, 257 steps for one of the result, and 16 bits stay so; colors times alpha, which is divided by
 * later, are in two parts. */
static const struct gpu_convolve_line_form line_forms[] = {
    {TYPE_U8, TYPE_U16, 1, false, 33},    {TYPE_U8, TYPE_U16, 3, false, 33},    {TYPE_U8, TYPE_U16, 4, false, 33},
    {TYPE_U8, TYPE_PARTS, 4, true, 17},   {TYPE_U16, TYPE_U16, 1, false, 17},   {TYPE_U16, TYPE_U16, 3, false, 17},
    {TYPE_U16, TYPE_U16, 4, false, 17},   {TYPE_U16, TYPE_PARTS, 4, true, 17},  {TYPE_F16, TYPE_F16, 4, false, 17},
    {TYPE_F16, TYPE_PARTS, 4, true, 17},  {TYPE_F32, TYPE_F32, 1, false, 17},   {TYPE_F32, TYPE_F32, 3, false, 17},
    {TYPE_F32, TYPE_F32, 4, true, 17},
};
#define MOST_RADIUS 64 /* of this kernel and of the next */
const struct gpu_convolve_line_form *weft_gpu_convolve_line_form(const struct gpu_convolve_case *c) {
    int32_t radius = larger_radius(c);
    for (int32_t i = 0; i < COUNT(line_forms); i++) {
        const struct gpu_convolve_line_form *form = &line_forms[i];
        if (form->type == c->type && form->channels == c->channels && (c->direct || form->converts) && radius >= form->least &&
            radius <= MOST_RADIUS)
            return form;
    }
    return NULL;
}

static const struct gpu_convolve_cooperative_form cooperative_forms[] = {
    {TYPE_U8, TYPE_F16, 11, 13}, {TYPE_U16, TYPE_PARTS, 19, 26}, {TYPE_F16, TYPE_F16, 19, 23},
};
const struct gpu_convolve_cooperative_form *weft_gpu_convolve_cooperative_form(const struct gpu_convolve_case *c) {
    int32_t radius = larger_radius(c);
    for (int32_t i = 0; i < COUNT(cooperative_forms) && (c->channels == 1 || c->channels == 4); i++) {
        const struct gpu_convolve_cooperative_form *form = &cooperative_forms[i];
        int32_t least = c->channels == 1 ? form->least_of_one : form->least_of_four;
        if (form->type == c->type && radius >= least && radius <= MOST_RADIUS)
            return form;
    }
    return NULL;
}

static bool fits_nothing(const void *facts) {
    const struct gpu_convolve_case *c = facts;
    return c->identity_x && c->identity_y;
}
static bool fits_bytes(const void *facts) {
    const struct gpu_convolve_case *c = facts;
    return !c->box && c->slabs > 0;
}
static bool fits_cooperative(const void *facts) {
    const struct gpu_convolve_case *c = facts;
    return c->has_mma_cooperative && !c->box && multiplies(c) && c->direct && weft_gpu_convolve_cooperative_form(c) != NULL;
}
static bool fits_matrix(const void *facts) {
    const struct gpu_convolve_case *c = facts;
    return c->has_mma_floats && !c->has_mma_cooperative && (!c->box || c->type == TYPE_F16) && multiplies(c) &&
           weft_gpu_convolve_matrix_form(c) != NULL;
}
static bool fits_line_matrix(const void *facts) {
    const struct gpu_convolve_case *c = facts;
    return c->has_mma_floats && !c->has_mma_cooperative && !c->box && multiplies(c) && weft_gpu_convolve_line_form(c) != NULL;
}
static bool fits_separable(const void *facts) {
    const struct gpu_convolve_case *c = facts;
    return !c->identity_x && !c->identity_y && weft_gpu_separable_radius(c->radius_x, c->radius_y) > 0;
}

static const struct weft_rung rungs[] = {
    {GPU_CONVOLVE_BYTES, "convolve_bytes", "means of bytes as stored, by int8 tensor cores", fits_bytes},
    {GPU_CONVOLVE_COOPERATIVE, "convolve_cooperative", "means, large radii to 64, by matrices of subgroups", fits_cooperative},
    {GPU_CONVOLVE_MATRIX, "convolve_matrix", "means of four channels, radius 6 to 16, by tensor cores", fits_matrix},
    {GPU_CONVOLVE_LINE_MATRIX, "convolve_line_matrix", "means, radius 17 to 64, by tensor cores, axis by axis", fits_line_matrix},
    {GPU_CONVOLVE_NOTHING, "point", "weights that change nothing", fits_nothing},
    {GPU_CONVOLVE_SEPARABLE, "separable", "radius to 18, both axes at once", fits_separable},
    {GPU_CONVOLVE_LINES, "convolve_line", "all else, axis by axis", weft_always_fits},
};

const struct weft_rung *weft_gpu_choose_convolve(const struct gpu_convolve_case *convolve) {
    return weft_first_that_fits(rungs, convolve);
}
