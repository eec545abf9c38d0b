/* SPDX-License-Identifier: MIT
 * On GPUs: for each offset of the search the squared differences of the image and of itself so moved are an image, whose box means
 * are the distances of all patches: the size of patches costs nothing. Weights and colors add up over the offsets. */
#define NAME nl_means
#define SUMMARY "Take noise away: each pixel is the mean of those around it, weighted by how alike the patches around them are"
#define ALIASES "denoise_nl_means fast_nl_means non_local_means"
#define SOURCE                                                                                                                     \
    "Buades, Coll and Morel 2005, by box sums as Darbon and others 2008; OpenCV's fastNlMeansDenoising on all colors at "          \
    "once; scikit-image's fast_mode takes patches of 2 patch pixels, beside the pixel"
#define EXAMPLE "crop=0:0:320:240,nl_means=0.08:2:5"
#define TOLERANCE 1e-2 /* the cutoff jumps */
#define STEADY_TOLERANCE 1e-4
#define ALPHA_DOC "colors are taken straight, whatever their alpha, which is kept"
#define PARAMS                                                                                                         \
    FLOAT(h, 0.1, 0.00001, 1000, "",                                                                                   \
          "strength: patches whose mean square difference is its square weigh 1 / e; of OpenCV's a 255th")             \
    INT(patch, 3, 0, 10, "px", "patches are 2 patch + 1 wide and high; their size costs little time")                      \
    INT(search, 10, 0, 20, "places", "to either side along both axes are averaged; the time grows with the square")    \
    FLOAT(sigma, 0, 0, 1000, "", "standard deviation of the noise, which is not counted as a difference; 0: not known")\
    FLOAT(cutoff, 5, 0, UNBOUNDED, "", "more than so many squares of h weigh nothing; OpenCV's is 6.9")                \
    BORDER_PARAMS
#define BORDERS "replicate|mirror|symmetric|wrap|constant"
#define BORDER_DOC "what lies outside the image"
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/patch.h"

/* What all offsets share: the image with what is around it, and the part in whose middle the result is. */
struct search {
    weft_graph *graph;
    const struct BLOCK *p;
    weft_node padded, center;
    double width, height;
};

/* Colors at an offset times their weights, and the weights. */
static weft_status at_offset(const struct search *s, int32_t x, int32_t y, weft_node *weighed, weft_error *error) {
    weft_graph *graph = s->graph;
    weft_node pair[2] = {s->center, s->center}, distance = -1;
    weft_status status = WEFT_OK;
    if (x != 0 || y != 0)
        status = SUBGRAPH_ADD("crop", &s->padded, 1, &pair[1], {"x", s->p->search + x}, {"y", s->p->search + y},
                              {"width", s->width}, {"height", s->height});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "nl_distance", pair, 2, &distance, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("box", &distance, 1, &pair[0], {"radius", s->p->patch}, {"border", WEFT_BORDER_REPLICATE});
    return status == WEFT_OK ? SUBGRAPH_ADD("nl_weigh", pair, 2, weighed, {"h", (double)s->p->h}, {"sigma", (double)s->p->sigma},
                                            {"cutoff", (double)s->p->cutoff})
                             : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double around = p->search + p->patch;
    struct search s = {graph, p, -1, -1, (double)info->width + 2 * p->patch, (double)info->height + 2 * p->patch};
    weft_node colors = -1, sum[2] = {-1, -1}, ends[2] = {*inputs, -1};
    weft_status status = weft_graph_add(graph, "alpha_remove", inputs, 1, &colors, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("pad", &colors, 1, &s.padded, {"left", around}, {"top", around}, {"right", around},
                              {"bottom", around}, {"border", p->border}, {"border_value", (double)p->border_value});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("crop", &s.padded, 1, &s.center, {"x", p->search}, {"y", p->search}, {"width", s.width},
                              {"height", s.height});
    for (int32_t y = -p->search; y <= p->search; y++)
        for (int32_t x = -p->search; x <= p->search && status == WEFT_OK; x++) {
            sum[0] = ends[1];
            status = at_offset(&s, x, y, &sum[1], error);
            ends[1] = sum[1];
            if (status == WEFT_OK && sum[0] >= 0)
                status = weft_graph_add(graph, "bilateral_sum", sum, 2, &ends[1], error);
        }
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("crop", &ends[1], 1, &ends[1], {"x", p->patch}, {"y", p->patch}, {"width", (double)info->width},
                              {"height", (double)info->height});
    return status == WEFT_OK ? weft_graph_add(graph, "nl_show", ends, 2, result, error) : status;
}
