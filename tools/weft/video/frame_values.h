/* SPDX-License-Identifier: MIT
 * Numbers of every frame, a line each: CSV, JSON lines or text. */
#ifndef TOOL_VIDEO_FRAME_VALUES_H
#define TOOL_VIDEO_FRAME_VALUES_H
#include <stdio.h>
#include "common/values.h"

enum { NUMBERS_FILES = 16 };

struct numbers_file {
    const char *path;
    FILE *file; /* NULL until the first line */
    enum values_form form;
    int32_t output; /* of the graph; -1 until it is known */
};

struct numbers {
    struct numbers_file files[NUMBERS_FILES];
    int count;
    struct numbers_file printed; /* on standard output, what has no file */
};

/* A file for the next of the graph's outputs that are numbers. */
int numbers_add(struct numbers *numbers, const char *path);
int numbers_print(struct numbers *numbers, int32_t output, int64_t frame, double seconds, const weft_image_info *info,
                  const double *values);
/* Closes the files; EXIT_UNABLE after a message when what was written did not arrive. */
int numbers_close(struct numbers *numbers);

#endif
