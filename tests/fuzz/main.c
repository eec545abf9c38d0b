/* SPDX-License-Identifier: MIT
 * Graphs by chance: forks, joins, other sizes, bound parameters, several outputs, streams, each compared with the
 * reference. --device takes another device than the CPU, a GPU then also with so little memory that plans run in bands.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "graphs.h"

int main(int argc, char **argv) {
    struct fuzz fuzz = {.passed = 0};
    uint64_t seed = 1;
    int64_t count = 200, only = -1;
    int32_t threads = 0;
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--verbose") == 0) {
            fuzz.verbose = true, i--;
        } else if (strcmp(argv[i], "--seed") == 0) {
            seed = strtoull(value, NULL, 10);
        } else if (strcmp(argv[i], "--count") == 0) {
            count = strtoll(value, NULL, 10);
        } else if (strcmp(argv[i], "--case") == 0) {
            only = strtoll(value, NULL, 10);
        } else if (strcmp(argv[i], "--device") == 0) {
            fuzz.device = value;
        } else if (strcmp(argv[i], "--threads") == 0 && atoi(value) >= 0 && atoi(value) <= THREADS) {
            threads = atoi(value);
        } else {
            fprintf(
                stderr,
                "usage: fuzz_graphs [--seed N] [--count N] [--device NAME] [--threads 1-5] [--case N] [--verbose]\n");
            return 2;
        }
    }
    bool opened = open_devices(&fuzz);
    for (int64_t number = only >= 0 ? only : 0; opened && number < (only >= 0 ? only + 1 : count); number++) {
        char name[64];
        struct chance chance = chance_of(seed, "graphs", number);
        snprintf(name, sizeof name, "seed %llu case %lld", (unsigned long long)seed, (long long)number);
        try_graph(&fuzz, name, &chance, threads);
    }
    if (fuzz.refused > 0)
        printf("refused %lld runs: loops too long for the device, or a border_value found by the run\n",
               (long long)fuzz.refused);
    if (fuzz.beyond > 0)
        printf("not compared %lld outputs that differ: numbers on the way are beyond 1e18\n", (long long)fuzz.beyond);
    printf("streams %lld, bindings %lld, loosely compared %.2f%% of %.3g numbers\n", (long long)fuzz.streamed,
           (long long)fuzz.bound, 100 * fuzz.loose / fmax(fuzz.numbers, 1), fuzz.numbers);
    printf("fuzz: %lld passed, %lld failed\n", (long long)fuzz.passed, (long long)fuzz.failed);
    close_devices(&fuzz);
    return fuzz.failed > 0 || !opened;
}
