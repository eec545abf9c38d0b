/* SPDX-License-Identifier: MIT
 * Huffman's algorithm on sorted counts with two queues, and lengths above the limit mended afterwards. */
#include "io/png/png_huffman.h"
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 15 };

static int by_count(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* How many symbols get a code of each length: `leaves` is sorted, rare ones first. Nodes that are made come out sorted,
 * too, so the two rarest are always at the front of one queue or the other. */
static void count_lengths(const uint64_t *leaves, int count, int limit, int32_t numbers[LONGEST + 1]) {
    uint64_t weights[WEFT_HUFFMAN_SYMBOLS];
    int16_t parents[2 * WEFT_HUFFMAN_SYMBOLS], depths[WEFT_HUFFMAN_SYMBOLS];
    int leaf = 0, node = 0, made = 0;
    int64_t space;
    for (; made < count - 1; made++) {
        weights[made] = 0;
        for (int k = 0; k < 2; k++) {
            const uint64_t rare = leaf < count ? leaves[leaf] >> 16 : UINT64_MAX;
            if (node < made && weights[node] < rare) {
                weights[made] += weights[node];
                parents[WEFT_HUFFMAN_SYMBOLS + node++] = (int16_t)made;
            } else {
                weights[made] += rare;
                parents[leaf++] = (int16_t)made;
            }
        }
    }
    depths[count - 2] = 0;
    for (int i = count - 3; i >= 0; i--)
        depths[i] = (int16_t)(depths[parents[WEFT_HUFFMAN_SYMBOLS + i]] + 1);
    memset(numbers, 0, (LONGEST + 1) * sizeof *numbers);
    for (int i = 0; i < count; i++) {
        const int depth = depths[parents[i]] + 1;
        numbers[depth < limit ? depth : limit]++;
    }
    /* Cut codes took more of the space of all codes than there is: longer ones for some symbols give it back. */
    space = -((int64_t)1 << limit);
    for (int length = 1; length <= limit; length++)
        space += (int64_t)numbers[length] << (limit - length);
    while (space > 0) {
        int length = limit - 1;
        while (numbers[length] == 0)
            length--;
        numbers[length]--;
        numbers[length + 1] += 2;
        numbers[limit]--;
        space--;
    }
}

void weft_huffman_lengths(const uint32_t *counts, int symbols, int limit, uint8_t *lengths) {
    uint64_t leaves[WEFT_HUFFMAN_SYMBOLS];
    int32_t numbers[LONGEST + 1];
    int count = 0, next = 0;
    memset(lengths, 0, (size_t)symbols);
    for (int i = 0; i < symbols; i++)
        if (counts[i])
            leaves[count++] = (uint64_t)counts[i] << 16 | (uint64_t)i;
    for (int i = 0; count < 2; i++)
        if (!counts[i])
            leaves[count++] = (uint64_t)1 << 16 | (uint64_t)i;
    qsort(leaves, (size_t)count, sizeof *leaves, by_count);
    count_lengths(leaves, count, limit, numbers);
    for (int length = limit; length > 0; length--)
        for (int32_t i = 0; i < numbers[length]; i++)
            lengths[leaves[next++] & 0xFFFF] = (uint8_t)length;
}

void weft_huffman_codes(const uint8_t *lengths, int symbols, uint16_t *codes) {
    int numbers[LONGEST + 1] = {0}, next[LONGEST + 2] = {0};
    for (int i = 0; i < symbols; i++)
        numbers[lengths[i]] += lengths[i] > 0;
    for (int length = 1; length <= LONGEST; length++)
        next[length + 1] = (next[length] + numbers[length]) * 2;
    for (int i = 0; i < symbols; i++) {
        int code = next[lengths[i]]++, turned = 0;
        for (int bit = 0; bit < lengths[i]; bit++)
            turned |= (code >> bit & 1) << (lengths[i] - 1 - bit);
        codes[i] = (uint16_t)turned;
    }
}
