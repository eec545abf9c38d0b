/* SPDX-License-Identifier: MIT
 * A batch of strips waits until it is whole; then each is filtered, each compressed, and all are given on. */
#include "io/png/png_strips.h"
#include <string.h>
#include <zlib.h>
#include "base/memory.h"
#include "base/threads.h"
#include "io/png/png_deflate.h"
#include "io/png/png_filter.h"

enum { STRIP = 1 << 19, MOST_LANES = 16, HEAD = 2, TAIL = 4 };

struct strip {
    unsigned char *out; /* what became of it, behind room for the stream's head */
    size_t size;
    uLong sum; /* Adler-32 of what was filtered */
};

struct lane {
    unsigned char *filtering;
    weft_deflate *deflate;
};

struct weft_png_strips {
    weft_png_form form;
    weft_png_sink *sink;
    void *user;
    struct weft_pool *pool; /* NULL for a single thread */
    int32_t lanes, count;   /* threads, and strips of a batch */
    int64_t rows;           /* of a strip */
    size_t pitch, filtered_row;
    unsigned char *raw;      /* the row before the batch, and its rows, each with a margin */
    unsigned char *filtered; /* what is made of its rows */
    int64_t taken, begun;    /* rows in all, and before the batch */
    uLong sum;
    struct strip strips[2 * MOST_LANES];
    struct lane workers[MOST_LANES];
};

static int64_t batch_rows(const weft_png_strips *strips) { return strips->taken - strips->begun; }
static int64_t strip_rows(const weft_png_strips *strips, int32_t i) {
    const int64_t left = batch_rows(strips) - i * strips->rows;
    return left < strips->rows ? left : strips->rows;
}
static unsigned char *raw_row(const weft_png_strips *strips, int64_t row) {
    return strips->raw + (size_t)(row + 1) * strips->pitch + WEFT_PNG_MARGIN;
}
static unsigned char *filtered_strip(const weft_png_strips *strips, int32_t i) {
    return strips->filtered + (size_t)(i * strips->rows) * strips->filtered_row;
}

static weft_status fail(size_t size, weft_error *error) { return weft_fail_memory(error, size, "rows of a PNG file"); }

static weft_status get_memory(weft_png_strips *strips, weft_error *error) {
    const size_t rows = (size_t)strips->rows;
    size_t strip, all;
    bool fits = weft_multiply(rows, strips->filtered_row, &strip) &&
                weft_multiply(strip, (size_t)strips->count + 4, &all) && all < SIZE_MAX / 8;
    if (!fits)
        return fail(SIZE_MAX, error);
    strips->raw = weft_allocate((size_t)strips->count * rows + 1, strips->pitch);
    strips->filtered = weft_reallocate(NULL, (size_t)strips->count * strip, 1);
    if (!strips->raw || !strips->filtered)
        return fail(all, error);
    for (int32_t i = 0; i < strips->count; i++) {
        strips->strips[i].out = weft_reallocate(NULL, HEAD + weft_deflate_bound(strip) + TAIL, 1);
        if (!strips->strips[i].out)
            return fail(strip, error);
    }
    for (int32_t i = 0; i < strips->lanes; i++) {
        strips->workers[i].filtering = weft_reallocate(NULL, strips->form.row, 4);
        strips->workers[i].deflate = weft_deflate_create(strips->form.level);
        if (!strips->workers[i].filtering || !strips->workers[i].deflate)
            return fail(4 * strips->form.row, error);
    }
    return WEFT_OK;
}

weft_status weft_png_strips_open(const weft_png_form *form, weft_png_sink *sink, void *user, weft_png_strips **result,
                                 weft_error *error) {
    weft_png_strips *strips = *result = weft_allocate(1, sizeof *strips);
    int64_t rows = STRIP / (int64_t)(form->row + 1), all;
    weft_status status = WEFT_OK;
    if (!strips)
        return weft_fail_memory(error, sizeof *strips, "a PNG file");
    strips->form = *form;
    strips->sink = sink;
    strips->user = user;
    rows = rows < 1 ? 1 : rows > form->height ? form->height : rows;
    all = (form->height + rows - 1) / rows;
    strips->rows = rows;
    strips->lanes = form->threads > 0 ? form->threads : weft_thread_count();
    strips->lanes = strips->lanes > MOST_LANES ? MOST_LANES : strips->lanes;
    strips->lanes = strips->lanes > all ? (int32_t)all : strips->lanes;
    strips->count = strips->lanes > 1 && 2 * strips->lanes <= all ? 2 * strips->lanes : strips->lanes;
    strips->filtered_row = form->row + 1;
    strips->pitch = form->row + WEFT_PNG_MARGIN;
    strips->sum = adler32(0, NULL, 0);
    status = get_memory(strips, error);
    if (status == WEFT_OK && strips->lanes > 1)
        status = weft_pool_create(strips->lanes, &strips->pool, error);
    return status;
}

