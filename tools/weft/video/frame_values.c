/* SPDX-License-Identifier: MIT
 * Numbers of every frame, a line each. */
#include "video/frame_values.h"
#include <errno.h>
#include <math.h>
#include <string.h>

int numbers_add(struct numbers *numbers, const char *path) {
    struct numbers_file *added = &numbers->files[numbers->count];
    if (numbers->count == NUMBERS_FILES)
        return message_usage("there are more than %d files of numbers", NUMBERS_FILES);
    *added = (struct numbers_file){.path = path, .output = -1};
    values_form_of(path, &added->form);
    numbers->count++;
    return EXIT_DONE;
}

/* The file of an output: the one that it had, or the next that has none. */
static struct numbers_file *find(struct numbers *numbers, int32_t output) {
    for (int i = 0; i < numbers->count; i++) {
        struct numbers_file *file = &numbers->files[i];
        if (file->output < 0)
            file->output = output;
        if (file->output == output)
            return file;
    }
    return &numbers->printed;
}

static void print_number(FILE *file, double value, bool json) {
    if (!isfinite(value) && json)
        fputs("null", file);
    else
        fprintf(file, "%.9g", value);
}

int numbers_print(struct numbers *numbers, int32_t output, int64_t frame, double seconds, const weft_image_info *info,
                  const double *values) {
    struct numbers_file *to = find(numbers, output);
    int64_t count = info->width * info->height * info->format.channels;
    bool json = to->form == VALUES_JSON, first = !to->file;
    if (first)
        to->file = to->path ? fopen(to->path, "w") : stdout;
    if (!to->file)
        return message_unable("cannot write '%s': %s", to->path, strerror(errno));
    if (first && to->form == VALUES_CSV) {
        fputs("frame,seconds", to->file);
        for (int64_t i = 0; i < count; i++)
            fprintf(to->file, ",value%lld", (long long)i);
        putc('\n', to->file);
    }
    const char *between = to->form == VALUES_TEXT ? " " : ",";
    if (json)
        fprintf(to->file, "{\"frame\":%lld,\"seconds\":%.6f,\"values\":[", (long long)frame, seconds);
    else
        fprintf(to->file, "%lld%s%.6f", (long long)frame, between, seconds);
    for (int64_t i = 0; i < count; i++) {
        if (i > 0 || !json)
            fputs(between, to->file);
        print_number(to->file, values[i], json);
    }
    fputs(json ? "]}\n" : "\n", to->file);
    return ferror(to->file) ? message_unable("cannot write '%s'", to->path ? to->path : "standard output") : EXIT_DONE;
}

int numbers_close(struct numbers *numbers) {
    int status = EXIT_DONE;
    for (int i = 0; i < numbers->count; i++)
        if (numbers->files[i].file && fclose(numbers->files[i].file) != 0)
            status = message_unable("cannot write '%s': %s", numbers->files[i].path, strerror(errno));
    return status;
}
