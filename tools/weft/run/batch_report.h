/* SPDX-License-Identifier: MIT
 * What is said of a batch: numbers as files are done, notes and failures at the end. */
#ifndef TOOL_BATCH_REPORT_H
#define TOOL_BATCH_REPORT_H
#include "run/batch_items.h"

bool batch_has_numbers(const struct item *item);
/* Prints them under the name of the file. */
void batch_print_numbers(const struct item *item);
/* Says what went wrong, the same failure of several files once. Returns the exit status of the whole. */
int batch_report(const struct items *items);

#endif
