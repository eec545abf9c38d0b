/* SPDX-License-Identifier: MIT
 * harness [--device NAME] [--against NAME] [--filter NAME] [--seed N] [--case N]
 *         [--quick | --exhaustive | --cases N] [--repeat N] [--threads N] [--part K/N] [--verbose] [--bench]
 *         [--widths [--all]] [--patience SECONDS]
 * The environment variable WEFT_CPU_ISA limits the processor's instruction set. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness.h"

/* A device for each instruction set of the processor; true when there are some. */
static bool open_instruction_sets(struct harness *harness) {
    static const char *const isas[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4", "neon", "plain"};
    weft_device_options options = {.threads = harness->threads ? harness->threads : 1};
    for (size_t i = 0; i < sizeof isas / sizeof *isas && harness->device_count < HARNESS_DEVICES; i++) {
        int32_t at = harness->device_count;
        setenv("WEFT_CPU_ISA", isas[i], 1);
        if (weft_device_open(harness->device, &options, &harness->devices[at], NULL) == WEFT_OK) {
            harness->device_isas[at] = isas[i];
            harness->device_threads[at] = options.threads;
            harness->device_count++;
        }
    }
    unsetenv("WEFT_CPU_ISA");
    return harness->device_count > 0;
}

static bool open_devices(struct harness *harness) {
    static const int32_t counts[HARNESS_DEVICES] = {1, 2, 3, 7};
    weft_error error = {0};
    weft_device_info info;
    bool opened = harness->widths && strcmp(harness->device, "cpu") == 0 && !getenv("WEFT_CPU_ISA") &&
                  open_instruction_sets(harness);
    if (harness->widths && harness->threads == 0)
        harness->threads = 1;
    for (int32_t i = 0; i < HARNESS_DEVICES && !opened; i++) {
        weft_device_options options = {.threads = harness->threads ? harness->threads : counts[i]};
        if (weft_device_open(harness->device, &options, &harness->devices[i], &error) != WEFT_OK) {
            fprintf(stderr, "harness: %s\n", error.message);
            return false;
        }
        harness->device_threads[i] = options.threads;
        harness->device_count++;
        if (harness->threads)
            break;
    }
    if (weft_device_open(harness->against, NULL, &harness->reference, &error) != WEFT_OK) {
        fprintf(stderr, "harness: %s\n", error.message);
        return false;
    }
    weft_device_describe(harness->devices[0], &info);
    harness->software = info.software;
    printf("device %s: %s, %s; against %s; seed %" PRIu64 "\n", info.backend, info.name,
           opened ? "every instruction set" : info.detail, harness->against, harness->seed);
    return true;
}

static int usage(void) {
    fprintf(stderr, "usage: harness [--device NAME] [--against NAME] [--filter NAME] [--seed N] [--case N]\n"
                    "               [--quick | --exhaustive | --cases N] [--repeat N] [--threads N] [--part K/N]\n"
                    "               [--verbose] [--bench] [--widths [--all]] [--patience SECONDS]\n");
    return 2;
}

bool harness_has_turn(const struct harness *harness, int64_t turn) {
    return turn % harness->parts == harness->part - 1;
}

int main(int argc, char **argv) {
    struct harness harness = {
        .seed = 1, .only_case = -1, .part = 1, .parts = 1, .cases = 0, .device = "cpu", .against = "reference"};
    int64_t repeat = 1;
    bool bench = false;
    int status = 1;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        bool takes_value = true;
        if (strcmp(option, "--device") == 0)
            harness.device = value;
        else if (strcmp(option, "--against") == 0)
            harness.against = value;
        else if (strcmp(option, "--filter") == 0)
            harness.filter = value;
        else if (strcmp(option, "--seed") == 0)
            harness.seed = strtoull(value, NULL, 10);
        else if (strcmp(option, "--case") == 0)
            harness.only_case = strtoll(value, NULL, 10);
        else if (strcmp(option, "--cases") == 0)
            harness.cases = strtoll(value, NULL, 10);
        else if (strcmp(option, "--part") == 0) {
            if (sscanf(value, "%d/%d", &harness.part, &harness.parts) != 2 || harness.part < 1 ||
                harness.part > harness.parts)
                return usage();
        } else if (strcmp(option, "--repeat") == 0)
            repeat = strtoll(value, NULL, 10);
        else if (strcmp(option, "--threads") == 0)
            harness.threads = (int32_t)strtol(value, NULL, 10);
        else if (strcmp(option, "--patience") == 0)
            harness.patience = strtoll(value, NULL, 10);
        else
            takes_value = false;
        if (takes_value && ++i == argc)
            return usage();
        if (takes_value)
            continue;
        if (strcmp(option, "--quick") == 0)
            harness.cases = 40;
        else if (strcmp(option, "--exhaustive") == 0)
            harness.cases = 4000;
        else if (strcmp(option, "--verbose") == 0)
            harness.verbose = true;
        else if (strcmp(option, "--bench") == 0)
            bench = true;
        else if (strcmp(option, "--widths") == 0)
            harness.widths = true;
        else if (strcmp(option, "--all") == 0)
            harness.all = true;
        else
            return usage();
    }
    if (harness.all && !harness.widths)
        return usage();
    if (harness.widths) {
        bool every = harness.all || harness.only_case >= 0;
        harness.cases = every ? widths_count() : harness.cases ? harness.cases : 40;
    }
    if (harness.cases == 0)
        harness.cases = 400;
    if (harness.patience == 0)
        harness.patience = !harness.widths ? 600 : strcmp(harness.device, "cpu") == 0 ? 10 : 120; /* kernels are compiled */
    if (harness.only_case >= harness.cases)
        harness.cases = harness.only_case + 1;
    if (open_devices(&harness)) {
        if (bench)
            status = bench_filters(&harness);
        for (int64_t i = 0; !bench && i < repeat; i++, harness.seed++) {
            (harness.widths ? try_widths : try_filters)(&harness);
            try_graphs(&harness);
            if (!harness.widths)
                try_sharing(&harness);
        }
        if (!bench) {
            bool nothing = harness.passed + harness.failed == 0;
            if (nothing)
                fprintf(stderr, "harness: nothing was tried\n");
            status = harness.failed > 0 || nothing;
            printf("harness: %" PRId64 " passed, %" PRId64 " failed\n", harness.passed, harness.failed);
        }
    }
    for (int32_t i = 0; i < harness.device_count; i++)
        weft_device_close(&harness.devices[i]);
    weft_device_close(&harness.reference);
    return status;
}
