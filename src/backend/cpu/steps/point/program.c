/* SPDX-License-Identifier: MIT
 * Making point programs: the nodes that fuse.c joined become a list of instructions, their images registers that are
 * taken when a value is made and given back when its last reader has run. */
#include <string.h>
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/steps/point/program.h"
#include "backend/cpu/pipeline/run.h"
#include "base/status.h"

/* Every node adds at most one input to those of the first. */
_Static_assert(WEFT_PROGRAM_NODES *(WEFT_POINT_INPUTS - 1) + 1 <= WEFT_STEP_INPUTS, "a program reads more than a step");

/* What a node of the program has become: an operand per channel. */
struct value {
    struct operand plane[4];
};

struct maker {
    const struct weft_typed_graph *typed;
    const int32_t *group;
    int32_t first, root; /* its nodes are among these */
    struct program *program;
    struct value *values; /* of each node of the graph */
    int32_t *uses;        /* of each node's value: instructions still to come that read it */
    int32_t *free_list, free_count;
};

static int32_t take(struct maker *m) {
    return m->free_count > 0 ? m->free_list[--m->free_count] : m->program->temporaries++;
}
static void give_back(struct maker *m, int32_t temporary) { m->free_list[m->free_count++] = temporary; }

/* The four planes that a body sees of an image: grey is in red, green and blue; what is not there is 1. */
static void see(const struct value *value, const weft_image_info *info, struct operand *planes) {
    const struct operand ones = {PLACE_ONES, 0, 0};
    int32_t channels = info->format.channels;
    bool grey = channels <= 2;
    for (int k = 0; k < 3; k++)
        planes[k] = value->plane[grey ? 0 : k];
    planes[3] = channels % 2 == 0 ? value->plane[channels - 1] : ones;
}

/* Which of the four planes channel `k` of an image with `channels` is. */
static int slot_of(int32_t k, int32_t channels) { return channels % 2 == 0 && k == channels - 1 ? 3 : (int)k; }

/* Places for the results of node n: the output row for the program's last node, temporaries for the others. */
static void place_results(struct maker *m, int32_t n, struct instruction *instruction, struct value *value) {
    int32_t channels = m->typed->info[n].format.channels;
    bool used[4] = {false};
    instruction->planes = channels <= 2 ? 1 : 3;
    instruction->rest = channels % 2 == 0;
    for (int32_t k = 0; k < channels; k++) {
        int slot = slot_of(k, channels);
        struct operand place = {PLACE_OUTPUT, 0, k};
        if (n != m->root)
            place = (struct operand){PLACE_TEMPORARY, take(m), 0};
        instruction->out[slot] = value->plane[k] = place;
        used[slot] = true;
    }
    /* Bodies write all four; those that the image does not have go to temporaries that are free again at once. */
    int32_t spare[4], spares = 0;
    for (int slot = 0; slot < 4; slot++)
        if (!used[slot]) {
            spare[spares] = take(m);
            instruction->out[slot] = (struct operand){PLACE_TEMPORARY, spare[spares++], 0};
        }
    while (spares > 0)
        give_back(m, spare[--spares]);
}

/* Per channel bodies leave alpha where it is. */
static void place_channels(struct maker *m, int32_t n, struct instruction *instruction, struct value *value) {
    const struct value *in = &m->values[m->typed->graph->nodes[n].inputs[0]];
    const weft_image_info *info = &m->typed->info[n];
    int32_t colors = weft_color_channels(info), channels = info->format.channels;
    for (int32_t k = 0; k < channels; k++) {
        instruction->in[0][k] = in->plane[k];
        if (k >= colors) {
            value->plane[k] = in->plane[k];
            if (n == m->root)
                m->program->result[k] = in->plane[k];
            continue;
        }
        struct operand place = {PLACE_OUTPUT, 0, k};
        if (n != m->root)
            place = (struct operand){PLACE_TEMPORARY, take(m), 0};
        instruction->out[k] = value->plane[k] = place;
    }
    instruction->planes = colors;
}

/* True when a value that is still to be read lies in that temporary: alpha is handed on from value to value. */
static bool in_use(const struct maker *m, int32_t temporary, int32_t reader) {
    for (int32_t n = m->first; n <= reader; n++)
        for (int k = 0; k < 4 && m->group[n] == m->root && (n == reader || m->uses[n] > 0); k++)
            if (m->values[n].plane[k].kind == PLACE_TEMPORARY && m->values[n].plane[k].index == temporary)
                return true;
    return false;
}

/* Gives the temporaries of a value back whose last reader has run. */
static void release(struct maker *m, int32_t n, int32_t reader) {
    for (int k = 0; k < 4; k++) {
        struct operand operand = m->values[n].plane[k];
        if (operand.kind == PLACE_TEMPORARY && m->group[n] == m->root && !in_use(m, operand.index, reader))
            give_back(m, operand.index);
    }
}

/* Planes that are mixed one by one and have no alpha, but more than the three that a body sees: the last one again, as
 * an image of its own. An image of one channel is in every plane, this one too. */
