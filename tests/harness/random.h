/* SPDX-License-Identifier: MIT
 * Numbers by chance that come again: splitmix64, started from the seed, a name and a count. */
#ifndef HARNESS_RANDOM_H
#define HARNESS_RANDOM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chance {
    uint64_t state;
    const unsigned char *tape; /* numbers come from these bytes, two a number, as long as there are some */
    size_t left;
};

static inline uint64_t chance_next(struct chance *chance) {
    if (chance->left >= 2) { /* in the low bits and in the high ones, as whoever asks may use either */
        uint64_t drawn = (uint64_t)chance->tape[0] | (uint64_t)chance->tape[1] << 8;
        chance->tape += 2;
        chance->left -= 2;
        return drawn << 48 | drawn;
    }
    uint64_t z = chance->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A start of its own for every case: nothing that one case draws moves another. */
static inline struct chance chance_of(uint64_t seed, const char *name, int64_t number) {
    struct chance chance = {.state = seed};
    for (; *name; name++)
        chance.state = chance_next(&chance) ^ (unsigned char)*name;
    chance.state = chance_next(&chance) ^ (uint64_t)number;
    chance_next(&chance);
    return chance;
}

/* 0 .. count - 1 */
static inline int64_t chance_below(struct chance *chance, int64_t count) {
    return (int64_t)(chance_next(chance) % (uint64_t)count);
}
/* [0, 1) in steps of 2^-24: exact as a float. */
static inline double chance_unit(struct chance *chance) { return (double)(chance_next(chance) >> 40) / 16777216.0; }
/* True once in `times`. */
static inline bool chance_once_in(struct chance *chance, int64_t times) { return chance_below(chance, times) == 0; }

#endif
