/* SPDX-License-Identifier: MIT
 * Weaving: the function `woven_program` of a kernel's woven form (kernels/gpu/woven.h), written for one program. It has the
 * values of four pixels in registers, %v<16 register + 4 pixel + component>, and runs each instruction on all four before
 * the next: around a section of the form, which is a filter's body as text, it moves what the body takes and makes. The
 * driver's compiler removes these moves, and folds the numbers that the program has. */
#include "backend/cuda/weave.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/launch.h"

#define PIXELS 4
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

/* What sections take that is the same for all instructions. */
static void begin(struct weaving *w) {
    struct text *text = &w->text;
    say(text, ".func woven_program(.param .b64 woven_program_param_0, .param .b32 woven_program_param_1, "
              ".param .b32 woven_program_param_2)\n{\n");
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
    say(text, "ld.param.u64 %%launch, [woven_program_param_0];\nld.param.u32 %%x, [woven_program_param_1];\n"
              "ld.param.u32 %%y, [woven_program_param_2];\n");
    say(text, "mov.b64 %%read_0_0, %%launch;\nmov.b64 %%write_0_0, %%launch;\n");
    say(text, "ld.u32 %%from_width, [%%launch+%zu];\nld.u32 %%from_height, [%%launch+%zu];\n",
        offsetof(struct gpu_launch, in_width), offsetof(struct gpu_launch, in_height));
    say(text, "ld.u32 %%to_width, [%%launch+%zu];\nld.u32 %%to_height, [%%launch+%zu];\n",
        offsetof(struct gpu_launch, width), offsetof(struct gpu_launch, height));
    say(text, "add.u64 %%words, %%launch, %zu;\nld.u64 %%blocks, [%%launch+%zu];\n", offsetof(struct gpu_launch, words),
        offsetof(struct gpu_launch, blocks));
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

static void operate(struct weaving *w, const struct gpu_instruction *instruction, const char *width) {
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
    for (int pixel = 0; pixel < PIXELS; pixel++) {
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
            say(&w->text, "add.u64 %%o_3_0, %%blocks, %d;\nmov.u32 %%o_4_0, %d;\n", 4 * (int)instruction->block, (int)shape);
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

static void run(struct weaving *w, int32_t first, int32_t count, const char *width) {
    for (int32_t i = 0; i < count; i++) {
        struct gpu_instruction instruction;
        memcpy(&instruction, w->specials + first + 4 * i, sizeof instruction);
        if (instruction.op == OP_STORE)
            store(w, &instruction);
        else
            operate(w, &instruction, width);
    }
}

bool weft_cuda_can_weave(const int32_t *specials) {
    return specials[SPECIAL_FOLDED] == 1 && specials[SPECIAL_REDUCE_COUNT] == 0;
}

static int32_t bytes_of(int32_t type) {
    return type == TYPE_U8 ? 1 : type == TYPE_U16 || type == TYPE_F16 ? 2 : type == TYPE_F32 ? 4 : 8;
}

weft_status weft_cuda_weave(const char *woven, const int32_t *specials, char **text, weft_error *error) {
    struct weaving w = {.woven = woven, .specials = specials};
    size_t length = 0;
    const char *kernel = find_section(woven, "kernel", &length);
    int32_t type = specials[SPECIAL_IN_TYPE], channels = specials[SPECIAL_IN_CHANNELS];
    w.near = channels * bytes_of(type) <= 8;
    w.missing = !kernel;
    if (kernel)
        append(&w.text, kernel, length);
    begin(&w);
    if (specials[SPECIAL_LOAD_COUNT] == 0) {
        read_image(&w, 0, type, channels, "to");
        for (int i = 0; i < 4 * PIXELS; i++)
            say(&w.text, "mov.b32 %%v%d, %%read_r_%d;\n", i, 4 * i);
    }
    run(&w, SPECIAL_LOAD, specials[SPECIAL_LOAD_COUNT], "from");
    run(&w, SPECIAL_STORE, specials[SPECIAL_STORE_COUNT], "to");
    say(&w.text, "ret;\n}\n");
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
