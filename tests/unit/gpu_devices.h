/* SPDX-License-Identifier: MIT
 * The main of tests that go over GPUs: those that are there, or the one that is named, which then must be. */
#ifndef GPU_DEVICES_H
#define GPU_DEVICES_H
#include <stdlib.h>
#include "check.h"
#include "harness/random.h"
#include "weft/weft.h"

/* Whether a device is software, which takes a second to compile what a GPU's driver does in a fraction of one: tests that go over
 * kernels try some of all there. */
static inline bool is_software(const weft_device *device) {
    weft_device_info info;
    weft_device_describe(device, &info);
    return info.software;
}

/* WEFT_TEST_CASES=N: of a test's cases a software device is given N, drawn by WEFT_TEST_SEED; first they are counted. An emulated
 * device (tests/cuda) says of itself that it is none, but WEFT_TEST_EMULATED does. */
static struct {
    bool limits, counts;
    int cases, tried, turns; /* of all, those that are to be tried, and how many had their turn */
    struct chance chance;
} drawing;

static inline int test_number(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    return text && atoi(text) > 0 ? atoi(text) : otherwise;
}

/* Whether a case is to be tried; every case of a program asks this first. */
static inline bool has_turn(void) {
    if (!drawing.limits)
        return true;
    if (drawing.counts) {
        drawing.cases++;
        return false;
    }
    bool is = chance_below(&drawing.chance, drawing.cases - drawing.turns++) < drawing.tried;
    drawing.tried -= is;
    return is;
}

/* Tries a device, all cases or those drawn. */
static inline void try_drawn(weft_device *device, const char *name, void (*try_gpu)(weft_device *device, const char *name)) {
    int limit = test_number("WEFT_TEST_CASES", 0), seed = test_number("WEFT_TEST_SEED", 1);
    drawing.limits = drawing.counts = limit > 0 && (is_software(device) || getenv("WEFT_TEST_EMULATED"));
    if (drawing.limits) {
        drawing.cases = drawing.turns = 0;
        try_gpu(device, name);
        drawing.counts = false;
        drawing.tried = limit < drawing.cases ? limit : drawing.cases;
        drawing.chance = chance_of((uint64_t)seed, name, 0);
        printf("%s: %d of %d cases, WEFT_TEST_SEED=%d\n", name, drawing.tried, drawing.cases, seed);
    }
    try_gpu(device, name);
}

/* Tries every device and prints the program's line; the value for main to return. */
static inline int check_gpus(const char *program, int argc, char **argv,
                             void (*try_gpu)(weft_device *device, const char *name)) {
    static const char *const names[] = {"cuda", "vulkan"};
    int skipped = 0;
    for (int i = 0; i < (argc > 1 ? 1 : 2); i++) {
        const char *name = argc > 1 ? argv[1] : names[i];
        weft_device *device = NULL;
        weft_error error = {0};
        if (weft_device_open(name, NULL, &device, &error) != WEFT_OK) {
            printf("%s left out: %s\n", name, error.message);
            skipped++;
            CHECK(argc == 1);
            continue;
        }
        try_drawn(device, name, try_gpu);
        weft_device_close(&device);
    }
    printf("%s: %d passed, %d failed, %d skipped\n", program, check_passed, check_failed, skipped);
    return check_failed > 0;
}

#endif
