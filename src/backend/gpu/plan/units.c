/* SPDX-License-Identifier: MIT
 * Units: the nodes that one launch or chain of launches computes, and how much fits one. */
#include "backend/gpu/plan/units.h"
#include "backend/gpu/plan/nodes.h"
#include "base/status.h"

/* What a launch can hold, less what spilled values may take. */
#define UNIT_NODES 24
#define UNIT_IMAGES (LAUNCH_IMAGES - 2)

int32_t weft_gpu_words_of(const struct gpu_builder *b, int32_t n) {
    const struct weft_filter *filter = node_of(b, n)->filter;
    return filter ? (int32_t)((filter->block_size + 3) / 4) : 0;
}

weft_status weft_gpu_unit_add(struct gpu_builder *b, int32_t stage, int32_t start, int32_t *unit, weft_error *error) {
    struct gpu_unit *u = GPU_GROW(b, unit, units);
    if (!u)
        return weft_fail_memory(error, sizeof *u, "the plan's passes");
    *unit = b->unit_count - 1;
    *u = (struct gpu_unit){.stage = stage, .start = start, .load_group = -1, .externals = 1};
    u->stores = outputs_of(b, start) + 1;
    return WEFT_OK;
}

/* Whether a node of the group before node n, or an input of n before input i, reads the same image, which a launch holds once. */
static bool is_read_before(const struct gpu_builder *b, int32_t root, int32_t n, int32_t i) {
    int32_t in = node_of(b, n)->inputs[i];
    for (int32_t m = in + 1; m <= n; m++)
        for (int32_t k = 0; b->group[m] == root && k < (m < n ? input_count(b, m) : i); k++)
            if (node_of(b, m)->inputs[k] == in)
                return true;
    return false;
}

struct group_size weft_gpu_group_size(const struct gpu_builder *b, int32_t root, int32_t unit) {
    struct group_size size = {0};
    for (int32_t n = 0; n <= root; n++) {
        if (b->group[n] != root)
            continue;
        size.nodes++, size.words += weft_gpu_words_of(b, n);
        for (int32_t i = 0; i < input_count(b, n); i++) {
            int32_t in = node_of(b, n)->inputs[i];
            size.externals += b->unit_of[in] != unit && b->group[in] != root && !is_read_before(b, root, n, i);
        }
    }
    return size;
}

void weft_gpu_add_group(struct gpu_builder *b, int32_t root, int32_t unit) {
    struct group_size size = weft_gpu_group_size(b, root, unit);
    struct gpu_unit *u = &b->units[unit];
    u->nodes += size.nodes, u->words += size.words, u->externals += size.externals;
    u->stores += outputs_of(b, root) + 1;
    for (int32_t n = 0; n <= root; n++)
        if (b->group[n] == root)
            b->unit_of[n] = unit;
}

bool weft_gpu_has_room(const struct gpu_builder *b, int32_t root, int32_t unit) {
    const struct gpu_unit *u = &b->units[unit];
    const struct group_size size = weft_gpu_group_size(b, root, unit);
    int32_t stores = u->stores + outputs_of(b, root) + 1;
    return u->nodes + size.nodes + stores + u->reductions <= UNIT_NODES && u->words + size.words <= LAUNCH_WORDS &&
           u->externals + size.externals + stores <= UNIT_IMAGES;
}

bool weft_gpu_is_large(const struct gpu_builder *b, int32_t root) {
    struct group_size size = weft_gpu_group_size(b, root, NO_UNIT);
    return size.nodes > UNIT_NODES - 4 || size.externals > UNIT_IMAGES - 4 || size.words > LAUNCH_WORDS / 2;
}

int32_t weft_gpu_point_unit_on(const struct gpu_builder *b, int32_t n, int32_t stage, int32_t root) {
    for (int32_t u = 0; u < b->unit_count; u++)
        if (b->units[u].stage == stage && !b->units[u].kernel && !b->units[u].reads && b->units[u].load_group < 0 &&
            b->units[u].start == n &&
            (root < 0 ? b->units[u].reductions < LAUNCH_REDUCTIONS : weft_gpu_has_room(b, root, u)))
            return u;
    return -1;
}

weft_status weft_gpu_unit_on(struct gpu_builder *b, int32_t n, int32_t stage, int32_t *unit, weft_error *error) {
    *unit = weft_gpu_point_unit_on(b, n, stage, -1);
    return *unit >= 0 ? WEFT_OK : weft_gpu_unit_add(b, stage, n, unit, error);
}
