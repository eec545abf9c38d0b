/* SPDX-License-Identifier: MIT
 * The networks of rank.c for one row type: T is the element, KEY an integer in the same order, made by TO_KEY and
 * turned back by FROM_KEY; NAME(x) a function's name. No include guard: it is included for each type. */

static inline KEY NAME(low)(KEY a, KEY b) { return a < b ? a : b; }
static inline KEY NAME(high)(KEY a, KEY b) { return a < b ? b : a; }
#define NUMBER KEY
#define LOW(a, b) NAME(low)(a, b)
#define HIGH(a, b) NAME(high)(a, b)

/* How many elements from *begin on are done next: whole vectors, the last of which overlaps the one before. */
static inline int64_t NAME(piece)(int64_t *begin, int64_t count, int64_t chunk) {
    const int64_t whole = 64 / (int64_t)sizeof(KEY);
    int64_t n = count - *begin < chunk ? count - *begin : chunk;
    if (n < whole && count >= whole)
        *begin = count - whole, n = whole;
    return n > whole ? n - n % whole : n;
}

/* The middle of three columns of three: of the largest of the lows, the middle of the middles, the smallest of the
 * highs. */
static void NAME(network3)(const T *const *rows, int64_t next, T *out, int64_t count) {
    KEY low[CHUNK_3(KEY) + 8], middle[CHUNK_3(KEY) + 8], high[CHUNK_3(KEY) + 8];
    /* hides the value from clang, which otherwise carries elements from pixel to pixel and does not vectorize */
    __asm__("" : "+r"(next));
    for (int64_t begin = 0, n; begin < count; begin += n) {
        n = NAME(piece)(&begin, count, CHUNK_3(KEY));
        const T *p = rows[0] + begin - next, *q = rows[1] + begin - next, *r = rows[2] + begin - next;
        T *to = out + begin;
        VECTOR_LOOP
        for (int64_t x = 0; x < n + 2 * next; x++) {
            KEY a = TO_KEY(p[x]), b = TO_KEY(q[x]), c = TO_KEY(r[x]);
            RANK_ORDER(a, b) RANK_ORDER(b, c) RANK_ORDER(a, b) low[x] = a, middle[x] = b, high[x] = c;
        }
        for (int64_t x = 0; x < n; x += 64 / (int64_t)sizeof(T)) /* of the row that is read for the first time */
            prefetch(r + x);
        HALF_LOOP
        for (int64_t x = 0; x < n; x++) {
            KEY a = HIGH(HIGH(low[x], low[x + next]), low[x + 2 * next]);
            KEY b = middle[x], c = middle[x + next], d = middle[x + 2 * next];
            KEY e = LOW(LOW(high[x], high[x + next]), high[x + 2 * next]);
            b = HIGH(LOW(b, c), LOW(HIGH(b, c), d));
            to[x] = FROM_KEY(HIGH(LOW(a, b), LOW(HIGH(a, b), e)));
        }
    }
}

/* How many elements from *begin on are done next where those of their columns that do not lie side by side are `beside` more:
 * columns are whole vectors where there are as many, and as many vectors as make at least one element. */
static inline int64_t NAME(columns)(int64_t *begin, int64_t count, int64_t beside) {
    const int64_t whole = 64 / (int64_t)sizeof(KEY), chunk = CHUNK_5(KEY), least = beside - beside % whole + whole;
    int64_t left = count - *begin + beside, n = left < chunk ? left : chunk;
    if (n < least && count + beside >= least)
        *begin = count + beside - least, n = least;
    return (n > least ? n - n % whole : n) - beside;
}

static void NAME(network5)(const T *const *rows, int64_t next, T *out, int64_t count) {
    enum { WHOLE = 64 / (int)sizeof(KEY), SIZE = CHUNK_5(KEY) + 2 * WHOLE };
    KEY s[5][SIZE], m[10][SIZE];
    T made[SIZE];
    for (int64_t begin = 0, n; begin < count; begin += n) {
        n = NAME(columns)(&begin, count, 4 * next);
        const T *p = rows[0] + begin - 2 * next, *q = rows[1] + begin - 2 * next, *r = rows[2] + begin - 2 * next,
                *t = rows[3] + begin - 2 * next, *u = rows[4] + begin - 2 * next;
        VECTOR_LOOP
        for (int64_t x = 0; x < n + 4 * next; x++) {
            KEY a = TO_KEY(p[x]), b = TO_KEY(q[x]), c = TO_KEY(r[x]), d = TO_KEY(t[x]), e = TO_KEY(u[x]);
            RANK_SORT(a, b, c, d, e)
            s[0][x] = a, s[1][x] = b, s[2][x] = c, s[3][x] = d, s[4][x] = e;
        }
        /* Whole vectors, beyond the end of the data; what is made of that is not used. */
        int64_t merges = (n + 2 * next + WHOLE - 1) / WHOLE * WHOLE, medians = (n + WHOLE - 1) / WHOLE * WHOLE;
        VECTOR_LOOP
        for (int64_t x = 0; x < merges; x++) {
            KEY a = s[0][x], b = s[1][x], c = s[2][x], d = s[3][x], e = s[4][x];
            KEY f = s[0][x + next], g = s[1][x + next], h = s[2][x + next], i = s[3][x + next], j = s[4][x + next];
            RANK_MERGE(a, b, c, d, e, f, g, h, i, j)
            m[0][x] = a, m[1][x] = b, m[2][x] = c, m[3][x] = d, m[4][x] = e;
            m[5][x] = g, m[6][x] = h, m[7][x] = i, m[8][x] = f, m[9][x] = j;
        }
#define M(k) m[k][x]
#define N(k) m[k][x + 2 * next]
        VECTOR_LOOP
        for (int64_t x = 0; x < medians; x++) {
            RANK_MIDDLE_SIX(M, N, a, b, c, d, e, f)
            made[x] = FROM_KEY(RANK_MIDDLE(a, b, c, d, e, f, s[0][x + 4 * next], s[1][x + 4 * next], s[2][x + 4 * next],
                                           s[3][x + 4 * next], s[4][x + 4 * next]));
        }
#undef M
#undef N
        memcpy(out + begin, made, (size_t)n * sizeof *made);
    }
}

static void NAME(network)(const void *const *rows, int radius, int64_t apart, void *out, int64_t count) {
    const T *in[5];
    for (int i = 0; i <= 2 * radius; i++)
        in[i] = rows[i];
    (radius == 1 ? NAME(network3) : NAME(network5))(in, apart, out, count);
}

static void NAME(few)(const void *const *rows, int n, int radius, int64_t width, int64_t first, int64_t end,
                      void *result) {
    T *out = result;
    for (int64_t x = first; x < end; x++) {
        int64_t low = x - radius > 0 ? x - radius : 0, high = x + radius < width - 1 ? x + radius : width - 1;
        KEY sorted[25];
        int count = 0;
        for (int k = 0; k < n; k++)
            for (int64_t i = low; i <= high; i++) {
                KEY key = TO_KEY(((const T *)rows[k])[i]);
                int at = count++;
                for (; at > 0 && key < sorted[at - 1]; at--)
                    sorted[at] = sorted[at - 1];
                sorted[at] = key;
            }
        out[x - first] = FROM_KEY(sorted[count / 2]);
    }
}
#undef NUMBER
#undef LOW
#undef HIGH
#undef T
#undef KEY
#undef TO_KEY
#undef FROM_KEY
#undef NAME
