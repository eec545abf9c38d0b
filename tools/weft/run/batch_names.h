/* SPDX-License-Identifier: MIT
 * Whether the names of a batch's files go together. */
#ifndef TOOL_BATCH_NAMES_H
#define TOOL_BATCH_NAMES_H
#include "run/batch_items.h"

/* An output without the options of its format; to be freed, NULL without memory. */
char *batch_bare_name(const char *output);
/* Refuses names that would be written twice, or written by one item and read by another. Returns EXIT_DONE, or another exit
 * status after a message. */
int batch_check_names(const struct items *items);

#endif
