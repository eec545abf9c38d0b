/* SPDX-License-Identifier: MIT
 * What a mistyped word was meant to be. */
#include "common/nearest.h"
#include <string.h>

enum { LONGEST = 40 }; /* commands and options are far shorter */

static int least(int a, int b) { return a < b ? a : b; }

/* Insertions, deletions, substitutions and swaps of neighbors that turn one word into the other. */
static int slips(const char *a, const char *b) {
    size_t la = strlen(a), lb = strlen(b);
    if (la > LONGEST || lb > LONGEST)
        return LONGEST;
    int rows[3][LONGEST + 1];
    for (size_t j = 0; j <= lb; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= la; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            int cost = least(above[j], row[j - 1]) + 1;
            cost = least(cost, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost = least(cost, before[j - 2] + 1);
            row[j] = cost;
        }
    }
    return rows[la % 3][lb];
}

const char *nearest_word(const char *word, const char *const *words) {
    const char *best = NULL;
    int fewest = (int)strlen(word) / 3 + 2;
    for (; *words; words++) {
        int cost = slips(word, *words);
        /* The unfinished start of a word counts as near: "dev" for "devices". */
        if (strlen(word) >= 2 && !strncmp(word, *words, strlen(word)))
            cost = least(cost, 1);
        if (cost < fewest) {
            fewest = cost;
            best = *words;
        }
    }
    return best;
}
