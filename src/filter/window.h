/* SPDX-License-Identifier: MIT
 * Kind: window, the mean over a large neighbourhood weighted by a function of the pixels. A neighbor's weight is a product:
 * SHARE, `float (float dx, float dy)`, its share by where it is, 0 for those of the rectangle that do not count; and the
 * body, `float (vec4 center, vec4 neighbor)`, of both colors; channels that the image does not have are 0. Neither is
 * negative. The share is the same for all pixels and worked out once. The file also defines
 * `static int32_t reach(const void *block, enum weft_direction direction)`, the radius, in its PART_DESCRIPTOR.
 * border=shrink leaves out the neighbours outside. Of a filter that says BY_DISTANCE the body is `float (float distance)`,
 * of how far apart the colors are, the sum over channels, and gives 1 at most; it has a kernel of bytes besides. A filter that
 * says MUTUAL true gives two pixels the same weight for one another. */
#define HAS_BODY
#include "filter/help/border.h"
#define KIND_PARAMS BORDER_PARAMS
#ifndef ALPHA
#define ALPHA PREMULTIPLIED
#endif
#ifndef MUTUAL
#define MUTUAL false
#endif
#include "filter/template.h"
#if defined(PART_ROWS)
/* exp2_near of what is not above 0: as exp2, by the polynomial of a term less (2.9e-6), and 0 from 2^-100 on down, since a
 * pixel's own weight is 1. A sum of exponents is one instruction, a product by a power another. */
FN float weight_exp2(float v) {
    float shifted = v + WHOLE_SHIFT, f = v - (shifted - WHOLE_SHIFT);
    float p = 9.5828530e-3f;
    p = p * f + 5.5906426e-2f;
    p = p * f + 2.4024099e-1f;
    p = p * f + 6.9312418e-1f;
    p = p * f + 1.0f;
    unsigned power = (unsigned)bits_of_float(p) + (unsigned)shift_left(bits_of_float(shifted), 23);
    return v < -100.0f ? 0.0f : float_from_bits((int)power);
}
#undef exp2_near
#define exp2_near(v) weight_exp2(v)
#endif
#define SHARE FN float share(float dx, float dy, BODY_BLOCK P)
#ifdef BY_DISTANCE
#define BODY FN float body(float distance, BODY_BLOCK P)
#else
#define BODY FN float body(vec4 center, vec4 neighbor, BODY_BLOCK P)
#endif
SHARE;
BODY;

/* The body's weight; the number of channels is a constant wherever it matters what it costs. */
FN float weigh(int channels, vec4 center, vec4 neighbor, BODY_BLOCK P) {
#ifdef BY_DISTANCE
    float distance = abs(center.x - neighbor.x);
    if (channels > 1)
        distance += abs(center.y - neighbor.y);
    if (channels > 2)
        distance += abs(center.z - neighbor.z);
    if (channels > 3)
        distance += abs(center.w - neighbor.w);
    return body(distance, P);
#else
    return body(center, neighbor, P);
#endif
}

#if defined(PART_DESCRIPTOR)
static int32_t reach(const void *block, enum weft_direction direction);
DESCRIPTOR("window", 1)
    .kind = WEFT_KIND_WINDOW, .border = BORDER_INDEX, .reach = reach };

#elif defined(PART_ROWS)
/* Pixels of a row are done WEFT_WINDOW_PART at a time, so that their sums stay in the first-level cache. */

/* The neighbour dx, dy of pixels from .. to at once: sums[k] += weight * value, and the weights in the last sum; the sums
 * of a plane begin at pixel `begin`. `planes` is a constant at every call, so that the loop has no tests in it. */
FN void neighbor(const struct weft_window_call *call, const struct BLOCK P, int planes, int dx, int dy, float part_of,
                 int begin, int from, int to) {
    const float *const *center = call->rows + (size_t)call->radius_y * 4;
    const float *const *other = call->rows + (size_t)(call->radius_y + dy) * 4;
    const float *c0 = center[0], *c1 = center[1], *c2 = center[2], *c3 = center[3];
    const float *n0 = other[0] + dx, *n1 = planes > 1 ? other[1] + dx : n0, *n2 = planes > 2 ? other[2] + dx : n0,
                *n3 = planes > 3 ? other[3] + dx : n0;
    const int part = WEFT_WINDOW_PART;
    float * weights = call->sums, * s0 = weights + part, * s1 = s0 + part * (planes > 1),
          * s2 = s1 + part * (planes > 2), * s3 = s2 + part * (planes > 3);
    VECTOR_LOOP
    for (int i = from; i < to; i++) {
        vec4 c = rgba(c0[i], planes > 1 ? c1[i] : 0.0f, planes > 2 ? c2[i] : 0.0f, planes > 3 ? c3[i] : 0.0f);
        vec4 n = rgba(n0[i], planes > 1 ? n1[i] : 0.0f, planes > 2 ? n2[i] : 0.0f, planes > 3 ? n3[i] : 0.0f);
        float weight = part_of * weigh(planes, c, n, P);
        weights[i - begin] += weight;
        s0[i - begin] += weight * n.x;
        if (planes > 1)
            s1[i - begin] += weight * n.y;
        if (planes > 2)
            s2[i - begin] += weight * n.z;
        if (planes > 3)
            s3[i - begin] += weight * n.w;
    }
}
/* Pixels begin .. end of the row. Sums are made row by row of the neighbourhood and then added up: thousands of terms one
 * by one would lose digits. */
