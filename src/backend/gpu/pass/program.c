/* SPDX-License-Identifier: MIT
 * Programs: the point filters of a unit as instructions over registers. A register is taken when a value is made and given
 * back when its last reader has run; when none is left, a value goes to memory and is read from there. */
#include <string.h>
#include "backend/gpu/pass/builder.h"
#include "base/memory.h"
#include "base/status.h"

struct emission {
    struct gpu_builder *b;
    struct gpu_pass *pass;
    struct gpu_instruction *code;
    int32_t *length;
    int32_t held[REGISTERS]; /* the node whose value a register holds, -1 when free */
    int32_t *uses;           /* of each node: readers in this program still to come */
    int32_t *spilled;        /* of each node: the picture that holds its value for this program, -1 without */
    bool may_spill;
    bool failed; /* too many registers, images, instructions or words */
};

static int32_t register_of(const struct emission *e, int32_t n) {
    for (int32_t r = 0; r < REGISTERS; r++)
        if (e->held[r] == n)
            return r;
    return -1;
}

static struct gpu_instruction *next(struct emission *e) {
    if (*e->length == LAUNCH_CODE) {
        e->failed = true;
        return NULL;
    }
    struct gpu_instruction *instruction = &e->code[(*e->length)++];
    *instruction = (struct gpu_instruction){.op = OP_NONE, .operands = 255 | 255 << 8};
    return instruction;
}

static void store(struct emission *e, int32_t n, int32_t picture) {
    int32_t slot = picture >= 0 ? weft_gpu_image_slot(e->b, e->pass, picture) : -1, from = register_of(e, n);
    struct gpu_instruction *instruction = slot >= 0 && from >= 0 ? next(e) : NULL;
    if (!instruction) {
        e->failed = true;
        return;
    }
    const struct gpu_picture *p = &e->b->pictures[picture];
    instruction->op = OP_STORE;
    instruction->operands = from | (OPERAND_IMAGE + slot) << 8;
    instruction->shape = p->channels | p->channels << 8 | p->type << 20;
}

/* An operand and, by the way, its channels and type. */
static int32_t operand_of(struct emission *e, int32_t n, int32_t *channels, int32_t *type) {
    int32_t from = register_of(e, n);
    *channels = e->b->typed->info[n].format.channels, *type = TYPE_F32;
    if (from >= 0)
        return from;
    int32_t picture = e->spilled[n] >= 0 ? e->spilled[n] : e->b->picture_of[n];
    int32_t slot = picture >= 0 ? weft_gpu_image_slot(e->b, e->pass, picture) : -1;
    if (slot < 0) {
        e->failed = true;
        return 0;
    }
    *type = e->b->pictures[picture].type;
    return OPERAND_IMAGE + slot;
}

static void release(struct emission *e, int32_t n) {
    int32_t from = register_of(e, n);
    if (e->uses[n] == 0 && from >= 0)
        e->held[from] = -1;
}

/* A free register; the value of a node that is not `kept` goes to memory when there is none. */
static int32_t take(struct emission *e) {
    int32_t free_one = register_of(e, -1);
    if (free_one >= 0)
        return free_one;
    if (!e->may_spill) {
        e->failed = true;
        return 0;
    }
    int32_t n = e->held[REGISTERS - 1];
    int32_t picture = weft_gpu_picture_add(e->b, GPU_TEMPORARY, n, &e->b->typed->info[n], TYPE_F32,
                                           e->b->units[e->b->unit].stage);
    store(e, n, picture);
    if (picture >= 0)
        e->b->pictures[picture].scratch = true;
    e->spilled[n] = picture;
    e->held[REGISTERS - 1] = -1;
    return REGISTERS - 1;
}

/* The instruction that computes node n. `last`: into register 0, where a load program leaves its pixel. */
static void compute(struct emission *e, int32_t n, bool last) {
    const struct weft_typed_graph *typed = e->b->typed;
    const struct weft_graph_node *node = &typed->graph->nodes[n];
    const struct weft_filter *filter = node->filter;
    int32_t operands[2] = {255, 255}, channels[2] = {0, 0}, types[2] = {0, 0}, flags = 0;
    for (int32_t i = 0; i < filter->info.inputs; i++) {
        operands[i] = operand_of(e, node->inputs[i], &channels[i], &types[i]);
        if (typed->info[node->inputs[i]].alpha != WEFT_ALPHA_NONE)
            flags = SHAPE_ALPHA;
    }
    for (int32_t i = 0; i < filter->info.inputs; i++)
        e->uses[node->inputs[i]]--;
    for (int32_t i = 0; i < filter->info.inputs; i++)
        release(e, node->inputs[i]);
    int32_t to = take(e); /* may put an instruction before this one; what this one reads is free or in memory by then */
    for (int32_t i = 0; i < filter->info.inputs; i++) /* or has just gone there */
        if (operands[i] < OPERAND_IMAGE && operands[i] == to && e->spilled[node->inputs[i]] >= 0)
            operands[i] = operand_of(e, node->inputs[i], &channels[i], &types[i]);
    struct gpu_instruction *instruction = next(e);
    int32_t word = weft_gpu_block_word(e->b, n);
    if (!instruction || word < 0 || (last && to != 0 && register_of(e, -1) < 0)) {
        e->failed = true;
        return;
    }
    if (last) /* all other values are done with */
        to = 0;
    instruction->op = weft_gpu_operations[weft_registry_index(filter)];
    instruction->operands = operands[0] | operands[1] << 8 | to << 16;
    instruction->shape = channels[0] | channels[1] << 4 | typed->info[n].format.channels << 8 | types[0] << 12 |
                         types[1] << 16 | flags;
    instruction->block = word;
    e->held[to] = n;
}

