/* SPDX-License-Identifier: MIT
 * What a plan on a GPU looks like: its passes, each with the programs that run in its loads and stores, what it reads and
 * writes, and how images are cut. */
#include "backend/gpu/plan/plan.h"
#include "base/buffer.h"
#include "base/status.h"

static const char *type_name(int32_t type) {
    return type == TYPE_VALUES ? "numbers" : weft_type_name((weft_type)type);
}

static const struct weft_filter *operation_at(const struct gpu_plan *plan, int32_t pass, int32_t word, int32_t op) {
    for (int32_t i = 0; i < plan->b.block_count; i++) {
        const struct weft_filter *filter = plan->b.typed->graph->nodes[plan->b.blocks[i].node].filter;
        if (plan->b.blocks[i].pass == pass && plan->b.blocks[i].word == word &&
            weft_gpu_operations[weft_registry_index(filter)] == op)
            return filter;
    }
    return NULL;
}

/* The filters of a program, " + " between them. Returns how many there were. */
static int32_t print_program(struct weft_buffer *text, const struct gpu_plan *plan, int32_t pass,
                             const struct gpu_instruction *code, int32_t count, int32_t before) {
    for (int32_t i = 0; i < count; i++) {
        const struct weft_filter *filter = code[i].op >= 0 ? operation_at(plan, pass, code[i].block, code[i].op) : NULL;
        if (filter)
            weft_buffer_print(text, "%s%s", before++ ? " + " : "", filter->info.name);
    }
    return before;
}

/* "brightness + gaussian + sobel": what runs in a pass, in order. */
static void print_work(struct weft_buffer *text, const struct gpu_plan *plan, int32_t index) {
    const struct gpu_pass *pass = plan->b.passes[index];
    int32_t count = print_program(text, plan, index, pass->launch.load, pass->launch.load_count, 0);
    if (pass->node >= 0)
        weft_buffer_print(text, "%s%s", count++ ? " + " : "", plan->b.typed->graph->nodes[pass->node].filter->info.name);
    count = print_program(text, plan, index, pass->launch.store, pass->launch.store_count, count);
    for (int32_t r = 0; r < plan->b.fused_count; r++) {
        const struct gpu_unit *unit = &plan->b.units[plan->b.fused[r].unit];
        if (unit->first_pass + unit->pass_count - 1 == index)
            weft_buffer_print(text, "%s%s", count++ ? " + " : "",
                              plan->b.typed->graph->nodes[plan->b.fused[r].node].filter->info.name);
    }
    if (count == 0)
        weft_buffer_print(text, "copy");
}

static bool is_written(const struct gpu_pass *pass, int32_t slot) {
    for (int32_t i = 0; i < pass->launch.store_count; i++)
        if (pass->launch.store[i].op == OP_STORE && (pass->launch.store[i].operands >> 8 & 255) == OPERAND_IMAGE + slot)
            return true;
    return false;
}

static void print_picture(struct weft_buffer *text, const struct gpu_plan *plan, int32_t index) {
    static const char *const roles[] = {"input", "output", "image", "kept image", "numbers"};
    const struct gpu_picture *picture = &plan->b.pictures[index];
    weft_buffer_print(text, "%s", roles[picture->role]);
    weft_buffer_print(text, " %d", (int)(picture->role == GPU_INPUT || picture->role == GPU_OUTPUT ? picture->index : index));
}

static void print_text(struct weft_buffer *text, const struct gpu_plan *plan, bool explain) {
    weft_device_info info;
    const struct weft_device_base *base = (const struct weft_device_base *)(const void *)plan->device;
    base->backend->describe((const weft_device *)(const void *)plan->device, &info);
    weft_buffer_print(text, "%d pass%s over memory, %s: %s, device memory %.1f KB\n", (int)plan->b.pass_count,
                      plan->b.pass_count == 1 ? "" : "es", info.backend, info.name, (double)plan->arena_size / 1024);
    for (int32_t s = 0; s < plan->stage_count; s++) {
        const struct gpu_stage *stage = &plan->stages[s];
        if (stage->band_count > 1)
            weft_buffer_print(text, "the following in %d bands of rows\n", (int)stage->band_count);
        for (int32_t p = stage->first_pass; p < stage->first_pass + stage->pass_count; p++) {
            const struct gpu_pass *pass = plan->b.passes[p];
            weft_buffer_print(text, "pass %d: ", (int)p + 1);
            print_work(text, plan, p);
            weft_buffer_print(text, "  [%s]", weft_gpu_kernels[pass->kernel].name);
            if (explain)
                weft_buffer_print(text, ": %s", pass->why ? pass->why : "the only kernel");
            for (int write = 0; write < 2; write++)
                for (int32_t i = 0, count = 0; i < pass->picture_count; i++)
                    if (is_written(pass, i) == (write == 1)) {
                        const struct gpu_picture *picture = &plan->b.pictures[pass->picture[i]];
                        weft_buffer_print(text, "%s", count++ ? ", " : write ? " -> " : "\n    ");
                        print_picture(text, plan, pass->picture[i]);
                        weft_buffer_print(text, " %lldx%lld %sx%d", (long long)picture->width,
                                          (long long)picture->height, type_name(picture->type), (int)picture->channels);
                    }
            weft_buffer_print(text, "\n");
        }
    }
}

