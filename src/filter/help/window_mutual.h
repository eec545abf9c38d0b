/* SPDX-License-Identifier: MIT
 * Rows of windows whose weights are mutual, two pixels having the same for one another: each is worked out once. Part of window.h,
 * for the row form of a body. */

/* Loops over a row are functions of their own: inlined at every use they take six times as long to compile. NAME of the parameters,
 * among them `int planes`, from the inlined NAME_of: a function for each number of planes, which is a constant there. */
#define BY_PLANES(name, parameters, ...)                                                                               \
    OF_PLANES(name, 1, parameters, __VA_ARGS__)                                                                        \
    OF_PLANES(name, 2, parameters, __VA_ARGS__)                                                                        \
    OF_PLANES(name, 3, parameters, __VA_ARGS__)                                                                        \
    OF_PLANES(name, 4, parameters, __VA_ARGS__)                                                                        \
    FN void name parameters {                                                                                          \
        switch (planes) {                                                                                              \
        case 1: name##_1(__VA_ARGS__); break;                                                                          \
        case 2: name##_2(__VA_ARGS__); break;                                                                          \
        case 3: name##_3(__VA_ARGS__); break;                                                                          \
        default: name##_4(__VA_ARGS__); break;                                                                         \
        }                                                                                                              \
    }
#define OF_PLANES(name, count, parameters, ...)                                                                        \
    static __attribute__((unused, noinline)) void name##_##count parameters {                                          \
        planes = count;                                                                                                \
        name##_of(__VA_ARGS__);                                                                                        \
    }

/* Sums of weights and values of a part of a row: weights, then the planes, `stride` from one another. */
struct part {
    float *sums;
    int stride, begin, end;
};

/* weights[x] of pixels x, from .. to, of row a and those of row b at x + dx. Where that `adds`, sums take b's pixels in. */
FN void weigh_row(const float *const *a, const float *const *b, const struct BLOCK P, int planes, int dx, float part_of,
                  int from, int to, float *weights, const bool adds, struct part part) {
    const float *a0 = a[0] + from, *a1 = planes > 1 ? a[1] + from : a0, *a2 = planes > 2 ? a[2] + from : a0,
                *a3 = planes > 3 ? a[3] + from : a0;
    const float *b0 = b[0] + from + dx, *b1 = planes > 1 ? b[1] + from + dx : b0, *b2 = planes > 2 ? b[2] + from + dx : b0,
                *b3 = planes > 3 ? b[3] + from + dx : b0;
    weights += from;
    float *total = adds ? part.sums : weights, *s0 = adds ? total + part.stride : weights,
          *s1 = planes > 1 && adds ? s0 + part.stride : s0, *s2 = planes > 2 && adds ? s1 + part.stride : s1,
          *s3 = planes > 3 && adds ? s2 + part.stride : s2;
    VECTOR_LOOP
    for (int i = 0; i < to - from; i++) {
        vec4 c = rgba(a0[i], planes > 1 ? a1[i] : 0.0f, planes > 2 ? a2[i] : 0.0f, planes > 3 ? a3[i] : 0.0f);
        vec4 n = rgba(b0[i], planes > 1 ? b1[i] : 0.0f, planes > 2 ? b2[i] : 0.0f, planes > 3 ? b3[i] : 0.0f);
        float weight = part_of * weigh(planes, c, n, P);
        weights[i] = weight;
        if (adds) {
            total[i] += weight;
            s0[i] += weight * n.x;
            if (planes > 1)
                s1[i] += weight * n.y;
            if (planes > 2)
                s2[i] += weight * n.z;
            if (planes > 3)
                s3[i] += weight * n.w;
        }
    }
}

FN void lone_row_of(const float *const *a, const float *const *b, const struct BLOCK P, int planes, int dx, float part_of,
                    int from, int to, float *weights) {
    weigh_row(a, b, P, planes, dx, part_of, from, to, weights, false, (struct part){0});
}
FN void add_row_of(const float *const *a, const float *const *b, const struct BLOCK P, int planes, int dx, float part_of,
                   int from, int to, float *weights, struct part part) {
    weigh_row(a, b, P, planes, dx, part_of, from, to, weights, true, part);
}
BY_PLANES(lone_row,
          (const float *const *a, const float *const *b, const struct BLOCK P, int planes, int dx, float part_of, int from,
           int to, float *weights),
          a, b, P, planes, dx, part_of, from, to, weights)
BY_PLANES(add_row,
          (const float *const *a, const float *const *b, const struct BLOCK P, int planes, int dx, float part_of, int from,
           int to, float *weights, struct part part),
          a, b, P, planes, dx, part_of, from, to, weights, part)

/* ---- the four nearest neighbors by mutual weights, half of which are known from the row and the pixel before: for weights
 * by distance */

