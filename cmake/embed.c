/* SPDX-License-Identifier: MIT
 * embed OUT FOLDER LIST: packs what the library has in it for GPUs into one file: first all texts that LIST names, paths
 * within FOLDER, as one entry (name, 0, text, 0 and so on); then each module of SPIR-V that it names. A line of LIST is
 * `text NAME` or `spirv PATH`. The format is read by backend/gpu/device/embedded.c. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *name) {
    fprintf(stderr, "embed: %s: %s\n", what, name);
    exit(1);
}

struct bytes {
    unsigned char *at;
    size_t size, capacity;
};

static void put(struct bytes *b, const void *data, size_t size) {
    if (b->size + size > b->capacity) {
        b->capacity = 2 * (b->size + size) + 4096;
        b->at = realloc(b->at, b->capacity);
        if (!b->at)
            fail("no memory", "");
    }
    memcpy(b->at + b->size, data, size);
    b->size += size;
}
static void put_byte(struct bytes *b, unsigned v) {
    unsigned char c = (unsigned char)v;
    put(b, &c, 1);
}
/* Seven bits a byte, the lowest first; the upper bit says that more follow. */
static void put_number(struct bytes *b, uint64_t v) {
    for (; v > 127; v >>= 7)
        put_byte(b, (unsigned)(v & 127) | 128);
    put_byte(b, (unsigned)v);
}
static void put_u64(struct bytes *b, uint64_t v) {
    for (int i = 0; i < 8; i++)
        put_byte(b, (unsigned)(v >> (8 * i) & 255));
}

static struct bytes read_file(const char *path) {
    struct bytes b = {0};
    char piece[65536];
    size_t got;
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("cannot be opened", path);
    while ((got = fread(piece, 1, sizeof piece, file)) > 0)
        put(&b, piece, got);
    fclose(file);
    put(&b, "", 1);
    b.size--;
    return b;
}

/* Instructions of one opcode look like each other: a module is the differences of each word from that of the last instruction
 * with the same first word, small numbers of either sign, seven bits a byte. */
#define HEADER 5
static struct bytes differences(const struct bytes *file, const char *path) {
    static uint32_t last[65536][16]; /* by opcode; longer instructions are left as they are behind the 16th word */
    struct bytes out = {0};
    size_t count = file->size / 4;
    uint32_t *words = malloc(file->size + 4);
    if (!words || file->size % 4 != 0 || count < HEADER)
        fail("is no module", path);
    memcpy(words, file->at, file->size);
    memset(last, 0, sizeof last);
    for (size_t i = 0; i < HEADER; i++)
        put_number(&out, words[i]);
    for (size_t i = HEADER; i < count;) {
        uint32_t length = words[i] >> 16, opcode = words[i] & 65535;
        if (length == 0 || length > count - i)
            fail("is no module", path);
        put_number(&out, opcode);
        put_number(&out, length);
        for (uint32_t k = 1; k < length; k++) {
            uint32_t before = k < 16 ? last[opcode][k] : 0, d = words[i + k] - before;
            put_number(&out, d << 1 ^ (d >> 31 ? UINT32_MAX : 0));
            if (k < 16)
                last[opcode][k] = words[i + k];
        }
        i += length;
    }
    free(words);
    return out;
}

/* Repetitions: pairs of a run of bytes as they are and a match further up, until all are there. A pair is the length of the run,
 * the run, the length of the match less 4 and how far back it begins; the last pair ends with its run. */
#define SLOTS (1 << 17)
#define TRIES 96
static size_t slot_of(const unsigned char *at) {
    uint32_t word;
    memcpy(&word, at, 4);
    return (word * 2654435761u) >> 15;
}
static struct bytes packed(const struct bytes *in) {
    struct bytes out = {0};
    size_t size = in->size, run = 0;
    int64_t *first = malloc(SLOTS * sizeof *first), *next = malloc((size + 1) * sizeof *next);
    if (!first || !next)
        fail("no memory", "");
    for (size_t i = 0; i < SLOTS; i++)
        first[i] = -1;
    size_t i = 0;
    while (i < size) {
        size_t best = 0, from = 0;
        if (i + 4 <= size) {
            int64_t at = first[slot_of(in->at + i)];
            for (int tried = 0; at >= 0 && tried < TRIES; tried++, at = next[at]) {
                size_t length = 0;
                while (i + length < size && in->at[(size_t)at + length] == in->at[i + length])
                    length++;
                /* What lies far back costs more to say. */
                if (length > best + (best > 0 && i - (size_t)at > 64 * (i - from)))
                    best = length, from = (size_t)at;
            }
        }
        size_t gone = 1;
        if (best >= 4 + (size_t)(i - from > 127) + (size_t)(i - from > 65535)) {
            put_number(&out, i - run);
            put(&out, in->at + run, i - run);
            put_number(&out, best - 4);
            put_number(&out, i - from);
            gone = best;
            run = i + best;
        }
        for (; gone > 0; gone--, i++)
            if (i + 4 <= size) {
                next[i] = first[slot_of(in->at + i)];
                first[slot_of(in->at + i)] = (int64_t)i;
            }
    }
    put_number(&out, size - run);
    put(&out, in->at + run, size - run);
    free(first);
    free(next);
    return out;
}

/* Two hashes of 64 bits (Fowler, Noll and Vo) from different beginnings: by them a text is known to be the same. */
static uint64_t hash_of(const struct bytes *b, uint64_t hash) {
    for (size_t i = 0; i < b->size; i++)
        hash = (hash ^ b->at[i]) * 0x100000001b3u;
    return hash;
}

static struct bytes head, body;
static uint64_t entries;

static void add(const struct bytes *content, size_t size) {
    struct bytes small = packed(content);
    put_u64(&head, body.size);
    put_u64(&head, small.size);
    put_u64(&head, content->size);
    put_u64(&head, size);
    put_u64(&head, hash_of(content, 0xcbf29ce484222325u));
    put_u64(&head, hash_of(content, 0x84222325cbf29ce4u));
    put(&body, small.at, small.size);
    free(small.at);
    entries++;
}

int main(int argc, char **argv) {
    char line[4096], path[8192];
    struct bytes texts = {0};
    if (argc != 4)
        fail("usage: embed OUT FOLDER LIST", "");
    FILE *list = fopen(argv[3], "r");
    for (int pass = 0; list && pass < 2; pass++) { /* texts first */
        rewind(list);
        while (fgets(line, sizeof line, list)) {
            line[strcspn(line, "\n")] = 0;
            if (pass == 0 && strncmp(line, "text ", 5) == 0) {
                snprintf(path, sizeof path, "%s/%s", argv[2], line + 5);
                struct bytes text = read_file(path);
                put(&texts, line + 5, strlen(line + 5) + 1);
                put(&texts, text.at, text.size + 1);
                free(text.at);
            } else if (pass == 1 && strncmp(line, "spirv ", 6) == 0) {
                struct bytes module = read_file(line + 6), content = differences(&module, line + 6);
                add(&content, module.size);
                free(module.at);
                free(content.at);
            }
        }
        if (pass == 0)
            add(&texts, texts.size);
    }
    FILE *out = list ? fopen(argv[1], "wb") : NULL;
    struct bytes all = {0};
    put_u64(&all, entries);
    put(&all, head.at, head.size);
    put(&all, body.at, body.size);
    if (!out || fwrite(all.at, 1, all.size, out) != all.size || fclose(out) != 0)
        fail("cannot be written", argv[1]);
    return 0;
}
