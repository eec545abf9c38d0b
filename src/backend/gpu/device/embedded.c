/* SPDX-License-Identifier: MIT */
#include "backend/gpu/device/embedded.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

extern const unsigned char weft_gpu_embedded[]; /* cmake/Kernels.cmake */

struct entry {
    uint64_t place, packed, content, size, hash[2]; /* size: of what the content stands for, in bytes */
};

static uint64_t u64_at(const unsigned char *at) {
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 8 | at[i];
    return v;
}

static struct entry entry_at(int32_t entry) {
    const unsigned char *at = weft_gpu_embedded + 8 + 48 * (size_t)entry;
    return (struct entry){u64_at(at),      u64_at(at + 8),                      u64_at(at + 16),
                          u64_at(at + 24), {u64_at(at + 32), u64_at(at + 40)}};
}

void weft_gpu_embedded_hash(int32_t entry, uint64_t hash[2]) {
    struct entry e = entry_at(entry);
    memcpy(hash, e.hash, sizeof e.hash);
}

/* Numbers of seven bits a byte; false past the end. */
static bool take_number(const unsigned char **at, const unsigned char *end, uint64_t *v) {
    *v = 0;
    for (int shift = 0; *at < end && shift < 64; shift += 7) {
        unsigned char byte = *(*at)++;
        *v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

/* Whether what is packed makes `size` bytes. */
static bool expand(const unsigned char *at, const unsigned char *end, unsigned char *to, size_t size) {
    for (size_t done = 0;;) {
        uint64_t run, length, back;
        if (!take_number(&at, end, &run) || run > (uint64_t)(end - at) || run > size - done)
            return false;
        memcpy(to + done, at, (size_t)run);
        at += run, done += (size_t)run;
        if (at == end)
            return done == size;
        if (!take_number(&at, end, &length) || !take_number(&at, end, &back) || back == 0 || back > done ||
            length >= size - done || (length += 4) > size - done)
            return false;
        for (; length > 0; length--, done++)
            to[done] = to[done - back];
    }
}

weft_status weft_gpu_unpack(int32_t entry, unsigned char **data, size_t *size, weft_error *error) {
    struct entry e = entry_at(entry);
    const unsigned char *begin = weft_gpu_embedded + 8 + 48 * (size_t)u64_at(weft_gpu_embedded) + e.place;
    *data = weft_allocate((size_t)e.content + 1, 1);
    *size = (size_t)e.content;
    if (!*data)
        return weft_fail_memory(error, (size_t)e.content, "the kernels' text");
    if (expand(begin, begin + e.packed, *data, *size))
        return WEFT_OK;
    weft_free(*data);
    *data = NULL;
    return weft_fail(error, WEFT_ERROR_INTERNAL, "the kernels in this library are damaged");
}

#define HEADER 5 /* words before the first instruction */

static bool take_word(const unsigned char **at, const unsigned char *end, uint32_t *word) {
    uint64_t v;
    bool good = take_number(at, end, &v);
    *word = (uint32_t)v;
    return good && v <= UINT32_MAX;
}

/* Words from differences to the last instruction of the same opcode. `last`: 16 words for each. */
static bool add_up(const unsigned char *at, const unsigned char *end, uint32_t *words, size_t count, uint32_t (*last)[16]) {
    size_t i = 0;
    for (; i < HEADER; i++)
        if (i >= count || !take_word(&at, end, &words[i]))
            return false;
    while (at < end) {
        uint32_t opcode, length, d;
        if (!take_word(&at, end, &opcode) || !take_word(&at, end, &length) || opcode > 65535 || length == 0 ||
            length > 65535 || length > count - i)
            return false;
        words[i] = length << 16 | opcode;
        for (uint32_t k = 1; k < length; k++) {
            if (!take_word(&at, end, &d))
                return false;
            words[i + k] = (d >> 1 ^ (d & 1 ? UINT32_MAX : 0)) + (k < 16 ? last[opcode][k] : 0);
            if (k < 16)
                last[opcode][k] = words[i + k];
        }
        i += length;
    }
    return i == count;
}

weft_status weft_gpu_unpack_module(int32_t entry, uint32_t **words, size_t *count, weft_error *error) {
    unsigned char *content;
    size_t size;
    weft_status status = weft_gpu_unpack(entry, &content, &size, error);
    if (status != WEFT_OK)
        return status;
    *count = (size_t)entry_at(entry).size / sizeof **words;
    *words = weft_allocate(*count, sizeof **words);
    uint32_t(*last)[16] = weft_allocate(65536, sizeof *last);
    if (!*words || !last)
        status = weft_fail_memory(error, *count * sizeof **words, "a kernel's code");
    else if (!add_up(content, content + size, *words, *count, last))
        status = weft_fail(error, WEFT_ERROR_INTERNAL, "the kernels in this library are damaged");
    weft_free(last);
    weft_free(content);
    if (status != WEFT_OK) {
        weft_free(*words);
        *words = NULL;
    }
    return status;
}
