/* SPDX-License-Identifier: MIT
 * The item references of a HEIF file (ISO/IEC 14496-12, 8.11.12): boxes `iref` in boxes `meta`, in which `dimg` names the
 * pictures that one is made of, and `auxl` the one that another is the alpha of. */
#include "io/heif/heif_items.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

#define DEEPEST 8               /* a grid of tiles with alpha takes 2 */
#define MOST_DECODED (1u << 18) /* a grid has at most 65536 tiles */

/* Decoding `from` decodes `to`. */
struct reference {
    uint32_t from, to;
    uint64_t chains; /* of references, of the length that is looked at, that begin with this one */
};

struct references {
    struct reference *all; /* NULL: they are only counted */
    size_t count;
};

static uint32_t number(const unsigned char *at, size_t bytes) {
    uint32_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n = n << 8 | at[i];
    return n;
}

/* The box at *at of so many bytes, which *at then is behind: its contents. False without one, or where it is cut off. */
static bool next_box(const unsigned char *bytes, size_t size, size_t *at, const unsigned char **type,
                     const unsigned char **contents, size_t *length) {
    if (size - *at < 8)
        return false;
    const unsigned char *box = bytes + *at;
    uint64_t whole = number(box, 4);
    size_t head = 8;
    if (whole == 1 && size - *at >= 16)
        whole = (uint64_t)number(box + 8, 4) << 32 | number(box + 12, 4), head = 16;
    else if (whole == 0) /* to the end */
        whole = size - *at;
    if (whole < head)
        return false;
    whole = whole < size - *at ? whole : size - *at;
    *type = box + 4;
    *contents = box + head;
    *length = (size_t)whole - head;
    *at += (size_t)whole;
    return true;
}

static void add(struct references *found, uint32_t from, uint32_t to) {
    if (found->all)
        found->all[found->count] = (struct reference){.from = from, .to = to};
    found->count++;
}

/* One item's: its number, how many, and their numbers, of `wide` bytes each but for how many. */
static void take_item(struct references *found, const unsigned char *type, const unsigned char *at, size_t length, size_t wide) {
    bool made_of = memcmp(type, "dimg", 4) == 0;
    if ((!made_of && memcmp(type, "auxl", 4) != 0) || length < wide + 2)
        return;
    uint32_t item = number(at, wide), count = number(at + wide, 2);
    for (size_t i = 0; i < count && (i + 1) * wide <= length - wide - 2; i++) {
        uint32_t other = number(at + wide + 2 + i * wide, wide);
        add(found, made_of ? item : other, made_of ? other : item);
    }
}

/* Those of all boxes. `iref` and `meta` begin with a version of one byte and three of flags. */
static void walk(struct references *found, const unsigned char *bytes, size_t size) {
    const unsigned char *type, *meta, *iref, *item;
    size_t at = 0, meta_length, iref_length, length;
    found->count = 0;
    while (next_box(bytes, size, &at, &type, &meta, &meta_length)) {
        if (memcmp(type, "meta", 4) != 0)
            continue;
        for (size_t i = 4; i <= meta_length && next_box(meta, meta_length, &i, &type, &iref, &iref_length);)
            for (size_t k = 4; memcmp(type, "iref", 4) == 0 && iref_length >= 4;) {
                const unsigned char *kind;
                if (!next_box(iref, iref_length, &k, &kind, &item, &length))
                    break;
                take_item(found, kind, item, length, iref[0] == 0 ? 2 : 4);
            }
    }
}

static int by_from(const void *a, const void *b) {
    const struct reference *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* How many references, in the order of `from`, are of items below that. */
static size_t below(const struct references *r, uint64_t item) {
    size_t low = 0, high = r->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->all[middle].from < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Chains of one more reference each time, as long as there are any. sums[i]: of the chains of references before i. */
static bool ends(struct references *r, uint64_t *sums) {
    uint64_t decoded = 0;
    qsort(r->all, r->count, sizeof *r->all, by_from);
    for (size_t i = 0; i < r->count; i++)
        r->all[i].chains = 1;
    for (int depth = 0; depth < DEEPEST; depth++) {
        sums[0] = 0;
        for (size_t i = 0; i < r->count; i++)
            sums[i + 1] = sums[i] + r->all[i].chains;
        decoded += sums[r->count];
        if (sums[r->count] == 0 || decoded > MOST_DECODED)
            return sums[r->count] == 0;
        for (size_t i = 0; i < r->count; i++)
            r->all[i].chains = sums[below(r, (uint64_t)r->all[i].to + 1)] - sums[below(r, r->all[i].to)];
    }
    return false;
}

weft_status weft_heif_items_sound(const unsigned char *bytes, size_t size, bool *sound, weft_error *error) {
    struct references found = {.all = NULL};
    walk(&found, bytes, size);
    *sound = true;
    if (found.count == 0)
        return WEFT_OK;
    uint64_t *sums = weft_allocate(found.count + 1, sizeof *sums);
    found.all = weft_allocate(found.count, sizeof *found.all);
    weft_status status = WEFT_OK;
    if (!sums || !found.all)
        status = weft_fail_memory(error, found.count * sizeof *found.all, "the references of a HEIF file");
    if (status == WEFT_OK) {
        walk(&found, bytes, size);
        *sound = ends(&found, sums);
    }
    weft_free(found.all);
    weft_free(sums);
    return status;
}
