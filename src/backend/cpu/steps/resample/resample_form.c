/* SPDX-License-Identifier: MIT
 * What the form of a resampling along x depends on, which choose/resample.c chooses, and its weights laid out for it. */
#include <math.h>
#include "backend/cpu/steps/resample/resample_x.h"
#include "base/memory.h"

#define LONGEST_PERIOD 1024
#define SAME_WEIGHT 1.5e-7f /* weights that differ by less are the same, rounded differently */

/* Output i repeats output i - period, `advance` pixels further. All are compared with the first period, so that small
 * differences do not add up. */
static bool repeats(const struct resample_x *data, int64_t i, int32_t period, int64_t advance) {
    const struct resample_table *table = &data->table;
    int64_t like = data->low + weft_border_modulo(i - data->low, period);
    if (table->first[i] - table->first[like] != (i - like) / period * advance)
        return false;
    const float *a = weft_resample_weights(data, i), *b = weft_resample_weights(data, like);
    for (int32_t k = 0; k < table->taps; k++)
        if (!(fabsf(a[k] - b[k]) <= SAME_WEIGHT))
            return false;
    return true;
}

/* Looks for a period among the outputs inside, without those at the edges, which a filter may compute in another way; sets period 0
 * when there is none. */
static void find_period(struct resample_x *data) {
    const struct resample_table *table = &data->table;
    int64_t low = table->low, high = table->high;
    while (low < high && (table->first[low] == 0 || table->first[low] + table->taps == table->inputs))
        low++;
    while (low < high && (table->first[high - 1] == 0 || table->first[high - 1] + table->taps == table->inputs))
        high--;
    for (int32_t period = 1; period <= LONGEST_PERIOD && period <= (high - low) / 2; period++) {
        int64_t advance = table->first[low + period] - table->first[low], i = low + period;
        data->low = low;
        if (advance < 1 || advance > INT32_MAX)
            continue;
        while (i < high && repeats(data, i, period, advance))
            i++;
        if (i < high)
            continue;
        while (high < table->high && repeats(data, high, period, advance))
            high++;
        /* Downwards: the phases are counted from the first output, so one period is compared with the next. */
        int64_t first = low;
        while (first > table->low && repeats(data, first - 1, period, advance))
            first--;
        data->low = first, data->high = high, data->period = period, data->advance = (int32_t)advance;
        return;
    }
    data->low = table->low, data->high = table->high;
}

/* The places of a period and of its end are ascending. */
static bool ascends(const struct resample_x *data) {
    const int64_t *first = data->table.first;
    for (int64_t i = data->low; i < data->low + data->period; i++)
        if (first[i + 1] < first[i])
            return false;
    return data->period > 0;
}

static const struct weft_rung *choose_form(const struct resample_x *data) {
    return weft_cpu_choose_resample(&(struct cpu_resample_case){.ratio = ascends(data),
                                                                .period = data->period,
                                                                .advance = data->advance,
                                                                .count = data->high - data->low,
                                                                .taps = data->table.taps});
}

/* The weights of `count` outputs from data->low on, tap by tap. */
static bool lay_out(struct resample_x *data, int64_t count, size_t more) {
    size_t taps = (size_t)data->table.taps, all;
    data->stride = weft_round_up((size_t)count * sizeof(float)) / sizeof(float);
    if (!weft_multiply(data->stride, taps, &all) || !weft_add(all, more, &all))
        return false;
    data->weight = weft_allocate(all, sizeof *data->weight);
    for (int64_t i = 0; data->weight && i < count; i++)
        for (size_t k = 0; k < taps; k++)
            data->weight[k * data->stride + (size_t)i] = weft_resample_weights(data, data->low + i)[k];
    return data->weight != NULL;
}

/* A period is a run of outputs that begin at the same input: aligns its start with the first of a run. */
static void align_period(struct resample_x *data) {
    while (data->table.first[data->low + data->period - 1] != data->table.first[data->low])
        data->low++;
}

bool weft_resample_choose(struct resample_x *data) {
    const struct resample_table *table = &data->table;
    int64_t inside = table->high - table->low;
    data->place = weft_allocate((size_t)inside, sizeof *data->place);
    if (!data->place)
        return false;
    for (int64_t i = 0; i < inside; i++)
        data->place[i] = (int32_t)table->first[table->low + i];
    find_period(data);
    const struct weft_rung *rung = choose_form(data);
    data->form = (enum cpu_resample_form)rung->choice;
    data->why = rung->when;
    if (data->form == CPU_RESAMPLE_GROW) {
        align_period(data);
        return lay_out(data, data->period, WEFT_GROW_BLOCK);
    }
    if (data->form == CPU_RESAMPLE_GATHER) {
        data->low = table->low, data->high = table->high;
        return lay_out(data, inside, 0);
    }
    return true;
}
