/* SPDX-License-Identifier: MIT
 * Rows of box filters.
 *
 * The sum of a window along a row of floats is made of sums of narrower windows: with the window's width written in base 4, a pass
 * for each digit d makes sums of width 4 w + d from sums of width w. This is vector code, and unlike differences of running sums it
 * is exact about infinities: one does not reach beyond its window, and the result does not depend on where the row was cut.
 * Integers have running sums (box_scan.c). */
#include "kernels/cpu/box/box.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/vector.h"

#define PIECE 512 /* elements between two prefetches */
#define SLIDE(name, T, SUM)                                                                                            \
    static void name(const void *enter, const void *leave, void *to, int64_t count) {                                  \
        const T *in = enter, *out = leave;                                                                             \
        SUM *sums = to;                                                                                                \
        if (in && out) {                                                                                               \
            for (int64_t begin = 0; begin < count; begin += PIECE) {                                                   \
                int64_t end = count - begin < PIECE ? count : begin + PIECE;                                           \
                for (int64_t x = begin; x < end; x += 64 / (int64_t)sizeof(T))                                         \
                    prefetch(in + x);                                                                                  \
                VECTOR_LOOP                                                                                            \
                for (int64_t x = begin; x < end; x++)                                                                  \
                    sums[x] = (SUM)(sums[x] + in[x] - out[x]);                                                         \
            }                                                                                                          \
        } else if (in) {                                                                                               \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                sums[x] = (SUM)(sums[x] + in[x]);                                                                      \
        } else if (out) {                                                                                              \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                sums[x] = (SUM)(sums[x] - out[x]);                                                                     \
        }                                                                                                              \
    }
SLIDE(slide_u8_u16, uint8_t, uint16_t)
SLIDE(slide_u8_u32, uint8_t, uint32_t)
SLIDE(slide_u16_u32, uint16_t, uint32_t)

static void add(const float *in, double *sums, float *kept, int64_t count) {
    VECTOR_LOOP
    for (int64_t x = 0; x < count; x++) {
        double sum = sums[x] + (double)in[x];
        sums[x] = sum;
        kept[x] = (float)sum;
    }
}

static void join(const float *in, double *sums, const float *rest, float *total, int64_t count) {
    VECTOR_LOOP
    for (int64_t x = 0; x < count; x++) {
        double sum = sums[x] + (double)in[x];
        sums[x] = sum;
        total[x] = (float)(sum + (double)rest[x]);
    }
}

/* to[x] = `times` neighbours of from, w apart, and then `more` of line. */
#define PASS(name, T)                                                                                                  \
    static void name(const T *line, const T *from, int64_t w, int times, int more, T *to, int64_t count) {             \
        const T *a = from, *b = from + w, *c = from + 2 * w, *d = from + 3 * w;                                        \
        const T *e = line + times * w, *f = e + 1, *g = e + 2;                                                         \
        switch (4 * times + more) {                                                                                    \
        case 8:                                                                                                        \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                to[x] = a[x] + b[x];                                                                                   \
            break;                                                                                                     \
        case 12:                                                                                                       \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                to[x] = (a[x] + b[x]) + c[x];                                                                          \
            break;                                                                                                     \
        case 16:                                                                                                       \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                to[x] = (a[x] + b[x]) + (c[x] + d[x]);                                                                 \
            break;                                                                                                     \
        case 17:                                                                                                       \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                to[x] = (a[x] + b[x]) + (c[x] + d[x]) + e[x];                                                          \
            break;                                                                                                     \
        case 18:                                                                                                       \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                to[x] = (a[x] + b[x]) + (c[x] + d[x]) + (e[x] + f[x]);                                                 \
            break;                                                                                                     \
        default:                                                                                                       \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                to[x] = (a[x] + b[x]) + (c[x] + d[x]) + ((e[x] + f[x]) + g[x]);                                        \
        }                                                                                                              \
    }
PASS(pass_f32, float)

/* The digits of the window in base 4, from the highest; the last pass goes to out. window > 1 */
#define LINE(T, pass)                                                                                                  \
    {                                                                                                                  \
        int shift = 0, turn = 0;                                                                                       \
        const T *from = line;                                                                                          \
        while (window >> (shift + 2) > 0)                                                                              \
            shift += 2;                                                                                                \
        int64_t w = window >> shift, length = count + window - w;                                                      \
        if (w > 1) {                                                                                                   \
            T *to = shift > 0 ? spare[turn++] : out;                                                                   \
            pass(line, from, 1, (int)w, 0, to, length);                                                                \
            from = to;                                                                                                 \
        }                                                                                                              \
        while (shift > 0) {                                                                                            \
            shift -= 2;                                                                                                \
            int digit = (int)(window >> shift & 3);                                                                    \
            T *to = shift > 0 ? spare[turn++ & 1] : out;                                                               \
            pass(line, from, w, 4, digit, to, count + window - (4 * w + digit));                                       \
            w = 4 * w + digit;                                                                                         \
            from = to;                                                                                                 \
        }                                                                                                              \
    }

static void line_f32(const float *line, float *const spare[2], int64_t window, float *out, int64_t count) {
    if (window > 1) {
        LINE(float, pass_f32)
        return;
    }
    for (int64_t x = 0; x < count; x++)
        out[x] = line[x];
}

/* Sums are below 2^52, so they can be converted by their bits, which is vector code on every instruction set. */
static inline double from_u64(uint64_t sum) {
    union {
        uint64_t bits;
        double value;
    } u = {.bits = sum | UINT64_C(0x4330000000000000)};
    return u.value - 4503599627370496.0;
}
#define FROM_NUMBER(sum) ((double)(sum))
#define LIMITED(v) ((v) > 0 ? ((v) < full ? (v) : full) : 0)
#define TO_U8(v) ((uint8_t)(int32_t)LIMITED(v))
#define TO_U16(v) ((uint16_t)(int32_t)LIMITED(v))
#define TO_F32(v) ((float)(v))