/* Weights of pixels and themselves, whose distance is 0, or no number where the pixel is none or infinite. */
FN void weigh_selves_of(const float *const *center, const struct BLOCK P, int planes, int begin, int end, float *weights) {
    const vec4 none = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    const float own = share(0.0f, 0.0f, P) * weigh(planes, none, none, P);
    const float *c0 = center[0] + begin, *c1 = planes > 1 ? center[1] + begin : c0, *c2 = planes > 2 ? center[2] + begin : c0,
                *c3 = planes > 3 ? center[3] + begin : c0;
    VECTOR_LOOP
    for (int i = 0; i < end - begin; i++) {
        float distance = c0[i] - c0[i];
        if (planes > 1)
            distance += c1[i] - c1[i];
        if (planes > 2)
            distance += c2[i] - c2[i];
        if (planes > 3)
            distance += c3[i] - c3[i];
        weights[i] = own + distance;
    }
}
BY_PLANES(weigh_selves,
          (const float *const *center, const struct BLOCK P, int planes, int begin, int end, float *weights),
          center, P, planes, begin, end, weights)
/* weights[x - begin] of pixels x and those dx, dy from them. */
FN void weigh_alone(const float *const *a, const float *const *b, const struct BLOCK P, int planes, int dx, int dy, int begin,
                    int end, float *weights) {
    lone_row(a, b, P, planes, dx, share((float)dx, (float)dy, P), begin, end, weights - begin);
}
FN void run_four(const struct weft_window_call *call, const struct BLOCK P, int planes) {
    const float *const *above = call->rows, *const *center = above + 4, *const *below = center + 4;
    enum { PART = WEFT_WINDOW_PART - 64 }; /* four rows, the first a pixel longer */
    float *beside = call->sums, *self = beside + WEFT_WINDOW_PART, *over = self + PART, *total = over + PART;
    for (int begin = 0; begin < call->count; begin += PART) {
        int end = call->count - begin < PART ? call->count : begin + PART;
        const float *up = call->above ? call->above + begin : over;
        float *down = call->below + begin;
        weigh_alone(center, center, P, planes, 1, 0, begin - 1, end, beside);
        weigh_selves(center, P, planes, begin, end, self);
        weigh_alone(center, below, P, planes, 0, 1, begin, end, down);
        if (!call->above)
            weigh_alone(center, above, P, planes, 0, -1, begin, end, over);
        VECTOR_LOOP
        for (int i = 0; i < end - begin; i++)
            total[i] = 1.0f / (up[i] + (beside[i] + self[i] + beside[i + 1]) + down[i]);
        for (int k = 0; k < planes; k++) {
            const float *a = above[k] + begin, *c = center[k] + begin, *b = below[k] + begin;
            float *out = call->out[k] + begin;
            VECTOR_LOOP
            for (int i = 0; i < end - begin; i++) {
                float row = beside[i] * c[i - 1] + self[i] * c[i] + beside[i + 1] * c[i + 1];
                out[i] = (up[i] * a[i] + row + down[i] * b[i]) * total[i];
            }
        }
    }
}
static bool is_four(const struct weft_window_call *call, const struct BLOCK P) {
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if ((share((float)dx, (float)dy, P) != 0.0f) != (dx * dy == 0))
                return false;
    return call->radius_x == 1 && call->radius_y == 1;
}

/* ---- all neighbors by mutual weights: what a weight between two rows adds to the lower one is kept until that is made */

FN void clear_part(struct part part, int planes) {
    for (int k = 0; k <= planes; k++)
        memset(part.sums + k * part.stride, 0, (size_t)(part.end - part.begin) * sizeof(float));
}
/* Row `down` of those whose sums are kept: this one and radius_y below. */
FN float *kept_row(const struct weft_window_call *call, int planes, int down) {
    return call->kept + (size_t)((call->slot + down) % (call->radius_y + 1)) * (size_t)(planes + 1) * (size_t)call->stride;
}
FN void clear_kept(const struct weft_window_call *call, int planes, int down) {
    for (int k = 0; k <= planes; k++)
        memset(kept_row(call, planes, down) + k * call->stride + call->from, 0,
               (size_t)(call->count - call->from) * sizeof(float));
}
FN void keep_part(const struct weft_window_call *call, int planes, int down, struct part part) {
    for (int k = 0; k <= planes; k++) {
        float *to = kept_row(call, planes, down) + k * call->stride + part.begin;
        const float *from = part.sums + k * part.stride;
        VECTOR_LOOP
        for (int i = 0; i < part.end - part.begin; i++)
            to[i] += from[i];
    }
}

/* Sums take in the pixels of row a that lie dx before them, by the weights of these. */
FN void take_back_of(const float *const *a, int planes, int dx, const float *weights, struct part part) {
    const float *w = weights - dx;
    const float *a0 = a[0] - dx, *a1 = planes > 1 ? a[1] - dx : a0, *a2 = planes > 2 ? a[2] - dx : a0,
                *a3 = planes > 3 ? a[3] - dx : a0;
    float *total = part.sums - part.begin, *s0 = total + part.stride, *s1 = planes > 1 ? s0 + part.stride : s0,
          *s2 = planes > 2 ? s1 + part.stride : s1, *s3 = planes > 3 ? s2 + part.stride : s2;
    VECTOR_LOOP
    for (int i = part.begin; i < part.end; i++) {
        float weight = w[i];
        total[i] += weight;
        s0[i] += weight * a0[i];
        if (planes > 1)
            s1[i] += weight * a1[i];
        if (planes > 2)
            s2[i] += weight * a2[i];
        if (planes > 3)
            s3[i] += weight * a3[i];
    }
}
BY_PLANES(take_back,
          (const float *const *a, int planes, int dx, const float *weights, struct part part),
          a, planes, dx, weights, part)

