/* SPDX-License-Identifier: MIT
 * What a batch has to do: the files that each run reads and writes. */
#ifndef TOOL_BATCH_ITEMS_H
#define TOOL_BATCH_ITEMS_H
#include <stdint.h>
#include "run/operands.h"
#include "run/paths.h"

struct item {
    char **inputs, **outputs;
    char *name;   /* of the input that names the outputs */
    int page;     /* of that input, 0 for its only one */
    int root;     /* how much of it names the folder that was searched, 0 for none */
    int64_t size; /* bytes of that input, for estimates */
    int status;   /* once it is finished */
    bool finished;
    char *errors, *numbers; /* what its run printed, NULL for nothing */
};

struct items {
    struct item *list;
    int count, inputs, outputs; /* of each item */
    int skipped;                /* that were left out, their outputs being newer */
    struct paths folders;       /* that were made; items_close removes those that stayed empty */
};

/* Finds the files and checks the names. Returns EXIT_DONE, or another exit status after a message; the items are to be
 * closed in any case. */
int items_open(struct items *items, const struct operands *operands, const struct options *options, int graph_inputs);
/* Prints a line for each: which files are made of which. */
void items_print(const struct items *items);
void items_close(struct items *items);

#endif
