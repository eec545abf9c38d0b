/* SPDX-License-Identifier: MIT
 * Whether the names of a batch's files go together. */
#include "run/batch_names.h"
#include <stdlib.h>
#include <string.h>
#include "common/message.h"
#include "run/output_names.h"
#include "run/paths.h"
#include "show/formats.h"

char *batch_bare_name(const char *output) { return strndup(output, formats_name_length(output)); }

/* A file that is read or written: its name as given, its canonical name, and its device and inode where it exists. */
struct mark {
    char *path, *identity;
    const struct item *item;
    bool there, written;
    dev_t device;
    ino_t number;
};

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct mark *)a)->identity, ((const struct mark *)b)->identity);
}

/* Files that exist come first, names of the same file side by side. */
static int by_file(const void *a, const void *b) {
    const struct mark *p = a, *q = b;
    if (!p->there || !q->there)
        return (int)q->there - (int)p->there;
    if (p->device != q->device)
        return p->device < q->device ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static int refuse(const struct mark *a, const struct mark *b) {
    if (a->written && b->written && a->item == b->item)
        return message_usage("two outputs of '%s' would go to '%s'", a->item->name, a->path);
    if (a->written && b->written) {
        const struct item *first = a->item < b->item ? a->item : b->item, *second = first == a->item ? b->item : a->item;
        const char *apart =
            pattern_apart(&(struct pattern_input){.name = first->name, .root = first->root, .page = first->page},
                          &(struct pattern_input){.name = second->name, .root = second->root, .page = second->page});
        if (first->page != second->page && !strcmp(first->name, second->name))
            return message_usage("pages %d and %d of '%s' would both be written to '%s'; a name with %s in it keeps them apart",
                                 first->page, second->page, first->name, a->path, apart);
        return message_usage("'%s' and '%s' would both be written to '%s'; a name with %s in it keeps them apart",
                             first->name, second->name, a->path, apart);
    }
    const struct mark *output = a->written ? a : b, *input = a->written ? b : a;
    return message_usage("'%s' would be written to '%s', which is still to be read as '%s'", output->item->name,
                         output->path, input->path);
}

/* Two of them may be one file when both are read, or when an item's output takes the place of its own input. */
static bool clash(const struct mark *a, const struct mark *b) {
    return (a->written || b->written) && (a->item != b->item || (a->written && b->written));
}

int batch_check_names(const struct items *items) {
    size_t each = (size_t)(items->inputs + items->outputs), count = 0, total = each * (size_t)items->count;
    struct mark *marks = calloc(total + 1, sizeof *marks);
    int result = EXIT_DONE;
    if (!marks)
        return message_unable("not enough memory");
    for (int i = 0; i < items->count && result == EXIT_DONE; i++)
        for (size_t k = 0; k < each && result == EXIT_DONE; k++) {
            const struct item *item = &items->list[i];
            bool written = k >= (size_t)items->inputs;
            struct mark *mark = &marks[count++];
            *mark = (struct mark){.path = written ? batch_bare_name(item->outputs[k - (size_t)items->inputs])
                                                  : strndup(item->inputs[k], formats_input_length(item->inputs[k])),
                                  .item = item,
                                  .written = written};
            mark->identity = mark->path ? path_identity(mark->path) : NULL;
            if (!mark->identity)
                result = message_unable("not enough memory");
            mark->there = mark->path && path_is_file(mark->path, &mark->device, &mark->number);
        }
    /* The readers and writers of the same file are adjacent: any writer among them is compared with all. */
    for (int round = 0; round < 2 && result == EXIT_DONE; round++) {
        int (*order)(const void *, const void *) = round ? by_file : by_path;
        qsort(marks, count, sizeof *marks, order);
        for (size_t start = 0, end; start < count && result == EXIT_DONE; start = end) {
            const struct mark *writer = NULL;
            for (end = start; end < count && order(&marks[start], &marks[end]) == 0; end++)
                writer = marks[end].written ? &marks[end] : writer;
            if (round && !marks[start].there)
                break;
            for (size_t i = start; writer && i < end && result == EXIT_DONE; i++)
                if (&marks[i] != writer && clash(&marks[i], writer))
                    result = refuse(&marks[i], writer);
        }
    }
    for (size_t i = 0; i < count; i++)
        free(marks[i].path), free(marks[i].identity);
    free(marks);
    return result;
}
