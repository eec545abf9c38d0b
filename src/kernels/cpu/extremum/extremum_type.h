/* SPDX-License-Identifier: MIT
 * The row kernels of extremum.c for one row type and one direction: T is the element, BETTER(a, b) the choice and
 * NAME(x) a function's name; CLEAN(a) the element, or what no element is worse than where it is no number; BETTER_VECTOR, where
 * there is one, the same choice for vectors of 512 bits, with their type VECTOR and what goes with it. No include guard: it is
 * included for each.
 *
 * NaN does not count: of NaN and b BETTER chooses b, so that chains of it that begin with a clean element have clean results. All
 * kept rows are clean. COLUMNS_FIRST: the extrema of columns are written to memory first, each once, and squares are made of
 * these. */

/* The first `n` (1 to 5) of the rows into out, or with `more` into what is there already. */
static inline void NAME(few)(const T *const *rows, int n, bool more, T *out, int64_t count) {
    const T *a = more ? out : rows[n - 1], *b = rows[0], *c = rows[n > 1], *d = rows[n > 2 ? 2 : 0],
            *e = rows[n > 3 ? 3 : 0];
    if (n <= 1 + !more) {
        VECTOR_LOOP
        for (int64_t x = 0; x < count; x++)
            out[x] = BETTER(b[x], CLEAN(a[x]));
    } else if (n <= 2 + !more) {
        VECTOR_LOOP
        for (int64_t x = 0; x < count; x++)
            out[x] = BETTER(c[x], BETTER(b[x], CLEAN(a[x])));
    } else {
        VECTOR_LOOP
        for (int64_t x = 0; x < count; x++)
            out[x] = BETTER(e[x], BETTER(d[x], BETTER(c[x], BETTER(b[x], CLEAN(a[x])))));
    }
}

/* A piece of a row that is read for the first time: *n elements from `begin` on; prefetches those behind it. */
static inline const T *NAME(piece)(const void *row, int64_t begin, int64_t count, int64_t *n) {
    const int64_t most = NEW_PIECE / (int64_t)sizeof(T);
    const T *in = (const T *)row + begin;
    *n = count - begin < most ? count - begin : most;
    for (int64_t i = 0; i < *n; i += 64 / (int64_t)sizeof(T))
        prefetch(in + i);
    return in;
}

/* The last row is read for the first time. */
static void NAME(rows)(const void *const *rows, int n, void *result, int64_t count) {
    for (int64_t begin = 0, length; begin < count; begin += length) {
        T *out = (T *)result + begin;
        NAME(piece)(rows[n - 1], begin, count, &length);
        for (int k = 0; k < n;) {
            const T *in[5];
            int most = k ? 4 : 5, taken = n - k < most ? n - k : most;
            for (int i = 0; i < taken; i++)
                in[i] = (const T *)rows[k + i] + begin;
            NAME(few)(in, taken, k > 0, out, length);
            k += taken;
        }
    }
}

#ifdef BETTER_VECTOR
/* Elements side by side: extrema of three rows at a time, of which those to the left and right are shifted out of the vectors
 * beside. Returns how many were made. */
static inline int64_t NAME(square_by_vectors)(const T *a, const T *b, const T *c, T *out, int64_t count) {
    enum { lanes = 64 / sizeof(T) };
#define COLUMNS(x) BETTER_VECTOR(LOAD_VECTOR(c + (x)), BETTER_VECTOR(LOAD_VECTOR(b + (x)), CLEAN_VECTOR(LOAD_VECTOR(a + (x)))))
    if (count < 2 * lanes)
        return 0;
    T first = BETTER(c[-1], BETTER(b[-1], CLEAN(a[-1])));
    VECTOR before = ALL_VECTOR(first), here = COLUMNS(0);
    int64_t x = 0;
    for (; x + 2 * lanes <= count; x += lanes) {
        prefetch(c + x);
        VECTOR after = COLUMNS(x + lanes);
        STORE_VECTOR(out + x,
                     BETTER_VECTOR(BETTER_VECTOR(SHIFT_VECTOR(before, here, lanes - 1), SHIFT_VECTOR(here, after, 1)), here));
        before = here, here = after;
    }
    return x;
#undef COLUMNS
}
#endif

