/* SPDX-License-Identifier: MIT
 * Names of output files, made from those of the input files: "out/{stem}.png". */
#ifndef TOOL_OUTPUT_NAMES_H
#define TOOL_OUTPUT_NAMES_H
#include <stdbool.h>

/* True when the name has a placeholder that is known, so that it stands for many names. */
bool pattern_given(const char *pattern);
/* True when the name is a folder's, so that outputs keep the names of inputs. */
bool pattern_folder(const char *pattern);
/* Returns EXIT_DONE, or EXIT_USAGE after a message when braces hold something else. */
int pattern_check(const char *pattern);
/* An input file, the `number`th of `count`. */
struct pattern_input {
    const char *name;
    int root; /* how much of the name is that of the folder that was searched; 0 for none */
    int number, count;
    int page; /* that is read of it, 0 for its only one */
};

/* The name that the pattern makes of an input file; to be freed, NULL without memory. In a folder names whose extension
 * is none of `extensions`, unless that is NULL, get the first of these. The pattern has been checked. */
char *pattern_fill(const char *pattern, const struct pattern_input *input, const char *extensions);
/* A placeholder that tells outputs of these inputs apart. */
const char *pattern_apart(const struct pattern_input *a, const struct pattern_input *b);

#endif
