/* SPDX-License-Identifier: MIT
 * Stencils that are weighted sums, or the length of two (filter/stencil.h, LINEAR and LENGTH_OF), of an image of u8 or u16 into
 * another, its pixels not taken apart and its rows read where they lie; the edges come from small copies.
 * Parameters may change from run to run, so the weights are found at the first row of a tile. Where whole numbers do not hold
 * them well enough, the body itself works, piece by piece, on f32. */
#include <string.h>
#include "backend/cpu/choose/stencil.h"
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/steps/stencil/stencil_fixed.h"
#include "base/status.h"

#define SIDE WEFT_STENCIL_ROWS
#define RADIUS WEFT_STENCIL_RADIUS
#define PIECE 256 /* pixels */
/* Components of the copy from which an edge is made, at either end of a row: whole vectors, which take no longer than a few
 * components one by one. */
#define MADE 64
#define EDGE (MADE + 2 * RADIUS * 4)
_Static_assert(2 * (3 * RADIUS) * 4 <= EDGE && 4 * RADIUS * 4 <= MADE, "the two edges do not fit");

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

/* Rows of at most so many bytes are copied as a whole, with pads, and made of whole vectors: on such rows separate edges would take
 * a third of the time. */
#define NARROW 2048
#define AROUND 64 /* bytes on either side, at least what RADIUS pixels take */
_Static_assert(RADIUS * 4 * sizeof(uint16_t) <= AROUND, "what is around a row does not fit");

/* The weights and copies of the edges, or of narrow rows; then, for the body, planes of a piece of each row, and of the result. */
struct edges {
    uint16_t in[SIDE][EDGE], out[MADE]; /* or bytes, as many */
};
struct narrow {
    int64_t held[SIDE]; /* the row that each copy is of, counted from 1 */
    _Alignas(64) unsigned char row[SIDE][AROUND + NARROW + AROUND];
};
union copies {
    struct edges edges;
    struct narrow narrow;
};
static size_t weights_size(void) { return weft_round_up(sizeof(struct stencil_weights)); }
static size_t begun_size(void) { return weights_size() + weft_round_up(sizeof(union copies)); }
static union copies *copies_of(struct stencil_weights *w) {
    return (union copies *)(void *)((unsigned char *)w + weights_size());
}
static void begin(struct lane *lane, const struct step *step) {
    struct stencil_weights *w = weft_lane_state(lane, step);
    memset(w, 0, weights_size());
    memset(copies_of(w)->narrow.held, 0, sizeof copies_of(w)->narrow.held);
}
static size_t piece_stride(const struct stencil_fixed *s) { return PIECE + 2 * (size_t)s->radius + 16; }
static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    const struct stencil_fixed *s = step->data;
    (void)columns_, (void)in_columns;
    return begun_size() + 4 * (2 * (size_t)s->radius + 2) * piece_stride(s) * sizeof(float);
}

/* `from` points to bytes; the distance is in components. */
static const unsigned char *moved(const unsigned char *from, const struct stencil_fixed *s, int64_t components) {
    return from + components * (int64_t)weft_type_size(s->type);
}

/* Columns [x, x + count) of a row, whose column 0 is at `row`, as planes; outside the image as the border has them. */
static void load_columns(const struct lane *lane, const struct step *step, const unsigned char *row, int64_t x, int count,
                         float *const *planes) {
    const struct stencil_fixed *s = step->data;
    int32_t channels = step->interleave;
    int64_t from = x < 0 ? 0 : x, end = x + count < step->width ? x + count : step->width;
    float *at[4] = {NULL};
    for (int64_t i = x; i < x + count; i++) {
        bool inside = i == from && from < end;
        int64_t n = inside ? end - from : 1, column = inside ? i : weft_border_map(i, step->width, s->border);
        for (int32_t c = 0; c < channels; c++)
            at[c] = planes[c] + (i - x);
        lane->kernels->load[s->type](moved(row, s, column * channels), channels, at, (int)n);
        i += n - 1;
    }
}

/* The body on columns of `count` pixels that begin with column x; rows have their column 0 at in[k]. */
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
        load_columns(lane, step, in[k], x - s->radius, count + 2 * s->radius, row);
    }
    for (int32_t c = 0; c < channels; c++) {
        struct weft_stencil_call call = {.block = block, .count = count};
        call.out = result[c] = planes + ((size_t)taps * 4 + (size_t)c) * stride;
        for (int32_t k = 0; k < taps; k++)
            call.rows[k] = planes + ((size_t)k * 4 + (size_t)c) * stride + s->radius;
        s->body->stencil(&call);
    }
    lane->kernels->store[s->type]((const float *const *)result, channels, out, count);
}

