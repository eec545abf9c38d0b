/* SPDX-License-Identifier: MIT
 * The files of a batch. Names are checked before the first file is read. */
#include "run/batch_items.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "show/formats.h"
#include "common/message.h"
#include "run/batch_names.h"
#include "run/pages.h"
#include "run/paths.h"
#include "run/output_names.h"
#include "common/values.h"
#include "weft/video.h"

static void close_item(struct item *item, const struct items *items) {
    for (int k = 0; item->inputs && k < items->inputs; k++)
        free(item->inputs[k]);
    for (int k = 0; item->outputs && k < items->outputs; k++)
        free(item->outputs[k]);
    free(item->inputs);
    free(item->outputs);
    free(item->name);
    free(item->errors);
    free(item->numbers);
}

static bool is_older(struct timespec a, struct timespec b) {
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

static int64_t size_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (int64_t)status.st_size : 0;
}

/* Takes the file of each slot, where a slot of one file serves every item. */
static int make_item(struct item *item, const struct items *items, const struct paths *slots, int index) {
    int lead = 0;
    item->inputs = calloc((size_t)items->inputs + 1, sizeof *item->inputs);
    item->outputs = calloc((size_t)items->outputs + 1, sizeof *item->outputs);
    if (!item->inputs || !item->outputs)
        return message_unable("not enough memory");
    for (int i = 0; i < items->inputs; i++) {
        item->inputs[i] = strdup(slots[i].list[slots[i].count > 1 ? index : 0]);
        if (!item->inputs[i])
            return message_unable("not enough memory");
        if (slots[i].many && !slots[lead].many)
            lead = i;
    }
    int place = slots[lead].count > 1 ? index : 0;
    item->root = slots[lead].roots[place];
    item->page = pages_number(item->inputs[lead]);
    item->name = strndup(item->inputs[lead], formats_input_length(item->inputs[lead]));
    item->size = item->name ? size_of(item->name) : 0;
    return item->name ? EXIT_DONE : message_unable("not enough memory");
}

/* One slot for each input of the graph; for a graph of one input all arguments together are its slot. */
static int make_items(struct items *items, const struct paths *slots, const struct operands *operands) {
    const struct paths *longest = &slots[0];
    int status = EXIT_DONE;
    for (int i = 0; i < items->inputs; i++)
        longest = slots[i].count > longest->count ? &slots[i] : longest;
    for (int i = 0; i < items->inputs; i++)
        if (slots[i].count > 1 && slots[i].count != longest->count)
            return message_unable("'%s' is %d files and '%s' is %d; they go together one by one",
                                  operands->inputs[longest - slots], longest->count, operands->inputs[i],
                                  slots[i].count);
    items->list = calloc((size_t)longest->count, sizeof *items->list);
    if (!items->list)
        return message_unable("not enough memory");
    for (; items->count < longest->count && status == EXIT_DONE; items->count++)
        status = make_item(&items->list[items->count], items, slots, items->count);
    return status;
}

/* Moves the files of `from` to the end of `to`. */
static int join(struct paths *to, struct paths *from) {
    if (from->count > INT_MAX - 1 - to->count)
        return message_unable("there are too many files");
    int status = EXIT_DONE;
    for (int i = 0; i < from->count && status == EXIT_DONE; i++)
        status = paths_add(to, strdup(from->list[i]), from->roots[i]);
    to->many = true;
    return status;
}

static int find_inputs(struct items *items, const struct operands *operands, const struct options *options) {
    int count = operands->input_count, status = EXIT_DONE;
    struct paths *slots = calloc((size_t)count + 1, sizeof *slots);
    if (!slots)
        return message_unable("not enough memory");
    for (int i = 0; i < count && status == EXIT_DONE; i++) {
        if (!strcmp(operands->inputs[i], "-"))
            status = message_usage("standard input cannot be one of many files; give '-' a run of its own");
        else
            status = paths_open(&slots[i], operands->inputs[i], options->recursive);
    }
    for (int i = 1; i < count && items->inputs == 1 && status == EXIT_DONE; i++)
        status = join(&slots[0], &slots[i]);
    if (status == EXIT_DONE)
        status = make_items(items, slots, operands);
    for (int i = 0; i < count; i++)
        paths_close(&slots[i]);
    free(slots);
    return status;
}

/* The folder of a file that is to be written has to take files; one that is not there is made later. */
static int check_folder(const char *output) {
    char *path = batch_bare_name(output), *slash = path ? strrchr(path, '/') : NULL;
    char *folder = !path ? NULL : slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    struct stat status;
    free(path);
    int result = EXIT_DONE;
    if (!folder)
        return message_unable("not enough memory");
    if (stat(folder, &status) != 0)
        result = errno == ENOENT ? EXIT_DONE : message_unable("the folder '%s' cannot be written to: %s", folder, strerror(errno));
    else if (!S_ISDIR(status.st_mode))
        result = message_unable("'%s' is no folder, so nothing can be written into it", folder);
    else if (access(folder, W_OK | X_OK) != 0)
        result = message_unable("the folder '%s' cannot be written to: %s", folder, strerror(errno));
    free(folder);
    return result;
}

