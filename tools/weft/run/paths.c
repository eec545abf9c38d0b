/* SPDX-License-Identifier: MIT
 * The files that an argument stands for. */
#undef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#include "run/paths.h"
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/extension.h"
#include "show/formats.h"
#include "common/message.h"
#include "common/values.h"
#include "run/pages.h"

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A file may have stars and brackets in its name; where it exists, it is meant. */
static bool is_glob(const char *argument) {
    struct stat status;
    size_t length = formats_input_length(argument), sign = strcspn(argument, "*?[");
    return sign < length && !formats_is_text(argument) && stat(argument, &status) != 0;
}

bool paths_many(const char *argument) {
    return is_folder(argument) || is_glob(argument) || pages_all(argument);
}

int paths_add(struct paths *paths, char *path, int root) {
    size_t count = (size_t)paths->count + 1;
    char **grown = path && paths->count < INT_MAX - 1 ? realloc(paths->list, count * sizeof *grown) : NULL;
    int *roots = grown ? realloc(paths->roots, count * sizeof *roots) : NULL;
    paths->list = grown ? grown : paths->list;
    paths->roots = roots ? roots : paths->roots;
    if (!roots) {
        free(path);
        return message_unable("not enough memory");
    }
    roots[paths->count] = root;
    grown[paths->count++] = path;
    return EXIT_DONE;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* A folder, but not a link to one, which could lead into a cycle. */
static bool is_own_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Tables (.cube and the like) are read as pictures only when they are named, not when a folder is searched. */
static bool is_picture(const char *name) {
    enum values_form form;
    return extension_reads(name) && !values_form_of(name, &form);
}

/* What weft reads by its extension, hidden files left out; folders in it where `root`, the length of the first folder's
 * name, is not 0. */
static int search_folder(struct paths *paths, const char *folder, int root) {
    DIR *entries = opendir(folder);
    struct dirent *entry;
    int status = EXIT_DONE;
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";
    if (!entries)
        return message_unable("cannot read the folder '%s': %s", folder, strerror(errno));
    while (status == EXIT_DONE && (errno = 0, entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] == '.' || (!root && !is_picture(entry->d_name)))
            continue;
        size_t size = length + strlen(entry->d_name) + 2;
        char *path = malloc(size);
        if (path)
            snprintf(path, size, "%s%s%s", folder, slash, entry->d_name);
        if (path && root && is_own_folder(path))
            status = search_folder(paths, path, root);
        bool taken = !path || (!is_folder(path) && is_picture(path));
        if (taken && status == EXIT_DONE)
            status = paths_add(paths, path, root);
        else
            free(path);
    }
    if (status == EXIT_DONE && errno)
        status = message_unable("cannot read the folder '%s': %s", folder, strerror(errno));
    closedir(entries);
    return status;
}

static int open_folder(struct paths *paths, const char *folder, bool deep) {
    size_t length = strlen(folder);
    int root = (int)length + (length && folder[length - 1] != '/');
    int status = length > INT_MAX / 2 ? message_unable("the name of a folder is too long")
                                      : search_folder(paths, folder, deep ? root : 0);
    if (status == EXIT_DONE && paths->count == 0)
        return message_unable("there is no image that weft reads in the folder '%s'", folder);
    if (paths->count > 0)
        qsort(paths->list, (size_t)paths->count, sizeof *paths->list, by_name);
    return status;
}

/* The name of a file with the options that stand behind the pattern; NULL without memory. */
static char *with_options(const char *name, const char *options) {
    size_t length = strlen(name), size = length + strlen(options) + 1;
    char *result = malloc(size);
    if (result)
        snprintf(result, size, "%s%s", name, options);
    return result;
}

/* A file, or every page of it. */
static int add_file(struct paths *paths, char *path) {
    if (!path || !pages_all(path))
        return paths_add(paths, path, 0);
    int64_t count;
    int status = pages_count(path, &count);
    for (int64_t i = 1; i <= count && status == EXIT_DONE; i++)
        status = paths_add(paths, pages_one(path, i), 0);
    free(path);
    return status;
}

/* Nothing matches, perhaps because options were given to a file that takes none. */
static int no_match(const char *argument) {
    size_t length = formats_name_length(argument);
    char *name = length < strlen(argument) ? strndup(argument, length) : NULL;
    struct stat status;
    bool there = name && stat(name, &status) == 0 && S_ISREG(status.st_mode);
    free(name);
    if (!there)
        return message_unable("no file matches '%s'", argument);
    return message_usage("'%.*s' takes no options when it is read: remove '%s'; frames of a video are chosen by --from",
                         (int)length, argument, argument + length);
}

