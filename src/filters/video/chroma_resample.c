/* SPDX-License-Identifier: MIT
 * Up: between chroma samples values go along straight lines. Down: a triangle two chroma samples wide, so that what
 * lies halfway between two of them counts for both alike. Beyond the edges pixels are those inside, mirrored. */
#define NAME chroma_resample
#define SUMMARY                                                                                                        \
    "Spread chroma samples over the pixels that share them, or gather them"
#define STEP_OF "yuv_to_rgb and rgb_to_yuv"
#define SOURCE "the sitings of ITU-T H.273"
#define EXAMPLE "chroma_resample=down:2:2,chroma_resample=up:2:2"
#define BORDERLESS
#define AVERAGES true
#define ALPHA PREMULTIPLIED
#define TOLERANCE 4e-6
#include "filters/video/yuv.h"
#define PARAMS                                                                                                         \
    FIXED_CHOICE(direction, 0, "up|down", "from chroma samples to pixels, or back")                                    \
    FIXED_INT(x, 2, 1, 4, "", "pixels side by side that share a sample")                                               \
    FIXED_INT(y, 2, 1, 4, "", "pixels one below the other that share a sample")                                        \
    FIXED_INT(cut_x, 0, 0, 3, "px", "up: columns that the last sample has too many")                                   \
    FIXED_INT(cut_y, 0, 0, 3, "px", "up: rows that the last sample has too many")                                      \
    YUV_SITING
#include <math.h>
#include "filter/resample.h"

enum siting { LEFT, CENTER, TOP_LEFT, TOP, BOTTOM_LEFT, BOTTOM };

/* How far the sample lies from the first pixel that it belongs to. */
static double offset(const struct BLOCK *p, enum weft_direction direction, int32_t factor) {
    double middle = 0.5 * (factor - 1), last = factor - 1;
    if (direction == WEFT_X)
        return p->siting == LEFT || p->siting == TOP_LEFT || p->siting == BOTTOM_LEFT ? 0 : middle;
    return p->siting == LEFT || p->siting == CENTER ? middle : p->siting == TOP_LEFT || p->siting == TOP ? 0 : last;
}

/* A pixel inside for one that may lie outside. */
static int64_t inside(int64_t i, int64_t size) {
    int64_t period = 2 * size, k = ((i % period) + period) % period;
    return k < size ? k : period - 1 - k;
}

static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *table,
                        weft_error *error) {
    const struct BLOCK *p = block;
    bool x = direction == WEFT_X, up = p->direction == 0;
    int32_t factor = x ? p->x : p->y, cut = x ? p->cut_x : p->cut_y;
    if (size > WEFT_AXIS_LIMIT)
        return weft_axis_allocate(size, 1, table, error);
    int64_t out = up ? size * factor - cut : (size + factor - 1) / factor;
    if (out < 1)
        out = 1;
    if (factor == 1 && out == size)
        return weft_axis_pick(0, 1, out, table, error);
    double step = up ? 1.0 / factor : factor,
           start = up ? -offset(p, direction, factor) / factor : offset(p, direction, factor);
    int64_t reach = up ? 1 : factor, count = 1;
    for (int phase = 0; phase < (up ? factor : 1); phase++) { /* samples nearer than the reach */
        double place = phase * step + start;
        int64_t taps = (int64_t)ceil(place + (double)reach) - (int64_t)floor(place - (double)reach) - 1;
        count = taps > count ? taps : count;
    }
    count = count < size ? count : size;
    weft_status status = weft_axis_allocate(out, count, table, error);
    for (int64_t i = 0; status == WEFT_OK && i < out; i++) {
        double place = (double)i * step + start, sum = 0;
        int64_t low = (int64_t)floor(place - (double)reach) + 1, first = low;
        first = first < 0 ? 0 : first > size - count ? size - count : first;
        table->first[i] = first;
        for (int64_t k = low; (double)k < place + (double)reach; k++) {
            double weight = 1 - fabs((double)k - place) / (double)reach;
            int64_t at = inside(k, size) - first;
            if (weight > 0 && at >= 0 && at < count) {
                table->weight[i * count + at] += (float)weight;
                sum += weight;
            }
        }
        for (int64_t k = 0; k < count; k++)
            table->weight[i * count + k] = (float)((double)table->weight[i * count + k] / sum);
    }
    return status;
}
