/* SPDX-License-Identifier: MIT
 * Which instructions of a program of point filters need not be run for every pixel: marks them for what blocks prepare
 * (kernels/gpu/program/block_tables.h). */
#include "backend/gpu/pass/builder.h"

static const struct weft_filter *filter_of(int32_t op) {
    for (int32_t i = 0; op >= 0 && i < weft_registry_count; i++)
        if (weft_gpu_operations[i] == op)
            return weft_registry[i];
    return NULL;
}

/* The filter of an instruction that makes of one register another; NULL for others. */
static const struct weft_filter *filter_from_register(const struct gpu_instruction *instruction) {
    int32_t a = instruction->operands & 255, b = instruction->operands >> 8 & 255;
    const struct weft_filter *filter = a < OPERAND_IMAGE && b == 255 ? filter_of(instruction->op) : NULL;
    return filter && !filter->placed && filter->info.inputs == 1 ? filter : NULL;
}
static int32_t result_of(const struct gpu_instruction *instruction) { return instruction->operands >> 16 & 255; }
static bool stays(const struct gpu_instruction *instruction) {
    return (instruction->operands & 255) == result_of(instruction);
}
static bool is_apart(const struct gpu_instruction *instruction, const struct weft_filter *filter) {
    int32_t channels = instruction->shape & 15;
    return channels == (instruction->shape >> 8 & 15) && weft_filter_is_apart(filter, channels);
}

/* Marks the instructions that a table of bytes replaces; returns how many. Weighted sums alone are not replaced: they cost less
 * than the table. */
static int32_t mark_table(struct gpu_launch *launch) {
    int32_t count = 0;
    bool worth = false;
    for (; count < launch->store_count; count++) {
        const struct gpu_instruction *instruction = &launch->store[count];
        const struct weft_filter *filter = filter_from_register(instruction);
        if (!filter || !stays(instruction) || result_of(instruction) != 0 || !is_apart(instruction, filter))
            break;
        worth = worth || !filter->affine;
    }
    for (int32_t i = 0; worth && i < count; i++)
        launch->store[i].shape |= SHAPE_TABLE;
    return worth ? count : 0;
}

/* The index after the run of weighted-sum instructions at `begin`, each of which reads the result of the one before. */
static int32_t end_of_sums(const struct gpu_launch *launch, int32_t begin, bool *apart) {
    int32_t end = begin;
    for (*apart = true; end < launch->store_count; end++) {
        const struct gpu_instruction *each = &launch->store[end];
        const struct weft_filter *filter = filter_from_register(each);
        bool follows = end == begin || (stays(each) && result_of(each) == result_of(&launch->store[begin]));
        if (!filter || !filter->affine || !follows)
            break;
        *apart = *apart && is_apart(each, filter);
    }
    return end;
}

static void mark_sums(struct gpu_launch *launch, int32_t from) {
    int32_t runs = 0, end;
    for (int32_t begin = from; begin < launch->store_count && runs < PREPARED_RUNS; begin = end) {
        bool apart;
        end = end_of_sums(launch, begin, &apart);
        for (int32_t i = begin; end >= begin + 2 && i < end; i++)
            launch->store[i].shape |=
                SHAPE_SUMS | (apart ? SHAPE_APART : 0) | (i == begin ? SHAPE_FIRST : 0) | runs << 29;
        runs += end >= begin + 2;
        end = end > begin ? end : begin + 1;
    }
}

/* Whether all inputs are of whole numbers. An infinite value of one component would make the sums of the other components NaN. */
static bool is_finite(const struct gpu_builder *b) {
    for (int32_t p = 0; p < b->picture_count; p++)
        if (b->pictures[p].role == GPU_INPUT && b->pictures[p].type != TYPE_U8 && b->pictures[p].type != TYPE_U16)
            return false;
    return true;
}

void weft_gpu_prepare_program(const struct gpu_builder *b, struct gpu_pass *pass) {
    struct gpu_launch *launch = &pass->launch;
    int32_t from = 0;
    if (launch->store_count > LAUNCH_FOLDED || launch->reduce_count > 0)
        return;
    if (launch->load_count == 0 && launch->in_type == TYPE_U8)
        from = mark_table(launch);
    if (is_finite(b))
        mark_sums(launch, from);
}
