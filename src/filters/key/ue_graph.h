/* SPDX-License-Identifier: MIT
 * The matting key as a graph: the point filter, and what follows it. `p` is the composite's block. */
#include "filters/key/edge_graph.h"

static weft_status ue_key(weft_graph *graph, const struct BLOCK *p, const weft_node *input, bool matte,
                          weft_node *result, weft_error *error) {
    const double key[4] = {p->color.x, p->color.y, p->color.z, p->color.w};
    const double ambient[4] = {p->ambient.x, p->ambient.y, p->ambient.z, p->ambient.w};
    const struct { const char *name; double value; } settings[] = {
        {"similarity", p->similarity}, {"smoothing", p->smoothing}, {"exponent", p->exponent}, {"spill", p->spill},
        {"spill_exponent", p->spill_exponent}, {"luma_mask", p->luma_mask}, {"ambient_scale", p->ambient_scale}};
    weft_node keyed;
    weft_status status = weft_graph_add(graph, "chroma_key_matte", input, 1, &keyed, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, keyed, "color", key, 4, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, keyed, "ambient", ambient, 4, error);
    for (size_t i = 0; status == WEFT_OK && i < sizeof settings / sizeof *settings; i++)
        status = weft_graph_set(graph, keyed, settings[i].name, &settings[i].value, 1, error);
    return status == WEFT_OK ? key_edge(graph, keyed, p->shrink, matte, result, error) : status;
}