static bool begin(struct emission *e, struct gpu_builder *b, struct gpu_pass *pass, struct gpu_instruction *code,
                  int32_t *length) {
    int32_t count = b->typed->graph->count;
    *e = (struct emission){.b = b, .pass = pass, .code = code, .length = length, .may_spill = true};
    for (int32_t r = 0; r < REGISTERS; r++)
        e->held[r] = -1;
    e->uses = weft_allocate((size_t)count, sizeof *e->uses);
    e->spilled = weft_allocate((size_t)count, sizeof *e->spilled);
    for (int32_t n = 0; e->spilled && n < count; n++)
        e->spilled[n] = -1;
    return e->uses && e->spilled;
}
static weft_status finish(struct emission *e, weft_error *error) {
    weft_status status = WEFT_OK;
    if (!e->uses || !e->spilled || (e->failed && e->b->starved))
        status = weft_fail_memory(error, sizeof *e->uses, "a point program");
    else if (e->failed)
        status = weft_fail(error, WEFT_ERROR_INTERNAL, "a point program does not fit a launch");
    weft_free(e->uses);
    weft_free(e->spilled);
    return status;
}

static void count_uses(struct emission *e, const int32_t *where, int32_t what) {
    const struct weft_graph *graph = e->b->typed->graph;
    for (int32_t n = 0; n < graph->count; n++)
        for (int32_t i = 0; where[n] == what && graph->nodes[n].filter && i < graph->nodes[n].filter->info.inputs; i++)
            e->uses[graph->nodes[n].inputs[i]]++;
}

/* The stores and reductions of a value, as soon as it is there. */
static void deliver(struct emission *e, int32_t unit, int32_t n) {
    for (int32_t i = 0; i < e->b->store_count; i++)
        if (e->b->stores[i].unit == unit && e->b->stores[i].node == n)
            store(e, n, e->b->stores[i].picture);
    for (int32_t i = 0; i < e->b->fused_count; i++) {
        const struct gpu_fused_reduction *fused = &e->b->fused[i];
        struct gpu_instruction *instruction = fused->unit == unit && fused->input == n ? next(e) : NULL;
        if (instruction) {
            instruction->op = OP_REDUCE;
            instruction->operands = register_of(e, n) | fused->slot << 8;
            instruction->shape = e->b->typed->info[n].format.channels;
            e->pass->launch.reduce_count =
                e->pass->launch.reduce_count > fused->slot ? e->pass->launch.reduce_count : fused->slot + 1;
            e->pass->launch.reduce[fused->slot] = (struct gpu_reduction){.what = (int32_t)fused->what,
                                                                         .bins = fused->bins,
                                                                         .channels = e->b->typed->info[n].format.channels,
                                                                         .steps = weft_gpu_steps(e->b->typed->info[n].format.type)};
        }
    }
    release(e, n);
}

weft_status weft_gpu_emit_store(struct gpu_builder *b, int32_t index, weft_error *error) {
    const struct gpu_unit *unit = &b->units[index];
    struct gpu_pass *pass = b->passes[b->pass_count - 1];
    struct emission e;
    int32_t start = unit->load_group >= 0 && !unit->kernel ? unit->load_group : unit->start;
    if (begin(&e, b, pass, pass->launch.store, &pass->launch.store_count)) {
        count_uses(&e, b->unit_of, index);
        for (int32_t i = 0; unit->kernel && i < b->typed->graph->nodes[start].filter->info.inputs; i++)
            e.uses[b->typed->graph->nodes[start].inputs[i]]--; /* the kernel reads its own inputs, not the program */
        for (int32_t n = 0; n <= start && !unit->kernel && unit->load_group >= 0; n++) /* and the load program its own */
            for (int32_t i = 0; b->group[n] == start && i < b->typed->graph->nodes[n].filter->info.inputs; i++)
                e.uses[b->typed->graph->nodes[n].inputs[i]]--;
        e.held[0] = start;
        deliver(&e, index, start);
        for (int32_t n = 0; n < b->typed->graph->count && !e.failed; n++) {
            bool loaded = unit->load_group >= 0 && b->group[n] == unit->load_group;
            if (b->unit_of[n] != index || n == start || loaded)
                continue;
            compute(&e, n, false);
            if (!e.failed)
                deliver(&e, index, n);
        }
    }
    for (int32_t i = 0; i < pass->launch.store_count && pass->result < 0; i++)
        if (pass->launch.store[i].op == OP_STORE)
            pass->result = pass->picture[(pass->launch.store[i].operands >> 8 & 255) - OPERAND_IMAGE];
    return finish(&e, error);
}

