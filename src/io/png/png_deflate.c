/* SPDX-License-Identifier: MIT
 * Deflate: repeats are found by chains of places with the same four bytes. What filters of PNG leave of photographs
 * hardly repeats, and repeats of few bytes cost more than the bytes do: each is weighed by the codes of the block
 * before. */
#include "io/png/png_deflate.h"
#include <stdint.h>
#include <string.h>
#include "base/memory.h"
#include "io/png/png_bits.h"
#include "io/png/png_huffman.h"

enum { WINDOW = WEFT_DEFLATE_WINDOW, HASH_BITS = 15, SHORTEST = 4, HASHED = 8, LONGEST = 258, STORED = 65535 };
enum { BLOCK = 24576, SEGMENT = 1 << 20 }; /* symbols, bytes */
enum { LITERALS = 286, DISTANCES = 30, END = 256, SURE = 48, REPEAT = 16 /* bits that one takes at least */ };
/* Where nothing repeats, places are looked at further and further apart. */
enum { PATIENCE = 64, MOST_STEPS = 4 };

struct level {
    size_t depth, nice, lazy; /* places looked at; lengths that are good enough to stop, and to look no further ahead */
};
/* Where several bytes became a symbol of the block, drawings rather than photographs, looking at so many times more
 * places pays and costs little, since few bytes are looked for. */
enum { RICH = 4, RICHEST = 16 };
static const struct level levels[WEFT_DEFLATE_LEVELS] = {{0, 0, 0},      {1, 16, 0},     {1, 32, 0},  {2, 32, 0},
                                                         {2, 48, 4},     {3, 64, 4},     {6, 96, 16}, {10, 128, 32},
                                                         {48, 258, 128}, {256, 258, 258}};

struct weft_deflate {
    int32_t heads[1 << HASH_BITS], chain[WINDOW]; /* places, -1 for none */
    uint32_t symbols[BLOCK];                      /* a byte, or a length << 16 | a distance */
    uint32_t counts[LITERALS], distance_counts[DISTANCES];
    uint8_t costs[LITERALS], distance_costs[DISTANCES]; /* bits, by the block before */
    int32_t count;
    size_t begin; /* of the block's bytes */
    size_t least; /* bytes of a repeat that may pay */
    int shift;    /* what of 8 bytes the hash leaves out, in bits */
    weft_bits bits;
};

weft_deflate *weft_deflate_create(void) { return weft_allocate(1, sizeof(weft_deflate)); }

/* No block takes more than if it were stored: 5 bytes for each 65535. Blocks end where they have enough symbols, which
 * are a byte at least, and with segments; every piece ends in 5 more, and 8 are written at a time. */
size_t weft_deflate_bound(size_t size) {
    return size + 5 * (size / STORED + size / (BLOCK - 1) + 2 * (size / SEGMENT + 1) + 2) + 16;
}

static uint64_t load(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}
/* Of so many bytes as a repeat must have to be worth looking at, 4 to 8. */
static uint32_t hash(const weft_deflate *deflate, const unsigned char *bytes) {
    return (uint32_t)((load(bytes) << deflate->shift) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HASH_BITS));
}

static size_t alike(const unsigned char *a, const unsigned char *b, size_t most) {
    size_t length = 0;
    for (uint64_t x, y; length + 8 <= most; length += 8) {
        memcpy(&x, a + length, 8);
        memcpy(&y, b + length, 8);
        if (x != y)
            break;
    }
    while (length < most && a[length] == b[length])
        length++;
    return length;
}

static int top_bit(unsigned value) { return 31 - __builtin_clz(value); }
/* Codes of lengths and distances: two for each power of two of distances, four of lengths; bits after them. */
static int length_code(unsigned length, int *extra) {
    const unsigned v = length - 3;
    if (length == LONGEST)
        return *extra = 0, 285;
    if (v < 8)
        return *extra = 0, 257 + (int)v;
    *extra = top_bit(v) - 2;
    return 257 + 4 * (*extra + 1) + (int)(v >> *extra & 3);
}
static int distance_code(unsigned distance, int *extra) {
    const unsigned v = distance - 1;
    if (v < 4)
        return *extra = 0, (int)v;
    *extra = top_bit(v) - 1;
    return 2 * (*extra + 1) + (int)(v >> *extra & 1);
}

