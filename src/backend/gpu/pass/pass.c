/* SPDX-License-Identifier: MIT
 * Making passes: the kernel, the images that it reads and writes, and where the parameters of its filter lie. */
#include <string.h>
#include "backend/gpu/pass/builder.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/dialect/code_path.h"
#include "kernels/gpu/tile/tile.h"

void *weft_gpu_grow(void *array_pointer, int32_t *count, int32_t *capacity, size_t size) {
    unsigned char *array;
    memcpy(&array, array_pointer, sizeof array);
    if (*count == *capacity) {
        if (*capacity > INT32_MAX / 4)
            return NULL;
        int32_t more = *capacity ? *capacity * 2 : 8;
        unsigned char *grown = weft_reallocate(array, (size_t)more, size);
        if (!grown)
            return NULL;
        array = grown, *capacity = more;
        memcpy(array_pointer, &array, sizeof array);
    }
    unsigned char *element = array + (size_t)(*count)++ * size;
    memset(element, 0, size);
    return element;
}

int32_t weft_gpu_picture_add(struct gpu_builder *b, enum gpu_role role, int32_t node, const weft_image_info *info,
                             int32_t type, int32_t stage) {
    struct gpu_picture *picture = GPU_GROW(b, picture, pictures);
    if (!picture) {
        b->starved = true;
        return -1;
    }
    *picture = (struct gpu_picture){.role = role,
                                    .width = info->width,
                                    .height = info->height,
                                    .type = type,
                                    .channels = info->format.channels,
                                    .node = node,
                                    .stage = stage};
    return b->picture_count - 1;
}

weft_status weft_gpu_find_kernel(const char *name, const int32_t *constants, int32_t count, int32_t *kernel,
                                 weft_error *error) {
    for (int32_t row = 0; weft_gpu_kernels[row].name; row++)
        if (strcmp(weft_gpu_kernels[row].name, name) == 0 && weft_gpu_kernels[row].constant_count == count &&
            (count == 0 || memcmp(weft_gpu_kernels[row].constants, constants, (size_t)count * sizeof *constants) == 0)) {
            *kernel = row;
            return WEFT_OK;
        }
    return weft_fail(error, WEFT_ERROR_INTERNAL, "this build has no GPU kernel '%s' of that form", name);
}

int32_t weft_gpu_image_slot(const struct gpu_builder *b, struct gpu_pass *pass, int32_t picture) {
    int32_t slot = 0;
    while (slot < pass->picture_count && pass->picture[slot] != picture)
        slot++;
    if (slot == pass->picture_count) {
        if (slot == LAUNCH_IMAGES)
            return -1;
        const struct gpu_picture *p = &b->pictures[picture];
        pass->picture[pass->picture_count++] = picture;
        pass->launch.image[slot] = (struct gpu_image){
            .width = (int32_t)p->width, .height = (int32_t)p->height, .type = p->type, .channels = p->channels};
    }
    return slot;
}

/* Makes the picture the one that the kernel reads when it has no load program: number 0. */
static void read_picture(const struct gpu_builder *b, struct gpu_pass *pass, int32_t picture) {
    weft_gpu_image_slot(b, pass, picture);
    pass->launch.in_width = (int32_t)b->pictures[picture].width;
    pass->launch.in_height = (int32_t)b->pictures[picture].height;
    pass->launch.in_channels = b->pictures[picture].channels;
    pass->launch.in_type = b->pictures[picture].type;
}

static weft_status add_pass(struct gpu_builder *b, const char *kernel, const int32_t *constants, int32_t count,
                            const weft_image_info *result, struct gpu_pass **pass, weft_error *error) {
    int32_t row = -1;
    weft_status status = weft_gpu_find_kernel(kernel, constants, count, &row, error);
    if (status != WEFT_OK)
        return status;
    struct gpu_pass **place = GPU_GROW(b, pass, passes);
    *pass = place ? weft_allocate(1, sizeof **pass) : NULL;
    if (!*pass) {
        b->pass_count -= place != NULL;
        return weft_fail_memory(error, sizeof **pass, "the plan's passes");
    }
    *place = *pass;
    **pass = (struct gpu_pass){.kernel = row,
                               .unit = b->unit,
                               .why = b->why,
                               .node = -1,
                               .tile_width = TILE_COLUMNS,
                               .tile_height = TILE_THREAD_ROWS,
                               .depth = 1,
                               .result = -1,
                               .ahead = -1,
                               .border_scale = 1,
                               .aside = -1,
                               .beside = -1,
                               .table_image = -1};
    (*pass)->launch.width = (int32_t)result->width, (*pass)->launch.height = (int32_t)result->height;
    (*pass)->launch.channels = result->format.channels;
    b->units[b->unit].pass_count++;
    return WEFT_OK;
}

void weft_gpu_explain(struct gpu_builder *b, const char *why) { b->why = why; }

int32_t weft_gpu_block_word(struct gpu_builder *b, int32_t node) {
    int32_t pass = b->pass_count - 1, word = 0;
    const struct weft_filter *filter = b->typed->graph->nodes[node].filter;
    int32_t words = (int32_t)((filter->block_size + 3) / 4);
    for (int32_t i = 0; i < b->block_count; i++)
        if (b->blocks[i].pass == pass) {
            const struct weft_filter *other = b->typed->graph->nodes[b->blocks[i].node].filter;
            if (b->blocks[i].node == node)
                return b->blocks[i].word;
            word = b->blocks[i].word + (int32_t)((other->block_size + 3) / 4);
        }
    if (word + words > LAUNCH_WORDS)
        return -1;
    struct gpu_block *block = GPU_GROW(b, block, blocks);
    if (!block) {
        b->starved = true;
        return -1;
    }
    *block = (struct gpu_block){pass, node, word};
    return word;
}

