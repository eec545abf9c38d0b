/* SPDX-License-Identifier: MIT
 * Whether a kernel may access images directly: read its input and write its result as stored, because no point filter, no
 * conversion and no reduction stands between. */
#include "backend/gpu/pass/builder.h"

bool weft_gpu_is_direct_between(const struct gpu_builder *b, const struct gpu_node_context *context, int32_t from,
                                int32_t to) {
    const struct gpu_unit *unit = &b->units[b->unit];
    int32_t picture = b->picture_of[b->typed->graph->nodes[context->node].inputs[0]], stores = 0;
    bool direct = unit->load_group < 0 && b->pictures[picture].type == from &&
                 context->in.format.channels == context->out.format.channels;
    for (int32_t i = 0; direct && i < b->store_count; i++)
        if (b->stores[i].unit == b->unit) {
            direct = b->stores[i].node == context->node && b->pictures[b->stores[i].picture].type == to;
            stores++;
        }
    for (int32_t i = 0; direct && i < b->fused_count; i++)
        direct = b->fused[i].unit != b->unit;
    return direct && stores == 1;
}
bool weft_gpu_is_direct(const struct gpu_builder *b, const struct gpu_node_context *context, int32_t type) {
    return weft_gpu_is_direct_between(b, context, type, type);
}

/* Whether the unit's load program is nothing, or multiplies an image of that type by its alpha. The kernels that ask do that by
 * themselves; none of them gets images whose hidden pixels weigh something (filter/help/hidden.h): filters that take sums of
 * weights, of which some may be below 0, want them dropped. */
static bool loads_or_converts(const struct gpu_builder *b, const struct gpu_node_context *context, int32_t type) {
    int32_t root = b->units[b->unit].load_group, nodes = 0;
    const struct weft_graph_node *node = &b->typed->graph->nodes[root >= 0 ? root : context->node];
    int32_t picture = b->picture_of[node->inputs[0]];
    for (int32_t n = 0; root >= 0 && n <= root; n++)
        nodes += b->group[n] == root;
    return (root < 0 || (nodes == 1 && node->filter->role == WEFT_ROLE_PREMULTIPLY)) && picture >= 0 &&
           b->pictures[picture].type == type && b->pictures[picture].channels == context->in.format.channels;
}

bool weft_gpu_is_direct_but_alpha(const struct gpu_builder *b, const struct gpu_node_context *context, int32_t type) {
    const struct weft_graph_node *nodes = b->typed->graph->nodes;
    int32_t stores = 0, result = context->node, others = 0;
    bool good = loads_or_converts(b, context, type) && context->in.format.channels == context->out.format.channels;
    for (int32_t n = 0; n < b->typed->graph->count; n++)
        if (b->unit_of[n] == b->unit && n != context->node) {
            bool divides =
                nodes[n].filter && nodes[n].filter->role == WEFT_ROLE_UNPREMULTIPLY && nodes[n].inputs[0] == context->node;
            others++;
            good = good && divides;
            result = n;
        }
    for (int32_t i = 0; i < b->store_count; i++)
        if (b->stores[i].unit == b->unit) {
            good = good && b->stores[i].node == result && b->pictures[b->stores[i].picture].type == type;
            stores++;
        }
    for (int32_t i = 0; i < b->fused_count; i++)
        good = good && b->fused[i].unit != b->unit;
    return good && stores == 1 && others <= 1;
}

bool weft_gpu_border_is_byte(const struct gpu_node_context *context) {
    float value = weft_filter_border_value(context->filter, context->block) * 255.0f;
    bool whole = value >= 0 && value <= 255 && value == (float)(int32_t)value;
    return whole || weft_filter_border(context->filter, context->block) != WEFT_BORDER_CONSTANT;
}
