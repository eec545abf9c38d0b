/* SPDX-License-Identifier: MIT
 * The options of all commands. Each command says which of them it takes. */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H
#include <stdbool.h>
#include <stdio.h>
#include "video/video_options.h"
#include "weft/weft.h"

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

enum { OPTION_OUTPUTS = 16 }; /* how often -o and -g may be given */

struct options {
    const char *device;
    int32_t threads; /* 0: as many as the device likes */
    bool explain, json, dot, all, formats, help, strip, sequence, warm, clear, recursive, newer, dry_run, labels;
    uint64_t device_memory; /* bytes; 0 when not given */
    uint64_t memory;        /* bytes; 0 when not given */
    int64_t width, height;
    weft_format format;
    bool alpha_given;
    weft_alpha alpha;
    weft_type type;         /* 0 when not given */
    int32_t quality;        /* 0 when not given */
    const char *to;         /* name of a file format, NULL when not given */
    const char *graph_file; /* -f */
    const char *graph;      /* -g, the first; and all of them: */
    const char *graphs[OPTION_OUTPUTS];
    int graph_count;
    const char *outputs[OPTION_OUTPUTS]; /* -o, in order */
    int output_count;
    const char *pack;          /* a file, NULL when not given */
    const char *architectures; /* NULL when not given */
    int64_t grid[2], cell[2]; /* 0 when not given */
    int64_t gap;            /* -1 when not given */
    double seconds;         /* 0 when not given */
    int64_t pixel_limit;    /* 0 when not given */
    int64_t decode_limit;   /* bytes; 0 when not given */
    char **operands;        /* what is no option, in order */
    int operand_count;
    struct video_switches video;
};

/* Reads the arguments of a command, `words[0 .. count-1]`, into `options`; the operands are moved to their front.
 * Returns EXIT_DONE, or EXIT_USAGE after a message. */
int options_read(struct options *options, const char *command, unsigned taken, int count, char **words);

/* Bytes that images of a run may take: what --memory says, else a quarter of the machine's, at most 1 GB. */
uint64_t options_memory(const struct options *options);

/* Prints a line for each option of the set. */
void options_print(FILE *file, unsigned taken);

/* What an image of the options' size, format and alpha is. */
weft_image_info options_image(const struct options *options);

#endif
