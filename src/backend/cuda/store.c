/* SPDX-License-Identifier: MIT
 * A file is a head and the code; a pack is many of them one after the other. */
#include "backend/cuda/store.h"
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

#define MAGIC "weft kernel 1\n"
#define SUFFIX ".kernel"
#define LARGEST ((size_t)64 << 20)        /* of one kernel */
#define FOLDER_LIMIT ((uint64_t)256 << 20) /* bytes of the folder, after which the oldest go */

/* Fields in the machine's own order: files go with the library that wrote them, and others are not taken. */
struct head {
    char magic[16];
    uint64_t hash[2], compiler, size, sum;
    int32_t architecture, version;
    char name[STORE_NAME];
};

static uint64_t sum_of(const unsigned char *code, size_t size) {
    uint64_t sum = 0xcbf29ce484222325u;
    for (; size >= 8; code += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, code, 8);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    for (; size > 0; code++, size--)
        sum = (sum ^ *code) * 0x100000001b3u;
    return sum;
}

static struct head head_of(const struct cuda_key *key, const unsigned char *code, size_t size) {
    struct head head = {.magic = MAGIC,
                        .hash = {key->hash[0], key->hash[1]},
                        .compiler = key->compiler,
                        .size = size,
                        .sum = sum_of(code, size),
                        .architecture = key->architecture,
                        .version = 1};
    memcpy(head.name, key->name, sizeof head.name);
    head.name[sizeof head.name - 1] = 0;
    return head;
}

/* Whether these bytes begin with a whole kernel. */
static bool is_whole(const unsigned char *data, size_t size, struct head *head) {
    if (size < sizeof *head)
        return false;
    memcpy(head, data, sizeof *head);
    return memcmp(head->magic, MAGIC, sizeof MAGIC) == 0 && head->version == 1 && head->size > 0 && head->size <= LARGEST &&
           head->size <= size - sizeof *head && memchr(head->name, 0, sizeof head->name) &&
           sum_of(data + sizeof *head, (size_t)head->size) == head->sum;
}

static bool is_of(const struct head *head, const struct cuda_key *key) {
    return head->hash[0] == key->hash[0] && head->hash[1] == key->hash[1] && head->compiler == key->compiler &&
           head->architecture == key->architecture;
}

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
    struct head head;
    weft_cuda_store_folder(store);
    if (!pack || !pack[0])
        return WEFT_OK;
    store->pack = read_file(pack, &store->pack_size);
    if (!store->pack)
        return weft_fail(error, WEFT_ERROR_DEVICE, "the pack of kernels that WEFT_KERNEL_PACK names cannot be read: '%.200s'",
                         pack);
    if (is_whole(store->pack, store->pack_size, &head))
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
    struct head head;
    *code = NULL;
    if (store->folder[0] == 0)
        return false;
    path_of(store, key, path, sizeof path);
    unsigned char *data = read_file(path, size);
    if (!data)
        return false;
    bool good = is_whole(data, *size, &head) && is_of(&head, key) && head.size == *size - sizeof head;
    *size = good ? (size_t)head.size : 0;
    *code = good ? copy_of(data + sizeof head, *size) : NULL;
    if (*code) /* it was used: others go first */
        utimensat(AT_FDCWD, path, NULL, 0);
    weft_free(data);
    return *code != NULL;
}

bool weft_cuda_pack_find(const struct cuda_store *store, const struct cuda_key *key, unsigned char **code, size_t *size) {
    struct head head, best = {.architecture = -1};
    const unsigned char *found = NULL;
    *code = NULL;
    for (size_t at = 0; at < store->pack_size && is_whole(store->pack + at, store->pack_size - at, &head);
         at += sizeof head + (size_t)head.size) {
        struct cuda_key each = *key;
        each.compiler = head.compiler;
        each.architecture = head.architecture;
        if (is_of(&head, &each) && head.architecture / 10 == key->architecture / 10 &&
            head.architecture <= key->architecture && head.architecture > best.architecture) {
            best = head;
            found = store->pack + at + sizeof head;
        }
    }
    *size = found ? (size_t)best.size : 0;
    *code = found ? copy_of(found, *size) : NULL;
    return *code != NULL;
}

static bool write_all(int file, const void *data, size_t size) {
    for (const unsigned char *at = data; size > 0;) {
        ssize_t done = write(file, at, size);
        if (done < 0 && errno != EINTR)
            return false;
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
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

bool weft_cuda_kernel_write(int file, const struct cuda_key *key, const unsigned char *code, size_t size) {
    struct head head = head_of(key, code, size);
    return write_all(file, &head, sizeof head) && write_all(file, code, size);
}

void weft_cuda_store_put(const struct cuda_store *store, const struct cuda_key *key, const unsigned char *code, size_t size) {
    char path[sizeof store->folder + 128], part[sizeof path + 16];
    if (store->folder[0] == 0 || size > LARGEST || !make_folder(store->folder))
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

static struct cuda_key key_of(const struct head *head) {
    struct cuda_key key = {{head->hash[0], head->hash[1]}, head->compiler, head->architecture, ""};
    memcpy(key.name, head->name, sizeof key.name);
    return key;
}

struct listing {
    cuda_store_each *each;
    void *user;
};

static void list_file(void *user, const char *path, const struct stat *found) {
    const struct listing *listing = user;
    struct head head;
    size_t size;
    unsigned char *data = ends_in(path, SUFFIX) && found->st_size <= (off_t)(LARGEST + sizeof head) ? read_file(path, &size) : NULL;
    if (data && is_whole(data, size, &head)) {
        struct cuda_key key = key_of(&head);
        listing->each(listing->user, &key, head.size);
    }
    weft_free(data);
}

void weft_cuda_store_list(const struct cuda_store *store, cuda_store_each *each, void *user) {
    struct listing listing = {each, user};
    each_file(store, list_file, &listing);
}

void weft_cuda_pack_list(const struct cuda_store *store, cuda_store_each *each, void *user) {
    struct head head;
    for (size_t at = 0; at < store->pack_size && is_whole(store->pack + at, store->pack_size - at, &head);
         at += sizeof head + (size_t)head.size) {
        struct cuda_key key = key_of(&head);
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