static void filter_strip(void *user, int32_t lane, int32_t i) {
    weft_png_strips *strips = user;
    unsigned char *target = filtered_strip(strips, i), *next = target;
    const int64_t first = i * strips->rows, count = strip_rows(strips, i);
    uLong sum = adler32(0, NULL, 0);
    for (int64_t row = first; row < first + count; row++, next += strips->filtered_row) {
        weft_png_filter(raw_row(strips, row), raw_row(strips, row - 1), strips->form.row, strips->form.step,
                        strips->workers[lane].filtering, next);
        sum = adler32_z(sum, next, strips->filtered_row);
    }
    strips->strips[i].sum = sum;
}

static void compress_strip(void *user, int32_t lane, int32_t i) {
    weft_png_strips *strips = user;
    const int64_t first = i * strips->rows, count = strip_rows(strips, i);
    struct strip *strip = &strips->strips[i];
    strip->size = weft_deflate_piece(strips->workers[lane].deflate, filtered_strip(strips, i),
                                     (size_t)count * strips->filtered_row,
                                     strips->begun + first + count == strips->form.height, strip->out + HEAD);
}

static void run(weft_png_strips *strips, int32_t count, void (*task)(void *user, int32_t lane, int32_t i)) {
    if (strips->pool)
        weft_pool_run(strips->pool, count, task, strips);
    else
        for (int32_t i = 0; i < count; i++)
            task(strips, 0, i);
}

/* The stream of zlib: a head of two bytes before the first strip, a sum of all bytes behind the last. */
static void give(weft_png_strips *strips, int32_t i) {
    static const unsigned char head[HEAD] = {0x78, 0x9C};
    struct strip *strip = &strips->strips[i];
    const int64_t first = strips->begun + i * strips->rows;
    unsigned char *out = strip->out + HEAD;
    size_t size = strip->size;
    strips->sum =
        adler32_combine(strips->sum, strip->sum, (z_off_t)((size_t)strip_rows(strips, i) * strips->filtered_row));
    if (first + strip_rows(strips, i) == strips->form.height)
        for (int shift = 24; shift >= 0; shift -= 8)
            out[size++] = (unsigned char)(strips->sum >> shift);
    if (first == 0) {
        memcpy(strip->out, head, HEAD);
        out -= HEAD;
        size += HEAD;
    }
    strips->sink(strips->user, out, size);
}

/* What the next batch needs of this one: its last row. */
static void keep_end(weft_png_strips *strips) {
    memcpy(raw_row(strips, -1), raw_row(strips, batch_rows(strips) - 1), strips->form.row);
    strips->begun = strips->taken;
}

bool weft_png_strips_add(weft_png_strips *strips, const void *row) {
    unsigned char *target = raw_row(strips, batch_rows(strips));
    const unsigned char *bytes = row;
    int32_t count;
    if (strips->form.turned)
        for (size_t i = 0; i + 1 < strips->form.row; i += 2) {
            target[i] = bytes[i + 1];
            target[i + 1] = bytes[i];
        }
    else
        memcpy(target, bytes, strips->form.row);
    strips->taken++;
    if (batch_rows(strips) < strips->count * strips->rows && strips->taken < strips->form.height)
        return true;
    count = (int32_t)((batch_rows(strips) + strips->rows - 1) / strips->rows);
    run(strips, count, filter_strip);
    run(strips, count, compress_strip);
    for (int32_t i = 0; i < count; i++) {
        if (strips->strips[i].size == 0)
            return false;
        give(strips, i);
    }
    keep_end(strips);
    return true;
}

void weft_png_strips_close(weft_png_strips **result) {
    weft_png_strips *strips = *result;
    if (!strips)
        return;
    weft_pool_destroy(&strips->pool);
    for (int32_t i = 0; i < strips->count; i++)
        weft_free(strips->strips[i].out);
    for (int32_t i = 0; i < strips->lanes; i++) {
        weft_free(strips->workers[i].filtering);
        weft_deflate_destroy(&strips->workers[i].deflate);
    }
    weft_free(strips->raw);
    weft_free(strips->filtered);
    weft_free(strips);
    *result = NULL;
}