static int open_glob(struct paths *paths, const char *argument) {
    glob_t found;
    size_t length = formats_input_length(argument);
    char *pattern = strndup(argument, length);
    if (!pattern)
        return message_unable("not enough memory");
    int result = glob(pattern, 0, NULL, &found), status = EXIT_DONE; /* sorted by name */
    for (size_t i = 0; result == 0 && i < found.gl_pathc && status == EXIT_DONE; i++)
        if (!is_folder(found.gl_pathv[i]))
            status = add_file(paths, with_options(found.gl_pathv[i], argument + length));
    globfree(&found);
    free(pattern);
    if (result != 0 && result != GLOB_NOMATCH)
        return message_unable("cannot look for '%s': %s", argument,
                              result == GLOB_NOSPACE ? "not enough memory" : "a folder cannot be read");
    if (status == EXIT_DONE && paths->count == 0)
        return no_match(argument);
    return status;
}

int paths_open(struct paths *paths, const char *argument, bool deep) {
    *paths = (struct paths){.many = paths_many(argument)};
    if (is_folder(argument))
        return open_folder(paths, argument, deep);
    if (is_glob(argument))
        return open_glob(paths, argument);
    return add_file(paths, strdup(argument));
}

void paths_close(struct paths *paths) {
    for (int i = 0; i < paths->count; i++)
        free(paths->list[i]);
    free(paths->list);
    free(paths->roots);
    *paths = (struct paths){.list = NULL};
}

int path_make_folders(const char *output, struct paths *made) {
    char *path = strndup(output, formats_name_length(output));
    int status = path ? EXIT_DONE : message_unable("not enough memory");
    for (char *slash = path && *path ? strchr(path + 1, '/') : NULL; slash && status == EXIT_DONE;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0777) == 0) {
            status = paths_add(made, strdup(path), 0);
        } else if (errno != EEXIST) {
            int reason = errno; /* not always EEXIST where it exists: read-only file systems differ */
            if (!is_folder(path))
                status = message_unable("the folder '%s' cannot be made: %s", path, strerror(reason));
        }
        *slash = '/';
    }
    free(path);
    return status;
}

void paths_remove_empty(struct paths *made) {
    while (made->count > 0) {
        rmdir(made->list[--made->count]); /* which leaves those that hold something */
        free(made->list[made->count]);
    }
    paths_close(made);
}

enum { MOST_LINKS = 40 }; /* as the system follows */

/* The target of a link, relative to the link's folder; NULL if it is no link. To be freed. */
static char *read_link(const char *path) {
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    const char *slash = strrchr(path, '/');
    size_t folder = length > 0 && target[0] != '/' && slash ? (size_t)(slash - path) + 1 : 0;
    if (length <= 0)
        return NULL;
    char *result = malloc(folder + (size_t)length + 1);
    if (result) {
        memcpy(result, path, folder);
        memcpy(result + folder, target, (size_t)length);
        result[folder + (size_t)length] = 0;
    }
    return result;
}

/* The folder's canonical name and the file's name behind it. */
static char *identity_by_folder(const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("."), *real, *result;
    if (!folder)
        return NULL;
    real = realpath(folder, NULL);
    free(folder);
    if (!real)
        return errno == ENOMEM ? NULL : strdup(path);
    size_t size = strlen(real) + strlen(base) + 2;
    result = malloc(size);
    if (result)
        snprintf(result, size, "%s/%s", strcmp(real, "/") ? real : "", base);
    free(real);
    return result;
}

char *path_identity(const char *path) {
    char *real = realpath(path, NULL), *current = real ? real : strdup(path), *next;
    if (real || !current)
        return real;
    for (int i = 0; i < MOST_LINKS && (next = read_link(current)) != NULL; i++) {
        free(current);
        current = next;
    }
    real = identity_by_folder(current);
    free(current);
    return real;
}

bool path_is_file(const char *path, dev_t *device, ino_t *number) {
    struct stat status;
    char *name = strndup(path, formats_input_length(path));
    bool there = name && stat(name, &status) == 0 && S_ISREG(status.st_mode);
    free(name);
    if (!there)
        return false;
    *device = status.st_dev;
    *number = status.st_ino;
    return true;
}
