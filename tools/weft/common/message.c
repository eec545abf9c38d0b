/* SPDX-License-Identifier: MIT
 * What the tool says on standard error. */
#include "common/message.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/interrupt.h"

bool message_colors(int descriptor) {
    const char *terminal = getenv("TERM"), *refused = getenv("NO_COLOR");
    return isatty(descriptor) == 1 && !(refused && *refused) && terminal && strcmp(terminal, "dumb") != 0;
}

static void prefix(FILE *file) {
    if (file == stderr)
        fputs(message_colors(STDERR_FILENO) ? "\033[1;31mweft:\033[0m " : "weft: ", file);
}

static void say(FILE *file, const char *kind, const char *format, va_list arguments) {
    prefix(file);
    fputs(kind, file);
    vfprintf(file, format, arguments);
    putc('\n', file);
}

/* The functions of one shape: to a report or to standard error, and what they return. */
#define SAY(file, kind)                                                                                                \
    va_list arguments;                                                                                                 \
    va_start(arguments, format);                                                                                       \
    say(file, kind, format, arguments);                                                                                \
    va_end(arguments)

int report_usage(const struct reporting *report, const char *format, ...) {
    SAY(report->errors, "");
    return EXIT_USAGE;
}

int report_unable(const struct reporting *report, const char *format, ...) {
    SAY(report->errors, "");
    return EXIT_UNABLE;
}

void report_note(const struct reporting *report, const char *format, ...) { SAY(report->errors, "note: "); }

int message_usage(const char *format, ...) {
    SAY(stderr, "");
    return EXIT_USAGE;
}

int message_unable(const char *format, ...) {
    SAY(stderr, "");
    return EXIT_UNABLE;
}

void message_note(const char *format, ...) { SAY(stderr, "note: "); }

static int exit_status(weft_status status) {
    switch (status) {
    case WEFT_OK:
        return EXIT_DONE;
    case WEFT_ERROR_ARGUMENT:
    case WEFT_ERROR_GRAPH:
    case WEFT_ERROR_PARAMETER:
    case WEFT_ERROR_FORMAT:
        return EXIT_USAGE;
    case WEFT_ERROR_MEMORY:
    case WEFT_ERROR_FILE:
    case WEFT_ERROR_UNSUPPORTED:
    case WEFT_ERROR_DEVICE:
    case WEFT_ERROR_CANCELLED:
    case WEFT_ERROR_INTERNAL:
        break;
    }
    return EXIT_UNABLE;
}

/* A byte of a UTF-8 sequence after its first: takes no column. */
static bool continues(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

/* Prints the line of the graph that holds the fault, and carets under it. */
static void show_place(FILE *file, const weft_error *error, const struct graph_text *graph) {
    size_t start = (size_t)error->offset, end, place = start, mark;
    size_t length = error->length > 0 ? (size_t)error->length : 1;
    while (start > 0 && graph->text[start - 1] != '\n')
        start--;
    for (end = place; end < graph->length && graph->text[end] != '\n';)
        end++;
    mark = length < end - place ? place + length : end;

    /* For a very long line, shows only the part around the place. */
    const size_t reach = 70;
    bool cut_start = place - start > reach, cut_end;
    if (cut_start)
        start = place - reach;
    while (cut_start && start < place && continues(graph->text[start]))
        start++;
    cut_end = end - place > reach && mark < end;
    if (cut_end)
        end = mark - place > reach ? mark : place + reach;
    while (cut_end && end > place && continues(graph->text[end]))
        end--;

    fprintf(file, "    %s", cut_start ? "..." : "");
    for (size_t i = start; i < end; i++) {
        unsigned char byte = (unsigned char)graph->text[i];
        putc(byte < 0x20 || byte == 0x7f ? ' ' : byte, file);
    }
    fprintf(file, "%s\n    %s", cut_end ? "..." : "", cut_start ? "   " : "");
    bool colors = file == stderr && message_colors(STDERR_FILENO);
    for (size_t i = start; i < place; i++)
        if (!continues(graph->text[i]))
            putc(' ', file);
    fprintf(file, "%s^", colors ? "\033[1;31m" : "");
    for (size_t i = place + 1; i < mark; i++)
        if (!continues(graph->text[i]))
            putc('^', file);
    fprintf(file, "%s\n", colors ? "\033[0m" : "");
}

/* " (FILE:LINE:COLUMN)" for a graph of several lines or from a file. */
static void show_position(FILE *file, const weft_error *error, const struct graph_text *graph) {
    int64_t line = 1, column = 1;
    for (int64_t i = 0; i < error->offset; i++) {
        if (graph->text[i] == '\n') {
            line++;
            column = 1;
        } else if (!continues(graph->text[i])) {
            column++;
        }
    }
    if (graph->file)
        fprintf(file, " (%s:%lld:%lld)", graph->file, (long long)line, (long long)column);
    else if (memchr(graph->text, '\n', graph->length))
        fprintf(file, " (line %lld:%lld)", (long long)line, (long long)column);
}

int report_library(const struct reporting *report, const weft_error *error, const char *subject,
                   const struct graph_text *graph) {
    FILE *file = report->errors;
    if (interrupt_signal()) /* then the failure is a consequence, and the signal is reported */
        return EXIT_UNABLE;
    const char *text = error->message[0] ? error->message : weft_status_name(error->status);
    prefix(file);
    if (subject && strcmp(subject, "-") != 0 && !strstr(text, subject))
        fprintf(file, "%s: ", subject);
    if (error->filter[0] && !strstr(text, error->filter)) {
        if (error->parameter[0] && !strstr(text, error->parameter))
            fprintf(file, "%s=%s: ", error->filter, error->parameter);
        else
            fprintf(file, "%s: ", error->filter);
    }
    fputs(text, file);
    bool placed = graph && error->offset >= 0 && (uint64_t)error->offset <= graph->length;
    if (placed)
        show_position(file, error, graph);
    putc('\n', file);
    if (placed)
        show_place(file, error, graph);
    return exit_status(error->status);
}

int message_library(const weft_error *error, const char *subject, const struct graph_text *graph) {
    return report_library(&(struct reporting){stderr, stdout}, error, subject, graph);
}

static void write_log(void *user, weft_log_level level, const char *text) {
    (void)user;
    if (level == WEFT_LOG_DEBUG && strncmp(text, "pass ", 5) != 0)
        return; /* of plans, which are printed */
    if (level == WEFT_LOG_WARNING)
        message_note("%s", text);
    else
        fprintf(stderr, "%s\n", text);
}

weft_log message_log(bool explain) { return (weft_log){write_log, NULL, explain ? WEFT_LOG_DEBUG : WEFT_LOG_WARNING}; }

int message_flush(int status) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    int reason = errno;
    if (status != EXIT_DONE)
        return status; /* one message is enough */
    return message_unable("cannot write to standard output%s%s", reason ? ": " : "", reason ? strerror(reason) : "");
}
