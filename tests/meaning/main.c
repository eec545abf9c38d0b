/* SPDX-License-Identifier: MIT
 * What graphs mean, whatever they are: properties that hold for any filter, with filters, parameters and pictures drawn
 * by chance. A filter that keeps the picture changes nothing before or after another; a graph may be cut in two by an
 * image of floats; an even picture stays even; moving pixels and point filters may change places; the form of alpha
 * that a file has, the number of threads and being streamed do not show. Nothing is compared with another device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "meaning.h"

/* The largest number of a picture, of which those made of it have rounding errors. */
static double largest(const struct picture *picture) {
    const weft_image_info *info = &picture->image.info;
    double most = 1;
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++)
            for (int32_t c = 0; c < info->format.channels; c++) {
                double v = fabs(picture_get(picture, x, y, c));
                most = v > most && v < (double)INFINITY ? v : most;
            }
    return most;
}

/* `moved`, what comes of a picture that is off by as much as rounding may be, says how far results may be apart. Colors
 * matter as much as their alpha, unless all do: they were divided by it. */
static bool compare(const struct picture *got, const struct picture *expected, const struct picture *moved,
                    const struct close *close, char *why, size_t size) {
    const weft_image_info *a = &got->image.info, *b = &expected->image.info;
    if (a->width != b->width || a->height != b->height || a->format.channels != b->format.channels) {
        snprintf(why, size, "the sizes or channels differ");
        return false;
    }
    bool alpha = b->alpha != WEFT_ALPHA_NONE;
    double steps = type_steps(b->format.type);
    double range = fmax(largest(expected), close->range);
    for (int64_t y = 0; y < b->height; y++)
        for (int64_t x = 0; x < b->width; x++)
            for (int32_t c = 0; c < b->format.channels; c++) {
                double g = picture_get(got, x, y, c), e = picture_get(expected, x, y, c);
                double weight = alpha && !close->all && c < b->format.channels - 1
                                    ? fmax(0, picture_get(expected, x, y, b->format.channels - 1))
                                    : 1;
                double limit = close->tolerance * range + (steps > 0 && close->tolerance > 0 ? 1.001 / steps : 0);
                if (moved)
                    limit += 20 * fabs(picture_get(moved, x, y, c) - e) * fmin(weight, 1);
                if (g == e || (isnan(g) && isnan(e)) || fabs(g - e) * fmin(weight, 1) <= limit)
                    continue;
                snprintf(why, size, "channel %d at %lld, %lld is %.9g, not %.9g", (int)c, (long long)x, (long long)y, g,
                         e);
                return false;
            }
    return true;
}

/* Runs both and compares; a graph that cannot be planned is no case. */
static void same(struct meaning *m, const char *what, const struct picture *picture, const char *text,
                 const char *other, const struct close *close) {
    struct picture a = {.memory = NULL}, b = {.memory = NULL}, moved = {.memory = NULL}, near = {.memory = NULL};
    char why[200];
    if (meaning_run(m, m->device, text, picture, &b) && meaning_run(m, m->device, other, picture, &a)) {
        bool shift =
            close->tolerance > 0 && picture_moved(m, picture, &near) && meaning_run(m, m->device, text, &near, &moved);
        bool good = compare(&a, &b, shift ? &moved : NULL, close, why, sizeof why);
        meaning_count(m, good, what, picture, text, other, why);
    }
    picture_destroy(&a);
    picture_destroy(&b);
    picture_destroy(&moved);
    picture_destroy(&near);
}

static void identities(struct meaning *m, const struct picture *picture, const struct drawn *f) {
    static const char *const keeps[] = {
        "gaussian=0", "box=0",    "crop", "dilate=0",  "transpose,transpose", "flip,flip",
        "resample",   "median=0", "pad",  "opacity=1", "convolve3x3",         "gaussian=0:space=linear"};
    int64_t drawn = chance_below(&m->chance, (int64_t)(sizeof keeps / sizeof *keeps));
    const char *keep = keeps[drawn];
    const weft_image_info *info = &picture->image.info;
    if (info->alpha == WEFT_ALPHA_NONE && strcmp(keep, "opacity=1") == 0)
        return;
    char text[TEXT];
    /* Of integers a filter in between may go another way, whose last bit is another. */
    struct close close = {.tolerance = info->format.type == WEFT_F32 ? 1e-6 : f->filter->tolerance, .all = true};
    snprintf(text, sizeof text, "%s,%s", keep, f->text);
    same(m, "a filter that keeps the picture, before", picture, f->text, text, &close);
    snprintf(text, sizeof text, "%s,%s", f->text, keep);
    if (f->picture && (f->alpha || strcmp(keep, "opacity=1") != 0))
        same(m, "a filter that keeps the picture, after", picture, f->text, text, &close);
    same(m, "a filter that keeps the picture, alone", picture, "crop", keep,
         &(struct close){.tolerance = 1e-7, .all = true});
}

