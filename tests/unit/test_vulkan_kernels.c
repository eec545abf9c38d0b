/* SPDX-License-Identifier: MIT
 * Kernels for Vulkan as they are in the library, put together and trimmed for a pipeline: valid SPIR-V that asks for no more than
 * it needs. */
#include "check.h"
#ifdef WEFT_HAVE_VULKAN
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "backend/gpu/device/embedded.h"
#include "backend/vulkan/device.h"
#include "backend/vulkan/spirv/spirv.h"
#include "base/memory.h"

#define MATRICES 5357 /* the capability of products that threads make together */
/* What modules may ask of a device is what physical_device.c checks: of every device, of those that compute with half floats, and
 * of those that multiply matrices. */
static bool known_capability(uint32_t capability, bool float16, bool matrices) {
    static const uint32_t known[] = {1 /* shader */, 11 /* 64-bit integers */, 4433, 4434 /* 16 bits in buffers */,
                                     4448,           4449 /* 8 bits */,        5347 /* buffer addresses */};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == capability)
            return true;
    return ((float16 || matrices) && capability == 9 /* half floats */) ||
           (matrices && (capability == 5345 /* the memory model */ || capability == MATRICES));
}

static bool asks_for(const uint32_t *words, size_t count, uint32_t capability) {
    for (size_t i = SPIRV_HEADER; i < count && words[i]; i += spirv_length(words[i]))
        if (spirv_opcode(words[i]) == 17 && words[i + 1] == capability)
            return true;
    return false;
}

/* Told to convert half floats as IEEE does: three capabilities first, three modes of the entry point, all else as it
 * was. */
static void check_halves(const uint32_t *words, size_t count) {
    size_t length = 0, same = SPIRV_HEADER;
    int capabilities = 0, modes = 0;
    uint32_t *told = weft_spirv_halves(words, count, &length);
    if (!CHECK(told && length > count && memcmp(told, words, SPIRV_HEADER * sizeof *words) == 0))
        return;
    for (size_t i = SPIRV_HEADER; i < length && spirv_length(told[i]); i += spirv_length(told[i])) {
        uint32_t size = spirv_length(told[i]);
        if (spirv_opcode(told[i]) == 17 && told[i + 1] >= 4464 && told[i + 1] <= 4467)
            capabilities++;
        else if (spirv_opcode(told[i]) == 16 && size == 4 && told[i + 3] == 16)
            modes++;
        else if (same + size <= count && memcmp(&told[i], &words[same], size * sizeof *words) == 0)
            same += size;
    }
    CHECK(capabilities == 3 && modes == 3 && same == count);
    weft_free(told);
    CHECK(!weft_spirv_halves(words, SPIRV_HEADER, &length)); /* no entry point */
}

/* What spirv-val says of a module, where it is installed; the first line is printed. */
static bool is_valid(const uint32_t *words, size_t count) {
    static const char command[] = "spirv-val --target-env vulkan1.2 --scalar-block-layout - 2>&1";
    static int there = -1;
    char path[] = "/tmp/weft-module-XXXXXX", line[200], full[300];
    if (there < 0)
        there = system("command -v spirv-val >/dev/null") == 0;
    if (!there)
        return true;
    int file = mkstemp(path);
    bool good = file >= 0 && write(file, words, count * sizeof *words) == (ssize_t)(count * sizeof *words);
    snprintf(full, sizeof full, "%s <%s", command, path);
    FILE *said = good ? popen(full, "r") : NULL;
    while (said && fgets(line, sizeof line, said))
        fputs(line, stderr);
    good = said && pclose(said) == 0;
    close(file);
    unlink(path);
    return good;
}

static size_t count_functions(const uint32_t *words, size_t count) {
    size_t functions = 0;
    for (size_t i = SPIRV_HEADER; i < count && spirv_length(words[i]); i += spirv_length(words[i]))
        functions += spirv_opcode(words[i]) == SPIRV_FUNCTION;
    return functions;
}

