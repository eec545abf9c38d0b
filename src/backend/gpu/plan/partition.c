/* SPDX-License-Identifier: MIT
 * Which unit computes which node (units.h). A filter with a kernel of its own begins a unit. Point filters run in the store program
 * of the unit that makes one of their inputs, or in the load program of the only kernel that reads them, where the device
 * compiles programs into kernels, or else in a unit of their own; a reduction is fused into the unit that makes its input. What
 * then still passes from unit to unit is stored. */
#include "backend/gpu/plan/nodes.h"
#include "backend/gpu/plan/units.h"
#include "base/memory.h"
#include "base/status.h"

static bool interprets(const struct gpu_builder *b) {
    return ((const struct gpu_device_base *)(const void *)b->device)->limits.interprets;
}

/* Whether a group of point filters runs in the program of another node's kernel. Where programs are interpreted, they make a
 * kernel's own loops several times slower (registers, code), and a pass of point filters by itself takes less time; but the
 * conversions that plain kernels have built in cost nothing (kernels/gpu/program/conversions.h). */
static bool goes_along(const struct gpu_builder *b, int32_t root, bool before) {
    if (!interprets(b))
        return true;
    for (int32_t n = 0; n <= root; n++) {
        if (b->group[n] != root)
            continue;
        enum weft_role role = node_of(b, n)->filter->role;
        if (before ? !weft_role_multiplies(role) && role != WEFT_ROLE_LUMINANCE
                   : !weft_role_divides(role) && role != WEFT_ROLE_DROP_HIDDEN)
            return false;
    }
    return true;
}

/* Kernels that fetch each pixel once or nearly so run short programs while they fetch; those that fetch a pixel many times
 * get it from memory. */
static bool may_load(const struct gpu_builder *b, int32_t kernel, int32_t nodes) {
    switch (node_of(b, kernel)->filter->kind) {
    case WEFT_KIND_STENCIL:
    case WEFT_KIND_SEPARABLE:
    case WEFT_KIND_BOX:
    case WEFT_KIND_EXTREMUM:
    case WEFT_KIND_LOOKUP:
    case WEFT_KIND_GLOBAL:
        return true;
    case WEFT_KIND_WARP:
    case WEFT_KIND_RESAMPLE:
        return nodes <= 2;
    default:
        return false;
    }
}

/* The kernel in whose load program a group can run: its only reader. -1: none. */
static int32_t only_kernel(const struct gpu_builder *b, int32_t root, int32_t stage) {
    int32_t reader = -1, nodes = 0;
    if (is_delivered(b, root, stage))
        return -1;
    for (int32_t n = 0; n <= root; n++)
        nodes += b->group[n] == root;
    for (int32_t c = root + 1; c < b->typed->graph->count; c++)
        for (int32_t i = 0; b->member[c] && i < input_count(b, c); i++) {
            if (node_of(b, c)->inputs[i] != root)
                continue;
            if (reader >= 0 || is_kind(b, c, WEFT_KIND_POINT) || is_kind(b, c, WEFT_KIND_REDUCE))
                return -1;
            reader = c;
        }
    return reader >= 0 && may_load(b, reader, nodes) && weft_gpu_load_fits(b, root) && goes_along(b, root, true) ? reader : -1;
}

static int32_t first_external(const struct gpu_builder *b, int32_t root) {
    for (int32_t n = 0; n <= root; n++)
        for (int32_t i = 0; b->group[n] == root && i < input_count(b, n); i++)
            if (b->group[node_of(b, n)->inputs[i]] != root)
                return node_of(b, n)->inputs[i];
    return -1;
}