#define MEAN(name, S, FROM, T, TO)                                                                                     \
    static void mean_##name(const void *from, double add_, double scale, double full, void *to, int64_t count) {       \
        const S *sums = from;                                                                                          \
        T *out = to;                                                                                                   \
        (void)full;                                                                                                    \
        VECTOR_LOOP                                                                                                    \
        for (int64_t x = 0; x < count; x++) {                                                                          \
            double v = (FROM(sums[x]) + add_) * scale;                                                                 \
            out[x] = TO(v);                                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
    static void edge_##name(const void *from, const double *inside, const double *share, double each, double add_,     \
                            double scale, double full, void *to, int64_t count) {                                      \
        const S *sums = from;                                                                                          \
        T *out = to;                                                                                                   \
        (void)full;                                                                                                    \
        VECTOR_LOOP                                                                                                    \
        for (int64_t x = 0; x < count; x++) {                                                                          \
            double v = (FROM(sums[x]) + (inside[x] * each + add_)) * (share[x] * scale);                               \
            out[x] = TO(v);                                                                                            \
        }                                                                                                              \
    }
MEAN(u32_u8, uint32_t, FROM_NUMBER, uint8_t, TO_U8)
MEAN(u32_u16, uint32_t, FROM_NUMBER, uint16_t, TO_U16)
MEAN(u32_f32, uint32_t, FROM_NUMBER, float, TO_F32)
MEAN(u64_u8, uint64_t, from_u64, uint8_t, TO_U8)
MEAN(u64_u16, uint64_t, from_u64, uint16_t, TO_U16)
MEAN(u64_f32, uint64_t, from_u64, float, TO_F32)
MEAN(f32_f32, float, FROM_NUMBER, float, TO_F32)

static void mean_small(const uint32_t *sums, float add_, float scale, uint8_t *out, int64_t count) {
    VECTOR_LOOP
    for (int64_t x = 0; x < count; x++)
        out[x] = (uint8_t)(int32_t)(((float)(int32_t)sums[x] + add_) * scale);
}

/* The quotient in single precision, rounded down, is the exact one or one less: its factor is reduced by more than the rounding
 * error, which is less than 2^-20 of the quotient, a 16th at most. The remainder tells which. Vectors convert signed numbers in one
 * instruction. */
#define MEAN_WHOLE_LOOP(T, SIGNED)                                                                                     \
    VECTOR_LOOP                                                                                                        \
    for (int64_t x = 0; x < count; x++) {                                                                              \
        uint32_t sum = sums[x] + add_;                                                                                 \
        int32_t quotient = (int32_t)((float)(SIGNED)sum * scale), rest = (int32_t)(sum - (uint32_t)quotient * window); \
        out[x] = (T)(rest >= (int32_t)window ? quotient + 1 : quotient);                                               \
    }
#define MEAN_WHOLE(T, full)                                                                                            \
    static void mean_whole_##T(const uint32_t *sums, uint32_t add_, uint32_t window, void *to, int64_t count) {        \
        T *out = to;                                                                                                   \
        const float scale = (1.0f - 0x1p-21f) / (float)window;                                                         \
        if ((uint64_t)window * full + add_ <= INT32_MAX) {                                                             \
            MEAN_WHOLE_LOOP(T, int32_t)                                                                                \
        } else {                                                                                                       \
            MEAN_WHOLE_LOOP(T, uint32_t)                                                                               \
        }                                                                                                              \
    }
MEAN_WHOLE(uint8_t, 255)
MEAN_WHOLE(uint16_t, 65535)

#define ROOM(sums, row, name)                                                                                          \
    kernels->box_mean[sums][row] = mean_##name, kernels->box_mean_edge[sums][row] = edge_##name

void KERNEL(weft_fill_box)(struct weft_kernels *kernels);
void KERNEL(weft_fill_box)(struct weft_kernels *kernels) {
    kernels->box_slide[WEFT_BOX_U16][WEFT_ROW_U8] = slide_u8_u16;
    kernels->box_slide[WEFT_BOX_U32][WEFT_ROW_U8] = kernels->box_slide[WEFT_BOX_U64][WEFT_ROW_U8] = slide_u8_u32;
    kernels->box_slide[WEFT_BOX_U32][WEFT_ROW_U16] = kernels->box_slide[WEFT_BOX_U64][WEFT_ROW_U16] = slide_u16_u32;
    kernels->box_add = add;
    kernels->box_join = join;
    kernels->box_line_f32 = line_f32;
    kernels->box_mean_small = mean_small;
    kernels->box_mean_whole[WEFT_ROW_U8] = mean_whole_uint8_t;
    kernels->box_mean_whole[WEFT_ROW_U16] = mean_whole_uint16_t;
    ROOM(WEFT_BOX_U16, WEFT_ROW_U8, u32_u8);
    ROOM(WEFT_BOX_U16, WEFT_ROW_F32, u32_f32);
    ROOM(WEFT_BOX_U32, WEFT_ROW_U8, u32_u8);
    ROOM(WEFT_BOX_U32, WEFT_ROW_U16, u32_u16);
    ROOM(WEFT_BOX_U32, WEFT_ROW_F32, u32_f32);
    ROOM(WEFT_BOX_U64, WEFT_ROW_U8, u64_u8);
    ROOM(WEFT_BOX_U64, WEFT_ROW_U16, u64_u16);
    ROOM(WEFT_BOX_U64, WEFT_ROW_F32, u64_f32);
    ROOM(WEFT_BOX_F32, WEFT_ROW_F32, f32_f32);
}