/* `count` components of the result: of rows whose component 0 has its neighbors at in[k]. */
static void weigh(const struct lane *lane, const struct stencil_fixed *s, const struct stencil_weights *w, int32_t channels,
                  const unsigned char *const *in, void *out, int count) {
    const unsigned char *taps[SIDE * SIDE + 3];
    const uint16_t *u16[SIDE * SIDE + 3];
    if (s->type == WEFT_U16) {
        for (int32_t k = 0; k < w->count; k++)
            u16[k] = (const uint16_t *)(const void *)in[w->dy[k] + s->radius] + w->dx[k] * channels;
        if (w->length)
            lane->kernels->weigh_u16_lengths_fixed(u16, &w->lengths, out, count);
        else
            lane->kernels->weigh_u16_taps_fixed(u16, w->weight, w->count, w->start, w->shift, out, count);
        return;
    }
    for (int32_t k = 0; k < w->count; k++)
        taps[k] = in[w->dy[k] + s->radius] + w->dx[k] * channels;
    if (w->length)
        lane->kernels->weigh_lengths_fixed(taps, &w->lengths, out, count);
    else
        lane->kernels->weigh_taps_fixed(taps, w->weight, w->count, w->start, w->shift, out, count);
}

/* `count` pixels of `size` bytes, a constant, of row by row to copies, from column `at` of these on. */
static inline __attribute__((always_inline)) void copy_columns(const unsigned char *const *in, int32_t rows_,
                                                               const int64_t *columns_, int count, size_t size,
                                                               struct edges *edges, int at) {
    for (int32_t k = 0; k < rows_; k++)
        for (int i = 0; i < count; i++)
            memcpy((unsigned char *)edges->in[k] + (size_t)(at + i) * size, in[k] + columns_[i] * (int64_t)size, size);
}

/* Pixels [0, left) and the last `right` of the row, from copies of what is around them. */
static void run_edges(const struct lane *lane, const struct step *step, struct stencil_weights *w, const unsigned char *const *in,
                      int left, int right, int64_t first, unsigned char *out) {
    const struct stencil_fixed *s = step->data;
    struct edges *edges = &copies_of(w)->edges;
    size_t size = weft_type_size(s->type) * (size_t)step->interleave;
    int32_t around = 2 * s->radius, taps = around + 1;
    int from = left > 0 ? left + around : 0; /* where the right one's are */
    const int64_t *columns_ = s->right + (step->width - right - s->last);
    const unsigned char *copies[SIDE];
#define COPY(size)                                                                                                     \
    case size:                                                                                                         \
        copy_columns(in, taps, s->left, from, size, edges, 0);                                                         \
        copy_columns(in, taps, columns_, right > 0 ? right + around : 0, size, edges, from);                           \
        break
    switch (size) {
        COPY(1);
        COPY(2);
        COPY(3);
        COPY(4);
        COPY(6);
        COPY(8);
    }
#undef COPY
    for (int32_t k = 0; k < taps; k++)
        copies[k] = (unsigned char *)edges->in[k] + (size_t)s->radius * size;
    weigh(lane, s, w, step->interleave, copies, edges->out, MADE);
    memcpy(out, edges->out, (size_t)left * size);
    memcpy(out + (size_t)(step->width - right - first) * size, (unsigned char *)edges->out + (size_t)from * size,
           (size_t)right * size);
}

/* A whole row, from copies of rows. Where rows are made in order one of the copies is new. */
static void run_narrow(const struct lane *lane, const struct step *step, struct stencil_weights *w, int64_t y,
                       const unsigned char *const *in, unsigned char *out) {
    const struct stencil_fixed *s = step->data;
    struct narrow *narrow = &copies_of(w)->narrow;
    int32_t channels = step->interleave;
    size_t size = weft_type_size(s->type) * (size_t)channels;
    const unsigned char *rows_[SIDE];
    for (int32_t k = 0; k <= 2 * s->radius; k++) {
        int64_t row = y - s->radius + k, held = weft_border_map(row, step->height, s->border) + 1;
        int64_t slot = (row + SIDE) % SIDE;
        unsigned char *copy = narrow->row[slot] + AROUND;
        rows_[k] = copy;
        if (narrow->held[slot] == held)
            continue;
        narrow->held[slot] = held;
        memcpy(copy, in[k], (size_t)step->width * size);
        for (int32_t i = 0; i < s->radius; i++) {
            memcpy(copy - (size_t)(s->radius - i) * size, in[k] + s->left[i] * (int64_t)size, size);
            memcpy(copy + (size_t)(step->width + i) * size,
                   in[k] + s->right[step->width - s->last + s->radius + i] * (int64_t)size, size);
        }
    }
    weigh(lane, s, w, channels, rows_, out, (int)(step->width * channels));
}