static weft_status place_group(struct gpu_builder *b, int32_t root, int32_t stage, weft_error *error) {
    int32_t latest = -1, unit = -1, external = first_external(b, root);
    for (int32_t n = 0; n <= root; n++)
        for (int32_t i = 0; b->group[n] == root && i < input_count(b, n); i++) {
            int32_t in = node_of(b, n)->inputs[i];
            if (b->group[in] != root && b->unit_of[in] > latest)
                latest = b->unit_of[in];
        }
    /* Its reader runs it, if what it reads is in memory anyway, or is made by a kernel that runs no programs. */
    bool stored = latest < 0 || (interprets(b) && b->units[latest].kernel && !goes_along(b, root, false));
    if (stored && only_kernel(b, root, stage) >= 0)
        return WEFT_OK;
    if (latest >= 0 && weft_gpu_has_room(b, root, latest) && (!b->units[latest].kernel || goes_along(b, root, false)))
        unit = latest;
    if (unit < 0 && external >= 0)
        unit = weft_gpu_point_unit_on(b, external, stage, root);
    if (unit < latest)
        unit = -1; /* it would come before what the group reads */
    if (unit < 0) {
        weft_status status = weft_gpu_unit_add(b, stage, external >= 0 ? external : root, &unit, error);
        if (status != WEFT_OK)
            return status;
        b->units[unit].stores = 0;
        if (external < 0) { /* a generator and what follows it */
            b->units[unit].load_group = root;
            b->units[unit].externals = 0;
        }
    }
    weft_gpu_add_group(b, root, unit);
    return WEFT_OK;
}

static weft_status place_kernel(struct gpu_builder *b, int32_t n, int32_t stage, weft_error *error) {
    int32_t unit = -1, in = node_of(b, n)->inputs[0];
    weft_status status = weft_gpu_unit_add(b, stage, n, &unit, error);
    if (status != WEFT_OK)
        return status;
    b->units[unit].kernel = true;
    b->units[unit].words = weft_gpu_words_of(b, n);
    b->units[unit].externals = input_count(b, n);
    b->unit_of[n] = unit;
    if (b->member[in] && is_kind(b, in, WEFT_KIND_POINT) && b->unit_of[in] < 0)
        b->units[unit].load_group = in;
    if (b->units[unit].load_group == in) {
        struct group_size size = weft_gpu_group_size(b, in, NO_UNIT);
        b->units[unit].words += size.words, b->units[unit].externals += size.externals;
    }
    return WEFT_OK;
}

/* Whether a reduction of node n gets a pass of its own, which reads n from memory: when it is there anyway. A histogram
 * has n put there, since counts in one table of all blocks take longer than writing and reading an image. */
static bool reads_memory(const struct gpu_builder *b, int32_t n, enum weft_reduction what, int32_t bins) {
    if (b->typed->info[n].format.type == WEFT_F64)
        return false;
    if (b->unit_of[n] >= 0)
        return weft_reduction_counters(what) > 0 && weft_gpu_gathers(b, &b->typed->info[n], weft_gpu_stored_type(b, n), what, bins);
    return b->picture_of[n] >= 0 &&
           weft_gpu_gathers(b, &b->typed->info[n], b->pictures[b->picture_of[n]].type, what, bins);
}

static weft_status place_reduction(struct gpu_builder *b, int32_t n, int32_t stage, weft_error *error) {
    int32_t in = node_of(b, n)->inputs[0], unit = b->unit_of[in], bins = 1;
    enum weft_reduction what = node_of(b, n)->filter->reduction(node_of(b, n)->block, &bins);
    weft_status status = WEFT_OK;
    if (reads_memory(b, in, what, bins)) {
        status = weft_gpu_unit_add(b, stage, in, &unit, error);
        if (status == WEFT_OK)
            b->units[unit].reads = true;
    } else if (weft_reduction_counters(what) > 1) {
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "an image of %lldx%lld pixels is too large for %s on a GPU",
                         (long long)b->typed->info[in].width, (long long)b->typed->info[in].height,
                         node_of(b, n)->filter->info.name);
    } else if (unit < 0 || b->units[unit].reductions == LAUNCH_REDUCTIONS) {
        status = weft_gpu_unit_on(b, in, stage, &unit, error);
    }
    if (status != WEFT_OK)
        return status;
    struct gpu_fused_reduction *fused = GPU_GROW(b, fused, fused);
    if (!fused)
        return weft_fail_memory(error, sizeof *fused, "the plan's reductions");
    *fused = (struct gpu_fused_reduction){.unit = unit,
                                          .node = n,
                                          .input = in,
                                          .slot = b->units[unit].reductions++,
                                          .what = what,
                                          .bins = bins,
                                          .full = 1};
    fused->picture = weft_gpu_picture_add(b, GPU_VALUES, n, &b->typed->info[n], TYPE_VALUES, stage);
    if (fused->picture < 0)
        return weft_fail_memory(error, sizeof(struct gpu_picture), "the plan's images");
    b->picture_of[n] = fused->picture;
    return WEFT_OK;
}

