/* SPDX-License-Identifier: MIT
 * Names of output files, made from those of the input files. */
#include "run/output_names.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "common/message.h"
#include "common/nearest.h"

enum { STEM, NAME, EXTENSION, FOLDER, BELOW, NUMBER, PAGE, PLACEHOLDERS };
/* For photos/trip/photo.jpg in photos, the seventh of 100 files: photo, photo.jpg, jpg, photos/trip, trip, 007, and its page. */
static const char *const placeholders[PLACEHOLDERS + 1] = {"stem", "name", "ext", "dir", "sub", "number", "page", NULL};

/* What begins at a brace: a placeholder, whose length with braces goes to *length; -1 when it is none. */
static int placeholder(const char *text, size_t *length) {
    size_t size = strcspn(text, "}");
    for (int i = 0; i < PLACEHOLDERS && text[size]; i++)
        if (size == strlen(placeholders[i]) + 1 && !strncmp(text + 1, placeholders[i], size - 1)) {
            *length = size + 1;
            return i;
        }
    return -1;
}

bool pattern_given(const char *pattern) {
    size_t length;
    for (const char *brace = strchr(pattern, '{'); brace; brace = strchr(brace + 1, '{'))
        if (placeholder(brace, &length) >= 0)
            return true;
    return false;
}

bool pattern_folder(const char *pattern) {
    struct stat status;
    size_t length = strlen(pattern);
    return (length && pattern[length - 1] == '/') || (stat(pattern, &status) == 0 && S_ISDIR(status.st_mode));
}

int pattern_check(const char *pattern) {
    size_t length;
    for (const char *brace = strchr(pattern, '{'); brace; brace = strchr(brace + 1, '{')) {
        if (placeholder(brace, &length) >= 0)
            continue;
        char word[32];
        int size = (int)strcspn(brace + 1, "}");
        snprintf(word, sizeof word, "%.*s", size, brace + 1);
        const char *near = size > 1 ? nearest_word(word, placeholders) : NULL;
        if (near)
            return message_usage("'%s': there is no {%s}: did you mean {%s}?", pattern, word, near);
        return message_usage("'%s': braces hold stem, name, ext, dir, sub, number or page, not '%s'", pattern, word);
    }
    return EXIT_DONE;
}

/* Prints one placeholder's value. */
static void print_value(FILE *file, int which, const struct pattern_input *from) {
    const char *input = from->name;
    const char *slash = strrchr(input, '/'), *base = slash ? slash + 1 : input, *dot = strrchr(base, '.');
    int stem = dot && dot > base ? (int)(dot - base) : (int)strlen(base), digits = 1;
    for (int rest = from->count; rest >= 10; rest /= 10)
        digits++;
    if (which == STEM)
        fprintf(file, "%.*s", stem, base);
    else if (which == NAME)
        fputs(base, file);
    else if (which == EXTENSION)
        fputs(base[stem] ? base + stem + 1 : "", file);
    else if (which == FOLDER)
        fprintf(file, "%.*s", slash ? slash == input ? 1 : (int)(slash - input) : 1, slash ? input : ".");
    else if (which == BELOW && slash && slash - input > from->root && from->root)
        fprintf(file, "%.*s", (int)(slash - input) - from->root, input + from->root);
    else if (which == BELOW)
        putc('.', file);
    else if (which == PAGE)
        fprintf(file, "%d", from->page ? from->page : 1);
    else
        fprintf(file, "%0*d", digits, from->number);
}

/* Whether the extension of a name is one of those, in any case; they are separated by spaces. */
static bool has_extension(const char *name, const char *extensions) {
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    while (dot && *extensions) {
        size_t length = strcspn(extensions, " ");
        if (strlen(dot + 1) == length && !strncasecmp(dot + 1, extensions, length))
            return true;
        extensions += length;
        extensions += *extensions == ' ';
    }
    return false;
}

char *pattern_fill(const char *pattern, const struct pattern_input *input, const char *extensions) {
    char *text = NULL;
    size_t size, length;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    for (const char *rest = pattern; *rest;) {
        int which = *rest == '{' ? placeholder(rest, &length) : -1;
        if (which >= 0) {
            print_value(file, which, input);
            rest += length;
        } else {
            putc(*rest++, file);
        }
    }
    if (pattern_folder(pattern)) {
        if (pattern[strlen(pattern) - 1] != '/')
            putc('/', file);
        bool renamed = extensions && !has_extension(input->name, extensions);
        const char *slash = strrchr(input->name, '/');
        if (input->root && slash && slash - input->name > input->root) {
            print_value(file, BELOW, input);
            putc('/', file);
        }
        print_value(file, renamed ? STEM : NAME, input);
        if (renamed)
            fprintf(file, ".%.*s", (int)strcspn(extensions, " "), extensions);
    }
    bool good = !ferror(file);
    if (fclose(file) != 0 || !good) {
        free(text);
        return NULL;
    }
    return text;
}

/* Whether the pattern makes one text of both. True without memory. */
static bool is_alike(const char *pattern, const struct pattern_input *a, const struct pattern_input *b) {
    char *first = pattern_fill(pattern, a, NULL), *second = pattern_fill(pattern, b, NULL);
    bool alike = !first || !second || !strcmp(first, second);
    free(first);
    free(second);
    return alike;
}

const char *pattern_apart(const struct pattern_input *a, const struct pattern_input *b) {
    static const char *const names[] = {"{stem}", "{name}", "{sub}"};
    if (!strcmp(a->name, b->name))
        return a->page != b->page ? "{page}" : "{number}";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!is_alike(names[i], a, b))
            return names[i];
    return "{number}";
}
