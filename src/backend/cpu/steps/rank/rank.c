/* SPDX-License-Identifier: MIT
 * Medians, as choose/rank.c says; and those by networks. For radius 1 rows stay as they are, and the
 * edges come from small copies with pads; where fewer values count at the edges (shrink) they are done pixel by pixel.
 */
#include <string.h>
#include "backend/cpu/choose/rank.h"
#include "backend/cpu/steps/rank/rank.h"

#define PADDED_RADIUS 2           /* from here on rows with pads: the edges take longer than copying rows */
#define PIXEL (4 * sizeof(float)) /* the largest */
#define VECTOR 64                 /* bytes; the edges of a row as narrow as they are large fit */
#define EDGES (VECTOR + 2 * PIXEL)
_Static_assert(4 * PIXEL <= VECTOR, "the two edges do not fit a vector");

void weft_rank_rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct rank *rank = step->data;
    (void)i;
    weft_rows_around(y, rank->radius, step->height, rank->border, first, last);
}

void weft_rank_columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct rank *rank = step->data;
    (void)i;
    weft_columns_around(x0, x1, rank->radius, step->width, rank->border, first, end);
}

/* Copies of three rows at the edges, of which what is not written stays 0, and a row of border_value with pads. */
#define COPIES (3 * (size_t)EDGES)
static size_t state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    const struct rank *rank = step->data;
    size_t outside = (size_t)(columns + 2 * rank->radius) * weft_step_element(step);
    (void)in_columns;
    return COPIES + (rank->border == WEFT_BORDER_CONSTANT ? outside : 0);
}

/* shrink: the middle columns of a row that has all its rows go through the network, others are sorted one by one. */
static void run_inside(struct lane *lane, const struct step *step, const struct row *in, int count,
                       const struct row *out) {
    const struct rank *rank = step->data;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), in_first, in_end;
    int64_t low = first > rank->radius ? first : rank->radius, high = step->width - rank->radius;
    size_t size = weft_row_type_size(step->type);
    int radius = (int)rank->radius;
    weft_rank_columns(step, 0, first, end, &in_first, &in_end);
    high = high < end ? high : end;
    if (count < 2 * radius + 1 || high <= low)
        low = high = end;
    for (int32_t k = 0; k < step->planes; k++) {
        const void *rows[2 * CPU_RANK_NETWORK_RADIUS + 1], *middle[2 * CPU_RANK_NETWORK_RADIUS + 1];
        char *to = out->plane[k];
        for (int i = 0; i < count; i++) {
            rows[i] = around_at(lane, step->inputs[0], &in[i], k, in_first);
            middle[i] = (const char *)rows[i] + (size_t)(low - in_first) * size;
        }
        lane->kernels->rank_few[step->type](rows, count, radius, in_end - in_first, first - in_first, low - in_first,
                                            to);
        if (low < high)
            lane->kernels->rank_network[step->type](middle, radius, 1, to + (size_t)(low - first) * size, high - low);
        lane->kernels->rank_few[step->type](rows, count, radius, in_end - in_first, high - in_first, end - in_first,
                                            to + (size_t)(high - first) * size);
    }
}

/* Three columns of rows that begin at column `first`, or of `outside` where none is, to copies[i] + at; with `size` a
 * constant. */
static inline __attribute__((always_inline)) void copy_columns(const void *const *rows, const char *outside,
                                                               const int64_t *columns, int64_t first, size_t size,
                                                               char (*copies)[EDGES], size_t at) {
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            memcpy(copies[i] + at + k * size,
                   rows[i] && columns[k] >= 0 ? (const char *)rows[i] + (columns[k] - first) * (int64_t)size : outside,
                   size);
}

/* Radius 1, the pixels at the image's edges, as far as the lane has them: from copies with pads, a whole vector of them,
 * which takes no longer than two pixels one by one. Rows that lie outside are `outside`. */
static void run_edges(struct lane *lane, const struct step *step, const void *const *rows, const char *outside, bool left,
                      bool right, char *out) {
    const struct rank *rank = step->data;
    int64_t first = weft_lane_first(lane, step), last = weft_lane_end(lane, step) - 1;
    size_t size = weft_step_element(step), at = left ? 3 * size : 0;
    char(*copies)[EDGES] = weft_lane_state(lane, step), result[VECTOR];
    const void *in[3] = {copies[0] + size, copies[1] + size, copies[2] + size};
#define COPY(size)                                                                                                     \
    if (left)                                                                                                          \
        copy_columns(rows, outside, rank->left, first, size, copies, 0);                                               \
    if (right)                                                                                                         \
    copy_columns(rows, outside, rank->right, first, size, copies, at)
    switch (size) {
    case 1:
        COPY(1);
        break;
    case 2:
        COPY(2);
        break;
    case 3:
        COPY(3);
        break;
    case 4:
        COPY(4);
        break;
    default:
        COPY(size);
        break;
    }
#undef COPY
    lane->kernels->rank_network[step->type](in, 1, step->interleave, result,
                                            (int64_t)(VECTOR / weft_row_type_size(step->type)));
    if (left)
        memcpy(out, result, size);
    if (right)
        memcpy(out + (size_t)(last - first) * size, result + at, size);
}

