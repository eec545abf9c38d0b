/* SPDX-License-Identifier: MIT
 * What a run makes: pictures that go to files, streamed or from memory, and numbers that go to files or to standard
 * output. The calls come in the order in which they stand here. */
#ifndef TOOL_OUTPUTS_H
#define TOOL_OUTPUTS_H
#include "message.h"
#include "options.h"
#include "progress.h"

struct output {
    const struct reporting *report;
    char *path;                 /* "-" for standard output */
    char *settings;             /* of its format, what stands in brackets behind the path; NULL when nothing does */
    bool values;                /* numbers rather than a picture */
    bool converts;              /* the file holds something that the plan cannot make */
    weft_type type;             /* what the plan is asked for; 0 for its own choice */
    weft_image_info made, held; /* by the plan, by the file */
    weft_writer *writer;
    void *row; /* of the file, for conversions */
};

struct outputs {
    const struct reporting *report;
    struct output *list;
    int count;
    weft_writer_options writing;
    weft_run_output *run; /* what weft_plan_run takes */
};

/* All of these return EXIT_DONE, or another exit status after a message; the outputs are to be closed in any case. */

/* Gives each output of a first plan its path, and asks the files what they can hold. */
int outputs_match(struct outputs *outputs, const struct reporting *report, const weft_plan *plan,
                  const struct options *options, const char *const *paths, int count);
/* Starts the files with what the final plan makes; when `stream` is set, as sinks of the run, else gets memory. */
int outputs_open(struct outputs *outputs, const weft_plan *plan, bool stream);
/* Writes what is in memory to the files. */
int outputs_write(struct outputs *outputs, struct progress *progress);
/* Gives the files their names, and prints numbers. */
int outputs_finish(struct outputs *outputs, bool json);
/* Frees everything and gives up the files that are not finished. */
void outputs_close(struct outputs *outputs);

#endif