static void NAME(square)(const void *const *rows, int64_t apart, void *result, int64_t count) {
    T *out = result;
    int64_t begin = 0;
#ifdef BETTER_VECTOR
    if (apart == 1)
        begin = NAME(square_by_vectors)(rows[0], rows[1], rows[2], out, count);
#endif
    for (; begin < count; begin += SQUARE_PIECE(T)) {
        int64_t n = count - begin < SQUARE_PIECE(T) ? count - begin : SQUARE_PIECE(T);
        const T *a = (const T *)rows[0] + begin, *b = (const T *)rows[1] + begin, *c = (const T *)rows[2] + begin;
        T *to = out + begin;
        for (int64_t i = 0; i < n; i += 64 / (int64_t)sizeof(T))
            prefetch(c + i);
#ifdef COLUMNS_FIRST
        T columns[SQUARE_PIECE(T) + 8];
        HALF_LOOP
        for (int64_t x = 0; x < n + 2 * apart; x++)
            columns[x] = BETTER(c[x - apart], BETTER(b[x - apart], CLEAN(a[x - apart])));
        HALF_LOOP
        for (int64_t x = 0; x < n; x++)
            to[x] = BETTER(BETTER(columns[x], columns[x + apart]), columns[x + 2 * apart]);
#else
        HALF_LOOP
        for (int64_t x = 0; x < n; x++) {
            T left = BETTER(BETTER(a[x - apart], b[x - apart]), c[x - apart]);
            T right = BETTER(BETTER(a[x + apart], b[x + apart]), c[x + apart]);
            to[x] = BETTER(BETTER(left, right), BETTER(BETTER(a[x], b[x]), c[x]));
        }
#endif
    }
}

static void NAME(fold)(const void *row, void *running, void *kept, int64_t count) {
    T *prefix = running, *keep = kept;
    for (int64_t begin = 0, n; begin < count; begin += n) {
        const T *in = NAME(piece)(row, begin, count, &n);
        T *p = prefix + begin, *k = keep + begin;
        VECTOR_LOOP
        for (int64_t x = 0; x < n; x++) {
            k[x] = CLEAN(in[x]);
            p[x] = BETTER(in[x], p[x]);
        }
    }
}

static void NAME(join)(const void *row, void *running, void *kept, const void *after, void *result, int64_t count) {
    for (int64_t begin = 0, n; begin < count; begin += n) {
        const T *in = NAME(piece)(row, begin, count, &n), *suffix = (const T *)after + begin;
        T *prefix = (T *)running + begin, *keep = (T *)kept + begin, *out = (T *)result + begin;
        VECTOR_LOOP
        for (int64_t x = 0; x < n; x++) {
            T best = BETTER(in[x], prefix[x]);
            keep[x] = CLEAN(in[x]);
            prefix[x] = best;
            out[x] = BETTER(suffix[x], best);
        }
    }
}

static void NAME(suffixes)(void *rows, size_t stride, int64_t n, int64_t count) {
    for (int64_t i = n - 2; i >= 0; i--) {
        T *row = (T *)(void *)((char *)rows + (size_t)i * stride);
        const T *next = (const T *)(const void *)((const char *)row + stride);
        VECTOR_LOOP
        for (int64_t x = 0; x < count; x++)
            row[x] = BETTER(row[x], next[x]);
    }
}

/* from[x] becomes the extremum of 4 * done elements, where it was that of `done`, in which neighbors count as `apart`. */
static void NAME(line)(void *line, void *spare, int64_t window, int64_t apart, void *result, int64_t count) {
    T *from = line, *to = spare, *out = result;
    int64_t done = apart, length = count + (window - 1) * apart;
    for (window *= apart; window > 5 * done; done *= 4) {
        const T *a = from, *b = from + done, *c = from + 2 * done, *d = from + 3 * done;
        length -= 3 * done;
        VECTOR_LOOP
        for (int64_t x = 0; x < length; x++)
            to[x] = BETTER(BETTER(a[x], b[x]), BETTER(c[x], d[x]));
        T *other = from;
        from = to, to = other;
    }
    /* Two to five pieces of `done` elements that overlap cover the window. */
    const T *a = from, *d = from + (window - done);
    if (window <= 2 * done) {
        VECTOR_LOOP
        for (int64_t x = 0; x < count; x++)
            out[x] = BETTER(a[x], d[x]);
    } else if (window <= 3 * done) {
        const T *b = from + done;
        VECTOR_LOOP
        for (int64_t x = 0; x < count; x++)
            out[x] = BETTER(BETTER(a[x], b[x]), d[x]);
    } else if (window <= 4 * done) {
        const T *b = from + done, *c = from + (window - 2 * done);
        VECTOR_LOOP
        for (int64_t x = 0; x < count; x++)
            out[x] = BETTER(BETTER(a[x], b[x]), BETTER(c[x], d[x]));
    } else {
        const T *b = from + done, *c = from + 2 * done, *e = from + 3 * done;
        VECTOR_LOOP
        for (int64_t x = 0; x < count; x++)
            out[x] = BETTER(BETTER(BETTER(a[x], b[x]), BETTER(c[x], e[x])), d[x]);
    }
}
#undef T
#undef BETTER
#undef NAME
#undef BETTER_VECTOR
#undef CLEAN
#undef COLUMNS_FIRST
#undef CLEAN_VECTOR
