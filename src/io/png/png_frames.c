/* SPDX-License-Identifier: MIT
 * Frames of animated PNG, by the specification of Mozilla's, which the third edition of PNG has taken in. */
#include "io/png/png_frames.h"
#include <string.h>
#include <zlib.h>
#include "base/memory.h"
#include "base/status.h"
#include "io/png/png_messages.h"

enum { SIGNATURE = 8, AROUND = 12, HEADER = 13, CONTROL = 26, PIXEL = 4, DEFLATE_RATIO = 1032 };
enum { DELAY = 20, HUNDREDTHS = 100 }; /* where it is in a control: how many parts of a second, of how many, 0 for hundredths */
enum dispose { LEAVE, CLEAR, RESTORE };

struct chunk {
    const unsigned char *data;
    uint32_t size;
    char name[5];
};

struct control {
    uint32_t width, height, x, y;
    int dispose;
    bool over;
};

static uint32_t number_at(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_number(unsigned char *bytes, uint32_t value) {
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* The chunk at *at, which goes behind it; false at the end of what is there. */
static bool next(const weft_png_frames *frames, size_t *at, struct chunk *chunk) {
    if (frames->size < *at || frames->size - *at < AROUND)
        return false;
    chunk->size = number_at(frames->bytes + *at);
    if (chunk->size > frames->size - *at - AROUND)
        return false;
    memcpy(chunk->name, frames->bytes + *at + 4, 4);
    chunk->name[4] = 0;
    chunk->data = frames->bytes + *at + 8;
    *at += chunk->size + (size_t)AROUND;
    return true;
}

static bool is(const struct chunk *chunk, const char *name) { return strcmp(chunk->name, name) == 0; }

int64_t weft_png_frames_count(const weft_png_frames *frames, bool *first) {
    struct chunk chunk;
    int64_t count = 0;
    bool pixels = false;
    *first = false;
    for (size_t at = SIGNATURE; next(frames, &at, &chunk) && !is(&chunk, "IEND");) {
        pixels = pixels || is(&chunk, "IDAT");
        *first = *first || (is(&chunk, "fcTL") && !pixels);
        count += is(&chunk, "fcTL");
    }
    return count;
}

double weft_png_frames_seconds(const weft_png_frames *frames, int64_t number) {
    struct chunk chunk;
    int64_t count = 0;
    for (size_t at = SIGNATURE; next(frames, &at, &chunk) && !is(&chunk, "IEND");) {
        count += is(&chunk, "fcTL");
        if (count == number && is(&chunk, "fcTL") && chunk.size == CONTROL) {
            const unsigned char *delay = chunk.data + DELAY;
            const int parts = delay[2] << 8 | delay[3];
            return (double)(delay[0] << 8 | delay[1]) / (parts ? parts : HUNDREDTHS);
        }
    }
    return 0;
}

static uint32_t checksum(const unsigned char *name, size_t size) {
    return (uint32_t)crc32(crc32(0, NULL, 0), name, (uInt)size);
}

/* A chunk of the frame's file. All of them come from chunks of the animation's, so they take no more room than that. */
static void append(weft_png_frames *frames, const char *name, const unsigned char *data, uint32_t size) {
    unsigned char *to = frames->file + frames->used;
    put_number(to, size);
    memcpy(to + 4, name, 4);
    if (size > 0)
        memcpy(to + 8, data, size);
    put_number(to + 8 + size, checksum(to + 4, 4 + (size_t)size));
    frames->used += size + (size_t)AROUND;
}

static bool read_control(const weft_png_frames *frames, const struct chunk *chunk, struct control *control) {
    const unsigned char *data = chunk->data;
    if (chunk->size != CONTROL)
        return false;
    *control = (struct control){
        number_at(data + 4), number_at(data + 8), number_at(data + 12), number_at(data + 16), data[24], data[25] == 1};
    return control->width > 0 && control->height > 0 && control->x < frames->width && control->y < frames->height &&
           control->width <= frames->width - control->x && control->height <= frames->height - control->y;
}

static void on_read(png_structp png, png_bytep bytes, size_t size) {
    weft_png_frames *frames = png_get_io_ptr(png);
    if (size > frames->used - frames->read)
        png_error(png, "truncated");
    memcpy(bytes, frames->file + frames->read, size);
    frames->read += size;
}

/* The pixels of the frame whose file is in memory. */
static weft_status decode(weft_png_frames *frames, weft_coding *coding, const struct control *control,
                          weft_error *error) {
    const size_t pixel = PIXEL * (frames->wide ? 2 : 1), row = control->width * pixel;
    png_destroy_read_struct(&frames->png, &frames->info, NULL);
    frames->read = 0;
    frames->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, coding, weft_png_error, weft_png_warning);
    frames->info = frames->png ? png_create_info_struct(frames->png) : NULL;
    if (!frames->info)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libpng could not start");
    png_set_read_fn(frames->png, frames, on_read);
    png_set_user_limits(frames->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_read_info(frames->png, frames->info);
    if (png_get_rowbytes(frames->png, frames->info) / DEFLATE_RATIO > frames->used)
        png_error(frames->png, "truncated");
    png_set_expand(frames->png);
    png_set_gray_to_rgb(frames->png);
    png_set_add_alpha(frames->png, 0xffff, PNG_FILLER_AFTER);
    if (frames->wide && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        png_set_swap(frames->png);
    const int passes = png_set_interlace_handling(frames->png);
    png_read_update_info(frames->png, frames->info);
    if (png_get_rowbytes(frames->png, frames->info) != row)
        png_error(frames->png, "a frame of another kind");
    weft_free(frames->frame);
    frames->frame = weft_allocate(control->height, row);
    if (!frames->frame)
        return weft_fail_memory(error, control->height * row, "a frame");
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t y = 0; y < control->height; y++)
            png_read_row(frames->png, frames->frame + y * row, NULL);
    png_read_end(frames->png, NULL);
    return WEFT_OK;
}

static double sample(const unsigned char *pixel, int channel, bool wide) {
    uint16_t value;
    if (!wide)
        return pixel[channel];
    memcpy(&value, pixel + 2 * channel, 2);
    return value;
}

static void put_sample(unsigned char *pixel, int channel, bool wide, double v) {
    const uint16_t value = (uint16_t)(v + 0.5);
    if (wide)
        memcpy(pixel + 2 * channel, &value, 2);
    else
        pixel[channel] = (unsigned char)value;
}

/* Straight alpha over straight alpha. */
static void draw_over(unsigned char *to, const unsigned char *from, uint32_t width, bool wide) {
    const size_t pixel = PIXEL * (wide ? 2 : 1);
    const double full = wide ? 65535 : 255;
    for (uint32_t x = 0; x < width; x++, to += pixel, from += pixel) {
        const double a = sample(from, 3, wide) / full, b = sample(to, 3, wide) / full * (1 - a);
        if (a <= 0)
            continue;
        for (int c = 0; c < 3; c++)
            put_sample(to, c, wide, (sample(from, c, wide) * a + sample(to, c, wide) * b) / (a + b));
        put_sample(to, 3, wide, (a + b) * full);
    }
}

/* Rows of the frame's part of the canvas go to or come from `rows`, or become transparent. */
static void move(const weft_png_frames *frames, const struct control *control, unsigned char *canvas, size_t stride,
                 unsigned char *rows, bool back) {
    const size_t pixel = PIXEL * (frames->wide ? 2 : 1), row = control->width * pixel;
    for (uint32_t y = 0; y < control->height; y++) {
        unsigned char *place = canvas + (control->y + y) * stride + control->x * pixel;
        if (!rows)
            memset(place, 0, row);
        else
            memcpy(back ? place : rows + y * row, back ? rows + y * row : place, row);
    }
}

static weft_status draw(weft_png_frames *frames, weft_coding *coding, const struct control *control, bool last,
                        unsigned char *canvas, size_t stride, weft_error *error) {
    const size_t pixel = PIXEL * (frames->wide ? 2 : 1), row = control->width * pixel;
    put_number(frames->file + SIGNATURE + 8, control->width);
    put_number(frames->file + SIGNATURE + 12, control->height);
    put_number(frames->file + SIGNATURE + 8 + HEADER, checksum(frames->file + SIGNATURE + 4, 4 + HEADER));
    append(frames, "IEND", NULL, 0);
    weft_status status = decode(frames, coding, control, error);
    const bool kept = status == WEFT_OK && !last && control->dispose == RESTORE;
    if (kept) {
        weft_free(frames->saved);
        frames->saved = weft_allocate(control->height, row);
        if (!frames->saved)
            return weft_fail_memory(error, control->height * row, "a frame");
        move(frames, control, canvas, stride, frames->saved, false);
    }
    for (uint32_t y = 0; status == WEFT_OK && y < control->height; y++) {
        unsigned char *place = canvas + (control->y + y) * stride + control->x * pixel;
        if (control->over)
            draw_over(place, frames->frame + y * row, control->width, frames->wide);
        else
            memcpy(place, frames->frame + y * row, row);
    }
    if (kept || (status == WEFT_OK && !last && control->dispose == CLEAR))
        move(frames, control, canvas, stride, kept ? frames->saved : NULL, true);
    return status;
}

weft_status weft_png_frames_draw(weft_png_frames *frames, weft_coding *coding, int64_t number, void *pixels,
                                 size_t stride, weft_error *error) {
    struct chunk chunk = {.data = NULL};
    struct control control = {.width = 0};
    int64_t count = 0;
    bool any = false; /* pixels of any frame */
    weft_status status = WEFT_OK;
    frames->file = weft_reallocate(NULL, frames->size + SIGNATURE + 2 * AROUND + HEADER, 1);
    if (!frames->file)
        return weft_fail_memory(error, frames->size, "a frame");
    for (int64_t y = 0; y < frames->height; y++)
        memset((unsigned char *)pixels + (size_t)y * stride, 0, (size_t)frames->width * PIXEL * (frames->wide ? 2 : 1));
    memcpy(frames->file, frames->bytes, SIGNATURE);
    frames->used = SIGNATURE;
    for (size_t at = SIGNATURE; status == WEFT_OK && next(frames, &at, &chunk);) {
        const bool control_or_end = is(&chunk, "fcTL") || is(&chunk, "IEND"),
                   data = is(&chunk, "IDAT") || is(&chunk, "fdAT");
        const uint32_t skipped = is(&chunk, "fdAT") ? 4 : 0; /* a number */
        if (checksum(chunk.data - 4, 4 + (size_t)chunk.size) != number_at(chunk.data + chunk.size))
            break;
        if (is(&chunk, "IHDR") ? chunk.size != HEADER || frames->used != SIGNATURE : chunk.size < skipped)
            break;
        if (is(&chunk, "IHDR") || (!any && (is(&chunk, "PLTE") || is(&chunk, "tRNS")))) {
            append(frames, chunk.name, chunk.data, chunk.size);
            frames->prefix = frames->used;
        } else if (data && count > 0) {
            append(frames, "IDAT", chunk.data + skipped, chunk.size - skipped);
        } else if (control_or_end && count > 0) {
            status = draw(frames, coding, &control, count == number, pixels, stride, error);
            if (status != WEFT_OK || count == number)
                return status;
            frames->used = frames->prefix;
        }
        any = any || data;
        if (is(&chunk, "fcTL") && (!read_control(frames, &chunk, &control) || frames->prefix == 0))
            break;
        count += is(&chunk, "fcTL");
    }
    return status == WEFT_OK
               ? weft_input_fail(coding->input, error, "a damaged frame %lld", (long long)(count > 0 ? count : 1))
               : status;
}

void weft_png_frames_close(weft_png_frames *frames) {
    png_destroy_read_struct(&frames->png, &frames->info, NULL);
    weft_free(frames->file);
    weft_free(frames->frame);
    weft_free(frames->saved);
}
