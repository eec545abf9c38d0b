/* SPDX-License-Identifier: MIT
 * A fuzz target: graphs of filters drawn from the bytes, run on pictures drawn from them, against the reference.
 * --device=NAME takes another device than the CPU. */
#include <stdlib.h>
#include <string.h>
#include "graphs.h"

/* The entries that libFuzzer looks for. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct fuzz fuzz; /* libFuzzer hands nothing from one entry to the other */

static void close_at_exit(void) { close_devices(&fuzz); }

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static const char option[] = "--device=";
    for (int i = 1; i < *argc; i++)
        if (strncmp((*argv)[i], option, sizeof option - 1) == 0)
            fuzz.device = (*argv)[i] + sizeof option - 1;
    if (!open_devices(&fuzz))
        abort();
    atexit(close_at_exit);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct chance chance = {.tape = bytes, .left = size};
    if (!try_graph(&fuzz, "this input", &chance, 0))
        abort();
    return 0;
}
