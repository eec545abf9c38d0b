/* SPDX-License-Identifier: MIT
 * Places: CUDA's toolkit, what LD_LIBRARY_PATH names, the folders of Debian and others, and those of Python's packages. */
#include "backend/cuda/find_nvrtc.h"
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Names of several ages: libnvrtc.so.13, .so.12 and .so.11.2; the newest that will do is taken. */
#define LIBRARY "libnvrtc.so.[1-9]*"

struct search {
    int most, best;
    char *path;
    size_t size;
    uint64_t identity;
};

static void try_file(struct search *search, const char *path, bool named) {
    struct stat found;
    const char *number = strstr(path, ".so.");
    int version = number ? atoi(number + 4) : 0;
    /* A file that WEFT_NVRTC names is taken, whatever version its name says. */
    bool fits = named || (version > search->best && (search->most == 0 || version <= search->most));
    if (!fits || strlen(path) >= search->size || stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return;
    search->best = version;
    snprintf(search->path, search->size, "%s", path);
    uint64_t identity = 0xcbf29ce484222325u;
    const uint64_t parts[] = {(uint64_t)found.st_size, (uint64_t)found.st_mtim.tv_sec, (uint64_t)found.st_mtim.tv_nsec};
    for (int i = 0; i < 3; i++)
        identity = (identity ^ parts[i]) * 0x100000001b3u;
    search->identity = identity ? identity : 1;
}

/* All files of a pattern. */
static void try_pattern(struct search *search, const char *pattern) {
    glob_t found = {0};
    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            try_file(search, found.gl_pathv[i], false);
    globfree(&found);
}

/* `folder` and what is below it by a printf pattern, if the folder is named at all. */
static void try_below(struct search *search, const char *folder, const char *below) {
    char pattern[1024];
    if (folder && folder[0] && snprintf(pattern, sizeof pattern, "%s/%s" LIBRARY, folder, below) < (int)sizeof pattern)
        try_pattern(search, pattern);
}

static void try_list(struct search *search, const char *folders) {
    char folder[1024];
    for (const char *at = folders; at && *at; at += strspn(at, ":")) {
        size_t length = strcspn(at, ":");
        if (length < sizeof folder) {
            memcpy(folder, at, length);
            folder[length] = 0;
            try_below(search, folder, "");
        }
        at += length;
    }
}

void weft_cuda_find_compiler(int most, char *path, size_t size, uint64_t *identity) {
    struct search search = {.most = most, .path = path, .size = size};
    const char *named = getenv("WEFT_NVRTC");
    path[0] = 0;
    if (named && named[0]) {
        struct stat found;
        if (stat(named, &found) == 0 && S_ISDIR(found.st_mode))
            try_below(&search, named, "");
        else
            try_file(&search, named, true);
        *identity = search.identity;
        return;
    }
    static const char *const toolkits[] = {"lib64/", "lib/", "targets/*/lib/", "lib/x64/"};
    const char *const folders[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda", "/opt/cuda",
                                   "/usr/local/cuda-[0-9]*"};
    try_list(&search, getenv("LD_LIBRARY_PATH"));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        for (size_t k = 0; k < sizeof toolkits / sizeof *toolkits; k++)
            try_below(&search, folders[i], toolkits[k]);
    static const char *const system_folders[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64",
                                                 "/usr/lib", "/usr/local/lib"};
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
        try_below(&search, system_folders[i], "");
    /* nvidia/cuda_nvrtc is the wheels' folder to CUDA 12, nvidia/cu13 from 13 on. */
    static const char *const wheels[] = {"lib/python3*/site-packages/nvidia/cu*/lib/",
                                         "lib/python3*/dist-packages/nvidia/cu*/lib/"};
    char home[1024] = "";
    if (getenv("HOME"))
        snprintf(home, sizeof home, "%s/.local", getenv("HOME"));
    const char *const roots[] = {getenv("VIRTUAL_ENV"), getenv("CONDA_PREFIX"), home, "/usr/local", "/usr"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        for (size_t k = 0; k < 2; k++)
            try_below(&search, roots[i], wheels[k]);
    *identity = search.identity;
}
