/* SPDX-License-Identifier: MIT
 * Lists of names and values that completions of all shells offer, to standard output. */
#ifndef TOOL_COMPLETION_LISTS_H
#define TOOL_COMPLETION_LISTS_H
#include "command.h"

/* The names of all filters but building blocks. */
void completion_put_filters(const char *between);
/* The names of a filter's parameters, each with `after` behind it. */
void completion_put_parameters(const weft_filter_info *filter, const char *after);
void completion_put_commands(void);
/* "--device --threads" of a command. */
void completion_put_options(const struct command *command);
/* The topics of weft help that are not among the filters. */
void completion_put_topics(void);

/* A case for each parameter that takes words, by its name or, as values in graphs may be given, by its place. */
void completion_put_choice_cases(const char *head, const char *label, const char *between, const char *say, const char *end);

/* Options whose values are words, and these words. */
enum { COMPLETION_WORDED = 3 };
extern const char *const completion_worded[COMPLETION_WORDED];
void completion_put_option_words(const char *option);

#endif
