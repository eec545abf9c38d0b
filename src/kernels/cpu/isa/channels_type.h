/* SPDX-License-Identifier: MIT
 * Interleaved pixels split into planes and interleaved again, for one type of component: T, of which LANES are in 16 bytes; EACH(F)
 * is F(0), F(1) .. for as many; NAME(x) a function's name. No include guard: it is included for each.
 *
 * These are explicit shuffles: with what compilers make of loops with strides, crop and dilate=1 as a whole took 2.5 to 3 times as
 * long on u8x3 and u8x4. Loops that also convert to float they compile well. */

typedef T NAME(part) __attribute__((vector_size(16)));
INLINE NAME(part) NAME(part_load)(const T *from) {
    NAME(part) v;
    memcpy(&v, from, sizeof v);
    return v;
}
INLINE void NAME(part_store)(T *to, NAME(part) v) { memcpy(to, &v, sizeof v); }

#define LOW2(i) 2 * (i)
#define HIGH2(i) 2 * (i) + 1
#define ZIP_LOW(i) (i) / 2 + (i) % 2 * LANES
#define ZIP_HIGH(i) (i) / 2 + (i) % 2 * LANES + LANES / 2
#define SHUFFLE(a, b, F) __builtin_shufflevector(a, b, EACH(F))

INLINE void NAME(split2)(const T *in, T *const *planes, int i) {
    NAME(part) a = NAME(part_load)(in), b = NAME(part_load)(in + LANES);
    NAME(part_store)(planes[0] + i, SHUFFLE(a, b, LOW2));
    NAME(part_store)(planes[1] + i, SHUFFLE(a, b, HIGH2));
}
INLINE void NAME(join2)(const T *const *planes, T *out, int i) {
    NAME(part) a = NAME(part_load)(planes[0] + i), b = NAME(part_load)(planes[1] + i);
    NAME(part_store)(out, SHUFFLE(a, b, ZIP_LOW));
    NAME(part_store)(out + LANES, SHUFFLE(a, b, ZIP_HIGH));
}

/* Component k of pixel i is element 3 i + k of three vectors: what the first two have of it, then the rest. */
#define FIRST3(k, i) 3 * (i) + (k) < 2 * LANES ? 3 * (i) + (k) : 0
#define THEN3(k, i) 3 * (i) + (k) < 2 * LANES ? (i) : 3 * (i) + (k)-LANES
#define FIRST3_0(i) FIRST3(0, i)
#define FIRST3_1(i) FIRST3(1, i)
#define FIRST3_2(i) FIRST3(2, i)
#define THEN3_0(i) THEN3(0, i)
#define THEN3_1(i) THEN3(1, i)
#define THEN3_2(i) THEN3(2, i)
INLINE void NAME(split3)(const T *in, T *const *planes, int i) {
    NAME(part) a = NAME(part_load)(in), b = NAME(part_load)(in + LANES), c = NAME(part_load)(in + 2 * LANES);
    NAME(part) red = SHUFFLE(a, b, FIRST3_0), green = SHUFFLE(a, b, FIRST3_1), blue = SHUFFLE(a, b, FIRST3_2);
    NAME(part_store)(planes[0] + i, SHUFFLE(red, c, THEN3_0));
    NAME(part_store)(planes[1] + i, SHUFFLE(green, c, THEN3_1));
    NAME(part_store)(planes[2] + i, SHUFFLE(blue, c, THEN3_2));
}
/* Element e of the pixels is component e % 3 of pixel e / 3: red and green, then blue between them. */
#define PAIR3(e) (e) % 3 < 2 ? (e) / 3 + (e) % 3 * LANES : 0
#define WITH3(i, e) (e) % 3 < 2 ? (i) : (e) / 3 + LANES
#define PAIR3_0(i) PAIR3(i)
#define PAIR3_1(i) PAIR3((i) + LANES)
#define PAIR3_2(i) PAIR3((i) + 2 * LANES)
#define WITH3_0(i) WITH3(i, i)
#define WITH3_1(i) WITH3(i, (i) + LANES)
#define WITH3_2(i) WITH3(i, (i) + 2 * LANES)
INLINE void NAME(join3)(const T *const *planes, T *out, int i) {
    NAME(part) red = NAME(part_load)(planes[0] + i), green = NAME(part_load)(planes[1] + i),
               blue = NAME(part_load)(planes[2] + i);
    NAME(part) a = SHUFFLE(red, green, PAIR3_0), b = SHUFFLE(red, green, PAIR3_1), c = SHUFFLE(red, green, PAIR3_2);
    NAME(part_store)(out, SHUFFLE(a, blue, WITH3_0));
    NAME(part_store)(out + LANES, SHUFFLE(b, blue, WITH3_1));
    NAME(part_store)(out + 2 * LANES, SHUFFLE(c, blue, WITH3_2));
}

