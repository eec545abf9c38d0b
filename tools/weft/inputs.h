/* SPDX-License-Identifier: MIT
 * The images that a run reads: opened, then either streamed or read into memory. */
#ifndef TOOL_INPUTS_H
#define TOOL_INPUTS_H
#include "message.h"
#include "options.h"
#include "progress.h"
#include "weft/weft.h"

struct inputs {
    const struct reporting *report;
    char **paths;
    int count;
    weft_reader **readers;
    weft_image_info *infos;
    weft_run_input *run; /* what weft_plan_run takes */
};

/* All of these return EXIT_DONE, or another exit status after a message; the inputs are to be closed in any case. */
int inputs_open(struct inputs *inputs, const struct reporting *report, char **paths, int count,
                const struct options *options);
/* Makes them sources of the run. */
void inputs_stream(struct inputs *inputs);
/* Reads them into memory. */
int inputs_read(struct inputs *inputs, struct progress *progress);
/* Checks that nothing was missing or wrong at their ends, once all rows are read. */
int inputs_finish(struct inputs *inputs);
/* Says how many pictures of each are left out, once they are finished. */
void inputs_tell(const struct inputs *inputs);
void inputs_close(struct inputs *inputs);

/* Memory for an image, aligned for vectors; NULL when there is none. `size` may not be 0. And for `count` of them, one behind
 * the other. */
void *image_memory(size_t size);
void *images_memory(size_t size, size_t count);
/* Whether memory for images of `size` bytes is of huge pages. */
bool images_huge(size_t size);
/* How many rows of an image are worth a call to a reader or writer. */
int64_t rows_at_once(const weft_image_info *info);

#endif
