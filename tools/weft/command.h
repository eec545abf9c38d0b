/* SPDX-License-Identifier: MIT
 * The commands. Each gets its options read and returns its exit status. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H
#include <stdio.h>
#include "common/json.h"
#include "options.h"

struct command {
    const char *name;
    int (*run)(const struct options *options);
    unsigned takes;      /* OPTION_ flags */
    const char *form;    /* what follows "weft" */
    const char *summary; /* half a sentence */
    const char *details; /* paragraphs and examples for its help */
};

int run_command(const struct options *options);
int convert_command(const struct options *options);
int montage_command(const struct options *options);
int list_command(const struct options *options);
int help_command(const struct options *options);
int plan_command(const struct options *options);
int bench_command(const struct options *options);
int devices_command(const struct options *options);
int kernels_command(const struct options *options);
int generate_command(const struct options *options);

/* The command of that name, NULL when there is none; command `index`, NULL past the end. */
const struct command *command_find(const char *name);
const struct command *command_at(int index);

/* One screen that teaches the tool. */
void help_usage(FILE *file);
/* How graphs are written, in one screen. */
extern const char help_graph[];
/* Everything about one command or one filter, on standard output. */
int help_about_command(const struct command *command);
int help_about_filter(const weft_filter_info *filter);

/* The values that a parameter takes, as graph text: "0 to 64 px", "mirror|wrap"; and the limits of a number alone. */
void help_print_range(const weft_parameter_info *parameter);
void help_print_limits(const weft_parameter_info *parameter);

/* A filter's whole description as a JSON object. */
void describe_filter(struct json *json, const weft_filter_info *filter);

/* The default of a parameter as people write it: a choice by its name. `text` may be used to hold it. */
const char *describe_default(const weft_parameter_info *parameter, char *text, size_t size);

#endif
