/* SPDX-License-Identifier: MIT
 * Points, lines and rectangles, read and drawn. */
#include "io/formats/csv_shapes.h"
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"

enum { FARTHEST = 65536, FIELDS = 6, MOST = 1 << 22 };

struct field {
    const char *text;
    size_t length;
};

static const struct {
    const char *name;
    int numbers;
} kinds[] = {[WEFT_SHAPE_POINT] = {"point", 2}, [WEFT_SHAPE_LINE] = {"line", 4}, [WEFT_SHAPE_RECTANGLE] = {"rectangle", 4}};

/* The fields of a line without blanks around them; as many as there are, of which FIELDS are kept. */
static int split(const char *line, size_t length, struct field fields[FIELDS]) {
    int count = 0;
    for (size_t start = 0; start <= length; count++) {
        const char *comma = memchr(line + start, ',', length - start);
        size_t first = start, end = comma ? (size_t)(comma - line) : length;
        start = end + 1;
        while (first < end && (line[first] == ' ' || line[first] == '\t'))
            first++;
        while (end > first && (line[end - 1] == ' ' || line[end - 1] == '\t' || line[end - 1] == '\r'))
            end--;
        if (count < FIELDS)
            fields[count] = (struct field){line + first, end - first};
    }
    return count;
}

static weft_status add(struct weft_shapes *shapes, const struct weft_shape *shape, const char *name, weft_error *error) {
    if (shapes->count == MOST)
        return weft_fail(error, WEFT_ERROR_FILE, "%s: more than %d shapes", name, MOST);
    if (shapes->count == shapes->room) {
        const size_t room = shapes->room ? 2 * shapes->room : 64;
        struct weft_shape *grown = weft_reallocate(shapes->list, room, sizeof *grown);
        if (!grown)
            return weft_fail_memory(error, room * sizeof *grown, "shapes");
        shapes->list = grown;
        shapes->room = room;
    }
    shapes->list[shapes->count++] = *shape;
    return WEFT_OK;
}

static bool read_numbers(const struct field *fields, int count, double *numbers) {
    for (int i = 0; i < count; i++)
        if (weft_text_number(fields[i].text, fields[i].length, &numbers[i]) != WEFT_NUMBER_GOOD ||
            fabs(numbers[i]) > FARTHEST)
            return false;
    return true;
}

static weft_status read_shape(const struct weft_shapes *shapes, const struct field *fields, int count, bool points,
                              struct weft_shape *shape, const char *name, long long line, weft_error *error) {
    char quote[WEFT_QUOTE_SIZE];
    double color[4];
    int kind = points ? WEFT_SHAPE_POINT : -1, skip = points ? 0 : 1;
    for (int i = 0; i < 3 && kind < 0; i++)
        kind = weft_text_is(fields[0].text, fields[0].length, kinds[i].name) ? i : kind;
    if (kind < 0)
        return weft_fail(error, WEFT_ERROR_FILE, "%s: line %lld begins with '%s', not with point, line or rectangle", name,
                         line, weft_text_quote(quote, fields[0].text, fields[0].length));
    const int numbers = kinds[kind].numbers;
    *shape = (struct weft_shape){.kind = (enum weft_shape_kind)kind};
    memcpy(shape->color, shapes->color, 4);
    if (count < skip + numbers || !read_numbers(fields + skip, numbers, shape->at))
        return weft_fail(error, WEFT_ERROR_FILE, "%s: line %lld: %d numbers up to %d make a %s", name, line, numbers,
                         FARTHEST, kinds[kind].name);
    const struct field *last = &fields[skip + numbers]; /* values of points are no colors */
    if (count == skip + numbers || (points && (last->length == 0 || last->text[0] != '#')))
        return WEFT_OK;
    if (count > skip + numbers + 1 || !weft_text_color(last->text, last->length, color))
        return weft_fail(error, WEFT_ERROR_FILE, "%s: line %lld: behind its numbers a %s may have one color, not '%s'", name,
                         line, kinds[kind].name, weft_text_quote(quote, last->text, last->length));
    for (int i = 0; i < 4; i++)
        shape->color[i] = (unsigned char)(255 * color[i] + 0.5);
    return WEFT_OK;
}

weft_status weft_shapes_read(struct weft_shapes *shapes, const char *text, size_t length, const char *name,
                             weft_error *error) {
    const char *end = text + length;
    struct field fields[FIELDS];
    weft_status status = WEFT_OK;
    bool points = false; /* a table of points, which has the names of its columns in its first line */
    for (long long line = 1; text < end && status == WEFT_OK; line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const size_t size = (size_t)((stop ? stop : end) - text);
        const int count = split(text, size, fields);
        const bool names = line == 1 && count >= 2 && weft_text_is(fields[0].text, fields[0].length, "x") &&
                           weft_text_is(fields[1].text, fields[1].length, "y");
        const bool empty = (count == 1 && fields[0].length == 0) || fields[0].text[0] == '#';
        points = points || names;
        text += size + 1;
        if (names || empty)
            continue;
        struct weft_shape shape;
        status = read_shape(shapes, fields, count < FIELDS ? count : FIELDS, points, &shape, name, line, error);
        if (status == WEFT_OK)
            status = add(shapes, &shape, name, error);
    }
    return status;
}

/* How far a shape reaches beyond its numbers. */
static double reach_of(const struct weft_shapes *shapes, const struct weft_shape *shape) {
    return shape->kind == WEFT_SHAPE_POINT ? shapes->size / 2 : shape->kind == WEFT_SHAPE_LINE ? shapes->width / 2 : 0;
}