/* The edges, and what lies between from the rows as they are. */
static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct stencil_fixed *s = step->data;
    const void *block = weft_lane_block(lane, step);
    int32_t input = step->inputs[0], channels = step->interleave;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step);
    struct stencil_weights *w = weft_lane_state(lane, step);
    size_t size = weft_type_size(s->type) * (size_t)channels;
    const unsigned char *in[SIDE], *inside[SIDE];
    unsigned char *to = out->plane[0];
    struct row fetched[SIDE];
    if (!w->made)
        weft_stencil_weights(s, block, w);
    weft_lane_fetch_rows(lane, input, y - s->radius, 2 * s->radius + 1, s->border, fetched);
    for (int32_t k = 0; k <= 2 * s->radius; k++)
        in[k] = (const unsigned char *)fetched[k].plane[0] - lane->first[input] * (int64_t)size;
    if (!w->fits) {
        float *planes = (float *)(void *)((unsigned char *)w + begun_size());
        for (int64_t x = first; x < end; x += PIECE)
            run_body(lane, step, block, in, planes, x, (int)(end - x < PIECE ? end - x : PIECE),
                     to + (size_t)(x - first) * size);
        return;
    }
    if (first == 0 && end == step->width && (size_t)step->width * size <= NARROW) {
        run_narrow(lane, step, w, y, in, to);
        return;
    }
    int64_t from = first == 0 ? s->radius : first, until = end == step->width ? end - s->radius : end;
    from = from < end ? from : end;
    until = until > from ? until : from;
    for (int32_t k = 0; k <= 2 * s->radius; k++)
        inside[k] = in[k] + from * (int64_t)size;
    if (first < from || until < end)
        run_edges(lane, step, w, in, (int)(from - first), (int)(end - until), first, to);
    if (from < until)
        weigh(lane, s, w, channels, inside, to + (size_t)(from - first) * size, (int)((until - from) * channels));
}
static const struct step_kind kind = {
    .name = "stencil", .rows = rows, .columns = columns, .state_size = state_size, .begin = begin, .run = run};

weft_status weft_lower_stencil_fixed(struct builder *b, int32_t node, const struct whole *image, int32_t *result,
                                     weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    weft_border border = weft_filter_border(n->filter, n->block);
    bool u16 = info->format.type == WEFT_U16;
    unsigned char part[WEFT_LENGTH_BLOCK];
    int32_t input;
    *result = -1;
    bool length = n->filter->length && n->filter->length(n->block, 0, part);
    struct cpu_stencil_case facts = {
        .image = true,
        .has_fixed = b->kernels->has_fixed,
        .type = info->format.type,
        .border = border,
        .sums = n->filter->linear && (length || n->filter->linear(n->block)),
        .apart = weft_filter_copies_alpha(n->filter, n->block) && weft_color_channels(info) != info->format.channels,
        .fits_u16 = true};
    if (weft_cpu_choose_stencil(&facts)->choice != CPU_STENCIL_FIXED)
        return WEFT_OK;
    if (border == WEFT_BORDER_SHRINK) /* a stencil is not a mean: outside counts as the nearest pixel */
        border = WEFT_BORDER_REPLICATE;
    struct stencil_fixed made = {n->filter, weft_cpu_body(b->bodies, n->filter), n->filter->radius, border,
                                 info->format.type, 0, {0}, {0}};
    /* Only few sets of weights are exact enough for u16. Where those of the first run are not, those of later runs will rarely be,
     * and the step in f32 is faster than the body piece by piece here. */
    struct stencil_weights first = {.made = false};
    if (u16)
        weft_stencil_weights(&made, n->block, &first);
    facts.fits_u16 = first.fits;
    const struct weft_rung *rung = weft_cpu_choose_stencil(&facts);
    if (rung->choice != CPU_STENCIL_FIXED)
        return WEFT_OK;
    enum weft_row_type type = u16 ? WEFT_ROW_U16 : WEFT_ROW_U8;
    weft_status status = weft_lower_source(b, image, type, true, &input, error);
    if (status != WEFT_OK)
        return status;
    int64_t before = info->width < made.radius ? info->width : made.radius;
    made.last = info->width - made.radius > before ? info->width - made.radius : before;
    for (int32_t k = 0; k < 3 * made.radius; k++) {
        made.left[k] = weft_border_map(k - made.radius, info->width, border);
        made.right[k] = weft_border_map(made.last - made.radius + k, info->width, border);
    }
    struct stencil_fixed *s = weft_allocate(1, sizeof *s);
    if (!s)
        return weft_fail_memory(error, sizeof *s, "a stencil");
    *s = made;
    struct step step = {
        .kind = &kind, .why = rung->when, .inputs = {input}, .input_count = 1, .node = node, .data = s, .type = type,
        .late = true, .divisible = true};
    return weft_stage_add_whole(b, step, result, error);
}
