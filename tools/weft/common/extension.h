/* SPDX-License-Identifier: MIT
 * What the ends of file names say. */
#ifndef TOOL_EXTENSION_H
#define TOOL_EXTENSION_H
#include <stdbool.h>

/* True when the name ends like a file that weft reads or writes. */
bool extension_known(const char *path);
/* True when the name ends like an image that weft reads. */
bool extension_reads(const char *path);

#endif
