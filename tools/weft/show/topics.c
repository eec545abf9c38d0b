/* SPDX-License-Identifier: MIT
 * The topics of weft help. Their text comes from the rest of the tool or from the documentation. */
#include "show/topics.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include "command.h"
#include "show/formats.h"

extern const unsigned char cookbook_text[]; /* docs/cookbook.md; the build makes it */

/* A line of prose without the marks of Markdown: of [words](place) the words, of `code` the code. */
static void put_prose(FILE *file, const char *line, size_t length) {
    bool code = false;
    for (size_t i = 0; i < length; i++) {
        const char *link = !code && line[i] == ']' && i + 1 < length && line[i + 1] == '('
                               ? memchr(line + i, ')', length - i)
                               : NULL;
        code = line[i] == '`' ? !code : code;
        if (link)
            i = (size_t)(link - line);
        else if (line[i] != '`' && (code || line[i] != '['))
            putc(line[i], file);
    }
    putc('\n', file);
}

void topic_print_cookbook(FILE *file) {
    bool code = false;
    for (const char *line = (const char *)cookbook_text; *line;) {
        size_t length = strcspn(line, "\n");
        if (!strncmp(line, "```", 3))
            code = !code;
        else if (code)
            fprintf(file, "    %.*s\n", (int)length, line);
        else if (*line == '#')
            for (size_t i = strspn(line, "# "); i <= length; i++)
                putc(i < length ? toupper((unsigned char)line[i]) : '\n', file);
        else
            put_prose(file, line, length);
        line += length;
        line += *line == '\n';
    }
}

/* Whether a command names the filter: as weft FILTER, or in a graph, behind what begins there and before what ends or goes on. */
static bool names(const char *line, size_t length, const char *filter) {
    size_t size = strlen(filter);
    for (size_t i = 1; i + size <= length; i++)
        if (!strncmp(line + i, filter, size) && strchr(" ',;]=", line[i - 1]) &&
            (i + size == length || strchr(" ',;[=", line[i + size])))
            return true;
    return false;
}

void topic_print_tasks(FILE *file, const char *filter) {
    bool code = false, any = false;
    for (const char *line = (const char *)cookbook_text; *line;) {
        size_t length = strcspn(line, "\n");
        code = !strncmp(line, "```", 3) ? !code : code;
        if (code && *line != '`' && names(line, length, filter)) {
            fprintf(file, "%s  %.*s\n", any ? "" : "\nin 'weft help cookbook'\n", (int)length, line);
            any = true;
        }
        line += length;
        line += *line == '\n';
    }
}

static void print_cookbook(void) { topic_print_cookbook(stdout); }
static void print_graph(void) { fputs(help_graph, stdout); }
static void print_formats(void) { formats_print(false); }

static void print_color_profile(void) {
    fputs(WEFT_COLOR_PROFILE ": bring colors to a color profile, by files as they are read and written\n\n"
          "It stands in a graph as a filter does, at an end of it: first, and the input's colors are brought to the profile as\n"
          "the file is read; or last, and the output's are as the file is written. Between filters pixels have no profile. It\n"
          "is what the option of that name behind a file's name is: in.jpg[color_profile=srgb], out.jpg[color_profile=a.icc].\n"
          "Colors come from the profile in the file, and from sRGB where there is none; those that are written last from the\n"
          "first input's. Relative colorimetric, with black as black, by Little CMS. Videos, plans and pictures in memory have\n"
          "no profile, and say so.\n\n"
          "parameters, in order, with their defaults\n"
          "  profile=srgb  srgb, or the name of a file with an ICC profile, which then goes into the output\n\n"
          "example\n"
          "  weft run in.jpg 'color_profile=srgb,gaussian=2' out.png\n"
          "  weft run in.jpg 'gaussian=2,color_profile=printer.icc' out.tif\n"
          "  weft run a.jpg b.jpg '[0]color_profile[c];[1]color_profile[d];[c][d]overlay' out.jpg\n"
          "  weft color_profile in.jpg out.jpg --profile srgb\n",
          stdout);
    topic_print_tasks(stdout, WEFT_COLOR_PROFILE);
}

static const struct topic topics[] = {
    {"graph", "how graphs are written", print_graph, NULL, NULL, NULL},
    {"formats", "the file formats, and the options behind names of files", print_formats, NULL, NULL, NULL},
    {"cookbook", "what people do with pictures every day, a line each", print_cookbook, NULL, NULL, NULL},
    {WEFT_COLOR_PROFILE, "Bring colors to sRGB or another color profile, as files are read and written", print_color_profile,
     "color", "profile", "srgb"},
};
enum { TOPICS = sizeof topics / sizeof *topics };

const struct topic *topic_at(int index) { return index >= 0 && index < TOPICS ? &topics[index] : NULL; }

const struct topic *topic_word_at(int index) {
    for (int i = 0; i < TOPICS; i++)
        if (topics[i].family && index-- == 0)
            return &topics[i];
    return NULL;
}

const struct topic *topic_find(const char *name) {
    for (int i = 0; i < TOPICS; i++)
        if (!strcmp(topics[i].name, name))
            return &topics[i];
    return NULL;
}
