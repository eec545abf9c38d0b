/* SPDX-License-Identifier: MIT
 * The result has as many whole pixels as the rectangle; they are spread over it evenly, so that each takes in a little more
 * than one of the image's where its sides are no whole numbers of them. */
#define NAME crop_region
#define SUMMARY "Cut out a rectangle given in shares of the image's sides, between pixels too"
#define SOURCE "GPUImage's GPUImageCropFilter; crop cuts out whole pixels"
#define EXAMPLE "crop_region=0.25|0.2|0.5|0.6"
#define ALPHA PREMULTIPLIED
#define TOLERANCE 4e-6
#define BORDERLESS
#define PARAMS FLOATS(region, 4, "0|0|1|1", 0, 1, "left and top edge, width and height; 1 is the image's")
#include <math.h>
#include "filter/resample.h"

static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *table,
                        weft_error *error) {
    const float *region = ((const struct BLOCK *)block)->region;
    bool x = direction == WEFT_X;
    double start = (double)region[x ? 0 : 1], side = (double)region[x ? 2 : 3], all = (double)size;
    if (start + side > 1 + 1e-6) {
        weft_fail(error, WEFT_ERROR_PARAMETER, "the region's %s of %g from %g on does not lie inside the image, which ends at 1",
                  x ? "width" : "height", side, start);
        weft_error_at(error, -1, NULL, "region");
        return WEFT_ERROR_PARAMETER;
    }
    double pixels = side * all;
    int64_t count = (int64_t)(pixels + 1e-6 * all); /* 0.3 is a little less as a float */
    count = count < 1 ? 1 : count;
    double step = pixels / (double)count;
    weft_status status = weft_axis_allocate(count, 2, table, error);
    for (int64_t i = 0; status == WEFT_OK && i < count; i++) {
        double place = fmin(fmax(start * all + ((double)i + 0.5) * step - 0.5, 0), all - 1);
        double first = fmin(floor(place), fmax(all - 2, 0));
        table->first[i] = (int64_t)first;
        table->weight[2 * i] = (float)(1 - (place - first));
        table->weight[2 * i + 1] = (float)(place - first);
    }
    return status;
}
