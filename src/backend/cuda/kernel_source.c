/* SPDX-License-Identifier: MIT
 * What is in the text decides when another kernel is compiled: formats, border, code path and programs, which a plan fixes; never
 * parameters, sizes or places of images, which are in the launch. */
#include "backend/cuda/kernel_source.h"
#include <string.h>
#include "backend/gpu/device/embedded.h"
#include "base/buffer.h"
#include "base/memory.h"

static bool is_folded_plain(const struct gpu_launch *launch) {
    bool loads = launch->load_count == 0 || (launch->converts & CONVERTS_LOAD);
    bool stores = launch->store_count == 1 || (launch->converts & CONVERTS_STORE);
    return launch->reduce_count == 0 && loads && stores;
}

/* The number of planes that a variant is for, 0 for any. */
static int32_t planes_of(const struct gpu_kernel_row *row) {
    const char *names = row->constant_names;
    for (int32_t i = 0; i < row->constant_count; i++) {
        size_t length = strcspn(names, ", ");
        if (length == strlen("PLANES") && memcmp(names, "PLANES", length) == 0)
            return row->constants[i];
        names += length;
        names += strspn(names, ", ");
    }
    return 0;
}

/* The form without programs (kernels/gpu/program/conversions.h), and the one format that it is for, where it is for one: of the
 * input and the result, or of the input where the kernel takes its luminance. */
static void print_form(struct weft_buffer *text, const struct gpu_kernel_row *row, const struct gpu_launch *launch) {
    const struct gpu_instruction *load = &launch->load[0], *store = &launch->store[launch->store_count - 1];
    int32_t stored = store->shape >> 20 & 15, channels = launch->in_channels, planes = planes_of(row);
    bool loads = launch->load_count > 0, luminance = (launch->converts & CONVERTS_LUMINANCE) != 0;
    int32_t type = loads ? load->shape >> 12 & 15 : launch->in_type;
    int32_t source = luminance ? load->shape & 15 : channels;
    weft_buffer_print(text, "#define PLAIN_FORM\n");
    if (channels == 2 || (planes > 0 && planes != channels) || launch->channels != channels ||
        (store->shape >> 8 & 15) != channels || type == TYPE_VALUES || stored == TYPE_VALUES)
        return;
    if (!luminance)
        weft_buffer_print(text, "#define FORMAT_TYPE %d\n#define FORMAT_STORED %d\n#define FORMAT_CHANNELS %d\n", (int)type,
                          (int)stored, (int)channels);
    else if (launch->load_count == 1 && channels == 1 && source >= 3)
        weft_buffer_print(text,
                          "#define FORMAT_SOURCE_TYPE %d\n#define FORMAT_SOURCE %d\n#define FORMAT_SOURCE_STORED %d\n",
                          (int)type, (int)source, (int)stored);
}

static void print_text(struct weft_buffer *text, const struct gpu_kernel_row *row, const struct gpu_launch *launch) {
    const char *names = row->constant_names;
    weft_buffer_print(text, "#include \"known.h\"\n");
    for (int32_t i = 0; i < row->constant_count; i++) {
        int length = (int)strcspn(names, ", ");
        weft_buffer_print(text, "#define %.*s %d\n", length, names, (int)row->constants[i]);
        names += length;
        names += strspn(names, ", ");
    }
    if (launch && row->has_plain_form && is_folded_plain(launch))
        print_form(text, row, launch);
    weft_buffer_print(text, "%s", row->text);
}

static void print_program(struct weft_buffer *text, const char *name, const struct gpu_instruction *code, int32_t count) {
    for (int32_t k = 0; k < count || k < 2; k++) { /* the first two have names in conversions.h */
        struct gpu_instruction each = k < count ? code[k] : (struct gpu_instruction){.op = OP_NONE};
        weft_buffer_print(text,
                          "#define %s_op_%d (%d)\n#define %s_operands_%d %d\n#define %s_shape_%d %d\n#define %s_block_%d %d\n",
                          name, (int)k, (int)each.op, name, (int)k, (int)each.operands, name, (int)k, (int)each.shape, name,
                          (int)k, (int)each.block);
    }
    weft_buffer_print(text, "#define EACH_ITERATION_OF_%s(ITERATION_OF, count)", name);
    for (int32_t k = 0; k < count; k++)
        weft_buffer_print(text, " ITERATION_OF(%s, count, %d)", name, (int)k);
    weft_buffer_print(text, "\n");
}