/* Whether of the nodes of the group of `root` others read that one alone. */
static bool is_only_result(const struct gpu_builder *b, int32_t root) {
    for (int32_t c = 0; c < b->typed->graph->count; c++)
        for (int32_t i = 0; b->member[c] && b->group[c] != root && i < input_count(b, c); i++) {
            int32_t in = node_of(b, c)->inputs[i];
            if (in != root && b->group[in] == root)
                return false;
        }
    return true;
}

static void rename_group(struct gpu_builder *b, int32_t from, int32_t first, int32_t last, int32_t to) {
    for (int32_t n = first; n <= last; n++)
        b->group[n] = b->group[n] == from ? to : b->group[n];
}

/* A piece of a large group: what fits a launch, and what a Vulkan kernel knows with two stores. */
static bool fits_piece(const struct gpu_builder *b, int32_t root) {
    return !weft_gpu_is_large(b, root) && (interprets(b) || weft_gpu_group_size(b, root, NO_UNIT).nodes <= LAUNCH_FOLDED - 2);
}

/* Makes a group of node `first` of the group of `root` and of those after it, as many as fit and have one result. */
static void take_piece(struct gpu_builder *b, int32_t root, int32_t first) {
    int32_t last = first, tried = first;
    b->group[first] = first;
    for (int32_t n = first + 1; n < root && fits_piece(b, tried); n++) {
        if (b->group[n] != root)
            continue;
        rename_group(b, tried, first, tried, n);
        b->group[n] = tried = n;
        if (fits_piece(b, n) && is_only_result(b, n))
            last = n;
    }
    rename_group(b, tried, last + 1, tried, root);
    rename_group(b, tried, first, last, last);
}

/* Groups that are too large for a launch are taken apart into pieces that fit. */
static void split_large_groups(struct gpu_builder *b) {
    for (int32_t root = 0; root < b->typed->graph->count; root++) {
        if (b->group[root] != root || !weft_gpu_is_large(b, root))
            continue;
        for (int32_t n = 0; n < root && !fits_piece(b, root); n++)
            if (b->group[n] == root)
                take_piece(b, root, n);
    }
}

static weft_status partition_stage(struct gpu_builder *b, int32_t stage, weft_error *error) {
    int32_t count = b->typed->graph->count, first_unit = b->unit_count;
    weft_schedule_members(b->typed, &b->schedule, stage, b->member);
    weft_status status = weft_fuse(b->typed, &b->schedule, stage, b->member, b->group, error);
    if (status != WEFT_OK)
        return status;
    split_large_groups(b);
    for (int32_t n = 0; n < count; n++) {
        b->unit_of[n] = -1;
        if (b->picture_of[n] >= 0 && b->pictures[b->picture_of[n]].role == GPU_TEMPORARY)
            b->picture_of[n] = -1;
    }
    for (int32_t n = 0; status == WEFT_OK && n < count; n++) {
        if (!b->member[n])
            continue;
        if (is_kind(b, n, WEFT_KIND_POINT)) {
            if (b->group[n] == n)
                status = place_group(b, n, stage, error);
        } else if (is_kind(b, n, WEFT_KIND_REDUCE)) {
            status = place_reduction(b, n, stage, error);
        } else {
            status = place_kernel(b, n, stage, error);
        }
    }
    for (int32_t n = 0; status == WEFT_OK && n < count; n++)
        status = weft_gpu_add_stores(b, n, stage, error);
    for (int32_t u = first_unit; status == WEFT_OK && u < b->unit_count; u++)
        status = weft_gpu_unit_passes(b, u, error);
    return status;
}

weft_status weft_gpu_partition(struct gpu_builder *b, weft_error *error) {
    int32_t count = b->typed->graph->count;
    weft_gpu_find_steps(b);
    for (int32_t n = 0; n < count; n++) {
        const weft_image_info *info = &b->typed->info[n];
        b->picture_of[n] = -1;
        if (node_of(b, n)->filter)
            continue;
        b->picture_of[n] = weft_gpu_picture_add(b, GPU_INPUT, n, info, (int32_t)info->format.type, 0);
        if (b->picture_of[n] < 0)
            return weft_fail_memory(error, sizeof(struct gpu_picture), "the plan's images");
        b->pictures[b->picture_of[n]].index = node_of(b, n)->input;
    }
    for (int32_t stage = 0; stage < b->schedule.stages; stage++) {
        weft_status status = partition_stage(b, stage, error);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}