static void run_part(const struct weft_window_call *call, const struct BLOCK P, int begin, int end) {
    size_t size = (size_t)(call->planes + 1) * WEFT_WINDOW_PART;
    float *sums = call->sums, *totals = sums + size;
    memset(totals, 0, size * sizeof(float));
    for (int dy = -call->radius_y; dy <= call->radius_y; dy++) {
        if (!call->rows[(size_t)(call->radius_y + dy) * 4])
            continue;
        memset(sums, 0, size * sizeof(float));
        for (int dx = -call->radius_x; dx <= call->radius_x; dx++) {
            int64_t low = call->left - dx, high = call->right + 1 - dx;
            int from = low > begin ? (int)(low < end ? low : end) : begin;
            int to = high < end ? (int)(high > begin ? high : begin) : end;
            float part_of = share((float)dx, (float)dy, P);
            if (part_of == 0.0f)
                continue;
            switch (call->planes) {
            case 1: neighbor(call, P, 1, dx, dy, part_of, begin, from, to); break;
            case 2: neighbor(call, P, 2, dx, dy, part_of, begin, from, to); break;
            case 3: neighbor(call, P, 3, dx, dy, part_of, begin, from, to); break;
            default: neighbor(call, P, 4, dx, dy, part_of, begin, from, to); break;
            }
        }
        VECTOR_LOOP
        for (size_t i = 0; i < size; i++)
            totals[i] += sums[i];
    }
    for (int k = 0; k < call->planes; k++) {
        const float *total = totals + (size_t)(k + 1) * WEFT_WINDOW_PART;
        float *out = call->out[k] + begin;
        VECTOR_LOOP
        for (int i = 0; i < end - begin; i++)
            out[i] = total[i] / totals[i];
    }
}

#include "filter/help/window_mutual.h"

static void run(const struct weft_window_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
    if (MUTUAL && call->below && is_four(call, P)) {
        run_four(call, P, call->planes);
    } else if (MUTUAL && call->kept) {
        run_mutual(call, P, call->planes);
    } else {
        for (int x = call->from; x < call->count; x += WEFT_WINDOW_PART)
            run_part(call, P, x, call->count - x < WEFT_WINDOW_PART ? call->count : x + WEFT_WINDOW_PART);
    }
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.window = run, .mutual = MUTUAL};

#elif defined(PART_REFERENCE)
static vec4 pixel(const struct weft_reference_view *view, int dx, int dy, int *counts) {
    double v[4] = {0};
    for (int k = 0; k < view->planes; k++)
        v[k] = view->at(view, k, dx, dy, counts);
    return rgba(v[0], v[1], v[2], v[3]);
}
static void window(const void *block, const struct weft_reference_view *view, double *out) {
    struct block_f64 P = widen(block);
    double sum[4] = {0}, weights = 0;
    int counted = 1;
    vec4 center = pixel(view, 0, 0, &counted);
    for (int dy = -view->radius_y; dy <= view->radius_y; dy++)
        for (int dx = -view->radius_x; dx <= view->radius_x; dx++) {
            int counts = 1;
            vec4 n = pixel(view, dx, dy, &counts);
            double weight = counts ? share(dx, dy, P) * weigh(view->planes, center, n, P) : 0;
            weights += weight;
            sum[0] += weight * n.x, sum[1] += weight * n.y, sum[2] += weight * n.z, sum[3] += weight * n.w;
        }
    for (int k = 0; k < view->planes; k++)
        out[k] = sum[k] / weights;
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.window = window};

#elif defined(OF_BYTES)
#include "kernels/gpu/window/window_bytes.h"
#else
#include "kernels/gpu/window/window.h"
#endif
