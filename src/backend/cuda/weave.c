/* SPDX-License-Identifier: MIT
 * Weaving: what takes the place of `woven_program` in a kernel's woven form (kernels/gpu/woven.h), written for one
 * program. It has the values of four pixels in registers, %v<16 register + 4 pixel + component>, and runs each
 * instruction on all four before the next: around a section of the form, which is a filter's body as text, it moves
 * what the body takes and makes. The driver's compiler removes these moves, and folds the numbers that the program has.
 * `woven_prepare` runs what a block prepares (kernels/gpu/prepared.h) on one or two pixels of each thread's own. */
#include "backend/cuda/weave.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/launch.h"

#define PIXELS 4
#define TABLED 6         /* the sections that read bytes through tables: as if that were a type */
#define COLUMNS_APART 32 /* of a thread's pixels, where they are not side by side: as in batch.h */

struct text {
    char *at;
    size_t length, capacity;
    bool full; /* there was no memory for it all */
};

static void append(struct text *text, const char *words, size_t length) {
    if (text->full)
        return;
    if (length >= text->capacity - text->length) {
        size_t capacity = 2 * (text->capacity + length) + 4096;
        char *grown = weft_reallocate(text->at, capacity, 1);
        if (!grown) {
            text->full = true;
            return;
        }
        text->at = grown, text->capacity = capacity;
    }
    memcpy(text->at + text->length, words, length);
    text->length += length;
    text->at[text->length] = 0;
}

