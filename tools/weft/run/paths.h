/* SPDX-License-Identifier: MIT
 * The files that an argument stands for: itself, what a folder holds, or what matches "in/[*].jpg" and the like. */
#ifndef TOOL_PATHS_H
#define TOOL_PATHS_H
#include <stdbool.h>
#include <sys/types.h>

struct paths {
    char **list; /* in order of name */
    int *roots;  /* of each, how much of it names the folder that was searched, its slash included; 0 for none */
    int count;
    bool many; /* the argument may stand for any number, whatever it is now */
};

/* True when the argument is no file itself but may stand for several. */
bool paths_many(const char *argument);
/* With `deep` the folders in a folder are taken, too. Returns EXIT_DONE, or EXIT_UNABLE after a message when there is no
 * such file. To be closed in any case. */
int paths_open(struct paths *paths, const char *argument, bool deep);
/* Takes over `path`, which may be NULL for want of memory, behind the others. */
int paths_add(struct paths *paths, char *path, int root);
void paths_close(struct paths *paths);

/* Makes the folders that lead to an output and are not there, and adds them to `made`. Returns an exit status, after a message. */
int path_make_folders(const char *output, struct paths *made);
/* Removes those of them that nothing is in, as when the run failed, and closes `made`. */
void paths_remove_empty(struct paths *made);

/* The canonical name of the file that a path leads to, or would lead to if it existed: absolute, links followed. A path into a
 * folder that is not there comes back as it is. To be freed; NULL for want of memory. */
char *path_identity(const char *path);
/* Whether a path, perhaps with options of an input behind it, leads to a file, no pipe or device, and what the system
 * knows it by. */
bool path_is_file(const char *path, dev_t *device, ino_t *number);

#endif
