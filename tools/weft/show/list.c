/* SPDX-License-Identifier: MIT
 * weft list: the filters, by family. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "command.h"
#include "show/formats.h"
#include "common/message.h"
#include "show/topics.h"

/* True when `word` is in `text`, whatever the case. */
static bool holds(const char *text, const char *word) {
    size_t length = strlen(word);
    for (; *text; text++) {
        size_t same = 0;
        while (same < length && tolower((unsigned char)text[same]) == tolower((unsigned char)word[same]))
            same++; /* stops at the end of the text, where the bytes differ */
        if (same == length)
            return true;
    }
    return length == 0;
}

/* What is listed: a filter, or a word that stands in graphs as one does. */
struct entry {
    const char *name, *family, *summary, *step_of;
};

/* `all`: building blocks too, which other filters are made of. */
static bool wanted(const weft_filter_info *filter, const char *word, bool all) {
    if (!all && filter->step_of[0])
        return false;
    return !word || holds(filter->name, word) || holds(filter->aliases, word) || holds(filter->family, word) ||
           holds(filter->summary, word);
}

static int by_family(const void *a, const void *b) {
    const struct entry *first = a, *second = b;
    int order = strcmp(first->family, second->family);
    return order ? order : strcmp(first->name, second->name);
}

static void print_text(const struct entry *entries, int32_t count) {
    const char *family = "";
    bool colors = message_colors(STDOUT_FILENO);
    int width = 4;
    for (int32_t i = 0; i < count; i++)
        if ((int)strlen(entries[i].name) > width)
            width = (int)strlen(entries[i].name);
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(family, entries[i].family) != 0) {
            family = entries[i].family;
            printf("%s%s%s%s\n", i ? "\n" : "", colors ? "\033[1m" : "", family, colors ? "\033[0m" : "");
        }
        printf("  %-*s  %s", width, entries[i].name, entries[i].summary);
        if (entries[i].step_of[0])
            printf(": a step of %s", entries[i].step_of);
        putchar('\n');
    }
}

int list_command(const struct options *options) {
    const char *word = options->operand_count ? options->operands[0] : NULL;
    int32_t total = weft_filter_count(), count = 0, hidden = 0;
    if (options->operand_count > 1)
        return message_usage("'weft list' takes one word, not %d", options->operand_count);
    if (options->formats && word)
        return message_usage("'weft list --formats' takes no word");
    if (options->formats && options->all)
        return message_usage("'weft list --formats' does not take --all");
    if (options->formats) {
        formats_print(options->json);
        return EXIT_DONE;
    }
    struct entry *entries = calloc((size_t)total + 16, sizeof *entries);
    if (!entries)
        return message_unable("not enough memory");
    for (int32_t i = 0; i < total; i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        if (wanted(filter, word, options->all || options->json))
            entries[count++] = (struct entry){filter->name, filter->family, filter->summary, filter->step_of};
        else
            hidden += wanted(filter, word, true);
    }
    int32_t words = 0;
    for (const struct topic *topic; !options->json && (topic = topic_word_at(words)) != NULL; words++)
        if (!word || holds(topic->name, word) || holds(topic->family, word) || holds(topic->summary, word))
            entries[count++] = (struct entry){topic->name, topic->family, topic->summary, ""};
    qsort(entries, (size_t)count, sizeof *entries, by_family);
    int status = EXIT_DONE;
    if (options->json) {
        struct json json = {.file = stdout};
        json_array(&json, NULL);
        for (int32_t i = 0; i < count; i++)
            describe_filter(&json, weft_filter_find(entries[i].name));
        json_array_end(&json);
        json_end(&json);
    } else if (count) {
        print_text(entries, count);
    } else if (hidden) {
        status = message_unable("only building blocks of other filters have '%s' in their name, family or summary; "
                                "'weft list --all %s' shows them", word, word);
    } else {
        status = message_unable("no filter has '%s' in its name, family or summary", word ? word : "");
    }
    free(entries);
    return status;
}