static void add_planewise_rest(struct maker *m, int32_t n, struct instruction instruction) {
    struct operand spare = {PLACE_TEMPORARY, take(m), 0}, kept = instruction.out[3];
    for (int32_t i = 0; i < instruction.inputs; i++) {
        bool one = m->typed->info[m->typed->graph->nodes[n].inputs[i]].format.channels == 1;
        for (int k = 0; k < 3; k++)
            instruction.in[i][k] = instruction.in[i][one ? 0 : 3];
        instruction.in[i][3] = (struct operand){PLACE_ONES, 0, 0};
    }
    instruction.out[0] = kept;
    instruction.out[1] = instruction.out[2] = instruction.out[3] = spare;
    m->program->list[m->program->count++] = instruction;
    give_back(m, spare.index);
}

static void add_instruction(struct maker *m, int32_t n, const struct weft_body *const *bodies) {
    const struct weft_graph_node *node = &m->typed->graph->nodes[n];
    struct instruction *instruction = &m->program->list[m->program->count++];
    struct value *value = &m->values[n];
    instruction->node = n;
    instruction->body = weft_cpu_body(bodies, node->filter);
    instruction->inputs = node->filter->info.inputs;
    for (int32_t i = 0; i < instruction->inputs; i++)
        instruction->alpha = instruction->alpha || m->typed->info[node->inputs[i]].alpha != WEFT_ALPHA_NONE;
    if (node->filter->per_channel) {
        place_channels(m, n, instruction, value);
    } else {
        for (int32_t i = 0; i < instruction->inputs; i++)
            see(&m->values[node->inputs[i]], &m->typed->info[node->inputs[i]], instruction->in[i]);
        place_results(m, n, instruction, value);
        if (node->filter->planewise && !instruction->alpha && m->typed->info[n].format.channels % 2 == 0)
            add_planewise_rest(m, n, *instruction);
    }
    for (int32_t i = 0; i < instruction->inputs; i++)
        if (--m->uses[node->inputs[i]] == 0)
            release(m, node->inputs[i], n);
}

static bool is_affine(const struct weft_filter *filter) {
    return !filter->placed && filter->info.inputs == 1 && filter->affine;
}

/* Whether all that a node reads and makes are pixels of color with alpha. */
static bool has_packed(const struct weft_typed_graph *typed, int32_t node) {
    const struct weft_graph_node *of = &typed->graph->nodes[node];
    bool packed = typed->info[node].format.channels == 4 && typed->info[node].alpha != WEFT_ALPHA_NONE;
    for (int32_t i = 0; i < of->filter->info.inputs; i++) {
        const weft_image_info *in = &typed->info[of->inputs[i]];
        packed = packed && in->format.channels == 4 && in->alpha != WEFT_ALPHA_NONE;
    }
    return packed;
}

weft_status weft_lower_program(struct builder *b, int32_t root, const int32_t *group, const int32_t *step_of,
                               const struct weft_body *const *bodies, int32_t *result, weft_error *error) {
    const struct weft_typed_graph *typed = b->typed;
    int32_t count = typed->graph->count, size = 0, first = root;
    struct maker m = {.typed = typed, .group = group, .root = root};
    weft_status status = WEFT_OK;
    struct step step = {.kind = &weft_program_kind,
                        .node = root,
                        .type = WEFT_ROW_F32,
                        .planes = typed->info[root].format.channels,
                        .width = typed->info[root].width,
                        .height = typed->info[root].height};
    for (int32_t n = root; n >= 0; n--)
        if (group[n] == root)
            size++, first = n;
    m.first = first;
    m.program = weft_allocate(1, sizeof *m.program);
    m.values = weft_allocate((size_t)count, sizeof *m.values);
    m.uses = weft_allocate((size_t)count, sizeof *m.uses);
    m.free_list = weft_allocate((size_t)size * 16 + 16, sizeof *m.free_list);
    if (m.program)
        m.program->list = weft_allocate((size_t)size * 2, sizeof *m.program->list);
    if (!m.program || !m.values || !m.uses || !m.free_list || !m.program->list) {
        status = weft_fail_memory(error, (size_t)count * sizeof *m.values, "a point program");
        weft_program_destroy(m.program);
        goto done;
    }
    for (int32_t n = first; n <= root; n++) {
        const struct weft_graph_node *node = &typed->graph->nodes[n];
        for (int32_t i = 0; group[n] == root && i < node->filter->info.inputs; i++) {
            int32_t in = node->inputs[i], k = 0;
            m.uses[in]++;
            if (group[in] == root)
                continue;
            while (k < step.input_count && step.inputs[k] != step_of[in])
                k++;
            if (k == step.input_count)
                step.inputs[step.input_count++] = step_of[in];
            for (int32_t p = 0; p < typed->info[in].format.channels; p++)
                m.values[in].plane[p] = (struct operand){PLACE_INPUT, k, p};
        }
    }
    m.program->apart = m.program->affine = m.program->binary = step.input_count == 1;
    for (int32_t n = first; n <= root; n++)
        if (group[n] == root) {
            add_instruction(&m, n, bodies);
            m.program->apart =
                m.program->apart && weft_filter_is_apart(typed->graph->nodes[n].filter, b->stage->steps[step.inputs[0]].planes);
            m.program->affine = m.program->affine && is_affine(typed->graph->nodes[n].filter);
            m.program->binary = m.program->binary && (n == root ? typed->graph->nodes[n].filter->binary
                                                                : is_affine(typed->graph->nodes[n].filter));
        }
    m.program->packed = m.program->count == 1 && m.program->list[0].body->packed && has_packed(typed, root);
    step.data = m.program;
    status = weft_stage_add(b, &step, result, error);
done:
    weft_free(m.values);
    weft_free(m.uses);
    weft_free(m.free_list);
    return status;
}
