/* SPDX-License-Identifier: MIT */
#define NAME ssim_map
#define SUMMARY "Where two images look alike: their structural similarity around each pixel, color by color, 1 at most"
#define SOURCE "Wang, Bovik, Sheikh and Simoncelli 2004"
#define EXAMPLE "split[a][b];[b]gaussian=2[c];[a][c]ssim_map"
#define TOLERANCE 5e-3 /* variances are differences of nearly equal numbers */
#define INPUTS 2
#define PARAMS BORDER_PARAMS
#include "filter/help/border.h"
#include "filters/compare/ssim.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const struct ssim_border border = {p->border, (double)p->border_value};
    weft_node light = -1, structure = -1;
    weft_status status = ssim_maps(graph, &border, inputs, &light, &structure, error);
    return status == WEFT_OK ? ssim_join(graph, "product_of", light, structure, result, error) : status;
}
