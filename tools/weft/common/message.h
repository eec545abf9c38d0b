/* SPDX-License-Identifier: MIT
 * What the tool says on standard error: one message for one failure, with a caret where the fault is. */
#ifndef TOOL_MESSAGE_H
#define TOOL_MESSAGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "weft/weft.h"

/* The tool's exit statuses. */
enum { EXIT_DONE = 0, EXIT_UNABLE = 1, EXIT_USAGE = 2 };

/* Where a graph's text came from, so that errors can show it. */
struct graph_text {
    const char *text;
    size_t length;
    const char *file; /* NULL when it stood on the command line */
};

/* Where the words of one job go: standard error and standard output, or streams that a batch of jobs reports from.
 * Messages to the latter are without "weft: ". */
struct reporting {
    FILE *errors, *numbers;
};

/* Print a message and a newline; return EXIT_USAGE and EXIT_UNABLE, to be returned. */
int report_usage(const struct reporting *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
int report_unable(const struct reporting *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_note(const struct reporting *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
int report_library(const struct reporting *report, const weft_error *error, const char *subject,
                   const struct graph_text *graph);

/* The same on standard error: "weft: ...". */
int message_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
int message_unable(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same without a verdict: "weft: note: ...". */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a library error about `subject` (a file, or NULL), under the graph's text when it has a place in `graph`
 * (which may be NULL). Returns the exit status that goes with it. */
int message_library(const weft_error *error, const char *subject, const struct graph_text *graph);

/* The library's log, to standard error: warnings always, and with `explain` what was chosen and why. */
weft_log message_log(bool explain);

/* Flushes standard output. Returns `status`, or EXIT_UNABLE after a message when what was printed did not arrive. */
int message_flush(int status);

/* True when `descriptor` is a terminal that wants colors. */
bool message_colors(int descriptor);

#endif
