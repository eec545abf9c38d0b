/* SPDX-License-Identifier: MIT
 * Files of several pages. */
#include "run/pages.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/message.h"
#include "show/formats.h"

static const char key[] = "page=";

/* What stands behind page= in the options of a name; NULL for nothing. */
static const char *find(const char *argument) {
    const char *at = argument + formats_input_length(argument);
    while (*at && *at != ']') {
        at++; /* the bracket or a comma */
        if (!strncmp(at, key, sizeof key - 1))
            return at + sizeof key - 1;
        at += strcspn(at, ",]");
    }
    return NULL;
}

bool pages_all(const char *argument) {
    const char *value = find(argument);
    return value && !strncmp(value, "all", 3) && strchr(",]", value[3]);
}

int pages_number(const char *argument) {
    const char *value = find(argument);
    return value ? atoi(value) : 0;
}

char *pages_one(const char *argument, int64_t page) {
    const char *value = find(argument);
    size_t before = (size_t)(value - argument), size = strlen(argument) + 24;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%.*s%lld%s", (int)before, argument, (long long)page, value + strlen("all"));
    return text;
}

int pages_count(const char *argument, int64_t *count) {
    size_t length = formats_input_length(argument);
    char *first = pages_one(argument, 1), *name = strndup(argument, length);
    weft_reader *reader = NULL;
    weft_error error;
    *count = 0;
    if (!first || !name) {
        free(first);
        free(name);
        return message_unable("not enough memory");
    }
    first[strlen(first) - 1] = 0; /* the bracket */
    weft_reader_options options = {.settings = first + length + 1};
    int status = weft_reader_open(name, &options, &reader, &error) == WEFT_OK ? EXIT_DONE
                                                                                : message_library(&error, name, NULL);
    *count = weft_reader_pictures(reader);
    weft_reader_close(&reader);
    free(first);
    free(name);
    return status;
}