/* Whether alpha is below 0 anywhere, as sums of weights below 0 make it: there are no straight colors of that. Of
 * linear light also whether anything may have been: stored, it is 0. */
static bool is_below(const struct picture *picture, bool light) {
    const weft_image_info *info = &picture->image.info;
    bool below = false;
    for (int64_t y = 0; y < info->height && info->alpha != WEFT_ALPHA_NONE; y++)
        for (int64_t x = 0; x < info->width; x++)
            below = below || picture_get(picture, x, y, info->format.channels - 1) < 0;
    for (int64_t y = 0; y < info->height && light; y++)
        for (int64_t x = 0; x < info->width; x++)
            for (int32_t c = 0; c < info->format.channels; c++)
                below = below || picture_get(picture, x, y, c) == 0;
    return below;
}

static void cuts(struct meaning *m, const struct picture *picture, const struct drawn *f, const struct drawn *g) {
    struct picture between = {.memory = NULL}, whole = {.memory = NULL}, parts = {.memory = NULL};
    struct picture near = {.memory = NULL}, moved = {.memory = NULL};
    struct close close = {.tolerance = 2 * (f->filter->tolerance + g->filter->tolerance) + 1e-5};
    char text[TEXT], why[200];
    snprintf(text, sizeof text, "%s,%s", f->text, g->text);
    if (f->picture && picture->image.info.format.type == WEFT_F32 && meaning_run(m, m->device, text, picture, &whole) &&
        meaning_run(m, m->device, f->text, picture, &between) &&
        !is_below(&between, strstr(f->text, "space=linear") != NULL) &&
        meaning_run(m, m->device, g->text, &between, &parts) && picture_moved(m, &between, &near) &&
        meaning_run(m, m->device, g->text, &near, &moved)) {
        close.range = largest(&between);
        bool good = compare(&whole, &parts, &moved, &close, why, sizeof why);
        meaning_count(m, good, "cut in two", picture, f->text, text, why);
    }
    picture_destroy(&between);
    picture_destroy(&whole);
    picture_destroy(&parts);
    picture_destroy(&near);
    picture_destroy(&moved);
}

static void evens(struct meaning *m, const struct picture *picture, const struct drawn *f) {
    struct picture even = {.memory = NULL}, out = {.memory = NULL};
    const weft_image_info *info = &picture->image.info;
    if (!f->even || !picture_create(info, true, &m->chance, &even))
        return;
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++)
            for (int32_t c = 0; c < info->format.channels; c++)
                picture_set(&even, x, y, c, picture_get(picture, 0, 0, c));
    if (meaning_run(m, m->device, f->text, &even, &out)) {
        const weft_image_info *made = &out.image.info;
        char why[200] = "";
        double limit = 4 * f->filter->tolerance + (made->format.type == WEFT_U8 ? 1.01 / 255 : 1e-5);
        for (int64_t y = 0; y < made->height; y++)
            for (int64_t x = 0; x < made->width; x++)
                for (int32_t c = 0; c < made->format.channels; c++) {
                    double first = picture_get(&out, 0, 0, c), v = picture_get(&out, x, y, c);
                    if (!why[0] && fabs(v - first) > limit * fmax(1, fabs(first)))
                        snprintf(why, sizeof why, "channel %d at %lld, %lld is %.9g, at 0, 0 it is %.9g", (int)c,
                                 (long long)x, (long long)y, v, first);
                }
        meaning_count(m, !why[0], "an even picture", &even, f->text, f->text, why);
    }
    picture_destroy(&even);
    picture_destroy(&out);
}

static void orders(struct meaning *m, const struct picture *picture, const struct drawn *f) {
    static const char *const moves[] = {"flip", "flip=y", "transpose", "crop=0:0:3:2", "pad=1:2:3:1"};
    char first[TEXT], last[TEXT];
    if (!f->apart)
        return;
    const char *move = moves[chance_below(&m->chance, (int64_t)(sizeof moves / sizeof *moves))];
    snprintf(first, sizeof first, "%s,%s", move, f->text);
    snprintf(last, sizeof last, "%s,%s", f->text, move);
    same(m, "pixels moved before and after", picture, first, last,
         &(struct close){.tolerance = f->filter->tolerance + 1e-6});
}