/* What row a and row b, dy below it, add to each other: `ahead` is a's, `back` b's. */
FN void weigh_rows(const struct weft_window_call *call, const struct BLOCK P, int planes, const float *const *a,
                   const float *const *b, int dy, float *weights, const bool goes_ahead, struct part ahead,
                   const bool goes_back, struct part back) {
    int begin = back.begin, end = back.end;
    for (int dx = -call->radius_x; dx <= call->radius_x; dx++) {
        float part_of = share((float)dx, (float)dy, P);
        if (part_of == 0.0f)
            continue;
        if (goes_ahead)
            add_row(a, b, P, planes, dx, part_of, begin, end, weights, ahead);
        if (!goes_back)
            continue;
        if (!goes_ahead)
            lone_row(a, b, P, planes, dx, part_of, begin - dx, end - dx, weights);
        else if (dx > 0)
            lone_row(a, b, P, planes, dx, part_of, begin - dx, begin, weights);
        else
            lone_row(a, b, P, planes, dx, part_of, end, end - dx, weights);
        take_back(a, planes, dx, weights, back);
    }
}
/* The same of a row and itself. */
FN void weigh_own_row(const struct weft_window_call *call, const struct BLOCK P, int planes, const float *const *a,
                      float *weights, struct part part) {
    weigh_selves(a, P, planes, part.begin, part.end, weights + part.begin);
    take_back(a, planes, 0, weights, part);
    for (int dx = 1; dx <= call->radius_x; dx++) {
        float part_of = share((float)dx, 0.0f, P);
        if (part_of == 0.0f)
            continue;
        add_row(a, a, P, planes, dx, part_of, part.begin, part.end, weights, part);
        lone_row(a, a, P, planes, dx, part_of, part.begin - dx, part.begin, weights);
        take_back(a, planes, dx, weights, part);
    }
}

/* Up to so many terms are added one by one without losing digits; more are added in partial sums, one for each row. */
#define FEW_TERMS 96
FN struct part sums_of(const struct weft_window_call *call, int planes, int down, bool few, float *own, int begin, int end) {
    struct part kept = {kept_row(call, planes, down) + begin, call->stride, begin, end};
    struct part part = {own, WEFT_WINDOW_PART, begin, end};
    if (!few)
        clear_part(part, planes);
    return few ? kept : part;
}
FN void run_mutual_part(const struct weft_window_call *call, const struct BLOCK P, int planes, int begin, int end) {
    const int below = call->radius_y, size = (planes + 1) * WEFT_WINDOW_PART;
    const bool few = (2 * call->radius_x + 1) * (2 * below + 1) <= FEW_TERMS;
    const float *const *center = call->rows + (size_t)below * 4;
    float *sums = call->sums, *weights = sums + 2 * size + WEFT_WINDOW_MUTUAL - begin;
    if (call->begins) /* of the rows above nothing is kept yet */
        for (int to = 0; to < below && to <= call->last; to++)
            for (int from = to - below; from < 0; from++) {
                struct part back = sums_of(call, planes, to, few, sums + size, begin, end);
                weigh_rows(call, P, planes, center + from * 4, center + to * 4, to - from, weights, false, back, true, back);
                if (!few)
                    keep_part(call, planes, to, back);
            }
    struct part own = sums_of(call, planes, 0, few, sums, begin, end);
    weigh_own_row(call, P, planes, center, weights, own);
    if (!few)
        keep_part(call, planes, 0, own);
    for (int dy = 1; dy <= below; dy++) {
        struct part ahead = sums_of(call, planes, 0, few, sums, begin, end);
        struct part back = sums_of(call, planes, dy, few, sums + size, begin, end);
        if (dy <= call->last)
            weigh_rows(call, P, planes, center, center + dy * 4, dy, weights, true, ahead, true, back);
        else
            weigh_rows(call, P, planes, center, center + dy * 4, dy, weights, true, ahead, false, back);
        if (few)
            continue;
        keep_part(call, planes, 0, ahead);
        if (dy <= call->last)
            keep_part(call, planes, dy, back);
    }
    const float *total = kept_row(call, planes, 0) + begin;
    for (int k = 0; k < planes; k++) {
        const float *sum = total + (k + 1) * call->stride;
        float *out = call->out[k] + begin;
        VECTOR_LOOP
        for (int i = 0; i < end - begin; i++)
            out[i] = sum[i] / total[i];
    }
}
FN void run_mutual(const struct weft_window_call *call, const struct BLOCK P, int planes) {
    for (int to = call->begins ? 0 : call->radius_y; to <= call->radius_y; to++)
        clear_kept(call, planes, to);
    for (int x = call->from; x < call->count; x += WEFT_WINDOW_PART)
        run_mutual_part(call, P, planes, x, call->count - x < WEFT_WINDOW_PART ? call->count : x + WEFT_WINDOW_PART);
}
