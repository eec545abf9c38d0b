/* SPDX-License-Identifier: MIT
 * The main of tests that go over GPUs: those that are there, or the one that is named, which then must be. */
#ifndef GPU_DEVICES_H
#define GPU_DEVICES_H
#include "check.h"
#include "weft/weft.h"

/* Whether a device is software, which takes a second to compile what a GPU's driver does in a fraction of one: tests that go over
 * kernels try some of all there. */
static inline bool is_software(const weft_device *device) {
    weft_device_info info;
    weft_device_describe(device, &info);
    return info.software;
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
        try_gpu(device, name);
        weft_device_close(&device);
    }
    printf("%s: %d passed, %d failed, %d skipped\n", program, check_passed, check_failed, skipped);
    return check_failed > 0;
}

#endif