/* An extension that no format has is an error of all files, so it is reported once. */
static int check_extension(const char *path, const struct options *options) {
    weft_writer_options writing = {.format = options->to};
    weft_image_info picture = {.width = 16, .height = 16, .format = {WEFT_U8, 3}}, held;
    enum values_form form;
    weft_error error;
    if (weft_video_name(path) || values_form_of(path, &form) ||
        weft_writer_accepts(path, &writing, &picture, &held, &error) != WEFT_ERROR_FILE)
        return EXIT_DONE;
    const char *slash = strrchr(path, '/');
    if (!options->to && !strchr(slash ? slash : path, '.'))
        return message_usage("'%s' has no extension that tells a file format; the name of a folder for many files ends in '/': "
                             "'%s/'",
                             path, path);
    return message_library(&error, path, NULL);
}

static int name_outputs(struct items *items, const struct operands *operands, const struct options *options) {
    const char *extensions = options->to ? formats_extensions(options->to) : NULL;
    for (int k = 0; k < items->outputs; k++) {
        const char *pattern = operands->outputs[k];
        if (!strcmp(pattern, "-"))
            return message_usage("many pictures cannot go to standard output; name them, as in: -o 'out/{stem}.png'");
        int status = pattern_check(pattern);
        for (int i = 0; i < items->count && status == EXIT_DONE; i++) {
            struct item *item = &items->list[i];
            const struct pattern_input input = {item->name, item->root, i + 1, items->count, item->page};
            item->outputs[k] = pattern_fill(pattern, &input, extensions);
            if (!item->outputs[k])
                return message_unable("not enough memory");
            status = check_folder(item->outputs[k]);
            const char *settings = item->outputs[k] ? strchr(item->outputs[k] + formats_name_length(item->outputs[k]), '[') : NULL;
            if (status == EXIT_DONE && i == 0 && !weft_video_settings(settings ? settings + 1 : NULL)) {
                char *name = batch_bare_name(item->outputs[k]);
                status = name ? check_extension(name, options) : message_unable("not enough memory");
                free(name);
            }
        }
        if (status != EXIT_DONE)
            return status;
    }
    return EXIT_DONE;
}

static int make_folders(struct items *items) {
    int status = EXIT_DONE;
    for (int i = 0; i < items->count; i++)
        for (int k = 0; k < items->outputs && status == EXIT_DONE; k++)
            status = path_make_folders(items->list[i].outputs[k], &items->folders);
    return status;
}

/* Whether all outputs of an item are there and none is older than any of its inputs. */
static bool is_done(const struct item *item, const struct items *items) {
    struct stat status;
    struct timespec oldest = {0, 0}, newest = {0, 0};
    for (int k = 0; k < items->outputs; k++) {
        char *name = batch_bare_name(item->outputs[k]);
        bool there = name && stat(name, &status) == 0;
        free(name);
        if (!there)
            return false;
        if (k == 0 || is_older(status.st_mtim, oldest))
            oldest = status.st_mtim;
    }
    for (int k = 0; k < items->inputs; k++) {
        if (formats_is_text(item->inputs[k]))
            continue;
        char *name = strndup(item->inputs[k], formats_input_length(item->inputs[k]));
        bool there = name && stat(name, &status) == 0;
        free(name);
        if (!there)
            return false;
        if (is_older(newest, status.st_mtim))
            newest = status.st_mtim;
    }
    return items->outputs > 0 && !is_older(oldest, newest);
}

/* Removes items that are done. */
static void skip_done(struct items *items) {
    int kept = 0;
    for (int i = 0; i < items->count; i++) {
        struct item item = items->list[i];
        if (is_done(&item, items)) {
            close_item(&item, items);
            items->skipped++;
        } else {
            items->list[kept++] = item;
        }
    }
    items->count = kept;
}

int items_open(struct items *items, const struct operands *operands, const struct options *options, int graph_inputs) {
    *items = (struct items){.inputs = graph_inputs, .outputs = operands->output_count};
    if (graph_inputs == 0)
        return message_usage("the graph reads no image, so it makes one file, not many: give it a plain name");
    int status = find_inputs(items, operands, options);
    if (status == EXIT_DONE)
        status = name_outputs(items, operands, options);
    if (status == EXIT_DONE)
        status = batch_check_names(items);
    if (status == EXIT_DONE && options->newer)
        skip_done(items);
    return status == EXIT_DONE && !options->dry_run ? make_folders(items) : status;
}

void items_print(const struct items *items) {
    for (int i = 0; i < items->count; i++) {
        const struct item *item = &items->list[i];
        for (int k = 0; k < items->inputs; k++)
            printf("%s%s", k ? " " : "", item->inputs[k]);
        fputs(items->outputs ? " ->" : "", stdout);
        for (int k = 0; k < items->outputs; k++)
            printf(" %s", item->outputs[k]);
        putchar('\n');
    }
}

void items_close(struct items *items) {
    paths_remove_empty(&items->folders);
    for (int i = 0; i < items->count; i++)
        close_item(&items->list[i], items);
    free(items->list);
    *items = (struct items){.list = NULL};
}
