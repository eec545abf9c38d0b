/* SPDX-License-Identifier: MIT
 * Weaving for CUDA: programs of every point filter, every format and operands of all sorts become text that NVIDIA's
 * assembler takes, where it is installed. What the code makes is compared on a GPU, by the harness. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"

#ifdef WEFT_HAVE_CUDA
#include "backend/cuda/weave.h"
#include "backend/gpu/kernels.h"
#include "base/memory.h"
#include "filter/registry.h"
#include "kernels/gpu/launch.h"

static const char *woven_form(void) {
    for (int32_t i = 0; i < weft_gpu_code_count; i++)
        if (weft_gpu_codes[i].form == GPU_FORM_WOVEN)
            return (const char *)weft_gpu_codes[i].code;
    return NULL;
}

static void put(int32_t *specials, int32_t first, int32_t count, int32_t op, int32_t operands, int32_t shape) {
    struct gpu_instruction instruction = {.op = op, .operands = operands, .shape = shape, .block = 4 * count};
    memcpy(specials + first + 4 * count, &instruction, sizeof instruction);
}

static void begin(int32_t *specials, int32_t type, int32_t channels) {
    memset(specials, 0, SPECIALS * sizeof *specials);
    specials[SPECIAL_FOLDED] = 1;
    specials[SPECIAL_IN_TYPE] = type;
    specials[SPECIAL_IN_CHANNELS] = specials[SPECIAL_CHANNELS] = channels;
}

/* Whether the assembler takes the text; true where there is none. */
static bool assembles(const char *text) {
#ifdef WEFT_PTXAS
    char path[] = "/tmp/weft-woven-XXXXXX", command[512];
    int file = mkstemp(path);
    if (!CHECK(file >= 0))
        return false;
    size_t length = strlen(text);
    bool good = CHECK(write(file, text, length) == (ssize_t)length);
    close(file);
    snprintf(command, sizeof command, "%s -O0 -arch=sm_75 -o /dev/null %s", WEFT_PTXAS, path);
    good = good && system(command) == 0;
    unlink(path);
    return good;
#else
    return text != NULL;
#endif
}

static void weave(const int32_t *specials) {
    weft_error error;
    char *text = NULL;
    if (CHECK(weft_cuda_can_weave(specials)) && CHECK(weft_cuda_weave(woven_form(), specials, &text, &error) == WEFT_OK)) {
        CHECK(strstr(text, ".entry") != NULL);
        CHECK(strstr(text, "//@") == NULL);
        CHECK(assembles(text));
    }
    weft_free(text);
}

/* Every filter, fifteen in a program: of registers, of images and of nothing. */
static void test_filters(void) {
    static const int32_t operands[] = {0 | 1 << 8, 0 | (OPERAND_IMAGE + 1) << 8, (OPERAND_IMAGE + 2) | 0 << 8, 0 | 255 << 8};
    int32_t specials[SPECIALS], count = 0, woven = 0, shape = 4 | 4 << 4 | 4 << 8 | TYPE_U8 << 12 | TYPE_F16 << 16;
    begin(specials, TYPE_U8, 4);
    for (int32_t i = 0; i < weft_registry_count; i++) {
        if (weft_gpu_operations[i] < 0)
            continue;
        put(specials, SPECIAL_STORE, count, weft_gpu_operations[i], operands[woven % 4] | (count % 2) << 16, shape | SHAPE_ALPHA);
        count++, woven++;
        if (count < LAUNCH_FOLDED - 1)
            continue;
        put(specials, SPECIAL_STORE, count, OP_STORE, (OPERAND_IMAGE + 3) << 8, 4 << 8 | TYPE_U8 << 20);
        specials[SPECIAL_STORE_COUNT] = count + 1;
        weave(specials);
        count = 0;
    }
    CHECK(woven > 50);
    put(specials, SPECIAL_STORE, count, OP_STORE, (OPERAND_IMAGE + 3) << 8, 4 << 8 | TYPE_U8 << 20);
    specials[SPECIAL_STORE_COUNT] = count + 1;
    weave(specials);
}

/* Every format is read and written, images are copied and stored as they are, and a load program runs before. */
static void test_formats(void) {
    for (int32_t type = TYPE_U8; type <= TYPE_NUMBERS; type++)
        for (int32_t channels = 1; channels <= 4; channels++) {
            int32_t specials[SPECIALS], stored = type == TYPE_NUMBERS ? TYPE_F32 : type;
            int32_t shape = channels | channels << 8 | type << 12 | stored << 20;
            begin(specials, type, channels);
            put(specials, SPECIAL_LOAD, 0, OP_COPY, OPERAND_IMAGE | 255 << 8, shape);
            put(specials, SPECIAL_STORE, 0, OP_STORE, 0 | (OPERAND_IMAGE + 1) << 8, shape);
            put(specials, SPECIAL_STORE, 1, OP_STORE, OPERAND_IMAGE | (OPERAND_IMAGE + 2) << 8, shape);
            specials[SPECIAL_LOAD_COUNT] = channels % 2;
            specials[SPECIAL_STORE_COUNT] = 2;
            weave(specials);
        }
}

static void test_refusals(void) {
    int32_t specials[SPECIALS];
    weft_error error;
    char *text = NULL;
    begin(specials, TYPE_U8, 3);
    specials[SPECIAL_REDUCE_COUNT] = 1;
    CHECK(!weft_cuda_can_weave(specials));
    specials[SPECIAL_REDUCE_COUNT] = 0, specials[SPECIAL_FOLDED] = 0;
    CHECK(!weft_cuda_can_weave(specials));
    begin(specials, TYPE_U8, 3);
    put(specials, SPECIAL_STORE, 0, 100000, 0 | 255 << 8, 3);
    specials[SPECIAL_STORE_COUNT] = 1;
    CHECK(weft_cuda_weave(woven_form(), specials, &text, &error) == WEFT_ERROR_INTERNAL && text == NULL);
}
#endif

int main(void) {
#ifdef WEFT_HAVE_CUDA
    if (woven_form()) {
        unsetenv("LD_PRELOAD"); /* a sanitizer's library is no business of the assembler */
        test_filters();
        test_formats();
        test_refusals();
    }
#endif
    return check_done("test_weave");
}