/* Whether a repeat takes fewer bits than its bytes. */
static bool pays(const weft_deflate *deflate, const unsigned char *bytes, size_t length, size_t distance) {
    int extra, more, bits = 0, cost;
    if (length >= SURE)
        return true;
    cost = deflate->costs[length_code((unsigned)length, &extra)];
    cost += deflate->distance_costs[distance_code((unsigned)distance, &more)] + extra + more;
    for (size_t i = 0; i < length; i++)
        bits += deflate->costs[bytes[i]];
    return cost < bits;
}

struct repeat {
    size_t length, distance; /* 0 for none */
};

static void add_place(weft_deflate *deflate, const unsigned char *base, size_t at) {
    const uint32_t key = hash(deflate, base + at);
    deflate->chain[at % WINDOW] = deflate->heads[key];
    deflate->heads[key] = (int32_t)at;
}

/* The longest repeat at a place, which becomes one to be found. */
static struct repeat find(weft_deflate *deflate, const struct level *level, const unsigned char *base, size_t at,
                          size_t most, size_t least) {
    const unsigned char *bytes = base + at;
    const int64_t oldest = at > WINDOW ? (int64_t)(at - WINDOW) : 0;
    struct repeat best = {least, 0};
    size_t depth = level->depth;
    int64_t place;
    add_place(deflate, base, at);
    place = deflate->chain[at % WINDOW];
    for (; place >= oldest && depth > 0 && best.length < most; depth--) {
        const unsigned char *other = base + place;
        /* What is longer is alike at its end, too. */
        if (memcmp(other + best.length - 3, bytes + best.length - 3, 4) == 0) {
            const size_t length = alike(bytes, other, most);
            if (length > best.length) {
                best = (struct repeat){length, at - (size_t)place};
                if (length >= level->nice)
                    break;
            }
        }
        place = place == oldest ? -1 : deflate->chain[(size_t)place % WINDOW];
    }
    return best.distance && pays(deflate, bytes, best.length, best.distance) ? best : (struct repeat){0, 0};
}

static void write_stored(weft_deflate *deflate, const unsigned char *bytes, size_t size, bool last) {
    do {
        const size_t part = size < STORED ? size : STORED;
        weft_bits_put(&deflate->bits, last && part == size, 3);
        weft_bits_align(&deflate->bits);
        weft_bits_bytes(&deflate->bits,
                        (unsigned char[]){(unsigned char)part, (unsigned char)(part >> 8), (unsigned char)~part,
                                          (unsigned char)(~part >> 8)},
                        4);
        weft_bits_bytes(&deflate->bits, bytes, part);
        bytes += part;
        size -= part;
    } while (size > 0);
}

/* The lengths of both codes as run lengths, each with the bits that follow: of `symbols`, returns how many. */
static int pack_lengths(const uint8_t *lengths, int count, uint16_t *symbols) {
    int made = 0;
    for (int i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && lengths[i + run] == lengths[i] && run < (lengths[i] ? 7 : 138); run++)
            ;
        if (lengths[i] == 0 && run >= 11) {
            symbols[made++] = (uint16_t)(18 | (run - 11) << 8);
        } else if (lengths[i] == 0 && run >= 3) {
            symbols[made++] = (uint16_t)(17 | (run - 3) << 8);
        } else if (lengths[i] && run >= 4) {
            symbols[made++] = lengths[i];
            symbols[made++] = (uint16_t)(16 | (run - 4) << 8);
        } else {
            run = 1;
            symbols[made++] = lengths[i];
        }
    }
    return made;
}