/* The edges, and what lies between from the rows as they are. */
static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct rank *rank = step->data;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), radius = rank->radius;
    bool padded = radius >= PADDED_RADIUS;
    int64_t from = first == 0 && !padded ? radius : first, to = end == step->width && !padded ? end - radius : end;
    struct row in[2 * CPU_RANK_NETWORK_RADIUS + 1];
    int count = 0;
    size_t size = weft_step_element(step);
    char *outside = (char *)weft_lane_state(lane, step) + COPIES;
    if (rank->border == WEFT_BORDER_SHRINK) {
        for (int64_t i = -radius; i <= radius; i++) {
            in[count] = weft_lane_fetch_border(lane, step->inputs[0], y + i, rank->border);
            count += in[count].plane[0] != NULL;
        }
        run_inside(lane, step, in, count, out);
        return;
    }
    weft_lane_fetch_rows(lane, step->inputs[0], y - radius, 2 * (int32_t)radius + 1, rank->border, in);
    if (rank->border == WEFT_BORDER_CONSTANT &&
        (first == 0 || end == step->width || y < radius || y + radius >= step->height))
        around_fill(step->type, outside, (end - first + 2 * radius) * step->interleave, around_value(lane, step));
    from = from < end ? from : end;
    to = to > from ? to : from;
    for (int32_t k = 0; k < step->planes; k++) {
        const void *rows[2 * CPU_RANK_NETWORK_RADIUS + 1], *middle[2 * CPU_RANK_NETWORK_RADIUS + 1];
        char *result = out->plane[k];
        for (int i = 0; i <= 2 * radius; i++) {
            rows[i] = in[i].plane[0] ? around_at(lane, step->inputs[0], &in[i], k, first) : NULL;
            middle[i] =
                rows[i] ? (const char *)rows[i] + (size_t)(from - first) * size : outside + (size_t)radius * size;
        }
        if (first < from || to < end)
            run_edges(lane, step, rows, outside, first < from, to < end, result);
        if (from < to)
            lane->kernels->rank_network[step->type](middle, (int)radius, step->interleave,
                                                    result + (size_t)(from - first) * size,
                                                    (to - from) * step->interleave);
    }
}
static const struct step_kind network = {
    .name = "rank", .rows = weft_rank_rows, .columns = weft_rank_columns, .state_size = state_size, .run = run};

bool weft_rank_takes_pixels(const struct weft_graph_node *node) {
    return node->filter->reach(node->block, WEFT_X) <= CPU_RANK_NETWORK_RADIUS &&
           weft_filter_border(node->filter, node->block) != WEFT_BORDER_SHRINK;
}

weft_status weft_lower_rank(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                            weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    int64_t radius = n->filter->reach(n->block, WEFT_X),
            longest = info->width > info->height ? info->width : info->height;
    int32_t input = inputs[0];
    weft_status status = WEFT_OK;
    struct rank *rank = weft_allocate(1, sizeof *rank);
    if (!rank)
        return weft_fail_memory(error, sizeof *rank, "a median");
    rank->border = weft_filter_border(n->filter, n->block);
    for (int64_t k = 0; k < 3; k++) {
        rank->left[k] = weft_border_map(k - 1, info->width, rank->border);
        rank->right[k] = weft_border_map(info->width - 2 + k, info->width, rank->border);
    }
    rank->radius = rank->border == WEFT_BORDER_SHRINK && radius > longest - 1 ? longest - 1 : radius;
    if (rank->radius == 0) {
        weft_free(rank);
        *result = input;
        return WEFT_OK;
    }
    static const struct step_kind *const kinds[] = {
        [CPU_RANK_NETWORK] = &network,
        [CPU_RANK_BITS] = &weft_rank_bits,
        [CPU_RANK_HISTOGRAM] = &weft_rank_histogram,
        [CPU_RANK_BLOCK] = &weft_rank_block,
    };
    enum weft_row_type type = b->stage->steps[input].type;
    const struct weft_rung *rung = weft_cpu_choose_rank(
        &(struct cpu_rank_case){rank->radius, rank->border, type, b->kernels->rank_bits_radius[type]});
    struct step step = {.kind = kinds[rung->choice],
                        .why = rung->when,
                        .input_count = 1,
                        .node = node,
                        .data = rank,
                        .type = type,
                        .planes = b->stage->steps[input].planes,
                        .interleave = b->stage->steps[input].interleave,
                        .width = info->width,
                        .height = info->height,
                        .late = rank->radius >= PADDED_RADIUS && rank->radius <= CPU_RANK_NETWORK_RADIUS};
    if (n->filter->reach(n->block, WEFT_Y) != radius)
        status = weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a median needs the same radius along x and y");
    else if (rank->radius >= PADDED_RADIUS && rank->radius <= CPU_RANK_NETWORK_RADIUS && rank->border != WEFT_BORDER_SHRINK)
        status = weft_stage_pad(b, &input, rank->radius, rank->border, node, error);
    bool fits = step.kind != &weft_rank_block || weft_rank_block_choose(rank);
    if (status == WEFT_OK && (!fits || step.kind->state_size(&step, info->width, info->width) > PTRDIFF_MAX))
        status = weft_fail(error, WEFT_ERROR_MEMORY, "a median of radius %lld does not fit the address space",
                           (long long)radius);
    if (status != WEFT_OK) {
        weft_free(rank);
        return status;
    }
    step.divisible = step.kind == &network && rank->radius < PADDED_RADIUS; /* 0.83 to 0.93 of the time */
    step.inputs[0] = input;
    return weft_stage_add(b, &step, result, error);
}
