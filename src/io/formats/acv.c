/* SPDX-License-Identifier: MIT
 * ACV: Photoshop's curves, as a table of f32x3 of one row, which is how lut3d takes curves. Numbers are of 16 bits, the higher byte
 * first: a version, 1 or 4; how many curves; and of each how many points it has, 2 to 19, and of each point the output and the
 * input, 0 to 255. The first curve is all colors', the others are red's, green's and blue's; what follows is of other color models,
 * and left alone. A curve is the natural cubic spline through its points and stays at its ends; colors take their own and then the
 * first. */
#include <string.h>
#include "image/spline.h"
#include "io/format.h"

enum { CURVES = 4, MOST_CURVES = 1024, LEAST_POINTS = 2, MOST_POINTS = 19, STEPS = 16, WIDTH = 255 * STEPS + 1 };

struct curve {
    struct weft_spline_point points[MOST_POINTS];
    double second[MOST_POINTS];
    int32_t count; /* 0: values stay */
};

typedef struct acv_reader {
    weft_coding coding;
    struct curve curves[CURVES];
} acv_reader;

static int32_t number_at(const unsigned char *bytes) { return bytes[0] << 8 | bytes[1]; }

/* The beginning of a file: so few and small numbers that no other format begins so. */
static bool probe(const unsigned char *bytes, size_t count) {
    if (count < 10)
        return false;
    int32_t version = number_at(bytes), curves = number_at(bytes + 2), points = number_at(bytes + 4);
    bool sane = (version == 1 || version == 4) && curves >= 1 && curves <= MOST_CURVES && points >= LEAST_POINTS &&
                points <= MOST_POINTS;
    return sane && bytes[6] == 0 && bytes[8] == 0;
}

static weft_status read_number(acv_reader *reader, int32_t *number, weft_error *error) {
    int high = weft_input_get(reader->coding.input), low = high < 0 ? -1 : weft_input_get(reader->coding.input);
    if (low < 0)
        return weft_input_fail(reader->coding.input, error, "truncated");
    *number = high << 8 | low;
    return WEFT_OK;
}

static weft_status read_point(acv_reader *reader, int number, struct curve *curve, int32_t k, weft_error *error) {
    int32_t y = 0, x = 0;
    weft_status status = read_number(reader, &y, error);
    if (status == WEFT_OK)
        status = read_number(reader, &x, error);
    if (status != WEFT_OK)
        return status;
    if (x > 255 || y > 255)
        return weft_input_fail(reader->coding.input, error, "point %d of curve %d is %d,%d; both lie between 0 and 255", (int)k + 1,
                               number, (int)x, (int)y);
    curve->points[k] = (struct weft_spline_point){x, y};
    if (k > 0 && curve->points[k].x <= curve->points[k - 1].x)
        return weft_input_fail(reader->coding.input, error, "point %d of curve %d at %d does not follow that at %d", (int)k + 1,
                               number, (int)x, (int)curve->points[k - 1].x);
    return WEFT_OK;
}

static weft_status read_curve(acv_reader *reader, int number, struct curve *curve, weft_error *error) {
    int32_t count = 0;
    weft_status status = read_number(reader, &count, error);
    if (status == WEFT_OK && (count < LEAST_POINTS || count > MOST_POINTS))
        return weft_input_fail(reader->coding.input, error, "curve %d has %d points; there are %d to %d", number, (int)count,
                               LEAST_POINTS, MOST_POINTS);
    for (int32_t k = 0; status == WEFT_OK && k < count; k++)
        status = read_point(reader, number, curve, k, error);
    if (status == WEFT_OK) {
        weft_spline_bend(curve->points, count, curve->second);
        curve->count = count;
    }
    return status;
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    acv_reader *reader = state;
    int32_t version = 0, count = 0;
    weft_status status = read_number(reader, &version, error);
    if (status == WEFT_OK)
        status = read_number(reader, &count, error);
    if (status == WEFT_OK && (version != 1 && version != 4))
        return weft_input_fail(reader->coding.input, error, "curves of version %d, not 1 or 4", (int)version);
    if (status == WEFT_OK && (count < 1 || count > MOST_CURVES))
        return weft_input_fail(reader->coding.input, error, "%d curves; there are 1 to %d", (int)count, MOST_CURVES);
    for (int k = 0; status == WEFT_OK && k < count && k < CURVES; k++)
        status = read_curve(reader, k + 1, &reader->curves[k], error);
    header->info.width = WIDTH;
    header->info.height = 1;
    header->info.format = (weft_format){WEFT_F32, 3};
    return status;
}

/* 0 to 255 of 0 to 255. */
static double value_at(const struct curve *curve, double x) {
    const struct weft_spline_point *points = curve->points;
    int32_t last = curve->count - 1, k = 0;
    double factor[3];
    if (curve->count == 0)
        return x;
    if (x <= points[0].x || x >= points[last].x)
        return x <= points[0].x ? points[0].y : points[last].y;
    while (points[k + 1].x <= x)
        k++;
    weft_spline_piece(points, curve->second, k, factor);
    double t = x - points[k].x, y = points[k].y + t * (factor[0] + t * (factor[1] + t * factor[2]));
    return y < 0 ? 0 : y > 255 ? 255 : y;
}

static weft_status read_row(void *state, void *row, weft_error *error) {
    const acv_reader *reader = state;
    (void)error;
    for (size_t x = 0; x < WIDTH; x++) {
        float color[3];
        for (int k = 0; k < 3; k++)
            color[k] = (float)(value_at(&reader->curves[0], value_at(&reader->curves[k + 1], (double)x / STEPS)) / 255);
        memcpy((unsigned char *)row + x * sizeof color, color, sizeof color);
    }
    return WEFT_OK;
}

const weft_codec weft_codec_acv = {
    .format = {"acv", "acv", "Photoshop's curves, as a table for lut3d: each color's own, then that of all", true, false, NULL, 0,
               NULL, 0, false},
    .probe = probe,
    .reader_size = sizeof(acv_reader),
    .open_reader = open_reader,
    .read = read_row,
};
