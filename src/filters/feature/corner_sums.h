/* SPDX-License-Identifier: MIT
 * The measure of harris, noble and shi_tomasi in whole numbers, for the lists of corners of integer images: the same bits
 * on every device. Included by corners.h; `p` is the composite's block.
 *
 * A window is two sums, along x and along y, of the high and of the low digits of each number. Its weights are whole: 1
 * for pixels that count alike, 4096ths for a gaussian. */

enum { WHOLE_WEIGHTS = 4096 };
#define WHOLE_SQUARE (4080.0 * 4080.0) /* full scale of a product, see whole_products */

/* The rounding of weights would ripple what a wide gaussian leaves smooth, and ripples have maxima. A second one smooths
 * those of the first, so wide ones are two of half the variance. */
static int whole_passes(const struct BLOCK *p) { return p->radius < 0 && p->sigma > 2 ? 2 : 1; }

/* Whole weights and their sum: rounded so that those from any place outwards sum to what they should, within one half. */
static int32_t whole_weights(const struct BLOCK *p, double sigma, int32_t radius, double *weights) {
    double outside = 0, given = 0, sum = 0;
    for (int32_t k = -radius; k <= radius; k++)
        sum += exp(-0.5 * k * k / (sigma * sigma));
    for (int32_t k = radius; k >= 0; k--) {
        double whole = 1;
        if (p->radius < 0) {
            outside += WHOLE_WEIGHTS * exp(-0.5 * k * k / (sigma * sigma)) / sum;
            whole = k > 0 ? floor(outside + 0.5) - given : WHOLE_WEIGHTS - 2 * given;
        }
        given += whole;
        weights[radius + k] = weights[radius - k] = whole;
    }
    return p->radius < 0 ? WHOLE_WEIGHTS : 2 * radius + 1;
}

/* The means along x or along y of whole numbers, whole numbers themselves. */
static weft_status whole_means(weft_graph *graph, const struct BLOCK *p, const char *axis, int32_t radius,
                               const double *weights, int32_t count, weft_node *node, weft_error *error) {
    double outside = fmax(-WHOLE_SQUARE, fmin(WHOLE_SQUARE, floor((double)p->border_value * WHOLE_SQUARE + 0.5)));
    double high = floor(outside / 4096);
    weft_node pair[2];
    weft_status status = WEFT_OK;
    for (int i = 0; i < 2 && status == WEFT_OK; i++) {
        weft_node digit;
        status = SUBGRAPH_ADD("digit", node, 1, &digit, {"which", i});
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("correlate_separable", &digit, 1, &pair[i], {"border", p->border},
                                  {"border_value", i == 0 ? high : outside - 4096 * high});
        if (status == WEFT_OK)
            status = weft_graph_set(graph, pair[i], axis, weights, 2 * radius + 1, error);
    }
    return status == WEFT_OK ? SUBGRAPH_ADD("digits_mean", pair, 2, node, {"count", count}) : status;
}

static weft_status whole_window(weft_graph *graph, const struct BLOCK *p, weft_node *node, weft_error *error) {
    int passes = whole_passes(p);
    double sigma = (double)p->sigma / sqrt(passes);
    /* What falls outside weighs less than one 4096th. */
    int32_t radius = p->radius >= 0 ? p->radius : (int32_t)ceil(3.7 * sigma);
    double *weights = weft_allocate(2 * (size_t)radius + 1, sizeof *weights);
    if (!weights)
        return weft_fail_memory(error, (2 * (size_t)radius + 1) * sizeof *weights, "the weights of a window");
    int32_t count = whole_weights(p, sigma, radius, weights);
    weft_status status = WEFT_OK;
    for (int i = 0; i < 2 * passes && status == WEFT_OK; i++)
        status = whole_means(graph, p, i < passes ? "row" : "column", radius, weights, count, node, error);
    weft_free(weights);
    return status;
}

static weft_status whole_measure(weft_graph *graph, const struct BLOCK *p, const weft_node *input,
                                 const weft_image_info *info, double sensitivity, weft_node *result,
                                 weft_error *error) {
    double factor = sensitivity / WHOLE_SQUARE / (MEASURE == 0 ? WHOLE_SQUARE / 16777216 : MEASURE == 2 ? 2 : 1);
    double outside = fmax(0, fmin(3, (double)p->border_value));
    int exponent = 0;
    double mantissa = floor(frexp(factor, &exponent) * 16777216 + 0.5);
    weft_node node;
    weft_status status = SUBGRAPH_ADD("luminance_over_black", input, 1, &node, {"whole", 1},
                                      {"straight", info->alpha == WEFT_ALPHA_STRAIGHT});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("whole_products", &node, 1, &node, {"gradient", p->compat}, {"border", p->border},
                              {"border_value", floor(outside * 65535 + 0.5)});
    if (status == WEFT_OK)
        status = whole_window(graph, p, &node, error);
    return status == WEFT_OK
               ? SUBGRAPH_ADD("whole_response", &node, 1, result, {"measure", MEASURE}, {"k", SHARPNESS},
                              {"factor", mantissa}, {"exponent", fmax(exponent, -120)}, {"clip", p->compat})
               : status;
}
