/* SPDX-License-Identifier: MIT
 * Reading and writing the head of a kernel's file. */
#include "backend/cuda/store/kernel_file.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "weft kernel 1\n"

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

static struct kernel_head head_of(const struct cuda_key *key, const unsigned char *code, size_t size) {
    struct kernel_head head = {.magic = MAGIC,
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

bool weft_kernel_file_is_whole(const unsigned char *data, size_t size, struct kernel_head *head) {
    if (size < sizeof *head)
        return false;
    memcpy(head, data, sizeof *head);
    return memcmp(head->magic, MAGIC, sizeof MAGIC) == 0 && head->version == 1 && head->size > 0 &&
           head->size <= KERNEL_FILE_LARGEST && head->size <= size - sizeof *head && memchr(head->name, 0, sizeof head->name) &&
           sum_of(data + sizeof *head, (size_t)head->size) == head->sum;
}

bool weft_kernel_file_is_of(const struct kernel_head *head, const struct cuda_key *key) {
    return head->hash[0] == key->hash[0] && head->hash[1] == key->hash[1] && head->compiler == key->compiler &&
           head->architecture == key->architecture;
}

struct cuda_key weft_kernel_file_key(const struct kernel_head *head) {
    struct cuda_key key = {{head->hash[0], head->hash[1]}, head->compiler, head->architecture, ""};
    memcpy(key.name, head->name, sizeof key.name);
    return key;
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

bool weft_cuda_kernel_write(int file, const struct cuda_key *key, const unsigned char *code, size_t size) {
    struct kernel_head head = head_of(key, code, size);
    return write_all(file, &head, sizeof head) && write_all(file, code, size);
}