/* Two components of the pixels of two vectors, each in a half; then whole vectors of halves. */
#define TWO4(k, i) (i) < LANES / 2 ? 4 * (i) + (k) : 4 * ((i)-LANES / 2) + (k) + 1
#define TWO4_0(i) TWO4(0, i)
#define TWO4_2(i) TWO4(2, i)
#define HALVES_LOW(i) (i) < LANES / 2 ? (i) : (i) + LANES / 2
#define HALVES_HIGH(i) (i) < LANES / 2 ? (i) + LANES / 2 : (i) + LANES
INLINE void NAME(split4)(const T *in, T *const *planes, int i) {
    NAME(part) a = NAME(part_load)(in), b = NAME(part_load)(in + LANES), c = NAME(part_load)(in + 2 * LANES),
               d = NAME(part_load)(in + 3 * LANES);
    NAME(part) p = SHUFFLE(a, b, TWO4_0), q = SHUFFLE(c, d, TWO4_0), r = SHUFFLE(a, b, TWO4_2),
               s = SHUFFLE(c, d, TWO4_2);
    NAME(part_store)(planes[0] + i, SHUFFLE(p, q, HALVES_LOW));
    NAME(part_store)(planes[1] + i, SHUFFLE(p, q, HALVES_HIGH));
    NAME(part_store)(planes[2] + i, SHUFFLE(r, s, HALVES_LOW));
    NAME(part_store)(planes[3] + i, SHUFFLE(r, s, HALVES_HIGH));
}
/* Pairs of components, which are zipped like components. */
#define ZIP_PAIRS_LOW(i) (i) / 4 * 2 + (i) % 2 + (i) / 2 % 2 * LANES
#define ZIP_PAIRS_HIGH(i) (i) / 4 * 2 + (i) % 2 + (i) / 2 % 2 * LANES + LANES / 2
INLINE void NAME(join4)(const T *const *planes, T *out, int i) {
    NAME(part) a = NAME(part_load)(planes[0] + i), b = NAME(part_load)(planes[1] + i),
               c = NAME(part_load)(planes[2] + i), d = NAME(part_load)(planes[3] + i);
    NAME(part) p = SHUFFLE(a, b, ZIP_LOW), q = SHUFFLE(a, b, ZIP_HIGH), r = SHUFFLE(c, d, ZIP_LOW),
               s = SHUFFLE(c, d, ZIP_HIGH);
    NAME(part_store)(out, SHUFFLE(p, r, ZIP_PAIRS_LOW));
    NAME(part_store)(out + LANES, SHUFFLE(p, r, ZIP_PAIRS_HIGH));
    NAME(part_store)(out + 2 * LANES, SHUFFLE(q, s, ZIP_PAIRS_LOW));
    NAME(part_store)(out + 3 * LANES, SHUFFLE(q, s, ZIP_PAIRS_HIGH));
}

#define ALL_SPLIT(n)                                                                                                   \
    for (; i + LANES <= count; i += LANES)                                                                             \
        NAME(split##n)(in + i * n, planes, i);
static void NAME(split)(const void *pixels, int channels, void *const *rows, int count) {
    const T *in = pixels;
    T *planes[4] = {NULL};
    int i = 0;
    for (int k = 0; k < channels; k++)
        planes[k] = rows[k];
    switch (channels) {
    case 1: memcpy(planes[0], in, (size_t)count * sizeof(T)); return;
    case 2: ALL_SPLIT(2) break;
    case 3: ALL_SPLIT(3) break;
    default: ALL_SPLIT(4) break;
    }
    for (; i < count; i++)
        for (int k = 0; k < channels; k++)
            planes[k][i] = in[i * channels + k];
}
#define ALL_JOIN(n)                                                                                                    \
    for (; i + LANES <= count; i += LANES)                                                                             \
        NAME(join##n)(planes, out + i * n, i);
static void NAME(join)(const void *const *rows, int channels, void *pixels, int count) {
    T *out = pixels;
    const T *planes[4] = {NULL};
    int i = 0;
    for (int k = 0; k < channels; k++)
        planes[k] = rows[k];
    switch (channels) {
    case 1: memcpy(out, planes[0], (size_t)count * sizeof(T)); return;
    case 2: ALL_JOIN(2) break;
    case 3: ALL_JOIN(3) break;
    default: ALL_JOIN(4) break;
    }
    for (; i < count; i++)
        for (int k = 0; k < channels; k++)
            out[i * channels + k] = planes[k][i];
}
#undef T
#undef LANES
#undef EACH
#undef NAME
