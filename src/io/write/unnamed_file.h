/* SPDX-License-Identifier: MIT
 * Files without a name: they are gone when the program ends in whatever way, unless they were given one. */
#ifndef IO_UNNAMED_FILE_H
#define IO_UNNAMED_FILE_H
#include <stdbool.h>

/* Opens one for writing in the folder of `path`; -1 where the system or the file system has none. */
int weft_unnamed_open(const char *path);
/* Gives it a name in that folder; false with errno set, EEXIST when something has it already. */
bool weft_unnamed_name(int descriptor, const char *name);

#endif