void weft_shapes_measure(const struct weft_shapes *shapes, int64_t *width, int64_t *height) {
    double most[2] = {1, 1};
    for (size_t i = 0; i < shapes->count; i++) {
        const struct weft_shape *shape = &shapes->list[i];
        for (int k = 0; k < 2; k++) {
            const double start = shape->at[k], end = shape->kind == WEFT_SHAPE_POINT ? start : shape->at[2 + k];
            const double far = shape->kind == WEFT_SHAPE_RECTANGLE
                                   ? fmax(start, start + end)
                                   : fmax(start, end) + 1 + reach_of(shapes, shape);
            most[k] = fmax(most[k], ceil(far));
        }
    }
    *width = (int64_t)most[0];
    *height = (int64_t)most[1];
}

/* One color over what there is. */
static void put(unsigned char *pixel, const unsigned char *color, double coverage) {
    const double front = coverage * color[3] / 255, back = pixel[3] / 255.0 * (1 - front), all = front + back;
    if (front <= 0)
        return;
    for (int i = 0; i < 3; i++)
        pixel[i] = (unsigned char)((front * color[i] + back * pixel[i]) / all + 0.5);
    pixel[3] = (unsigned char)(255 * all + 0.5);
}

struct canvas {
    unsigned char *pixels;
    size_t stride;
    int64_t width, height;
};

static int64_t within(double value, int64_t size) { return (int64_t)fmin(fmax(value, 0), (double)size); }

/* All that lies within `radius` of a line from a to b, which may be one point. */
static void draw_line(const struct canvas *canvas, const double *a, const double *b, double radius,
                      const unsigned char *color) {
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy, reach = radius + 1;
    const int64_t bottom = within(ceil(fmax(a[1], b[1]) + reach) + 1, canvas->height);
    for (int64_t y = within(floor(fmin(a[1], b[1]) - reach), canvas->height); y < bottom; y++) {
        /* The part of the line that is within reach of this row. */
        double from = 0, to = 1;
        if (fabs(dy) > 1e-9) {
            const double one = ((double)y - reach - a[1]) / dy, other = ((double)y + reach - a[1]) / dy;
            from = fmin(fmax(fmin(one, other), 0), 1);
            to = fmin(fmax(fmax(one, other), 0), 1);
        }
        const double left = fmin(a[0] + from * dx, a[0] + to * dx), right = fmax(a[0] + from * dx, a[0] + to * dx);
        const int64_t end = within(ceil(right + reach) + 1, canvas->width);
        unsigned char *row = canvas->pixels + (size_t)y * canvas->stride;
        for (int64_t x = within(floor(left - reach), canvas->width); x < end; x++) {
            const double px = (double)x - a[0], py = (double)y - a[1];
            const double t = length > 0 ? fmin(fmax((px * dx + py * dy) / length, 0), 1) : 0;
            const double distance = hypot(px - t * dx, py - t * dy);
            put(row + 4 * x, color, fmin(fmax(radius + 0.5 - distance, 0), 1));
        }
    }
}

/* How much of the pixel at `place` lies between two edges. */
static double share(int64_t place, double first, double last) {
    return fmax(0, fmin((double)place + 1, last) - fmax((double)place, first));
}

static void draw_rectangle(const struct canvas *canvas, const double *at, double line, const unsigned char *color) {
    const double x0 = fmin(at[0], at[0] + at[2]), x1 = fmax(at[0], at[0] + at[2]);
    const double y0 = fmin(at[1], at[1] + at[3]), y1 = fmax(at[1], at[1] + at[3]);
    const int64_t right = within(ceil(x1), canvas->width), bottom = within(ceil(y1), canvas->height);
    for (int64_t y = within(floor(y0), canvas->height); y < bottom; y++) {
        const double high = share(y, y0, y1), hollow = share(y, y0 + line, y1 - line);
        unsigned char *row = canvas->pixels + (size_t)y * canvas->stride;
        /* Where the row is hollow from its top to its bottom, nothing is between the sides. */
        const double inner = ceil(x0 + line), outer = floor(x1 - line);
        const bool skips = hollow >= 1 && outer > inner;
        for (int64_t x = within(floor(x0), canvas->width); x < right; x++) {
            if (skips && (double)x >= inner && (double)x < outer)
                x = within(outer, canvas->width);
            if (x < right)
                put(row + 4 * x, color, share(x, x0, x1) * high - share(x, x0 + line, x1 - line) * hollow);
        }
    }
}

void weft_shapes_draw(const struct weft_shapes *shapes, unsigned char *pixels, size_t stride, int64_t width,
                      int64_t height) {
    const struct canvas canvas = {pixels, stride, width, height};
    for (int64_t y = 0; y < height; y++)
        memset(pixels + (size_t)y * stride, 0, 4 * (size_t)width);
    for (size_t i = 0; i < shapes->count; i++) {
        const struct weft_shape *shape = &shapes->list[i];
        if (shape->kind == WEFT_SHAPE_RECTANGLE)
            draw_rectangle(&canvas, shape->at, shapes->filled ? FARTHEST : shapes->width, shape->color);
        else
            draw_line(&canvas, shape->at, shape->kind == WEFT_SHAPE_POINT ? shape->at : shape->at + 2,
                      reach_of(shapes, shape), shape->color);
    }
}
