/* SPDX-License-Identifier: MIT
 * Output pixel i looks at the place (i + 1/2) in / out - 1/2 of the input. Where the image shrinks the kernel is
 * widened by in / out, so that nothing aliases. Weights are normalised over the pixels inside the image, so
 * what lies outside has nothing to say. */
#define NAME resample
#define SUMMARY "Bring the image to exactly this width and height; resize also keeps the shape"
#define SOURCE "Keys 1981 with a = -0.5 (Catmull-Rom) for bicubic, Duchon 1979 for lanczos3"
#define EXAMPLE "resample=320:200"
#define ALPHA PREMULTIPLIED
#define TOLERANCE 4e-6
#define BORDERLESS
#define PARAMS                                                                                                         \
    AUTO_INT(width, 1, 2147483647, "px", "width of the result; auto keeps it")                                         \
    AUTO_INT(height, 1, 2147483647, "px", "height of the result; auto keeps it")                                       \
    CHOICE(method, 2, "nearest|bilinear|bicubic|lanczos3|area",                                                        \
           "the interpolation; area is the mean of what an output pixel covers")
#define MOVES moves
#include <math.h>
#include "filter/resample.h"

enum method { NEAREST_PIXEL, BILINEAR, BICUBIC, LANCZOS3, AREA };
static const double support[] = {[BILINEAR] = 1, [BICUBIC] = 2, [LANCZOS3] = 3};

static double sinc(double x) { return x == 0 ? 1 : sin(3.14159265358979324 * x) / (3.14159265358979324 * x); }

/* The interpolation kernel at a distance of d pixels. */
static double kernel(enum method method, double d) {
    double x = fabs(d);
    if (x >= support[method])
        return 0;
    if (method == BILINEAR)
        return 1 - x;
    if (method == BICUBIC)
        return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
    return sinc(x) * sinc(x / 3);
}

static bool moves(const void *block) { return ((const struct BLOCK *)block)->method == NEAREST_PIXEL; }

static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *table,
                        weft_error *error) {
    const struct BLOCK *p = block;
    enum method method = (enum method)p->method;
    int64_t wanted = direction == WEFT_X ? p->width : p->height, out = wanted > 0 ? wanted : size;
    double ratio = (double)size / (double)out, scale = ratio > 1 ? ratio : 1;
    if (out == size || method == NEAREST_PIXEL) {
        weft_status status = weft_axis_pick(0, 1, out, table, error);
        for (int64_t i = 0; status == WEFT_OK && i < out; i++) /* floor((i + 1/2) in / out) */
            table->first[i] = (int64_t)((uint64_t)(2 * i + 1) * (uint64_t)size / (uint64_t)(2 * out));
        return status;
    }
    double reach = method == AREA ? 0.5 * ratio : support[method] * scale;
    int64_t count = (int64_t)ceil(2 * reach) + (method == AREA && ratio != floor(ratio));
    if (count > size)
        count = size;
    weft_status status = weft_axis_allocate(out, count, table, error);
    for (int64_t i = 0; status == WEFT_OK && i < out; i++) {
        double place = ((double)i + 0.5) * ratio - 0.5, sum = 0;
        int64_t first = (int64_t)floor(place - reach + (method == AREA ? 0.5 : 1));
        first = first < 0 ? 0 : first > size - count ? size - count : first;
        table->first[i] = first;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t k = 0; k < count; k++) {
                double d = (double)(first + k) - place, w;
                if (method == AREA) /* the part of pixel d - 1/2 .. d + 1/2 within the reach */
                    w = fmax(0, fmin(d + 0.5, reach) - fmax(d - 0.5, -reach));
                else
                    w = kernel(method, d / scale);
                if (pass == 0)
                    sum += w;
                else
                    table->weight[i * count + k] = (float)(w / sum);
            }
    }
    return status;
}
