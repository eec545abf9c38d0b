/* SPDX-License-Identifier: MIT
 * What the harness says of a trial: what it runs on, why it failed, and the command that repeats it. */
#include <stdio.h>
#include "harness.h"

static const char *alpha_name(weft_alpha alpha) {
    return alpha == WEFT_ALPHA_NONE ? "none" : alpha == WEFT_ALPHA_STRAIGHT ? "straight" : "premultiplied";
}

void trial_describe(const struct trial *trial) {
    for (int32_t i = 0; i < trial->inputs; i++) {
        char format[16];
        weft_format_print(trial->infos[i].format, format, sizeof format);
        printf("  input   %lldx%lld %s, alpha %s, %s, %s\n", (long long)trial->infos[i].width,
               (long long)trial->infos[i].height, format, alpha_name(trial->infos[i].alpha),
               trial->infos[i].space == WEFT_SPACE_LINEAR ? "linear" : "encoded", content_name(trial->contents[i]));
    }
    if (trial->output_type)
        printf("  output  %s\n", weft_type_name(trial->output_type));
}

void trial_command(const struct harness *harness, const struct trial *trial, int32_t which, char *text, size_t size) {
    const char *isa = harness->device_isas[which];
    snprintf(text, size, "%s%s%sharness%s --device %s --against %s --seed %llu --filter %s --case %lld%s%.0d",
             isa ? "WEFT_CPU_ISA=" : "", isa ? isa : "", isa ? " " : "", harness->widths ? " --widths" : "",
             harness->device, harness->against, (unsigned long long)harness->seed, trial->name, (long long)trial->number,
             harness->threads ? " --threads " : "", (int)harness->threads);
}

void trial_complain(const struct harness *harness, const struct trial *trial, int32_t which, const char *why) {
    char command[512];
    trial_command(harness, trial, which, command, sizeof command);
    printf("FAILED %s: %s\n  graph   %s\n", trial->name, why, trial->graph);
    trial_describe(trial);
    printf("  again   %s   (%d threads)\n", command, (int)harness->device_threads[which]);
    fflush(stdout);
}