static void print_known(struct weft_buffer *text, const struct gpu_wanted *wanted) {
    const struct gpu_launch *launch = wanted->launch;
    weft_buffer_print(text, "#define FOLDED %d\n", launch != NULL);
    if (!launch)
        return;
    const struct {
        const char *name;
        int32_t value;
    } all[] = {{"IN_TYPE", launch->in_type},         {"IN_CHANNELS", launch->in_channels},
               {"KNOWN_CHANNELS", launch->channels}, {"LOAD_COUNT", launch->load_count},
               {"STORE_COUNT", launch->store_count}, {"KNOWN_BORDER", launch->border},
               {"REDUCE_COUNT", launch->reduce_count}, {"CONVERTS", launch->converts},
               {"KNOWN_PATH", wanted->path},         {"KNOWN_BOUND", wanted->bound}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        weft_buffer_print(text, "#define %s %d\n", all[i].name, (int)all[i].value);
    print_program(text, "load", launch->load, launch->load_count);
    print_program(text, "store", launch->store, launch->store_count);
}

static bool has(const struct gpu_instruction *code, int32_t count, int32_t op) {
    for (int32_t i = 0; i < count; i++)
        if (code[i].op == op)
            return true;
    return false;
}

static void print_operations(struct weft_buffer *text, const struct gpu_launch *launch) {
    struct weft_buffer cases = {0};
    for (int32_t op = 0; op < weft_gpu_operation_count; op++) {
        const struct gpu_operation *operation = &weft_gpu_operation_texts[op];
        bool used =
            launch && (has(launch->load, launch->load_count, op) || has(launch->store, launch->store_count, op));
        if (used || operation->role)
            weft_buffer_print(text, "%s", operation->text);
        if (used)
            weft_buffer_print(&cases, "    case %d: v = %s(a, b, at, block, shape); break;\n", (int)op,
                              operation->function);
    }
    weft_buffer_print(text,
                      "FN vec4 point_operation(int op, vec4 a, vec4 b, place at, address block, int shape) {\n"
                      "    vec4 v = a;\n    switch (op) {\n%s    }\n    return v;\n}\n",
                      cases.text ? cases.text : "");
    text->failed = text->failed || cases.failed;
    weft_free(cases.text);
}

/* Two hashes of 64 bits by Fowler, Noll and Vo, with the 0 at the text's end. */
static void take(uint64_t hash[2], const char *text) {
    size_t length = strlen(text) + 1;
    for (size_t i = 0; i < length; i++)
        for (int k = 0; k < 2; k++)
            hash[k] = (hash[k] ^ (unsigned char)text[i]) * (k ? 0x10000000233u : 0x100000001b3u);
}

weft_status weft_cuda_source_make(const struct gpu_kernel_row *row, const struct gpu_wanted *wanted, struct cuda_source *source,
                                  weft_error *error) {
    struct weft_buffer text = {0}, known = {0}, operations = {0};
    *source = (struct cuda_source){.row = row};
    print_text(&text, row, wanted->launch);
    print_known(&known, wanted);
    print_operations(&operations, wanted->launch);
    weft_status status = weft_buffer_take(&text, "a kernel's text", &source->text, error);
    weft_status second = weft_buffer_take(&known, "a kernel's text", &source->known, error);
    weft_status third = weft_buffer_take(&operations, "a kernel's text", &source->operations, error);
    status = status != WEFT_OK ? status : second != WEFT_OK ? second : third;
    if (status != WEFT_OK) {
        weft_cuda_source_clear(source);
        return status;
    }
    weft_gpu_embedded_hash(GPU_EMBEDDED_TEXTS, source->hash);
    take(source->hash, source->text);
    take(source->hash, source->known);
    take(source->hash, source->operations);
    return WEFT_OK;
}

void weft_cuda_source_clear(struct cuda_source *source) {
    weft_free(source->text);
    weft_free(source->known);
    weft_free(source->operations);
    *source = (struct cuda_source){0};
}
