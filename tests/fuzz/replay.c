/* SPDX-License-Identifier: MIT
 * Stands in for libFuzzer in builds without it: runs a fuzz target once on each file of the folders given. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static long replayed;

static void stop(const char *path) {
    perror(path);
    exit(1);
}

static void replay_file(const char *path, size_t size) {
    uint8_t *bytes = malloc(size ? size : 1); /* of its very length */
    FILE *file = fopen(path, "rb");
    if (!bytes || !file || fread(bytes, 1, size, file) != size)
        stop(path);
    fclose(file);
    fprintf(stderr, "%s\n", path); /* the last one said is the one that stopped the program */
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    replayed++;
}

static void replay(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        stop(path);
    if (!S_ISDIR(status.st_mode)) {
        replay_file(path, (size_t)status.st_size);
        return;
    }
    DIR *folder = opendir(path);
    struct dirent *entry;
    if (!folder)
        stop(path);
    while ((entry = readdir(folder)) != NULL) {
        char below[4096];
        if (entry->d_name[0] != '.' && snprintf(below, sizeof below, "%s/%s", path, entry->d_name) < (int)sizeof below)
            replay(below);
    }
    closedir(folder);
}

int main(int argc, char **argv) {
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--", 2) != 0)
            replay(argv[i]);
    printf("replay: %ld passed, 0 failed\n", replayed);
    return replayed > 0 ? 0 : 1;
}
