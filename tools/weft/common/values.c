/* SPDX-License-Identifier: MIT
 * Numbers that a graph measured, as text: a table for people, CSV and JSON for programs. */
#include "common/values.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

bool values_form_of(const char *path, enum values_form *form) {
    static const char *const extensions[] = {".txt", ".csv", ".json"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < 3; i++) {
        if (!strcasecmp(dot, extensions[i])) {
            *form = (enum values_form)i;
            return true;
        }
    }
    return false;
}

static const char *channel_name(const weft_image_info *info, int channel) {
    int channels = info->format.channels;
    bool colors = channels == 3 || (channels == 4 && info->alpha != WEFT_ALPHA_NONE);
    static const char *const names[] = {"red", "green", "blue", "alpha"};
    static const char *const numbers[] = {"0", "1", "2", "3"};
    return channels == 1 ? "value" : colors ? names[channel] : numbers[channel];
}

void values_json(struct json *json, const weft_image_info *info, const double *numbers) {
    int channels = info->format.channels;
    json_object(json, NULL);
    json_number(json, "width", (double)info->width);
    json_number(json, "height", (double)info->height);
    json_number(json, "channels", channels);
    json_array(json, "values");
    for (int64_t i = 0; i < info->width * info->height * channels; i++)
        json_number(json, NULL, numbers[i]);
    json_array_end(json);
    json_object_end(json);
}

/* The separator is a comma in CSV; a table for people has columns of one width. */
static void print_rows(FILE *file, enum values_form form, const weft_image_info *info, const double *numbers) {
    int channels = info->format.channels;
    bool csv = form == VALUES_CSV;
    const char *index = info->width == 256 && info->height == 1 ? "bin" : "x";
    fprintf(file, csv ? "%s%s" : "%s%5s", info->height > 1 ? csv ? "y," : "    y " : "", index);
    for (int c = 0; c < channels; c++)
        fprintf(file, csv ? ",%s" : " %14s", channel_name(info, c));
    putc('\n', file);
    for (int64_t y = 0; y < info->height; y++) {
        for (int64_t x = 0; x < info->width; x++) {
            if (info->height > 1)
                fprintf(file, csv ? "%lld," : "%5lld ", (long long)y);
            fprintf(file, csv ? "%lld" : "%5lld", (long long)x);
            for (int c = 0; c < channels; c++, numbers++) {
                if (csv) {
                    putc(',', file);
                    json_print_number(file, *numbers);
                } else {
                    fprintf(file, " %14.9g", *numbers);
                }
            }
            putc('\n', file);
        }
    }
}

void values_print(FILE *file, enum values_form form, const weft_image_info *info, const double *numbers) {
    if (form == VALUES_JSON) {
        struct json json = {.file = file};
        values_json(&json, info, numbers);
        json_end(&json);
    } else if (form == VALUES_TEXT && info->width == 1 && info->height == 1) {
        for (int c = 0; c < info->format.channels; c++)
            fprintf(file, "%s%.9g", c ? " " : "", numbers[c]);
        putc('\n', file);
    } else {
        print_rows(file, form, info, numbers);
    }
}

/* Creates a file beside `path`, whose name it writes to `temporary`; -1 with errno set when it cannot. It has the usual
 * permissions, which only the system knows: asking for them with umask would disturb other threads. */
static int create_beside(const char *path, char *temporary, size_t size) {
    struct timespec now;
    int descriptor = -1;
    clock_gettime(CLOCK_REALTIME, &now);
    for (unsigned attempt = 0; attempt < 100 && (attempt == 0 || (descriptor < 0 && errno == EEXIST)); attempt++) {
        unsigned number = ((unsigned)now.tv_nsec ^ (unsigned)getpid() << 12) + attempt * 7919u;
        snprintf(temporary, size, "%s.weft-%06x", path, number & 0xffffff);
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return descriptor;
}

int values_write(const struct reporting *report, const char *path, const weft_image_info *info, const double *numbers) {
    enum values_form form = VALUES_TEXT;
    size_t size = strlen(path) + 16;
    char *temporary = malloc(size);
    values_form_of(path, &form);
    if (!temporary)
        return report_unable(report, "not enough memory");
    /* A protected file is not to be replaced by way of its folder. */
    int descriptor = access(path, F_OK) == 0 && access(path, W_OK) != 0 ? -1 : create_beside(path, temporary, size);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    bool good = file != NULL;
    if (good) {
        values_print(file, form, info, numbers);
        good = !ferror(file) && !fflush(file);
        good = !fclose(file) && good;
    } else if (descriptor >= 0) {
        close(descriptor);
    }
    good = good && !rename(temporary, path);
    int status = good ? EXIT_DONE : report_unable(report, "cannot write '%s': %s", path, strerror(errno));
    if (!good && descriptor >= 0)
        unlink(temporary);
    free(temporary);
    return status;
}
