/* SPDX-License-Identifier: MIT
 * Numbers of a graph's text that lie in pictures: /NAME=FILE in place of NAME=NUMBERS, as FFmpeg writes it. */
#ifndef TOOL_LIST_FILES_H
#define TOOL_LIST_FILES_H
#include <stddef.h>

/* Writes the numbers in the files' place: *written, to be freed, is the text, NULL where it names no file. Returns EXIT_DONE, or
 * another exit status after a message. */
int lists_write(const char *text, size_t length, char **written, size_t *size);

#endif
