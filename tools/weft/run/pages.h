/* SPDX-License-Identifier: MIT
 * Files of several pages, of which all are wanted: in.tif[page=all] stands for in.tif[page=1], in.tif[page=2] and so on. */
#ifndef TOOL_PAGES_H
#define TOOL_PAGES_H
#include <stdbool.h>
#include <stdint.h>

/* Whether the options behind a file's name ask for all pages. */
bool pages_all(const char *argument);
/* How many there are. Returns an exit status, after a message. */
int pages_count(const char *argument, int64_t *count);
/* The argument with a page in place of all; to be freed, NULL without memory. */
char *pages_one(const char *argument, int64_t page);
/* The page that the options behind a file's name ask for; 0 for none. */
int pages_number(const char *argument);

#endif
