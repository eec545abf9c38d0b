/* SPDX-License-Identifier: MIT
 * The mean of neighbors weighted by exp(-d^2 / 2 sigma_space^2 - s^2 / 2 sigma_color^2), d the distance of the pixels,
 * s that of their sums over all channels, premultiplied by alpha, each channel limited to [0, 1]. Where all channels
 * differ the same way s is the L1 distance that bilateral has; colors that differ without their sum count as equal.
 *
 * Since s is a difference of two numbers, the second gaussian is, but for a factor, the sum over levels L of
 *   exp(-(sum - L)^2 / sigma_color^2) exp(-(neighbor's sum - L)^2 / sigma_color^2)
 * and with the second factor known in every pixel, the sums over neighbors are gaussian blurs, one a level, of which
 * each pixel takes its share by the first factor. So time depends on the levels, not on sigma_space.
 *
 * Levels are SPACING sigma_color apart, and go on for BEYOND sigma_color before 0 and after the largest sum. In a model
 * of double precision the result differs from the form above by 4e-5 of full scale at most on photographs, noise,
 * ramps, edges and single bright pixels, for sigma_color from 0.05 to 2. The blurs add what gaussian states. */
#define NAME bilateral_levels
#define SUMMARY "Smooth while keeping edges of brightness, as fast for wide sigmas as for narrow ones"
#define ALIASES "fast_bilateral bilateral_grid"
#define SOURCE                                                                                                         \
    "Durand and Dorsey 2002, Porikli 2008, Yang et al. 2009; with a gaussian of levels, of which the sum is within "   \
    "4e-5 of full scale of the mean that src/filters/blur/bilateral_levels.c defines"
#define EXAMPLE "bilateral_levels=16:0.3"
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    FLOAT(sigma_space, 8, 0, 1000, "px", "reach in space; 0 keeps the image")                                          \
    FLOAT(sigma_color, 0.2, 0.02, 1000, "", "reach in the sum of all channels, 1 being full scale of one")             \
    BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

#define SPACING 0.7
#define BEYOND 2.1
#define LEVELS_SUM 1.7904488 /* the sum over levels of exp(-2 (s - L)^2 / sigma_color^2) is sqrt(pi / 2) / SPACING */

/* Adds two images; none is in *sum yet where that is below 0. */
static weft_status gather(weft_graph *graph, weft_node part, weft_node *sum, weft_error *error) {
    const weft_node pair[2] = {*sum, part};
    if (*sum >= 0)
        return weft_graph_add(graph, "bilateral_sum", pair, 2, sum, error);
    *sum = part;
    return WEFT_OK;
}

/* The channels that an image of so many has, as red, green, blue and alpha. */
static weft_status set_counts(weft_graph *graph, weft_node node, int32_t channels, weft_error *error) {
    const double counts[4] = {1, channels > 2, channels > 2, channels % 2 == 0};
    return weft_graph_set(graph, node, "counts", counts, 4, error);
}

/* Adds to *sum what the image, or the share alone, gives at a level. */
static weft_status add_level(weft_graph *graph, const struct BLOCK *p, weft_node image, double level, int32_t channels,
                             bool share_alone, weft_node *sum, weft_error *error) {
    weft_node pair[2] = {image, -1};
    double border = p->border;
    weft_status status = SUBGRAPH_ADD("bilateral_level", &image, 1, &pair[1], {"level", level},
                                      {"sigma_color", p->sigma_color}, {"share_alone", share_alone});
    if (status == WEFT_OK)
        status = set_counts(graph, pair[1], channels, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gaussian", &pair[1], 1, &pair[1], {"sigma", p->sigma_space}, {"border", border});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("bilateral_slice", pair, 2, &pair[1], {"level", level}, {"sigma_color", p->sigma_color});
    if (status == WEFT_OK)
        status = set_counts(graph, pair[1], channels, error);
    return status == WEFT_OK ? gather(graph, pair[1], sum, error) : status;
}

/* Adds what a constant around the image gives, which the levels have taken as 0: how much of the gaussian lies outside,
 * times the weight of the constant, which is known without levels. */
static weft_status add_outside(weft_graph *graph, const struct BLOCK *p, weft_node image, int32_t channels,
                               bool share_alone, weft_node *sum, weft_error *error) {
    weft_node pair[2] = {image, -1};
    double v = p->border_value, inside = v < 0 ? 0 : v > 1 ? 1 : v, border = p->border;
    weft_status status =
        SUBGRAPH_ADD("bilateral_level", &image, 1, &pair[1], {"level", -UNBOUNDED}, {"share_alone", 1});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gaussian", &pair[1], 1, &pair[1], {"sigma", p->sigma_space}, {"border", border},
                              {"border_value", LEVELS_SUM});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("bilateral_outside", pair, 2, &pair[1], {"level", inside * channels},
                              {"sigma_color", 1.41421356 * p->sigma_color}, {"value", v}, {"share_alone", share_alone});
    if (status == WEFT_OK)
        status = set_counts(graph, pair[1], channels, error);
    return status == WEFT_OK ? gather(graph, pair[1], sum, error) : status;
}

/* Where there is a channel left it holds the share, otherwise that is blurred by itself. */
static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    if (p->sigma_space == 0) { /* then colors under an alpha of 0 stay, too */
        *result = *inputs;
        return WEFT_OK;
    }
    int32_t channels = info->format.channels;
    int32_t levels = (int32_t)((channels / (double)p->sigma_color + 2 * BEYOND) / SPACING + 0.999) + 1;
    bool apart = channels % 2 == 0;
    weft_node sums[2] = {-1, -1}, pair[2] = {*inputs, -1};
    weft_status status = WEFT_OK;
    for (int32_t set = 0; set <= apart; set++) {
        for (int32_t k = 0; k < levels && status == WEFT_OK; k++) {
            double level = 0.5 * channels + SPACING * p->sigma_color * (k - 0.5 * (levels - 1));
            status = add_level(graph, p, *inputs, level, channels, set == 1, &sums[set], error);
        }
        if (status == WEFT_OK && p->border == WEFT_BORDER_CONSTANT)
            status = add_outside(graph, p, *inputs, channels, set == 1, &sums[set], error);
    }
    pair[1] = sums[0];
    if (status == WEFT_OK && apart)
        status = weft_graph_add(graph, "bilateral_divide", sums, 2, &pair[1], error);
    return status == WEFT_OK ? SUBGRAPH_ADD("bilateral_mean", pair, 2, result, {"divided", apart}) : status;
}