/* A block's codes, and how many bits its description and its symbols take. */
struct codes {
    uint8_t lengths[LITERALS + DISTANCES], head_lengths[19];
    uint16_t packed[LITERALS + DISTANCES];
    int literals, distances, heads, packed_count;
    size_t bits;
};
static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
static int head_extra(int symbol) { return symbol == 16 ? 2 : symbol == 17 ? 3 : symbol == 18 ? 7 : 0; }
static int literal_extra(int symbol) { return symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4; }
static int distance_extra(int symbol) { return symbol < 4 ? 0 : symbol / 2 - 1; }

static size_t count_bits(const weft_deflate *deflate, const uint8_t *literals, const uint8_t *distances) {
    size_t bits = 0;
    for (int i = 0; i < LITERALS; i++)
        bits += (size_t)deflate->counts[i] * (size_t)(literals[i] + (i > END ? literal_extra(i) : 0));
    for (int i = 0; i < DISTANCES; i++)
        bits += (size_t)deflate->distance_counts[i] * (size_t)(distances[i] + distance_extra(i));
    return bits;
}

static void choose_codes(const weft_deflate *deflate, struct codes *codes) {
    uint8_t literals[LITERALS], distances[DISTANCES];
    uint32_t counts[19] = {0};
    weft_huffman_lengths(deflate->counts, LITERALS, 15, literals);
    weft_huffman_lengths(deflate->distance_counts, DISTANCES, 15, distances);
    for (codes->literals = LITERALS; literals[codes->literals - 1] == 0; codes->literals--)
        ;
    for (codes->distances = DISTANCES; distances[codes->distances - 1] == 0; codes->distances--)
        ;
    memcpy(codes->lengths, literals, (size_t)codes->literals);
    memcpy(codes->lengths + codes->literals, distances, (size_t)codes->distances);
    codes->packed_count = pack_lengths(codes->lengths, codes->literals + codes->distances, codes->packed);
    for (int i = 0; i < codes->packed_count; i++)
        counts[codes->packed[i] & 0xFF]++;
    weft_huffman_lengths(counts, 19, 7, codes->head_lengths);
    for (codes->heads = 19; codes->head_lengths[order[codes->heads - 1]] == 0; codes->heads--)
        ;
    codes->bits = 14 + 3 * (size_t)codes->heads + count_bits(deflate, literals, distances);
    for (int i = 0; i < 19; i++)
        codes->bits += (size_t)counts[i] * (size_t)(codes->head_lengths[i] + head_extra(i));
}

static void write_head(weft_bits *bits, const struct codes *codes) {
    uint16_t words[19];
    weft_huffman_codes(codes->head_lengths, 19, words);
    weft_bits_put(bits,
                  (uint32_t)(codes->literals - 257) | (uint32_t)(codes->distances - 1) << 5 |
                      (uint32_t)(codes->heads - 4) << 10,
                  14);
    for (int i = 0; i < codes->heads; i++)
        weft_bits_put(bits, codes->head_lengths[order[i]], 3);
    for (int i = 0; i < codes->packed_count; i++) {
        const int symbol = codes->packed[i] & 0xFF;
        weft_bits_put(bits, words[symbol], codes->head_lengths[symbol]);
        weft_bits_put(bits, codes->packed[i] >> 8, head_extra(symbol));
    }
}

static void write_symbols(weft_deflate *deflate, const uint8_t *literals, const uint8_t *distances) {
    uint16_t words[WEFT_HUFFMAN_SYMBOLS], distance_words[32];
    weft_bits bits = deflate->bits;
    weft_huffman_codes(literals, WEFT_HUFFMAN_SYMBOLS, words);
    weft_huffman_codes(distances, 32, distance_words);
    for (int32_t i = 0; i < deflate->count; i++) {
        const uint32_t symbol = deflate->symbols[i];
        unsigned length, back;
        int extra, more, code, distance;
        if (symbol < 256) {
            weft_bits_add(&bits, words[symbol], literals[symbol]);
            continue;
        }
        length = symbol >> 16;
        back = symbol & 0xFFFF;
        code = length_code(length, &extra);
        distance = distance_code(back, &more);
        length = (length - 3) & ((1u << extra) - 1);
        back = (back - 1) & ((1u << more) - 1);
        weft_bits_add(&bits, words[code] | length << literals[code], literals[code] + extra);
        weft_bits_add(&bits, distance_words[distance] | back << distances[distance], distances[distance] + more);
    }
    weft_bits_put(&bits, words[END], literals[END]);
    deflate->bits = bits;
}

