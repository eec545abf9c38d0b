/* SPDX-License-Identifier: MIT
 * How near is near enough. Expected images of inexact trials come in f32, before any rounding, so that a value half way
 * between two steps may go either way without counting as a difference. */
#include <math.h>
#include <stdio.h>
#include "harness.h"

/* The largest magnitude of an image: rounding is relative to it. */
static double range_of(const struct picture *picture) {
    const weft_image_info *info = &picture->image.info;
    double range = 1;
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++)
            for (int32_t c = 0; c < info->format.channels; c++) {
                double v = fabs(picture_get(picture, x, y, c));
                if (v > range && v < (double)INFINITY)
                    range = v;
            }
    return range;
}

/* How far a component is off, 1 being the limit, which is `motion` wider; and *loose, whether it is off by more than one
 * rounding explains. */
static double excess(double got, double expected, weft_type type, const struct nearness *nearness, double range,
                     double motion, double weight, bool *loose) {
    double steps = type_steps(type), limit = nearness->tolerance * range + motion * weight, difference;
    *loose = false;
    if (steps > 0) {
        expected = !(expected > 0) ? 0 : expected > 1 ? 1 : expected;
        difference = fabs(got - expected) * steps * weight;
        /* Rounding to nearest leaves half a step; another step is allowed, to few pixels. */
        *loose = difference > 0.5 + limit * steps + 1e-3;
        return difference / (1.5 + 1e-3 + limit * steps);
    }
    if (got == expected || (isnan(got) && isnan(expected)))
        return 0;
    if (isnan(got) || isnan(expected))
        return (double)INFINITY;
    if (type == WEFT_F16) {
        if (fabs(expected) > 65504)
            return 0;
        limit += half_spacing(expected) / 2 * weight + 1e-12;
    }
    if (type == WEFT_F64) /* numbers, each of its own size */
        limit = nearness->tolerance * fmax(1, fabs(expected));
    difference = fabs(got - expected) * weight;
    return difference <= limit ? 0 : difference / (limit > 0 ? limit : 1e-300);
}

bool pictures_agree(const struct picture *got, const struct picture *expected, const struct nearness *nearness,
                    char *why, size_t size) {
    const weft_image_info *info = &got->image.info;
    int32_t channels = info->format.channels;
    double range = range_of(expected), worst = 0, last_loose = (double)INFINITY;
    /* Filters that jump may land on either side where the jump is within rounding: a tolerance of all says so. Of them,
     * few components may be off by more than those of others. */
    bool jumps = nearness->tolerance >= 0.5 && !nearness->exact;
    /* So do the counts of a table: a value within rounding of the edge of a bin. */
    jumps = jumps || (info->format.type == WEFT_F64 && info->width > 1 && !nearness->exact);
    struct nearness strict = *nearness;
    if (jumps)
        strict.tolerance = nearness->steady;
    int64_t at[3] = {0}, far = 0, loosely = 0, count = info->width * info->height * channels;
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++)
            for (int32_t c = 0; c < channels; c++) {
                double a = picture_get(got, x, y, c), b = picture_get(expected, x, y, c), off, weight = 1;
                double motion = nearness->motion ? nearness->motion[(y * info->width + x) * channels + c] : 0;
                bool loose = false;
                if (nearness->weigh_by_alpha && c < channels - 1)
                    weight = fmin(fabs(picture_get(expected, x, y, channels - 1)), 1);
                off = nearness->exact ? (a == b ? 0 : 2)
                                      : excess(a, b, info->format.type, &strict, range, jumps ? 0 : motion, weight, &loose);
                if (jumps && motion > 1e-3 * (1 + fabs(b)))
                    continue;
                /* Pixels that are to be one and the same number are one: all of a flat picture are off alike. */
                far += off > 1, loosely += loose && fabs(b - last_loose) > 1e-6;
                last_loose = loose ? b : last_loose;
                if (off > worst) {
                    worst = off;
                    at[0] = x, at[1] = y, at[2] = c;
                }
            }
    int64_t few = count / 50 + 2;
    bool fine = jumps ? far <= few : far == 0 && loosely <= few;
    if (!fine) {
        double steps = type_steps(info->format.type), scale = steps > 0 ? steps : 1;
        snprintf(
            why, size,
            "%lld of %lld components too far, %lld off by more than rounding; worst at x=%lld y=%lld channel=%lld: "
            "expected %.9g got %.9g%s",
            (long long)far, (long long)count, (long long)loosely, (long long)at[0], (long long)at[1],
            (long long)at[2], picture_get(expected, at[0], at[1], (int32_t)at[2]) * scale,
            picture_get(got, at[0], at[1], (int32_t)at[2]) * scale, steps > 0 ? " (steps)" : "");
    }
    return fine;
}
