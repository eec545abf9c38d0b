/* SPDX-License-Identifier: MIT
 * Every filter on small images of all widths from 1 to 130, of all heights to 40 and all formats, where loops over
 * vectors begin, end and overlap, with parameters drawn: on all instruction sets of the processor, or on a GPU. --all
 * takes every width in every format, each with a height by the seed: 40 seeds, as --repeat 40 has them, take all pairs
 * of width and height. */
#include <string.h>
#include "harness.h"

enum { WIDTHS = 130, HEIGHTS = 40, FORMATS = 16 };

int64_t widths_count(void) { return WIDTHS * FORMATS; }

struct shape widths_shape(const struct harness *harness, int64_t number) {
    static const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32};
    int64_t format = number / WIDTHS % FORMATS;
    return (struct shape){.width = 1 + number % WIDTHS,
                          .height = 1 + (int64_t)(((uint64_t)number * 7 + harness->seed) % HEIGHTS),
                          .type = types[format / 4],
                          .channels = 1 + (int32_t)(format % 4)};
}

int64_t widths_number(const struct harness *harness, const char *name, int64_t i) {
    struct chance chance = chance_of(harness->seed, name, i);
    return harness->all || harness->only_case >= 0 ? i : chance_below(&chance, WIDTHS) + i % FORMATS * WIDTHS;
}

/* How many cases the short form takes: most where a kind has kernels by size, few where filters share the loop over
 * rows or are made of others. */
static int64_t short_count(const struct harness *harness, const weft_filter_info *filter) {
    static const struct {
        const char *kind;
        int64_t fourths;
    } kinds[] = {{"point", 1}, {"generator", 1}, {"composite", 1}, {"window", 16}, {"separable", 16}};
    int64_t fourths = 4;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(filter->kind, kinds[i].kind) == 0)
            fourths = kinds[i].fourths;
    return (harness->cases * fourths + 3) / 4;
}

void try_widths(struct harness *harness) {
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        bool short_form = !harness->all && harness->only_case < 0;
        int64_t cases = short_form ? short_count(harness, filter) : harness->cases;
        if (!harness_has_turn(harness, i) || (harness->filter && strcmp(harness->filter, filter->name) != 0))
            continue;
        for (int64_t k = 0; k < cases; k++) {
            int64_t number = widths_number(harness, filter->name, k);
            if (harness->only_case >= 0 && number != harness->only_case)
                continue;
            struct chance chance = chance_of(harness->seed, filter->name, number);
            struct shape shape = widths_shape(harness, number);
            struct trial trial;
            draw_trial(filter, number, &shape, chance_once_in(&chance, 8), &chance, &trial);
            harness_count(harness, trial_run(harness, &trial, &chance));
        }
    }
}
