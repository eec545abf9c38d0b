/* SPDX-License-Identifier: MIT
 * The networks of rank.c for one row type: T is the element, KEY an integer in the same order, made by TO_KEY and
 * turned back by FROM_KEY; NAME(x) a function's name. No include guard: it is included for each type. */

static inline KEY NAME(low)(KEY a, KEY b) { return a < b ? a : b; }
static inline KEY NAME(high)(KEY a, KEY b) { return a < b ? b : a; }
#define LOW(a, b) NAME(low)(a, b)
#define HIGH(a, b) NAME(high)(a, b)
#define ORDER(a, b)                                                                                                    \
    {                                                                                                                  \
        KEY lower = LOW(a, b), upper = HIGH(a, b);                                                                     \
        a = lower, b = upper;                                                                                          \
    }

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
    __asm__("" : "+r"(next)); /* clang that knows it carries elements from one pixel to the next and makes no vectors */
    for (int64_t begin = 0, n; begin < count; begin += n) {
        n = NAME(piece)(&begin, count, CHUNK_3(KEY));
        const T *p = rows[0] + begin - next, *q = rows[1] + begin - next, *r = rows[2] + begin - next;
        T *to = out + begin;
        VECTOR_LOOP
        for (int64_t x = 0; x < n + 2 * next; x++) {
            KEY a = TO_KEY(p[x]), b = TO_KEY(q[x]), c = TO_KEY(r[x]);
            ORDER(a, b) ORDER(b, c) ORDER(a, b) low[x] = a, middle[x] = b, high[x] = c;
        }
        for (int64_t x = 0; x < n; x += 64 / (int64_t)sizeof(T)) /* of the row that has not been seen before */
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

#define SORT_5(a, b, c, d, e)                                                                                          \
    ORDER(a, b) ORDER(d, e) ORDER(c, e) ORDER(c, d) ORDER(b, e) ORDER(a, d) ORDER(a, c) ORDER(b, d) ORDER(b, c)
/* Five neighbours of the i-th of each column, in order. The compiler drops what makes those that are not used. */
#define LINE(i)                                                                                                        \
    KEY v##i##0 = s[i][x], v##i##1 = s[i][x + next], v##i##2 = s[i][x + 2 * next], v##i##3 = s[i][x + 3 * next],       \
        v##i##4 = s[i][x + 4 * next];                                                                                  \
    SORT_5(v##i##0, v##i##1, v##i##2, v##i##3, v##i##4)

/* Five columns of five: with the columns in order and then the lines in order, the middle of the 25 is the middle of
 * the 13 that have neither 13 below nor 13 above. The order in which those are compared came from a search. */
static void NAME(network5)(const T *const *rows, int64_t next, T *out, int64_t count) {
    KEY s[5][CHUNK_5(KEY) + 16];
    for (int64_t begin = 0, n; begin < count; begin += n) {
        n = NAME(piece)(&begin, count, CHUNK_5(KEY));
        const T *p = rows[0] + begin - 2 * next, *q = rows[1] + begin - 2 * next, *r = rows[2] + begin - 2 * next,
                *t = rows[3] + begin - 2 * next, *u = rows[4] + begin - 2 * next;
        T *to = out + begin;
        VECTOR_LOOP
        for (int64_t x = 0; x < n + 4 * next; x++) {
            KEY a = TO_KEY(p[x]), b = TO_KEY(q[x]), c = TO_KEY(r[x]), d = TO_KEY(t[x]), e = TO_KEY(u[x]);
            SORT_5(a, b, c, d, e)
            s[0][x] = a, s[1][x] = b, s[2][x] = c, s[3][x] = d, s[4][x] = e;
        }
        VECTOR_LOOP
        for (int64_t x = 0; x < n; x++) {
            LINE(0)
            LINE(1) LINE(2) LINE(3) LINE(4) ORDER(v31, v13) ORDER(v22, v13) ORDER(v31, v22) ORDER(v40, v04)
                ORDER(v14, v41) ORDER(v03, v30) ORDER(v21, v12) ORDER(v32, v23) ORDER(v04, v14) ORDER(v30, v40)
                    ORDER(v14, v22) ORDER(v30, v14) ORDER(v12, v31) ORDER(v04, v32) ORDER(v04, v40) ORDER(v32, v13)
                        ORDER(v40, v31) ORDER(v32, v31) ORDER(v14, v04) ORDER(v04, v32) to[x] = FROM_KEY(v04);
        }
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
#undef LOW
#undef HIGH
#undef ORDER
#undef SORT_5
#undef LINE
#undef T
#undef KEY
#undef TO_KEY
#undef FROM_KEY
#undef NAME
