/* SPDX-License-Identifier: MIT
 * weft FILTER: a run of one filter. */
#ifndef TOOL_TASKS_FILTER_H
#define TOOL_TASKS_FILTER_H
#include "show/topics.h"
#include "weft/weft.h"

/* `words` are the arguments behind the filter's name: files, the filter's parameters and the options of weft run. */
int filter_command(const weft_filter_info *filter, int count, char **words);

/* The command as help and the manual name it. */
#define FILTER_FORM "FILTER IN... OUT..."
#define FILTER_SUMMARY "run one filter, its parameters as options"

/* weft WORD IN OUT, of a word that stands in graphs as a filter does. */
int word_command(const struct topic *word, int count, char **words);

#endif