/* Codes that the format knows without a description. */
static void fixed_lengths(uint8_t literals[WEFT_HUFFMAN_SYMBOLS], uint8_t distances[32]) {
    for (int i = 0; i < WEFT_HUFFMAN_SYMBOLS; i++)
        literals[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    memset(distances, 5, 32);
}

/* What a repeat or a byte may cost in the next block: one that did not occur in this one costs as one that hardly did.
 * Where bytes cost little, only longer repeats may pay. */
static void keep_costs(weft_deflate *deflate, const uint8_t *literals, const uint8_t *distances) {
    uint64_t bits = 0, count = 1;
    for (int i = 0; i < LITERALS; i++)
        deflate->costs[i] = literals[i] ? literals[i] : 13;
    for (int i = 0; i < DISTANCES; i++)
        deflate->distance_costs[i] = distances[i] ? distances[i] : 8;
    for (int i = 0; i < END; i++) {
        bits += (uint64_t)deflate->counts[i] * literals[i];
        count += deflate->counts[i];
    }
    deflate->least = bits > 0 ? (size_t)(REPEAT * count / bits) : SHORTEST;
    deflate->least = deflate->least < SHORTEST ? SHORTEST : deflate->least > HASHED ? HASHED : deflate->least;
    deflate->shift = 64 - 8 * (int)(deflate->least < HASHED ? deflate->least : HASHED);
}

/* For the first block by how often bytes occur in its beginning. */
static void guess_costs(weft_deflate *deflate, const unsigned char *bytes, size_t size) {
    uint8_t literals[LITERALS], distances[DISTANCES];
    for (size_t i = 1; i < size && i < BLOCK; i++)
        deflate->counts[bytes[i]] += bytes[i] != bytes[i - 1]; /* others may be parts of repeats */
    memset(literals, 7, sizeof literals);
    memset(distances, 5, sizeof distances);
    weft_huffman_lengths(deflate->counts, END, 15, literals);
    keep_costs(deflate, literals, distances);
    memset(deflate->counts, 0, sizeof deflate->counts);
}

/* In the form that takes the fewest bits. */
static void write_block(weft_deflate *deflate, const unsigned char *base, size_t end, bool last) {
    uint8_t literals[WEFT_HUFFMAN_SYMBOLS], distances[32];
    struct codes codes;
    const size_t size = end - deflate->begin, stored = 8 * size + 40 * (size / STORED + 1);
    size_t fixed;
    deflate->counts[END] = 1;
    choose_codes(deflate, &codes);
    fixed_lengths(literals, distances);
    fixed = count_bits(deflate, literals, distances);
    if (stored <= codes.bits && stored <= fixed) {
        write_stored(deflate, base + deflate->begin, size, last);
    } else if (fixed <= codes.bits) {
        weft_bits_put(&deflate->bits, (uint32_t)last | 1 << 1, 3);
        write_symbols(deflate, literals, distances);
    } else {
        memset(literals, 0, sizeof literals);
        memset(distances, 0, sizeof distances);
        memcpy(literals, codes.lengths, (size_t)codes.literals);
        memcpy(distances, codes.lengths + codes.literals, (size_t)codes.distances);
        weft_bits_put(&deflate->bits, (uint32_t)last | 2 << 1, 3);
        write_head(&deflate->bits, &codes);
        write_symbols(deflate, literals, distances);
        keep_costs(deflate, literals, distances);
    }
    memset(deflate->counts, 0, sizeof deflate->counts);
    memset(deflate->distance_counts, 0, sizeof deflate->distance_counts);
    deflate->count = 0;
    deflate->begin = end;
}

static void add_byte(weft_deflate *deflate, unsigned char byte) {
    deflate->symbols[deflate->count++] = byte;
    deflate->counts[byte]++;
}

static void add_repeat(weft_deflate *deflate, struct repeat repeat) {
    int extra;
    deflate->symbols[deflate->count++] = (uint32_t)(repeat.length << 16 | repeat.distance);
    deflate->counts[length_code((unsigned)repeat.length, &extra)]++;
    deflate->distance_counts[distance_code((unsigned)repeat.distance, &extra)]++;
}

/* How hard to try at a place, which is different from one part of a picture to another. */
static struct level effort(const weft_deflate *deflate, const struct level *level, size_t at) {
    struct level result = *level;
    const size_t rich = (at - deflate->begin) / (size_t)(deflate->count + 1);
    if (level->lazy > 0 && rich >= RICH) {
        result.depth *= rich < RICHEST ? rich : RICHEST;
        result.lazy *= 2;
    }
    return result;
}

static struct repeat find_within(weft_deflate *deflate, const struct level *level, const unsigned char *base, size_t at,
                                 size_t end, size_t least) {
    const size_t left = end - at;
    return left < HASHED ? (struct repeat){0, 0}
                         : find(deflate, level, base, at, left < LONGEST ? left : LONGEST, least);
}

/* Bytes that nothing repeats: the more there were, the more go without being looked at. */
static size_t add_bytes(weft_deflate *deflate, const unsigned char *base, size_t at, size_t end, size_t misses) {
    size_t step = 1 + misses / PATIENCE;
    step = step < MOST_STEPS ? step : MOST_STEPS;
    for (step = step < end - at ? step : end - at; step > 0 && deflate->count < BLOCK; step--)
        add_byte(deflate, base[at++]);
    return at;
}

/* A part that is small enough to count places in 32 bits, behind `before` bytes. */
static void write_segment(weft_deflate *deflate, const struct level *given, const unsigned char *base, size_t before,
                          size_t end, bool last) {
    size_t at = before, misses = 0;
    memset(deflate->heads, -1, sizeof deflate->heads);
    for (size_t i = 0; i + HASHED <= end && i < before; i++)
        add_place(deflate, base, i);
    deflate->begin = before;
    while (at < end) {
        const struct level level = effort(deflate, given, at);
        struct repeat repeat = find_within(deflate, &level, base, at, end, deflate->least - 1), next;
        size_t known = at + 1; /* places up to here are in their chains */
        if (repeat.length == 0) {
            at = add_bytes(deflate, base, at, end, misses++);
        } else {
            misses = 0;
            while (repeat.length < level.lazy && deflate->count < BLOCK - 1) {
                next = find_within(deflate, &level, base, at + 1, end, repeat.length);
                known = at + 2;
                if (next.length == 0)
                    break;
                add_byte(deflate, base[at++]);
                repeat = next;
            }
            add_repeat(deflate, repeat);
            at += repeat.length;
            for (; known < at && known + HASHED <= end; known++)
                add_place(deflate, base, known);
        }
        if (deflate->count >= BLOCK - 1)
            write_block(deflate, base, at, false);
    }
    if (deflate->count > 0 || last)
        write_block(deflate, base, end, last);
}

size_t weft_deflate_piece(weft_deflate *deflate, int level, const unsigned char *bytes, size_t before, size_t size,
                          bool last, unsigned char *target) {
    deflate->bits = (weft_bits){.next = target};
    deflate->count = 0;
    memset(deflate->counts, 0, sizeof deflate->counts);
    memset(deflate->distance_counts, 0, sizeof deflate->distance_counts);
    guess_costs(deflate, bytes, size);
    if (level == 0)
        write_stored(deflate, bytes, size, last);
    for (size_t done = 0; level > 0 && done < size; done += SEGMENT) {
        const size_t part = size - done < SEGMENT ? size - done : SEGMENT,
                     known = before + done < WINDOW ? before + done : WINDOW;
        write_segment(deflate, &levels[level], bytes + done - known, known, known + part, last && done + part == size);
    }
    if (!last) /* an empty block that is stored ends at a whole byte */
        write_stored(deflate, bytes, 0, false);
    weft_bits_align(&deflate->bits);
    return (size_t)(deflate->bits.next - target);
}