__attribute__((format(printf, 2, 3))) static void say(struct text *text, const char *format, ...) {
    char line[256];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    append(text, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

/* A program that is being woven. */
struct weaving {
    const char *woven;
    struct text text;
    const int32_t *specials;
    bool near;    /* the four pixels are side by side */
    bool tabled;  /* and read through tables of bytes */
    bool missing; /* a section that the form does not have */
};

static const char *find_section(const char *woven, const char *name, size_t *length) {
    char heading[32];
    snprintf(heading, sizeof heading, "//@ %s\n", name);
    const char *found = strstr(woven, heading);
    const char *start = found ? found + strlen(heading) : NULL, *end = start ? strstr(start, "//@ ") : NULL;
    *length = end ? (size_t)(end - start) : 0;
    return end ? start : NULL;
}

/* A section, in a scope of its own: its labels and registers are. */
static void put_section(struct weaving *w, const char *name) {
    size_t length;
    const char *section = find_section(w->woven, name, &length);
    if (!section) {
        w->missing = true;
        return;
    }
    say(&w->text, "{\n");
    append(&w->text, section, length);
    say(&w->text, "}\n");
}

/* Declares words of 4 bytes that a section takes or makes. */
static void declare(struct weaving *w, const char *prefix, char argument, int words) {
    for (int i = 0; i < words; i++)
        say(&w->text, ".reg .b32 %%%s_%c_%d;\n", prefix, argument, 4 * i);
}

/* The same for what is prepared. */
static void declare_prepared(struct weaving *w) {
    static const struct {
        const char *prefix;
        char argument;
        int words;
    } all[] = {{"byte", '0', 1},  {"byte", 'r', 4},  {"keep", '0', 1},  {"keep", '1', 4}, {"probe", '0', 1},
               {"probe", '1', 1}, {"probe", 'r', 4}, {"sums", '0', 1},  {"sums", '1', 1}, {"sums", '2', 4},
               {"sums", '3', 4},  {"apart", '0', 1}, {"matrix", '0', 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        declare(w, all[i].prefix, all[i].argument, all[i].words);
    for (int i = 0; i < 2; i++) {
        declare(w, i ? "apart" : "matrix", '1', 4 * PIXELS);
        declare(w, i ? "apart" : "matrix", 'r', 4 * PIXELS);
    }
}

/* In place of a call with the launch, x and y: what sections take that is the same for all instructions. */
static void begin(struct weaving *w, const char *arguments) {
    struct text *text = &w->text;
    char launch[16] = "", x[16] = "", y[16] = "";
    w->missing = w->missing || sscanf(arguments, "%15s %15s %15s", launch, x, y) != 3;
    say(text, "{\n");
    say(text, ".reg .b64 %%launch, %%blocks, %%words, %%read_0_0, %%write_0_0, %%o_3_0;\n.reg .pred %%elsewhere;\n");
    say(text, ".reg .b32 %%x, %%y, %%from_width, %%from_height, %%to_width, %%to_height, %%o_4_0;\n");
    say(text, ".reg .b32 %%v<%d>;\n", 4 * PIXELS * REGISTERS);
    for (char argument = '0'; argument < '3'; argument++)
        declare(w, "o", argument, 4);
    declare(w, "o", 'r', 4);
    for (char argument = '1'; argument < '6'; argument++)
        declare(w, "read", argument, 1);
    declare(w, "read", 'r', 4 * PIXELS);
    for (char argument = '1'; argument < '5'; argument++)
        declare(w, "write", argument, 1);
    declare(w, "write", '5', 4 * PIXELS);
    declare_prepared(w);
    say(text, "mov.b64 %%launch, %s;\nmov.b32 %%x, %s;\nmov.b32 %%y, %s;\n", launch, x, y);
    say(text, "mov.b64 %%read_0_0, %%launch;\nmov.b64 %%write_0_0, %%launch;\n");
    say(text, "ld.param.u32 %%from_width, [%%launch+%zu];\nld.param.u32 %%from_height, [%%launch+%zu];\n",
        offsetof(struct gpu_launch, in_width), offsetof(struct gpu_launch, in_height));
    say(text, "ld.param.u32 %%to_width, [%%launch+%zu];\nld.param.u32 %%to_height, [%%launch+%zu];\n",
        offsetof(struct gpu_launch, width), offsetof(struct gpu_launch, height));
    say(text,
        "cvta.param.u64 %%words, %%launch;\nadd.u64 %%words, %%words, %zu;\nld.param.u64 %%blocks, [%%launch+%zu];\n",
        offsetof(struct gpu_launch, words), offsetof(struct gpu_launch, blocks));
    say(text, "setp.ne.u64 %%elsewhere, %%blocks, 0;\nselp.b64 %%blocks, %%blocks, %%words, %%elsewhere;\n");
}

/* Puts the four pixels of image `image` into the read section's result. */
static void read_image(struct weaving *w, int32_t image, int32_t type, int32_t channels, const char *width) {
    char name[16];
    say(&w->text, "mov.u32 %%read_1_0, %d;\nmov.u32 %%read_2_0, %d;\n", (int)image, w->near);
    say(&w->text, "mov.b32 %%read_3_0, %%x;\nmov.b32 %%read_4_0, %%y;\nmov.b32 %%read_5_0, %%%s_width;\n", width);
    snprintf(name, sizeof name, "read%d%d", (int)type, (int)channels);
    put_section(w, name);
}

/* The name of a component of an operand that has been fetched: a register, or what was read. */
static void say_component(struct weaving *w, int32_t operand, int pixel, int component) {
    int word = 4 * pixel + component;
    if (operand == 255)
        say(&w->text, "0");
    else if (operand >= OPERAND_IMAGE)
        say(&w->text, "%%read_r_%d", 4 * word);
    else
        say(&w->text, "%%v%d", (int)operand * 4 * PIXELS + word);
}

/* An operand that is an image goes to a register that nothing else has: two may be images. */
static void keep_read(struct weaving *w, const char *name) {
    for (int i = 0; i < 4 * PIXELS; i++)
        say(&w->text, ".reg .b32 %%%s%d;\nmov.b32 %%%s%d, %%read_r_%d;\n", name, i, name, i, 4 * i);
}

/* On the first so many of the pixels. */
static void operate(struct weaving *w, const struct gpu_instruction *instruction, const char *width, int pixels) {
    int32_t a = instruction->operands & 255, b = instruction->operands >> 8 & 255;
    int32_t to = instruction->operands >> 16 & 255, shape = instruction->shape;
    char name[16];
    bool kept = b != 255 && b >= OPERAND_IMAGE;
    snprintf(name, sizeof name, "%d", (int)instruction->op);
    say(&w->text, "{\n");
    if (kept) {
        read_image(w, b - OPERAND_IMAGE, shape >> 16 & 15, shape >> 4 & 15, width);
        keep_read(w, "second");
    }
    if (a != 255 && a >= OPERAND_IMAGE)
        read_image(w, a - OPERAND_IMAGE, shape >> 12 & 15, shape & 15, width);
    for (int pixel = 0; pixel < pixels; pixel++) {
        for (int i = 0; i < 4; i++) {
            say(&w->text, "mov.b32 %%o_0_%d, ", 4 * i);
            say_component(w, a, pixel, i);
            say(&w->text, ";\nmov.b32 %%o_1_%d, ", 4 * i);
            if (kept)
                say(&w->text, "%%second%d", 4 * pixel + i);
            else
                say_component(w, b, pixel, i);
            say(&w->text, ";\n");
        }
        if (instruction->op == OP_COPY) {
            for (int i = 0; i < 4; i++)
                say(&w->text, "mov.b32 %%o_r_%d, %%o_0_%d;\n", 4 * i, 4 * i);
        } else {
            say(&w->text, "add.s32 %%o_2_0, %%x, %d;\nmov.b32 %%o_2_4, %%y;\n", pixel * (w->near ? 1 : COLUMNS_APART));
            say(&w->text, "mov.b32 %%o_2_8, %%%s_width;\nmov.b32 %%o_2_12, %%%s_height;\n", width, width);
            say(&w->text, "add.u64 %%o_3_0, %%blocks, %d;\nmov.u32 %%o_4_0, %d;\n", 4 * (int)instruction->block,
                (int)shape);
            put_section(w, name);
        }
        for (int i = 0; i < 4; i++)
            say(&w->text, "mov.b32 %%v%d, %%o_r_%d;\n", (int)to * 4 * PIXELS + 4 * pixel + i, 4 * i);
    }
    say(&w->text, "}\n");
}

static void store(struct weaving *w, const struct gpu_instruction *instruction) {
    int32_t a = instruction->operands & 255, image = (instruction->operands >> 8 & 255) - OPERAND_IMAGE;
    int32_t shape = instruction->shape;
    char name[16];
    if (a >= OPERAND_IMAGE)
        read_image(w, a - OPERAND_IMAGE, shape >> 12 & 15, shape & 15, "to");
    say(&w->text, "mov.u32 %%write_1_0, %d;\nmov.u32 %%write_2_0, %d;\n", (int)image, w->near);
    say(&w->text, "mov.b32 %%write_3_0, %%x;\nmov.b32 %%write_4_0, %%y;\n");
    for (int i = 0; i < 4 * PIXELS; i++) {
        say(&w->text, "mov.b32 %%write_5_%d, ", 4 * i);
        say_component(w, a, i / 4, i % 4);
        say(&w->text, ";\n");
    }
    snprintf(name, sizeof name, "write%d%d", (int)(shape >> 20 & 15), (int)(shape >> 8 & 15));
    put_section(w, name);
}

static struct gpu_instruction instruction_at(const struct weaving *w, int32_t first, int32_t i) {
    struct gpu_instruction instruction;
    memcpy(&instruction, w->specials + first + 4 * i, sizeof instruction);
    return instruction;
}

/* The sum of a run instead of its instructions, of which this is the first. */
static void put_sums(struct weaving *w, const struct gpu_instruction *instruction) {
    int32_t from = instruction->operands & 255, to = instruction->operands >> 16 & 255;
    const char *name = instruction->shape & SHAPE_APART ? "apart" : "matrix";
    say(&w->text, "mov.u32 %%%s_0_0, %d;\n", name, (int)SHAPE_RUN(instruction->shape));
    for (int i = 0; i < 4 * PIXELS; i++)
        say(&w->text, "mov.b32 %%%s_1_%d, %%v%d;\n", name, 4 * i, (int)from * 4 * PIXELS + i);
    put_section(w, name);
    for (int i = 0; i < 4 * PIXELS; i++)
        say(&w->text, "mov.b32 %%v%d, %%%s_r_%d;\n", (int)to * 4 * PIXELS + i, name, 4 * i);
}

static void run(struct weaving *w, int32_t first, int32_t count, const char *width) {
    for (int32_t i = 0; i < count; i++) {
        struct gpu_instruction instruction = instruction_at(w, first, i);
        if (instruction.op == OP_STORE)
            store(w, &instruction);
        else if (instruction.shape & SHAPE_FIRST)
            put_sums(w, &instruction);
        else if (!(instruction.shape & (SHAPE_TABLE | SHAPE_SUMS)))
            operate(w, &instruction, width, PIXELS);
    }
}

/* Argument `argument` of a section: the four components of a pixel from register `v` on. */
static void pass_pixel(struct weaving *w, const char *name, int argument, int v) {
    for (int i = 0; i < 4; i++)
        say(&w->text, "mov.b32 %%%s_%d_%d, %%v%d;\n", name, argument, 4 * i, v + i);
}

static void prepare_table(struct weaving *w) {
    say(&w->text, "mov.b32 %%byte_0_0, %%x;\n");
    put_section(w, "byte");
    for (int i = 0; i < 4; i++)
        say(&w->text, "mov.b32 %%v%d, %%byte_r_%d;\n", i, 4 * i);
    for (int32_t i = 0; i < w->specials[SPECIAL_STORE_COUNT]; i++) {
        struct gpu_instruction instruction = instruction_at(w, SPECIAL_STORE, i);
        if (instruction.shape & SHAPE_TABLE)
            operate(w, &instruction, "to", 1);
    }
    say(&w->text, "mov.b32 %%keep_0_0, %%x;\n");
    pass_pixel(w, "keep", 1, 0);
    put_section(w, "keep");
}

/* Run by run: the first pixel is what it is probed with, the second is black. */
static void prepare_sums(struct weaving *w, int32_t begin) {
    struct gpu_instruction first = instruction_at(w, SPECIAL_STORE, begin), each = first;
    int32_t from = (first.operands & 255) * 4 * PIXELS, to = (first.operands >> 16 & 255) * 4 * PIXELS, i = begin;
    say(&w->text, "mov.b32 %%probe_0_0, %%x;\nmov.u32 %%probe_1_0, %d;\n", (first.shape & SHAPE_APART) != 0);
    put_section(w, "probe");
    for (int k = 0; k < 4; k++)
        say(&w->text, "mov.b32 %%v%d, %%probe_r_%d;\nmov.u32 %%v%d, 0;\n", (int)from + k, 4 * k, (int)from + 4 + k);
    do {
        operate(w, &each, "to", 2);
        each = instruction_at(w, SPECIAL_STORE, ++i); /* a store comes behind the last */
    } while ((each.shape & SHAPE_SUMS) && !(each.shape & SHAPE_FIRST));
    say(&w->text, "mov.u32 %%sums_0_0, %d;\nmov.b32 %%sums_1_0, %%x;\n", (int)SHAPE_RUN(first.shape));
    pass_pixel(w, "sums", 2, to);
    pass_pixel(w, "sums", 3, to + 4);
    put_section(w, "sums");
}

static void prepare(struct weaving *w, const char *arguments) {
    begin(w, arguments);
    if (w->tabled)
        prepare_table(w);
    for (int32_t i = 0; i < w->specials[SPECIAL_STORE_COUNT]; i++)
        if (instruction_at(w, SPECIAL_STORE, i).shape & SHAPE_FIRST)
            prepare_sums(w, i);
    say(&w->text, "}\n");
}

static void put_program(struct weaving *w, const char *arguments) {
    const int32_t *specials = w->specials;
    begin(w, arguments);
    if (specials[SPECIAL_LOAD_COUNT] == 0) {
        read_image(w, 0, w->tabled ? TABLED : specials[SPECIAL_IN_TYPE], specials[SPECIAL_IN_CHANNELS], "to");
        for (int i = 0; i < 4 * PIXELS; i++)
            say(&w->text, "mov.b32 %%v%d, %%read_r_%d;\n", i, 4 * i);
    }
    run(w, SPECIAL_LOAD, specials[SPECIAL_LOAD_COUNT], "from");
    run(w, SPECIAL_STORE, specials[SPECIAL_STORE_COUNT], "to");
    say(&w->text, "}\n");
}

/* The kernel's text, "//= NAME ARGUMENTS" giving way to what is woven. */
static void put_kernel(struct weaving *w) {
    size_t length;
    const char *at = find_section(w->woven, "kernel", &length), *end = at + length;
    w->missing = !at;
    for (const char *mark; at && (mark = strstr(at, "//= ")) != NULL && mark < end; at = strchr(mark, '\n')) {
        append(&w->text, at, (size_t)(mark - at));
        if (strncmp(mark, "//= prepare ", 12) == 0)
            prepare(w, mark + 12);
        else if (strncmp(mark, "//= program ", 12) == 0)
            put_program(w, mark + 12);
        else
            w->missing = true;
    }
    if (at)
        append(&w->text, at, (size_t)(end - at));
}

bool weft_cuda_can_weave(const int32_t *specials) {
    return specials[SPECIAL_FOLDED] == 1 && specials[SPECIAL_REDUCE_COUNT] == 0;
}

static int32_t bytes_of(int32_t type) {
    return type == TYPE_U8 ? 1 : type == TYPE_U16 || type == TYPE_F16 ? 2 : type == TYPE_F32 ? 4 : 8;
}

weft_status weft_cuda_weave(const char *woven, const int32_t *specials, char **text, weft_error *error) {
    struct weaving w = {.woven = woven, .specials = specials};
    w.near = specials[SPECIAL_IN_CHANNELS] * bytes_of(specials[SPECIAL_IN_TYPE]) <= 8;
    w.tabled =
        specials[SPECIAL_LOAD_COUNT] == 0 && (specials[SPECIAL_STORE + 2] & SHAPE_TABLE) != 0; /* the first's shape */
    put_kernel(&w);
    *text = NULL;
    if (w.text.full || w.missing)
        weft_free(w.text.at);
    if (w.text.full)
        return weft_fail_memory(error, w.text.capacity, "the code of a program");
    if (w.missing)
        return weft_fail(error, WEFT_ERROR_INTERNAL, "the text of a kernel has no code for a filter");
    *text = w.text.at;
    return WEFT_OK;
}
