/* SPDX-License-Identifier: MIT
 * The options of all commands. Each command says which of them it takes. */
#ifndef TOOL_OPTION_TABLE_H
#define TOOL_OPTION_TABLE_H
#include <stdio.h>

enum {
    OPTION_DEVICE = 1 << 0,
    OPTION_THREADS = 1 << 1,
    OPTION_EXPLAIN = 1 << 2,
    OPTION_JSON = 1 << 3,
    OPTION_DOT = 1 << 4,
    OPTION_SIZE = 1 << 5,
    OPTION_FORMAT = 1 << 6,
    OPTION_ALPHA = 1 << 7,
    OPTION_TYPE = 1 << 8,
    OPTION_QUALITY = 1 << 9,
    OPTION_TO = 1 << 10,
    OPTION_FILE = 1 << 11,
    OPTION_GRAPH = 1 << 12,
    OPTION_ALL = 1 << 13,
    OPTION_SECONDS = 1 << 14,
    OPTION_PIXEL_LIMIT = 1 << 16,
    OPTION_OUTPUT = 1 << 17,
    OPTION_FORMATS = 1 << 18,
    OPTION_DEVICE_MEMORY = 1 << 19,
    OPTION_STRIP = 1 << 20,
    OPTION_DECODE_LIMIT = 1 << 21,
    OPTION_MEMORY = 1 << 22,
    OPTION_WARM = 1 << 23,
    OPTION_CLEAR = 1 << 24,
    OPTION_PACK = 1 << 25,
    OPTION_ARCHITECTURES = 1 << 26,
    OPTION_SEQUENCE = 1 << 27,
    OPTION_REPEAT = 1 << 28, /* recursive, newer and dry-run */
    OPTION_SHEET = 1 << 29,  /* grid, cell and gap */
    OPTION_VIDEO = 1 << 30, /* all that only videos take: tools/weft/video/video_options.h */
    OPTION_HELP = 1 << 15 /* every command takes it */
};

/* An option as it is written. */
struct option {
    const char *name;
    char letter; /* 0 when there is no short form */
    unsigned flag;
    const char *value; /* what its value is called; NULL when it has none */
    const char *doc;
};

/* Option `index`, NULL past the end. */
const struct option *option_at(int index);

/* The option that `word` begins with, among those of the set; *value points at a value joined to it, or is NULL. NULL: none. */
const struct option *option_find(const char *word, unsigned taken, const char **value);

/* Says that the command takes no option of that name, and what may have been meant. Returns EXIT_USAGE. */
int option_unknown(const char *word, size_t length, const char *command, unsigned taken);

/* Prints a line for each option of the set. */
void options_print(FILE *file, unsigned taken);

#endif