static void print_json(struct weft_buffer *text, const struct gpu_plan *plan) {
    const struct weft_device_base *base = (const struct weft_device_base *)(const void *)plan->device;
    weft_buffer_print(text, "{\"device\": \"%s\", \"passes\": %d, \"device_memory\": %zu, \"pass\": [",
                      base->backend->name, (int)plan->b.pass_count, plan->arena_size);
    for (int32_t p = 0; p < plan->b.pass_count; p++) {
        const struct gpu_pass *pass = plan->b.passes[p];
        const struct gpu_stage *stage = &plan->stages[plan->b.units[pass->unit].stage];
        weft_buffer_print(text, "%s{\"work\": \"", p ? ", " : "");
        print_work(text, plan, p);
        weft_buffer_print(text, "\", \"kernel\": \"%s\", \"bands\": %d", weft_gpu_kernels[pass->kernel].name,
                          (int)stage->band_count);
        for (int write = 0; write < 2; write++) {
            weft_buffer_print(text, ", \"%s\": [", write ? "writes" : "reads");
            for (int32_t i = 0, count = 0; i < pass->picture_count; i++)
                if (is_written(pass, i) == (write == 1)) {
                    const struct gpu_picture *picture = &plan->b.pictures[pass->picture[i]];
                    weft_buffer_print(text, "%s{\"name\": \"", count++ ? ", " : "");
                    print_picture(text, plan, pass->picture[i]);
                    weft_buffer_print(text, "\", \"width\": %lld, \"height\": %lld, \"format\": \"%sx%d\"}",
                                      (long long)picture->width, (long long)picture->height, type_name(picture->type),
                                      (int)picture->channels);
                }
            weft_buffer_print(text, "]");
        }
        weft_buffer_print(text, "}");
    }
    weft_buffer_print(text, "]}\n");
}

static void print_dot(struct weft_buffer *text, const struct gpu_plan *plan) {
    weft_buffer_print(text, "digraph plan {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n");
    for (int32_t i = 0; i < plan->b.picture_count; i++) {
        const struct gpu_picture *picture = &plan->b.pictures[i];
        weft_buffer_print(text, "  i%d [style=rounded, label=\"", (int)i);
        print_picture(text, plan, i);
        weft_buffer_print(text, "\\n%lldx%lld %sx%d\"];\n", (long long)picture->width, (long long)picture->height,
                          type_name(picture->type), (int)picture->channels);
    }
    for (int32_t p = 0; p < plan->b.pass_count; p++) {
        const struct gpu_pass *pass = plan->b.passes[p];
        weft_buffer_print(text, "  p%d [label=\"", (int)p);
        print_work(text, plan, p);
        weft_buffer_print(text, "\"];\n");
        for (int32_t i = 0; i < pass->picture_count; i++)
            if (is_written(pass, i))
                weft_buffer_print(text, "  p%d -> i%d;\n", (int)p, (int)pass->picture[i]);
            else
                weft_buffer_print(text, "  i%d -> p%d;\n", (int)pass->picture[i], (int)p);
    }
    weft_buffer_print(text, "}\n");
}

weft_status weft_gpu_print(const void *compiled, weft_plan_format format, char **text, weft_error *error) {
    struct weft_buffer buffer = {0};
    if (format == WEFT_PLAN_JSON)
        print_json(&buffer, compiled);
    else if (format == WEFT_PLAN_DOT)
        print_dot(&buffer, compiled);
    else
        print_text(&buffer, compiled, format == WEFT_PLAN_EXPLAIN);
    return weft_buffer_take(&buffer, "the plan's description", text, error);
}
