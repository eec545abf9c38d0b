/* SPDX-License-Identifier: MIT
 * Names of output files, made from those of the input files: "out/{stem}.png". */
#ifndef TOOL_PATTERN_H
#define TOOL_PATTERN_H
#include <stdbool.h>

/* True when the name has a placeholder that is known, so that it stands for many names. */
bool pattern_given(const char *pattern);
/* True when the name is a folder's, so that outputs keep the names of inputs. */
bool pattern_folder(const char *pattern);
/* Returns EXIT_DONE, or EXIT_USAGE after a message when braces hold something else. */
int pattern_check(const char *pattern);
/* The name that the pattern makes of an input file, the `number`th of `count`; to be freed, NULL without memory. In a
 * folder names whose extension is none of `extensions`, unless that is NULL, get the first of these. The pattern has been
 * checked. */
char *pattern_fill(const char *pattern, const char *input, int number, int count, const char *extensions);

#endif
