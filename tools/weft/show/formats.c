/* SPDX-License-Identifier: MIT
 * weft list --formats, and the names of files. */
#include "show/formats.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "common/extension.h"
#include "common/json.h"
#include "weft/video.h"
#include "weft/weft.h"

/* The word at place `index` of words separated by spaces. */
static void print_word(const char *words, int32_t index, char *word, size_t size) {
    for (; index > 0; index--) {
        words += strcspn(words, " ");
        words += *words == ' ';
    }
    snprintf(word, size, "%.*s", (int)strcspn(words, " "), words);
}

static void describe_options(struct json *json, const char *key, const weft_file_option *options, int32_t count) {
    json_array(json, key);
    for (int32_t i = 0; i < count; i++) {
        const weft_file_option *option = &options[i];
        char word[32];
        json_object(json, NULL);
        json_text(json, "name", option->name);
        json_text(json, "summary", option->summary);
        if (option->choices) {
            print_word(option->choices, option->preset, word, sizeof word);
            json_text(json, "choices", option->choices);
            json_text(json, "default", word);
        } else if (option->minimum <= option->maximum) {
            json_number(json, "minimum", option->minimum);
            json_number(json, "maximum", option->maximum);
            json_number(json, "default", option->preset);
        }
        json_object_end(json);
    }
    json_array_end(json);
}

static void describe_format(struct json *json, const weft_file_format *format) {
    json_object(json, NULL);
    json_text(json, "name", format->name);
    json_text(json, "extensions", format->extensions);
    json_text(json, "summary", format->summary);
    json_bool(json, "reads", format->reads);
    json_bool(json, "writes", format->writes);
    describe_options(json, "options", format->options, format->option_count);
    describe_options(json, "input_options", format->reader_options, format->reader_option_count);
    json_object_end(json);
}

static void print_option(const weft_file_option *option, bool reading) {
    const char *where = reading ? "reading: " : "";
    char given[64], word[32];
    if (option->choices) {
        print_word(option->choices, option->preset, word, sizeof word);
        snprintf(given, sizeof given, "%s=%s", option->name, word);
        printf("    %-20s %s%s: %s\n", given, where, option->summary, option->choices);
    } else if (option->minimum > option->maximum) {
        snprintf(given, sizeof given, "%s=NAME", option->name);
        printf("    %-20s %s%s\n", given, where, option->summary);
    } else {
        snprintf(given, sizeof given, "%s=%d", option->name, (int)option->preset);
        printf("    %-20s %s%s: %d to %d\n", given, where, option->summary, (int)option->minimum, (int)option->maximum);
    }
}

void formats_print(bool json) {
    const weft_file_format *format;
    struct json list = {.file = stdout};
    if (json)
        json_array(&list, NULL);
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++) {
        if (json) {
            describe_format(&list, format);
            continue;
        }
        printf("%-5s %s%s (%s)\n", format->name, format->summary,
               !format->writes  ? ", only read"
               : !format->reads ? ", only written"
                                : "",
               format->extensions);
        for (int32_t k = 0; k < format->option_count; k++)
            print_option(&format->options[k], false);
        for (int32_t k = 0; k < format->reader_option_count; k++)
            print_option(&format->reader_options[k], true);
    }
    const weft_file_option *option;
    for (int32_t i = 0; !json && (option = weft_input_option_at(i)) != NULL; i++) {
        if (i == 0)
            puts("every file that is read");
        print_option(option, true);
    }
    if (!json)
        puts("every file that is read or written\n"
             "    color_profile=NAME   colors are brought to it from the input's: srgb, or a file of an ICC profile");
    char video[512];
    bool there = weft_video_available(video, sizeof video);
    if (json) {
        json_array_end(&list);
        json_end(&list);
    } else {
        printf("video %s%s\n", there ? "" : "is not there: ", video);
        puts("\nThe indented lines are options of files that are written, or read where that is said, with their "
             "defaults;\n"
             "they follow the name: out.jpg[quality=80,subsampling=444], in.exr[layer=diffuse], in.png[linear].\n"
             "in.tif[page=2] is one page or frame, in.tif[page=all] each by itself, which {page} in the output's name "
             "keeps apart.");
    }
}

const char *formats_extensions(const char *name) {
    const weft_file_format *format = weft_file_format_at(0);
    for (int32_t i = 0; format && strcmp(format->name, name); i++)
        format = weft_file_format_at(i);
    return format ? format->extensions : NULL;
}

/* A slash behind the bracket is one of an option's value, as in out.jpg[color_profile=profiles/wide.icc], or the bracket
 * is a part of a folder's name. */
size_t formats_name_length(const char *path) {
    const char *bracket = strrchr(path, '[');
    size_t length = strlen(path);
    bool given = bracket && bracket > path && bracket[-1] != '/' && path[length - 1] == ']';
    const char *slash = given ? strchr(bracket, '/') : NULL;
    return given && (!slash || memchr(bracket, '=', (size_t)(slash - bracket))) ? (size_t)(bracket - path) : length;
}

bool formats_is_text(const char *path) { return !strncmp(path, WEFT_TEXT_PREFIX, sizeof WEFT_TEXT_PREFIX - 1); }

/* A text may hold all signs, and its options the folder of a font. */
static size_t text_length(const char *path, size_t all) {
    const char *bracket = strrchr(path, '[');
    return bracket && path[all - 1] == ']' ? (size_t)(bracket - path) : all;
}

size_t formats_input_length(const char *path) {
    size_t length = formats_name_length(path), all = strlen(path);
    struct stat status;
    char name[4096];
    if (formats_is_text(path))
        return text_length(path, all);
    if (length == all || stat(path, &status) == 0 || length >= sizeof name)
        return all;
    memcpy(name, path, length);
    name[length] = 0;
    return !strcmp(name, "-") || extension_reads(name) ? length : all;
}
