/* SPDX-License-Identifier: MIT
 * Poisson's equation by multigrid. The unknown is what is added to an image, 0 outside the mask, so that all grids solve
 *   x / q = mean of the four neighbors + f
 * with q as in poisson_start.c: 1 inside of the finest grid, less where a coarser one's pixel is held to what lies outside
 * (poisson_coarse.c). A visit of a grid relaxes twice, lets the next one, of half as many rows and columns, correct what is left of
 * f, and relaxes twice more. Since the coarse equations never correct too far, they do so too little where the mask's edge is near,
 * and less from grid to grid: a cycle comes back to the next three grids for a second time, which makes the rate the same for all
 * masks and sizes, and the finest grid takes the corrections by the factors of Chebyshev's iteration for an interval of [LEAST, 1].
 * The first image is solved for from the coarsest grid to the finest. */
#ifndef FILTERS_BLEND_POISSON_SOLVE_H
#define FILTERS_BLEND_POISSON_SOLVE_H
#include <math.h>
#include "filter/help/subgraph.h"

#define MOST_GRIDS 40
#define CYCLES 5
#define LEAST 0.4
#define OMEGA 0.8
#define RELAXATIONS 2
#define COARSEST_RELAXATIONS 4
#define GRIDS_TWICE 3
#define SMALL_SIDE 256 /* of grids of which it costs little to keep all rows */

struct grid {
    int64_t width, height;
    weft_node freedom, right; /* q; and f of the finest grid's, summed over the pixels */
};
struct poisson {
    weft_graph *graph;
    double border;
    int count;
    struct grid grids[MOST_GRIDS];
};

static inline weft_status poisson_mean(struct poisson *s, weft_node x, bool residual, weft_node *mean, weft_error *error) {
    weft_graph *graph = s->graph;
    return SUBGRAPH_ADD("poisson_mean", &x, 1, mean, {"omega", OMEGA}, {"result", residual}, {"border", s->border});
}

/* Relaxes *x `times` times; from 0 where it is below 0. */
static inline weft_status poisson_relax(struct poisson *s, int l, weft_node right, int times, weft_node *x, weft_error *error) {
    weft_graph *graph = s->graph;
    weft_node pair[2] = {right, s->grids[l].freedom};
    weft_status status = WEFT_OK;
    for (int i = 0; status == WEFT_OK && i < times; i++) {
        if (*x < 0) {
            status = SUBGRAPH_ADD("poisson_start", pair, 2, x, {"omega", OMEGA});
            continue;
        }
        weft_node with_right[2] = {-1, right};
        status = poisson_mean(s, *x, false, &with_right[0], error);
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("poisson_relax", with_right, 2, x, {"omega", OMEGA});
    }
    return status;
}

/* The next coarser grid's sums. A row of a coarse grid takes many of the finest one: were grid after grid made row by row, all of
 * the finer ones would wait in memory for the first rows of the coarser ones. So large ones are finished first, as a warp wants its
 * input, even one that moves nothing. */
static inline weft_status poisson_halve(struct poisson *s, int l, weft_node fine, weft_node *coarse, weft_error *error) {
    weft_status status = weft_graph_add(s->graph, "poisson_halve", &fine, 1, coarse, error);
    bool small = s->grids[l].width < SMALL_SIDE && s->grids[l].height < SMALL_SIDE;
    return status == WEFT_OK && !small ? weft_graph_add(s->graph, "projective_nearest", coarse, 1, coarse, error) : status;
}

/* Adds `scale` times what a coarser grid found to *x; *x below 0 is 0. */
static inline weft_status poisson_correct(struct poisson *s, int l, weft_node coarse, double scale, weft_node *x,
                                          weft_error *error) {
    weft_graph *graph = s->graph;
    weft_node pair[2] = {*x, -1};
    weft_status status = SUBGRAPH_ADD("poisson_enlarge", &coarse, 1, &pair[1], {"width", (double)s->grids[l].width},
                                      {"height", (double)s->grids[l].height});
    if (status == WEFT_OK && *x < 0) {
        weft_node nothing[2] = {s->grids[l].right, s->grids[l].freedom};
        status = SUBGRAPH_ADD("poisson_start", nothing, 2, &pair[0], {"omega", 0});
    }
    return status == WEFT_OK ? SUBGRAPH_ADD("poisson_add", pair, 2, x, {"scale", scale}) : status;
}

/* A visit of grid l, from *x, or from 0 where that is below 0. `twice` of the grids below it are visited twice. */
static inline weft_status poisson_visit(struct poisson *s, int l, weft_node right, int twice, double scale, weft_node *x,
                                        weft_error *error) {
    weft_node rest[2] = {-1, right}, correction = -1;
    if (l == s->count - 1)
        return poisson_relax(s, l, right, COARSEST_RELAXATIONS, x, error);
    weft_status status = poisson_relax(s, l, right, RELAXATIONS, x, error);
    if (status == WEFT_OK)
        status = poisson_mean(s, *x, true, &rest[0], error);
    if (status == WEFT_OK)
        status = weft_graph_add(s->graph, "poisson_rest", rest, 2, &rest[0], error);
    if (status == WEFT_OK)
        status = poisson_halve(s, l, rest[0], &rest[0], error);
    for (int visit = 0; status == WEFT_OK && visit < (twice > 0 ? 2 : 1); visit++)
        status = poisson_visit(s, l + 1, rest[0], visit == 0 ? twice - 1 : 0, 1, &correction, error);
    if (status == WEFT_OK)
        status = poisson_correct(s, l, correction, scale, x, error);
    return status == WEFT_OK ? poisson_relax(s, l, right, RELAXATIONS, x, error) : status;
}

/* The grids, from the size, the mask and the right side of the finest one. */
static inline weft_status poisson_grids(struct poisson *s, weft_error *error) {
    weft_graph *graph = s->graph;
    weft_status status = WEFT_OK;
    for (s->count = 1; status == WEFT_OK && s->count < MOST_GRIDS; s->count++) {
        const struct grid *fine = &s->grids[s->count - 1];
        struct grid *coarse = &s->grids[s->count];
        if (fine->width == 1 && fine->height == 1)
            break;
        coarse->width = (fine->width + 1) / 2, coarse->height = (fine->height + 1) / 2;
        status = poisson_halve(s, s->count - 1, fine->right, &coarse->right, error);
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("poisson_hold", &fine->freedom, 1, &coarse->freedom, {"border", s->border});
        if (status == WEFT_OK)
            status = poisson_halve(s, s->count - 1, coarse->freedom, &coarse->freedom, error);
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("poisson_coarse", &coarse->freedom, 1, &coarse->freedom, {"border", s->border});
    }
    return status;
}

static inline weft_status poisson_solve(struct poisson *s, weft_node *x, weft_error *error) {
    weft_status status = poisson_grids(s, error);
    *x = -1;
    for (int l = s->count - 1; status == WEFT_OK && l >= 0; l--) {
        weft_node coarse = *x;
        *x = -1;
        if (coarse >= 0)
            status = poisson_correct(s, l, coarse, 1, x, error);
        if (status == WEFT_OK)
            status = poisson_visit(s, l, s->grids[l].right, 0, 1, x, error);
    }
    for (int k = 0; status == WEFT_OK && k < CYCLES; k++) {
        double angle = 3.14159265358979324 * (2 * k + 1) / (2 * CYCLES);
        double scale = 1 / (0.5 * (1 + LEAST) + 0.5 * (1 - LEAST) * cos(angle));
        status = poisson_visit(s, 0, s->grids[0].right, GRIDS_TWICE, scale, x, error);
    }
    return status;
}

#endif
