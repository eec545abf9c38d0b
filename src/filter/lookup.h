/* SPDX-License-Identifier: MIT
 * Kind: lookup, a pixel by way of a table. The first input is the image, the second the table, of any size, read as a
 * whole and taken as it is: no conversion of alpha or color space is made of it. A file defines three functions:
 *
 *   FORM     `int (place table)`, from 0 to FORMS - 1: which of the file's ways it is to be done, for the whole image.
 *            Rows have a loop for each, in which `form` is known. FORMS is at most 3.
 *   SETUP   `vec4 (int k, place table)`, k from 0 to 2: what is the same for all pixels
 *   BODY     `vec4 (vec4 c, vec4 setup0, vec4 setup1, vec4 setup2, int form)`, of a pixel
 *
 * table.width and table.height are the table's size. SETUP and BODY look into it by TABLE(x, y), the pixel at column x,
 * row y, both ints; places outside are limited to it. Functions of the file that do so too take TABLE_IN before their
 * other parameters and are handed TABLE_ARGUMENT. Grey is red = green = blue, alpha that is not there 1, in c and in the
 * table. The result has the channels of the first input unless INFER says more.
 *
 * A file whose pixels side by side have much in common may define ROWS, and under PART_ROWS a function
 * `bool rows_of(const struct weft_lookup_call *call, const struct BLOCK *p)`, which makes a piece of a row as the body
 * would, or does nothing and returns false; run_body(call) makes one by the body. */
#define HAS_BODY
#ifndef ALPHA
#define ALPHA STRAIGHT
#endif
#include "filter/template.h"

#if defined(PART_DESCRIPTOR)
#define TABLE_IN
#define TABLE_ARGUMENT
#define TABLE(x, y) rgba(to_float(x), to_float(y), 0.0f, 1.0f)

#elif defined(PART_ROWS)
#include "kernels/lookup.h"
/* The table as a loop sees it: how its components are read is known there. Rows and pixels are so many of them apart,
 * unless a function reads them. */
enum reading { READ_F32, READ_U8, READ_U16, READ_BY_CALL };
struct table {
    const struct weft_table *of;
    enum reading reading;
    int row, pixel;
};
FN float component(struct table T, int k, int x, int y) {
    int at = y * T.row + x * T.pixel;
    switch (T.reading) {
    case READ_F32: return ((const float *)(const void *)T.of->plane[k])[at];
    case READ_U8: return (float)T.of->plane[k][at] * (1.0f / 255.0f);
    case READ_U16: return (float)((const unsigned short *)(const void *)T.of->plane[k])[at] * (1.0f / 65535.0f);
    case READ_BY_CALL: break;
    }
    return weft_table_read(T.of, k, x, y);
}
FN vec4 table_pixel(struct table T, int x, int y) {
    int right = T.of->width - 1, bottom = T.of->height - 1;
    x = x < 0 ? 0 : x > right ? right : x;
    y = y < 0 ? 0 : y > bottom ? bottom : y;
    return rgba(component(T, 0, x, y), component(T, 1, x, y), component(T, 2, x, y),
                T.of->alpha ? component(T, 3, x, y) : 1.0f);
}
#define TABLE_IN struct table T,
#define TABLE_ARGUMENT T,
#define TABLE(x, y) table_pixel(T, x, y)

#elif defined(PART_REFERENCE)
FN vec4 table_pixel(const struct weft_reference_table *T, int x, int y) {
    double v[4];
    T->at(T, x < 0 ? 0 : x >= T->width ? T->width - 1 : x, y < 0 ? 0 : y >= T->height ? T->height - 1 : y, v);
    return rgba(v[0], v[1], v[2], v[3]);
}
#define TABLE_IN const struct weft_reference_table *T,
#define TABLE_ARGUMENT T,
#define TABLE(x, y) table_pixel(T, x, y)

#else
#include "kernels/gpu/program/operation.h"
#define TABLE_IN gpu_image T,
#define TABLE_ARGUMENT T,
#define TABLE(x, y) table_pixel(T, x, y)
FN vec4 table_pixel(gpu_image T, int x, int y) {
    x = x < 0 ? 0 : x >= T.width ? T.width - 1 : x;
    y = y < 0 ? 0 : y >= T.height ? T.height - 1 : y;
    return color_of(read_pixel(T.first + address(long_int(y) * T.pitch), x, T.type, T.channels), T.channels);
}
#endif

