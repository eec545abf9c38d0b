/* SPDX-License-Identifier: MIT
 * The file formats of this build, and the options that follow an output's name: out.jpg[quality=90]. */
#ifndef TOOL_FORMATS_H
#define TOOL_FORMATS_H
#include <stdbool.h>
#include <stddef.h>

/* Lists them on standard output, with the options of each. */
void formats_print(bool json);

/* The extensions of the format of that name, separated by spaces. */
const char *formats_extensions(const char *name);

/* Where in `path` a bracket opens that closes at its end: the length of the file's name, which is the length of `path`
 * when there is none. */
size_t formats_name_length(const char *path);
/* The same of an input, where brackets may be a part of the name or of a pattern: they hold options where no file has
 * the whole name, and what stands before them is '-' or ends as files do that weft reads. */
size_t formats_input_length(const char *path);
/* Whether it is no file but a text that is drawn: "text:Hello". */
bool formats_is_text(const char *path);

#endif