weft_status weft_gpu_pass_add(struct gpu_builder *b, const struct gpu_node_context *context, const weft_image_info *between,
                              const char *kernel, const int32_t *constants, int32_t count, struct gpu_pass **pass,
                              weft_error *error) {
    struct gpu_unit *unit = &b->units[b->unit];
    int32_t picture = -1;
    weft_status status;
    struct gpu_pass *before = unit->pass_count > 0 ? b->passes[b->pass_count - 1] : NULL;
    if (before && before->in_place) {
        picture = before->result = before->picture[0];
    } else if (before) { /* the pass before makes what this one reads */
        picture = weft_gpu_picture_add(b, GPU_TEMPORARY, context->node, between, context->between, unit->stage);
        int32_t slot = picture >= 0 ? weft_gpu_image_slot(b, before, picture) : -1;
        if (slot < 0)
            return weft_fail_memory(error, sizeof(struct gpu_picture), "the plan's images");
        before->launch.width = (int32_t)between->width, before->launch.height = (int32_t)between->height;
        before->launch.channels = between->format.channels;
        before->launch.store_count = 1;
        before->launch.store[0] = (struct gpu_instruction){
            .op = OP_STORE,
            .operands = (OPERAND_IMAGE + slot) << 8,
            .shape = between->format.channels | between->format.channels << 8 | context->between << 20};
        before->result = picture;
    }
    status = add_pass(b, kernel, constants, count, &context->out, pass, error);
    if (status != WEFT_OK)
        return status;
    (*pass)->node = context->node;
    int32_t word = weft_gpu_block_word(b, context->node);
    if (word < 0 && b->starved)
        return weft_fail_memory(error, sizeof(struct gpu_block), "the plan's passes");
    if (word < 0)
        return weft_fail(error, WEFT_ERROR_INTERNAL, "the parameters of '%s' do not fit a launch", context->filter->info.name);
    (*pass)->launch.block = word;
    (*pass)->launch.border = (int32_t)weft_filter_border(context->filter, context->block);
    (*pass)->launch.border_value = weft_filter_border_value(context->filter, context->block);
    if (picture >= 0 && !before->for_next) {
        read_picture(b, *pass, picture);
        return WEFT_OK;
    }
    if (unit->load_group >= 0)
        return weft_gpu_emit_load(b, b->unit, *pass, error);
    read_picture(b, *pass, b->picture_of[b->typed->graph->nodes[context->node].inputs[0]]);
    if (picture >= 0)
        (*pass)->beside = weft_gpu_image_slot(b, *pass, picture);
    return WEFT_OK;
}

weft_status weft_gpu_put_aside(struct gpu_builder *b, const struct gpu_node_context *context, struct gpu_pass *pass,
                               int64_t row_bytes, int32_t step, weft_error *error) {
    weft_image_info info = {.width = row_bytes, .height = context->out.height, .format = {WEFT_U8, 1}};
    int32_t picture = weft_gpu_picture_add(b, GPU_TEMPORARY, context->node, &info, TYPE_U8, b->units[b->unit].stage);
    pass->aside = picture >= 0 ? weft_gpu_image_slot(b, pass, picture) : -1;
    pass->aside_step = step;
    if (pass->aside < 0)
        return weft_fail_memory(error, sizeof(struct gpu_picture), "the plan's images");
    return WEFT_OK;
}

/* Blocks of the kernel `point`. */
static void set_point(struct gpu_pass *pass) {
    pass->tile_width = POINT_COLUMNS;
    pass->walks = true;
}

weft_status weft_gpu_pass_add_point(struct gpu_builder *b, const struct gpu_node_context *context, weft_error *error) {
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(b, context, NULL, "point", NULL, 0, &pass, error);
    if (status == WEFT_OK)
        set_point(pass);
    return status;
}

weft_status weft_gpu_unit_point_pass(struct gpu_builder *b, const struct gpu_unit *unit, weft_error *error) {
    struct gpu_pass *pass;
    weft_status status = add_pass(b, "point", NULL, 0, &b->typed->info[unit->start], &pass, error);
    if (status != WEFT_OK)
        return status;
    set_point(pass);
    if (unit->load_group >= 0)
        return weft_gpu_emit_load(b, b->unit, pass, error);
    read_picture(b, pass, b->picture_of[unit->start]);
    return WEFT_OK;
}

weft_status weft_gpu_read_pass(struct gpu_builder *b, int32_t picture, const char *kernel, const int32_t *constants,
                               int32_t count, struct gpu_pass **pass, weft_error *error) {
    weft_status status = add_pass(b, kernel, constants, count, &b->typed->info[b->pictures[picture].node], pass, error);
    if (status == WEFT_OK)
        read_picture(b, *pass, picture);
    return status;
}

void weft_gpu_give_table(struct gpu_pass *pass, size_t field, void *data, size_t size) {
    if (!data)
        return;
    if (pass->table_count > GPU_TABLES)
        weft_free(pass->table[--pass->table_count].data);
    pass->table[pass->table_count++] = (struct gpu_pass_table){data, size, field};
}

void weft_gpu_choose_path(struct gpu_pass *pass, int32_t path) {
    pass->path = path;
    pass->launch.path = path;
}