#define FORM FN int form_of(place table, BODY_BLOCK P)
#define SETUP FN vec4 setup_of(TABLE_IN int k, place table, BODY_BLOCK P)
#define BODY FN vec4 body(TABLE_IN vec4 c, vec4 setup0, vec4 setup1, vec4 setup2, int form, BODY_BLOCK P)
FORM;
SETUP;
BODY;

#if defined(PART_DESCRIPTOR)
DESCRIPTOR("lookup", 2)
    .kind = WEFT_KIND_LOOKUP, .border = -1 };

#elif defined(PART_ROWS)
FN void loop(const struct weft_lookup_call *call, const struct BLOCK P, enum reading reading, int form) {
    const float *r = call->in[0], *g = call->in[1], *b = call->in[2], *a = call->in[3];
    float *out_r = call->out[0], *out_g = call->out[1], *out_b = call->out[2], *out_a = call->out[3];
    const struct weft_table of = *call->table;
    const ptrdiff_t size = reading == READ_F32 ? 4 : reading == READ_U16 ? 2 : 1;
    const struct table T = {&of, reading, (int)(of.row_bytes / size), (int)(of.pixel_bytes / size)};
    const place table = {0, 0, of.width, of.height};
    const vec4 setup0 = setup_of(T, 0, table, P), setup1 = setup_of(T, 1, table, P);
    const vec4 setup2 = setup_of(T, 2, table, P);
    VECTOR_LOOP
    for (int i = 0; i < call->count; i++) {
        vec4 c = body(T, rgba(r[i], g[i], b[i], a[i]), setup0, setup1, setup2, form, P);
        out_r[i] = c.x, out_g[i] = c.y, out_b[i] = c.z, out_a[i] = c.w;
    }
}
#define WITH_FORM(reading)                                                                                             \
    switch (form) {                                                                                                    \
    case 0: loop(call, P, reading, 0); break;                                                                          \
    case 1: loop(call, P, reading, FORMS > 1 ? 1 : 0); break;                                                          \
    default: loop(call, P, reading, FORMS - 1); break;                                                                 \
    }                                                                                                                  \
    break
_Static_assert(FORMS <= 3, "each form needs a case");
#ifdef ROWS
static bool rows_of(const struct weft_lookup_call *call, const struct BLOCK *p);
#else
static inline bool rows_of(const struct weft_lookup_call *call, const struct BLOCK *p) { return (void)call, (void)p, false; }
#endif
static void run_body(const struct weft_lookup_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
    const place table = {0, 0, call->table->width, call->table->height};
    int form = form_of(table, P);
    switch (call->table->near ? call->table->type : WEFT_F64) {
    case WEFT_F32: WITH_FORM(READ_F32);
    case WEFT_U8: WITH_FORM(READ_U8);
    case WEFT_U16: WITH_FORM(READ_U16);
    default: WITH_FORM(READ_BY_CALL);
    }
}
static void run(const struct weft_lookup_call *call) {
    if (!rows_of(call, call->block))
        run_body(call);
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.lookup = run};

#elif defined(PART_REFERENCE)
static void lookup(const void *block, const struct weft_reference_table *table, int count, const double *in, double *out) {
    struct block_f64 P = widen(block);
    place size = {0, 0, table->width, table->height};
    vec4 setup0 = setup_of(table, 0, size, P), setup1 = setup_of(table, 1, size, P);
    vec4 setup2 = setup_of(table, 2, size, P);
    for (int i = 0; i < 4 * count; i += 4) {
        vec4 c = body(table, rgba(in[i], in[i + 1], in[i + 2], in[i + 3]), setup0, setup1, setup2, form_of(size, P), P);
        out[i] = c.x, out[i + 1] = c.y, out[i + 2] = c.z, out[i + 3] = c.w;
    }
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.lookup = lookup};

#else
#include "kernels/gpu/lookup/lookup.h"
#endif
