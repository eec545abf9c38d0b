/* SPDX-License-Identifier: MIT
 * What is said of a batch. */
#include "run/batch_report.h"
#include <string.h>
#include "common/interrupt.h"
#include "common/message.h"

bool batch_has_numbers(const struct item *item) {
    return item->status == EXIT_DONE && item->numbers && item->numbers[0];
}

void batch_print_numbers(const struct item *item) {
    const char *end = strchr(item->numbers, '\n');
    bool line = !end || !end[1]; /* a few numbers, or a table */
    printf("%s:%s%s", item->name, line ? " " : "\n", item->numbers);
    fflush(stdout);
}

static bool failed(const struct item *item) { return item->finished && item->status != EXIT_DONE; }

static const char *failure(const struct item *item) {
    return item->errors && item->errors[0] ? item->errors : "not enough memory\n";
}

/* Prints text of several lines further in. */
static void print_indented(const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(stderr, "%.*s\n", (int)length, text);
        text += length;
        text += *text == '\n';
        if (*text)
            fputs("    ", stderr);
    }
}

/* The failure of an item, under the names of all that have the same, unless an earlier one said it. */
static void print_failure(const struct items *items, int index) {
    const struct item *item = &items->list[index];
    const char *text = failure(item);
    int others = 0;
    for (int i = 0; i < items->count; i++) {
        if (i == index || !failed(&items->list[i]) || strcmp(failure(&items->list[i]), text) != 0)
            continue;
        if (i < index)
            return;
        others++;
    }
    fputs("    ", stderr);
    if (others)
        fprintf(stderr, "%s and %d other%s: ", item->name, others, others == 1 ? "" : "s");
    else if (!strstr(text, item->name))
        fprintf(stderr, "%s: ", item->name);
    print_indented(text);
}

/* Notes on successful files differ in little but names: the first is printed for all. */
static void print_notes(const struct items *items) {
    const struct item *first = NULL;
    int others = -1;
    for (int i = 0; i < items->count; i++) {
        const struct item *item = &items->list[i];
        if (item->finished && item->status == EXIT_DONE && item->errors && item->errors[0]) {
            first = first ? first : item;
            others++;
        }
    }
    if (!first)
        return;
    int length = (int)strcspn(first->errors, "\n");
    fprintf(stderr, "weft: %.*s", length, first->errors);
    if (others)
        fprintf(stderr, "; so with %d other file%s", others, others == 1 ? "" : "s");
    putc('\n', stderr);
}

int batch_report(const struct items *items) {
    int failures = 0, done = 0, usage = 0;
    for (int i = 0; i < items->count; i++) {
        failures += failed(&items->list[i]);
        done += items->list[i].finished && items->list[i].status == EXIT_DONE;
        usage += failed(&items->list[i]) && items->list[i].status == EXIT_USAGE;
    }
    if (interrupt_signal()) {
        message_unable("stopped; %d of %d files are done", done, items->count);
        return 128 + interrupt_signal();
    }
    print_notes(items);
    if (failures == 0)
        return EXIT_DONE;
    message_unable("%d of %d files could not be done:", failures, items->count);
    for (int i = 0; i < items->count; i++)
        if (failed(&items->list[i]))
            print_failure(items, i);
    return usage == items->count ? EXIT_USAGE : EXIT_UNABLE;
}
