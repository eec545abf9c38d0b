/* SPDX-License-Identifier: MIT
 * Many files through one graph. */
#ifndef TOOL_BATCH_H
#define TOOL_BATCH_H
#include "run/operands.h"

/* Runs the graph on every file that the inputs stand for, several at a time. A file that fails keeps none of the others
 * from being done and is reported at the end. Names that would be written twice are refused before work starts. Returns
 * EXIT_DONE when all are done, or another exit status after a message. */
int batch_run(const struct operands *operands, const struct graph *graph, const struct options *options);

#endif
