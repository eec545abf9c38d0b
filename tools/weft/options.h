/* SPDX-License-Identifier: MIT
 * The options of a command as they were given. */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H
#include <stdbool.h>
#include "option_table.h"
#include "video/video_options.h"
#include "weft/weft.h"

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

/* What an image of the options' size, format and alpha is. */
weft_image_info options_image(const struct options *options);

#endif
