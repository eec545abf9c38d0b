/* SPDX-License-Identifier: MIT
 * The mean is found and used on the device, in the same run. No pixel can be compared before the last is in the mean, so
 * the image is read once for the mean and once for the result: 2 x 3 bytes a pixel of u8x3, 2 x 4 of u8x4. To keep the
 * luminance and read that would be 3 + 4 + 4 or 4 + 4 + 4 in f32, which it has to be, since a threshold does not forgive
 * rounding; it would only pay for images of more than 8 bytes a pixel. */
#define NAME average_luminance_threshold
#define SUMMARY "White where the luminance reaches the image's mean luminance, black elsewhere"
#define ALIASES "mean_threshold"
#define TOLERANCE 1
#define PARAMS FLOAT(multiplier, 1, 0, 100, "", "factor on the mean; above 1 fewer pixels are white")
#define ALPHA_DOC "colors count by their alpha in the mean; alpha is kept"
#include "filters/reduce/mean.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    double multiplier = ((const struct BLOCK *)block)->multiplier;
    weft_node grey, mean;
    weft_status status = weft_graph_add(graph, "grayscale", inputs, 1, &grey, error);
    if (status == WEFT_OK)
        status = weighted_mean(graph, grey, info, &mean, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "luminance_threshold", &grey, 1, result, error);
    if (status == WEFT_OK)
        status = weft_graph_bind(graph, *result, "threshold", mean, 0, multiplier, error);
    return status;
}
