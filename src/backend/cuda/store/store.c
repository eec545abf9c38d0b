/* SPDX-License-Identifier: MIT
 * The folder of compiled kernels, a file each, and the pack that was read. */
#include "backend/cuda/store/kernel_file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/status.h"

#define SUFFIX ".kernel"
#define FOLDER_LIMIT ((uint64_t)256 << 20) /* bytes of the folder, after which the oldest go */

static void path_of(const struct cuda_store *store, const struct cuda_key *key, char *path, size_t size) {
    snprintf(path, size, "%s/%016llx%016llx-%016llx-%d" SUFFIX, store->folder, (unsigned long long)key->hash[0],
             (unsigned long long)key->hash[1], (unsigned long long)key->compiler, (int)key->architecture);
}

static unsigned char *read_file(const char *path, size_t *size) {
    struct stat found;
    unsigned char *data = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0)
        data = weft_allocate((size_t)found.st_size, 1);
    *size = data ? (size_t)found.st_size : 0;
    for (size_t done = 0; data && done < *size;) {
        ssize_t got = read(file, data + done, *size - done);
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            weft_free(data);
            data = NULL;
        }
    }
    close(file);
    return data;
}

/* Makes a folder and those above it. */
static bool make_folder(const char *folder) {
    char path[sizeof((struct cuda_store *)0)->folder];
    size_t length = strlen(folder);
    if (length >= sizeof path)
        return false;
    for (size_t i = 1; i <= length; i++)
        if (folder[i] == '/' || folder[i] == 0) {
            memcpy(path, folder, i);
            path[i] = 0;
            if (mkdir(path, 0700) != 0 && errno != EEXIST && access(path, F_OK) != 0)
                return false;
        }
    return true;
}

