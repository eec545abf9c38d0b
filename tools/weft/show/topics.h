/* SPDX-License-Identifier: MIT
 * What weft help tells of beside filters and commands. */
#ifndef TOOL_TOPICS_H
#define TOOL_TOPICS_H
#include <stdio.h>

struct topic {
    const char *name, *summary;
    void (*print)(void);
    const char *family;             /* of a word that stands in graphs as a filter does: where it is listed; else NULL */
    const char *parameter, *choice; /* its parameter, and the word that this may be */
};

/* Topic `index`, NULL past the end; and the topic of that name, NULL when there is none. */
const struct topic *topic_at(int index);
const struct topic *topic_find(const char *name);
/* Word `index` of those that stand in graphs as filters do; NULL past the end. */
const struct topic *topic_word_at(int index);
/* docs/cookbook.md as text for a terminal: headings, paragraphs, and the commands with blanks before them. */
void topic_print_cookbook(FILE *file);
/* Prints the cookbook's commands in which a word stands as a filter does. */
void topic_print_tasks(FILE *file, const char *filter);

#endif