static void forms(struct meaning *m, const struct picture *picture, const struct drawn *f) {
    struct picture other = {.memory = NULL}, a = {.memory = NULL}, b = {.memory = NULL}, c = {.memory = NULL};
    struct picture near = {.memory = NULL}, moved = {.memory = NULL};
    char why[200];
    if (picture->image.info.alpha != WEFT_ALPHA_STRAIGHT || picture->image.info.format.type != WEFT_F32 ||
        strstr(f->filter->name, "premultiply")) /* which is about the form */
        return;
    struct close close = {.tolerance = 4 * f->filter->tolerance + 1e-5};
    if (picture_multiplied(m, picture, &other) && meaning_run(m, m->device, f->text, picture, &a) &&
        meaning_run(m, m->device, f->text, &other, &b) && picture_moved(m, picture, &near) &&
        meaning_run(m, m->device, f->text, &near, &moved)) {
        bool divided = b.image.info.alpha == WEFT_ALPHA_PREMULTIPLIED && a.image.info.alpha == WEFT_ALPHA_STRAIGHT;
        bool good =
            (!divided || picture_divided(m, &b, &c)) && compare(divided ? &c : &b, &a, &moved, &close, why, sizeof why);
        meaning_count(m, good, "colors multiplied by alpha", picture, f->text, f->text, why);
    }
    picture_destroy(&other);
    picture_destroy(&a);
    picture_destroy(&b);
    picture_destroy(&c);
    picture_destroy(&near);
    picture_destroy(&moved);
}

static void threads(struct meaning *m, const struct picture *picture, const struct drawn *f) {
    struct picture a = {.memory = NULL}, b = {.memory = NULL};
    struct close close = {.tolerance = f->filter->exact ? 0 : f->filter->tolerance, .all = true};
    char why[200];
    if (m->others && meaning_run(m, m->device, f->text, picture, &a) && meaning_run(m, m->others, f->text, picture, &b))
        meaning_count(m, compare(&b, &a, NULL, &close, why, sizeof why), "other threads or bands", picture, f->text,
                      f->text, why);
    picture_destroy(&a);
    picture_destroy(&b);
}

static void try_case(struct meaning *m, uint64_t seed, int64_t number) {
    struct picture picture = {.memory = NULL};
    struct drawn f, g;
    m->number = number;
    m->chance = chance_of(seed, "meaning", number);
    if (meaning_picture(m, &picture)) {
        meaning_draw(m, &picture.image.info, &f);
        meaning_draw(m, &picture.image.info, &g);
        if (m->verbose)
            printf("case %lld: %s; %s\n", (long long)number, f.text, g.text);
        fflush(stdout);
        clock_t begun = clock();
        identities(m, &picture, &f);
        bool slow = clock() - begun > CLOCKS_PER_SEC / 2; /* the other properties would take as long each */
        if (!slow)
            cuts(m, &picture, &f, &g);
        evens(m, &picture, &f);
        orders(m, &picture, &f);
        if (!slow)
            forms(m, &picture, &f);
        threads(m, &picture, &f);
    }
    picture_destroy(&picture);
}

int main(int argc, char **argv) {
    struct meaning m = {.passed = 0};
    uint64_t seed = 1;
    int64_t count = -1, only = -1, seconds = 0;
    const char *device = "cpu";
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--verbose") == 0)
            m.verbose = true, i--;
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            count = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--seconds") == 0)
            seconds = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--case") == 0)
            only = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--device") == 0)
            device = value;
        else {
            fprintf(stderr,
                    "usage: meaning [--seed N] [--count N] [--seconds N] [--device NAME] [--case N] [--verbose]\n");
            return 2;
        }
    }
    if (!meaning_open(&m, device))
        return 2;
    time_t end = time(NULL) + (time_t)seconds;
    count = count < 0 ? seconds ? INT64_MAX : 400 : count;
    for (int64_t n = only < 0 ? 0 : only; n < (only < 0 ? count : only + 1) && (!seconds || time(NULL) < end); n++)
        try_case(&m, seed, n);
    meaning_close(&m);
    printf("meaning: %lld passed, %lld failed\n", (long long)m.passed, (long long)m.failed);
    return m.failed > 0;
}