/* The load program of a unit: all nodes of its group. */
weft_status weft_gpu_emit_load(struct gpu_builder *b, int32_t index, struct gpu_pass *pass, weft_error *error) {
    int32_t root = b->units[index].load_group;
    struct emission e;
    if (begin(&e, b, pass, pass->launch.load, &pass->launch.load_count)) {
        e.may_spill = false;
        count_uses(&e, b->group, root);
        for (int32_t n = 0; n <= root && !e.failed; n++)
            if (b->group[n] == root)
                compute(&e, n, n == root);
    }
    pass->launch.in_width = (int32_t)b->typed->info[root].width;
    pass->launch.in_height = (int32_t)b->typed->info[root].height;
    pass->launch.in_channels = b->typed->info[root].format.channels;
    pass->launch.in_type = TYPE_F32;
    return finish(&e, error);
}

/* The operation of the filter that has a role. */
static int32_t operation_of(enum weft_role role) {
    const struct weft_filter *filter = weft_registry_role(role);
    return filter ? weft_gpu_operations[weft_registry_index(filter)] : OP_NONE;
}

/* An odd shape is of 1 or 3 channels: there is no alpha, and kernels for such formats have no conversions. */
int32_t weft_gpu_conversions(const struct gpu_launch *launch) {
    int32_t premultiply = operation_of(WEFT_ROLE_PREMULTIPLY), luminance = operation_of(WEFT_ROLE_LUMINANCE), found = 0;
    int32_t with_hidden = operation_of(WEFT_ROLE_PREMULTIPLY_HIDDEN);
    int32_t divide = operation_of(WEFT_ROLE_UNPREMULTIPLY), divide_hidden = operation_of(WEFT_ROLE_UNPREMULTIPLY_HIDDEN);
    int32_t drop_hidden = operation_of(WEFT_ROLE_DROP_HIDDEN);
    bool load = launch->load_count > 0 && (launch->load[0].operands & 255) >= OPERAND_IMAGE;
    for (int32_t i = 0; i < launch->load_count; i++) {
        const struct gpu_instruction *each = &launch->load[i];
        bool converts = each->op == luminance || ((each->op == premultiply || each->op == with_hidden) && each->shape % 2 == 0);
        load = load && i < 2 && each->op >= 0 && converts &&
               each->operands >> 16 == 0 && (i == 0 || (each->operands & 255) == 0);
        found |= each->op >= 0 && each->op == luminance ? CONVERTS_LUMINANCE : 0;
    }
    found = load ? found | CONVERTS_LOAD : 0;
    const struct gpu_instruction *store = launch->store;
    if (launch->store_count == 2 && launch->reduce_count == 0 && store[0].op >= 0 &&
        (store[0].op == divide || store[0].op == divide_hidden || store[0].op == drop_hidden) &&
        (store[0].operands & 0xff00ff) == 0 && store[0].shape % 2 == 0 &&
        store[1].op == OP_STORE && (store[1].operands & 255) == 0)
        found |= CONVERTS_STORE;
    return found;
}

/* Registers that are held at once, counted without making anything. */
bool weft_gpu_load_fits(const struct gpu_builder *b, int32_t root) {
    const struct weft_graph *graph = b->typed->graph;
    int32_t held = 0, words = 0, externals = 0;
    for (int32_t n = 0; n <= root; n++) {
        if (b->group[n] != root)
            continue;
        const struct weft_graph_node *node = &graph->nodes[n];
        words += (int32_t)((node->filter->block_size + 3) / 4);
        for (int32_t i = 0; i < node->filter->info.inputs; i++) {
            int32_t in = node->inputs[i], last = n;
            externals += b->group[in] != root;
            for (int32_t c = n + 1; c <= root; c++) /* values of the group end with their last reader */
                for (int32_t k = 0; b->group[c] == root && k < graph->nodes[c].filter->info.inputs; k++)
                    if (graph->nodes[c].inputs[k] == in)
                        last = c;
            bool again = i > 0 && node->inputs[0] == in;
            held -= b->group[in] == root && last == n && !again;
        }
        if (++held > REGISTERS)
            return false;
    }
    return words <= LAUNCH_WORDS / 2 && externals <= 4;
}
