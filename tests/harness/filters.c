/* SPDX-License-Identifier: MIT
 * Every filter by itself, with parameters, images and memory drawn by chance. */
#include <stdio.h>
#include <string.h>
#include "harness.h"

static const struct {
    int64_t width, height;
} sizes[] = {{1, 1},   {1, 7},   {7, 1},   {2, 2},    {5, 3},    {3, 16},   {17, 9},   {33, 31},
             {64, 48}, {65, 20}, {20, 70}, {131, 67}, {257, 24}, {40, 140}, {300, 200}};

/* The second input of a lookup: curves, cubes, strips, squares. */
static const struct {
    int64_t width, height;
} tables[] = {{2, 1}, {17, 1}, {2, 4}, {5, 25}, {9, 81}, {9, 3}, {49, 7}, {8, 8}, {64, 64}, {256, 1}, {125, 125}};

static const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32};

static weft_alpha draw_alpha(int32_t channels, struct chance *chance) {
    return channels % 2 ? WEFT_ALPHA_NONE : (weft_alpha)chance_below(chance, 3);
}

/* Filters that jump get pictures of which no large part can sit where they jump. */
enum content draw_content(double tolerance, struct chance *chance) {
    return tolerance >= 0.5 ? CONTENT_RANDOM : (enum content)chance_below(chance, CONTENTS);
}

static struct shape draw_shape(int64_t number, struct chance *chance) {
    int64_t largest = sizeof sizes / sizeof *sizes, which = chance_below(chance, largest);
    /* The biggest one rarely: it takes as long as all others. */
    if (which == largest - 1 && !chance_once_in(chance, 3))
        which = chance_below(chance, largest - 1);
    return (struct shape){sizes[which].width, sizes[which].height, types[number % 4], 1 + (int32_t)(number / 4 % 4)};
}

void draw_trial(const weft_filter_info *filter, int64_t number, const struct shape *shape, bool plain,
                struct chance *chance, struct trial *trial) {
    weft_type type = shape->type;
    int32_t channels = shape->channels;
    bool respaced, linear = chance_once_in(chance, 16);
    *trial = (struct trial){.name = filter->name,
                            .number = number,
                            .inputs = filter->inputs,
                            .plain = chance_once_in(chance, 3),
                            .tolerance = filter->tolerance,
                            .steady = filter->steady_tolerance};
    for (int32_t i = 0; i < filter->inputs; i++) {
        weft_image_info *info = &trial->infos[i];
        int32_t count = i == 0 || chance_below(chance, 3) ? channels : 1 + (int32_t)chance_below(chance, 4);
        weft_type own_type = i == 0 || chance_below(chance, 4) ? type : types[chance_below(chance, 4)];
        weft_alpha alpha = draw_alpha(count, chance);
        /* Channels that are neither colors nor alpha meet only their like. */
        bool data = (alpha == WEFT_ALPHA_NONE && count % 2 == 0) ||
                    (trial->infos[0].alpha == WEFT_ALPHA_NONE && channels % 2 == 0);
        if (i > 0 && data) {
            count = channels;
            alpha = trial->infos[0].alpha;
        }
        *info = (weft_image_info){.width = shape->width,
                                  .height = shape->height,
                                  .format = {own_type, count},
                                  .alpha = alpha,
                                  .space = linear ? WEFT_SPACE_LINEAR : WEFT_SPACE_ENCODED};
        trial->contents[i] = draw_content(filter->tolerance, chance);
        /* Filters that composite divide by the last of two or four channels, declared alpha or not: beyond 0 to 1 they may
         * divide by nearly 0, and no two arithmetics agree. */
        if (trial->contents[i] == CONTENT_WIDE && filter->inputs > 1 && count % 2 == 0)
            trial->contents[i] = CONTENT_WIDE_COLORS;
        if (i == 1 && strcmp(filter->kind, "lookup") == 0) {
            int64_t table = chance_below(chance, (int64_t)(sizeof tables / sizeof *tables));
            info->width = tables[table].width, info->height = tables[table].height;
        }
    }
    weft_image_info first = trial->inputs ? trial->infos[0] : (weft_image_info){.width = 40, .height = 40};
    variation_write(filter, &first, plain, chance, trial->graph, sizeof trial->graph, &respaced);
    if (chance_once_in(chance, 5))
        trial->output_type = types[chance_below(chance, 4)];
    weft_type stored = trial->output_type ? trial->output_type : type;
    bool integers = filter->inputs > 0 && type_steps(stored) > 0 && !respaced; /* generators start from floats */
    for (int32_t i = 0; i < filter->inputs; i++)
        integers &= trial->infos[i].format.type == stored;
    trial->exact = filter->exact && integers;
    /* The transfer curve of sRGB is steep near black. */
    if (respaced)
        trial->tolerance *= 16;
}

enum { MOST_CASES = 120 };

static void try_filter(struct harness *harness, const weft_filter_info *filter) {
    int64_t before = harness->passed + harness->failed;
    /* Of filters whose inputs must fit each other, few of the first cases can be planned: then more are drawn. */
    for (int64_t number = 0;
         number < harness->cases || (number < MOST_CASES && harness->passed + harness->failed == before); number++) {
        if (harness->only_case >= 0 && number != harness->only_case)
            continue;
        struct chance chance = chance_of(harness->seed, filter->name, number);
        struct trial trial;
        struct shape shape = draw_shape(number, &chance);
        draw_trial(filter, number, &shape, number == 0, &chance, &trial);
        harness_count(harness, trial_run(harness, &trial, &chance));
    }
    if (harness->only_case < 0 && harness->passed + harness->failed == before) {
        printf("FAILED %s: none of its cases could be planned\n", filter->name);
        harness->failed++;
    }
}

void try_filters(struct harness *harness) {
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        if (harness_has_turn(harness, i) && (!harness->filter || strcmp(harness->filter, filter->name) == 0))
            try_filter(harness, filter);
    }
}