/* A second one would be the size that some drivers take. */
static size_t count_sizes(const uint32_t *words, size_t count) {
    size_t sizes = 0;
    for (size_t i = SPIRV_HEADER; i < count && spirv_length(words[i]); i += spirv_length(words[i]))
        sizes += spirv_opcode(words[i]) == SPIRV_DECORATE && words[i + 2] == SPIRV_DECORATION_BUILT_IN &&
                 words[i + 3] == 25 /* WorkgroupSize */;
    return sizes;
}

/* A kernel's module linked with the point filters that it calls, as backend/vulkan/kernel.c does. */
static uint32_t *get_linked(int32_t module, bool judged, size_t *count) {
    uint32_t *words = NULL, *operations = NULL, *linked = NULL;
    size_t own = 0, others = 0;
    weft_error error;
    if (CHECK(weft_gpu_unpack_module(module, &words, &own, &error) == WEFT_OK) &&
        CHECK(weft_gpu_unpack_module(weft_gpu_operation_module, &operations, &others, &error) == WEFT_OK) &&
        CHECK(weft_spirv_link(words, own, operations, others, &linked, count, &error) == WEFT_OK)) {
        if (linked) /* both entry points are one, and so are the function and its stand-in */
            CHECK(count_functions(linked, *count) == count_functions(words, own) + count_functions(operations, others) - 2);
        else
            linked = words, words = NULL, *count = own;
        CHECK((judged || is_valid(linked, *count)) && count_sizes(linked, *count) <= 1);
    }
    weft_free(words);
    weft_free(operations);
    return linked;
}

static void test_kernels(void) {
    int32_t last[2] = {0, 0}; /* the last module of each kind: variants of a kernel share it, and lie side by side */
    for (int32_t row = 0, float16 = 0; weft_gpu_kernels[row].name; row += float16, float16 = !float16) {
        const struct gpu_kernel_row *kernel = &weft_gpu_kernels[row];
        int32_t module = float16 ? kernel->spirv_float16 : kernel->spirv;
        if (module == 0) /* CUDA's alone, or none with half floats */
            continue;
        size_t count = 0, length = 0;
        bool again = module == last[float16];
        uint32_t *words = get_linked(module, again, &count), *trimmed = NULL;
        int32_t values[SPECIALS] = {[SPECIAL_FOLDED] = 1, 1, 3, 3, 0, 1, 0, 0};
        bool given[SPECIALS];
        last[float16] = module;
        if (!words)
            return;
        bool matrices = asks_for(words, count, MATRICES);
        memset(given, true, sizeof given);
        memcpy(values + SPECIAL_KERNEL, kernel->constants, (size_t)kernel->constant_count * sizeof *values);
        for (size_t i = SPIRV_HEADER; i < count && words[i]; i += spirv_length(words[i]))
            if (spirv_opcode(words[i]) == 17 && !CHECK(known_capability(words[i + 1], float16, matrices)))
                fprintf(stderr, "%s: capability %u\n", kernel->name, (unsigned)words[i + 1]);
        for (int folded = 0; folded < 2; folded++) {
            values[SPECIAL_FOLDED] = folded;
            weft_spirv_trim(words, count, values, given, SPECIALS, folded, &trimmed, &length);
            if (!CHECK(trimmed && length < count))
                fprintf(stderr, "%s is not trimmed\n", kernel->name);
            weft_free(trimmed);
        }
        check_halves(words, count);
        /* What is damaged is refused or comes out as something; it does no harm. */
        unsigned seed = (unsigned)row + 1;
        for (int turn = 0; turn < (again ? 5 : 20); turn++) {
            seed = seed * 1664525u + 1013904223u;
            size_t place = SPIRV_HEADER + seed / 8 % (count - SPIRV_HEADER);
            uint32_t before = words[place];
            words[place] = turn % 2 ? before ^ 1u << (seed >> 27) : seed;
            weft_spirv_trim(words, turn % 5 ? count : place, values, given, SPECIALS, turn % 3, &trimmed, &length);
            weft_free(trimmed);
            words[place] = before;
        }
        weft_free(words);
    }
}

int main(void) {
    test_kernels();
    return check_done("test_vulkan_kernels");
}

#else
int main(void) { return check_done("test_vulkan_kernels"); }
#endif
