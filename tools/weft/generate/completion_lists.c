/* SPDX-License-Identifier: MIT
 * Lists of names and values that completions of all shells offer. */
#include "generate/completion_lists.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "show/topics.h"

const char *const completion_worded[COMPLETION_WORDED] = {"to", "type", "device"};

void completion_put_filters(const char *between) {
    for (int32_t i = 0, some = 0; i < weft_filter_count(); i++)
        if (!weft_filter_at(i)->step_of[0])
            printf("%s%s", some++ ? between : "", weft_filter_at(i)->name);
    const struct topic *word;
    for (int i = 0; (word = topic_word_at(i)) != NULL; i++)
        printf("%s%s", between, word->name);
}
void completion_put_parameters(const weft_filter_info *filter, const char *after) {
    const weft_parameter_info *parameter;
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++)
        printf("%s%s%s", i ? " " : "", parameter->name, after);
    if (filter->inputs > 0)
        printf("%sspace%s", filter->parameters ? " " : "", after);
}

void completion_put_commands(void) {
    const struct command *command;
    for (int i = 0; (command = command_at(i)) != NULL; i++)
        printf("%s%s", i ? " " : "", command->name);
}

void completion_put_options(const struct command *command) {
    const struct option *option;
    for (int i = 0; (option = option_at(i)) != NULL; i++)
        if ((command->takes | OPTION_HELP) & option->flag)
            printf("--%s ", option->name);
}

/* The words that a parameter takes; false for one of numbers. */
static bool put_choices(const weft_parameter_info *parameter) {
    if (parameter->type == WEFT_PARAMETER_BOOL)
        fputs("0 1", stdout);
    else if (parameter->type != WEFT_PARAMETER_CHOICE)
        return false;
    for (const char *c = parameter->type == WEFT_PARAMETER_CHOICE ? parameter->choices : ""; *c; c++)
        putchar(*c == '|' ? ' ' : *c);
    return true;
}

static bool has_choices(const weft_parameter_info *parameter) {
    return parameter->type == WEFT_PARAMETER_CHOICE || parameter->type == WEFT_PARAMETER_BOOL;
}

void completion_put_choice_cases(const char *head, const char *label, const char *between, const char *say, const char *end) {
    const weft_parameter_info *parameter;
    puts(head);
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        for (int32_t k = 0; (parameter = weft_filter_parameter(filter, k)) != NULL; k++)
            if (has_choices(parameter)) {
                printf("%s%s:%s%s%s:%d%s", label, filter->name, parameter->name, between, filter->name, (int)k, say);
                put_choices(parameter);
                puts(end);
            }
    }
    const struct topic *word;
    for (int i = 0; (word = topic_word_at(i)) != NULL; i++)
        printf("%s%s:%s%s%s:0%s%s%s\n", label, word->name, word->parameter, between, word->name, say, word->choice, end);
}

void completion_put_option_words(const char *option) {
    const weft_file_format *format;
    for (int32_t i = 0; !strcmp(option, "to") && (format = weft_file_format_at(i)) != NULL; i++)
        if (format->writes)
            printf("%s ", format->name);
    if (!strcmp(option, "type"))
        fputs("u8 u16 f16 f32", stdout);
    if (!strcmp(option, "device"))
        fputs("auto cpu cuda vulkan reference", stdout);
}

void completion_put_topics(void) {
    const struct topic *topic;
    for (int i = 0; (topic = topic_at(i)) != NULL; i++)
        if (!topic->family) /* those are among the filters */
            printf(" %s", topic->name);
}