void weft_cuda_store_folder(struct cuda_store *store) {
    const char *own = getenv("WEFT_KERNEL_CACHE"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    *store = (struct cuda_store){0};
    if (own && own[0])
        length = snprintf(store->folder, sizeof store->folder, "%s", strcmp(own, "none") == 0 ? "" : own);
    else if (cache && cache[0] == '/')
        length = snprintf(store->folder, sizeof store->folder, "%s/weft/kernels", cache);
    else if (home && home[0])
        length = snprintf(store->folder, sizeof store->folder, "%s/.cache/weft/kernels", home);
    if (length >= (int)sizeof store->folder)
        store->folder[0] = 0;
}

weft_status weft_cuda_store_open(struct cuda_store *store, weft_error *error) {
    const char *pack = getenv("WEFT_KERNEL_PACK");
    struct kernel_head head;
    weft_cuda_store_folder(store);
    if (!pack || !pack[0])
        return WEFT_OK;
    store->pack = read_file(pack, &store->pack_size);
    if (!store->pack)
        return weft_fail(error, WEFT_ERROR_DEVICE, "the pack of kernels that WEFT_KERNEL_PACK names cannot be read: '%.200s'",
                         pack);
    if (weft_kernel_file_is_whole(store->pack, store->pack_size, &head))
        return WEFT_OK;
    weft_cuda_store_close(store);
    return weft_fail(error, WEFT_ERROR_DEVICE, "the file that WEFT_KERNEL_PACK names is no pack of kernels: '%.200s'", pack);
}

void weft_cuda_store_close(struct cuda_store *store) {
    weft_free(store->pack);
    store->pack = NULL;
    store->pack_size = 0;
}

static unsigned char *copy_of(const unsigned char *code, size_t size) {
    unsigned char *copy = weft_allocate(size + 1, 1); /* text ends in a 0 */
    if (copy)
        memcpy(copy, code, size);
    return copy;
}

bool weft_cuda_store_find(const struct cuda_store *store, const struct cuda_key *key, unsigned char **code, size_t *size) {
    char path[sizeof store->folder + 128];
    struct kernel_head head;
    *code = NULL;
    if (store->folder[0] == 0)
        return false;
    path_of(store, key, path, sizeof path);
    unsigned char *data = read_file(path, size);
    if (!data)
        return false;
    bool good =
        weft_kernel_file_is_whole(data, *size, &head) && weft_kernel_file_is_of(&head, key) && head.size == *size - sizeof head;
    *size = good ? (size_t)head.size : 0;
    *code = good ? copy_of(data + sizeof head, *size) : NULL;
    if (*code) /* it was used: others go first */
        utimensat(AT_FDCWD, path, NULL, 0);
    weft_free(data);
    return *code != NULL;
}

bool weft_cuda_pack_find(const struct cuda_store *store, const struct cuda_key *key, unsigned char **code, size_t *size) {
    struct kernel_head head, best = {.architecture = -1};
    const unsigned char *found = NULL;
    *code = NULL;
    for (size_t at = 0; at < store->pack_size && weft_kernel_file_is_whole(store->pack + at, store->pack_size - at, &head);
         at += sizeof head + (size_t)head.size) {
        struct cuda_key each = *key;
        each.compiler = head.compiler;
        each.architecture = head.architecture;
        if (weft_kernel_file_is_of(&head, &each) && head.architecture / 10 == key->architecture / 10 &&
            head.architecture <= key->architecture && head.architecture > best.architecture) {
            best = head;
            found = store->pack + at + sizeof head;
        }
    }
    *size = found ? (size_t)best.size : 0;
    *code = found ? copy_of(found, *size) : NULL;
    return *code != NULL;
}

static bool ends_in(const char *name, const char *suffix) {
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

/* Calls `each` for the folder's files of this library's: kernels, and what was left half written. */
static void each_file(const struct cuda_store *store, void (*each)(void *user, const char *path, const struct stat *found),
                      void *user) {
    char path[sizeof store->folder + 300];
    struct stat found;
    DIR *folder = store->folder[0] ? opendir(store->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        if (!ends_in(entry->d_name, SUFFIX) && !strstr(entry->d_name, SUFFIX "."))
            continue;
        snprintf(path, sizeof path, "%s/%s", store->folder, entry->d_name);
        if (stat(path, &found) == 0 && S_ISREG(found.st_mode))
            each(user, path, &found);
    }
    if (folder)
        closedir(folder);
}

struct sweep {
    uint64_t bytes;
    time_t oldest, now;
};
static void add_up(void *user, const char *path, const struct stat *found) {
    struct sweep *sweep = user;
    (void)path;
    sweep->bytes += (uint64_t)found->st_size;
    sweep->oldest = found->st_mtime < sweep->oldest ? found->st_mtime : sweep->oldest;
}
static void drop_old(void *user, const char *path, const struct stat *found) {
    struct sweep *sweep = user;
    /* A file that is half written and an hour old was left by a process that ended. */
    bool left = !ends_in(path, SUFFIX) && found->st_mtime < sweep->now - 3600;
    bool old = sweep->bytes > FOLDER_LIMIT && found->st_mtime <= sweep->oldest + (sweep->now - sweep->oldest) / 2;
    if (left || old)
        unlink(path);
}

/* Where the folder is too large, files that were not used in the newer half of its time go. */
static void sweep_folder(const struct cuda_store *store) {
    struct sweep sweep = {.now = time(NULL)};
    sweep.oldest = sweep.now;
    each_file(store, add_up, &sweep);
    each_file(store, drop_old, &sweep);
}

void weft_cuda_store_put(const struct cuda_store *store, const struct cuda_key *key, const unsigned char *code, size_t size) {
    char path[sizeof store->folder + 128], part[sizeof path + 16];
    if (store->folder[0] == 0 || size > KERNEL_FILE_LARGEST || !make_folder(store->folder))
        return;
    path_of(store, key, path, sizeof path);
    snprintf(part, sizeof part, "%s.XXXXXX", path);
    int file = mkstemp(part);
    if (file < 0)
        return;
    bool good = weft_cuda_kernel_write(file, key, code, size);
    good = close(file) == 0 && good;
    if (!good || rename(part, path) != 0)
        unlink(part);
    if (good && key->hash[1] % 16 == 0)
        sweep_folder(store);
}

struct listing {
    cuda_store_each *each;
    void *user;
};

static void list_file(void *user, const char *path, const struct stat *found) {
    const struct listing *listing = user;
    struct kernel_head head;
    size_t size;
    unsigned char *data =
        ends_in(path, SUFFIX) && found->st_size <= (off_t)(KERNEL_FILE_LARGEST + sizeof head) ? read_file(path, &size) : NULL;
    if (data && weft_kernel_file_is_whole(data, size, &head)) {
        struct cuda_key key = weft_kernel_file_key(&head);
        listing->each(listing->user, &key, head.size);
    }
    weft_free(data);
}

void weft_cuda_store_list(const struct cuda_store *store, cuda_store_each *each, void *user) {
    struct listing listing = {each, user};
    each_file(store, list_file, &listing);
}

void weft_cuda_pack_list(const struct cuda_store *store, cuda_store_each *each, void *user) {
    struct kernel_head head;
    for (size_t at = 0; at < store->pack_size && weft_kernel_file_is_whole(store->pack + at, store->pack_size - at, &head);
         at += sizeof head + (size_t)head.size) {
        struct cuda_key key = weft_kernel_file_key(&head);
        each(user, &key, head.size);
    }
}

struct clearing {
    int64_t count;
    int reason; /* of the first file that stays */
};

static void clear_file(void *user, const char *path, const struct stat *found) {
    struct clearing *clearing = user;
    (void)found;
    if (unlink(path) == 0)
        clearing->count += ends_in(path, SUFFIX);
    else if (errno != ENOENT && !clearing->reason) /* another process may have been first */
        clearing->reason = errno;
}

weft_status weft_cuda_store_clear(const struct cuda_store *store, int64_t *count, weft_error *error) {
    struct clearing clearing = {0};
    each_file(store, clear_file, &clearing);
    *count = clearing.count;
    if (clearing.reason)
        return weft_fail(error, WEFT_ERROR_FILE, "kernels in '%.300s' cannot be removed: %s", store->folder,
                         strerror(clearing.reason));
    return WEFT_OK;
}
