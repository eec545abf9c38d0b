/* SPDX-License-Identifier: MIT
 * Working the border into the table of an axis, once, so that running needs not know of it. */
#include <math.h>
#include "backend/cpu/steps/resample/resample.h"
#include "base/memory.h"
#include "base/status.h"

void weft_resample_clear(struct resample_table *table) {
    weft_free(table->first);
    weft_free(table->count);
    weft_free(table->weight);
    weft_free(table->total);
    *table = (struct resample_table){0};
}

/* Where the taps of one output go: places low .. high of the input, of the weights sums[place - low]. */
struct line {
    int64_t low, high;
    double inside, outside; /* weight on places that exist, and on those that do not */
    double magnitude;       /* of all weights */
};

/* Maps the taps of output i. The mapping is continuous, so the mapped places are an interval. With wrap they may not be: then
 * either all places are reached, or they stay unmapped and the reader takes them modulo the size. */
static struct line map_taps(const struct weft_axis *axis, int64_t i, int64_t inputs, weft_border border, double *sums) {
    int64_t first = axis->first[i], end = first + axis->count;
    const float *weight = axis->weight + (size_t)i * (size_t)axis->count;
    bool inside = first >= 0 && end <= inputs;
    bool keep = inside || (border == WEFT_BORDER_WRAP && axis->count < inputs);
    struct line line = {.low = first, .high = end - 1};
    if (!keep) {
        line = (struct line){.low = INT64_MAX, .high = -1};
        for (int64_t k = 0; k < axis->count; k++) {
            int64_t place = weft_border_map(first + k, inputs, border);
            if (place >= 0 && place < line.low)
                line.low = place;
            if (place > line.high)
                line.high = place;
        }
    }
    for (int64_t k = 0; k <= line.high - line.low && line.low <= line.high; k++)
        sums[k] = 0;
    for (int64_t k = 0; k < axis->count; k++) {
        int64_t place = keep ? first + k : weft_border_map(first + k, inputs, border);
        line.magnitude += fabs((double)weight[k]);
        if (keep || place >= 0) {
            sums[place - line.low] += (double)weight[k];
            line.inside += (double)weight[k];
        } else {
            line.outside += (double)weight[k];
        }
    }
    return line;
}

/* `first` is the place of the first tap before mapping. */
static void fill_output(struct resample_table *table, int64_t i, int64_t first, const struct line *line,
                        const double *sums, weft_border border) {
    float *weight = table->weight + (size_t)i * table->stride;
    int32_t count = line->low <= line->high ? (int32_t)(line->high - line->low + 1) : 0;
    double factor = border == WEFT_BORDER_SHRINK ? 1 / weft_weight_inside(line->inside, line->magnitude) : 1;
    table->first[i] = count > 0 ? line->low : weft_border_map(first, table->inputs, WEFT_BORDER_REPLICATE);
    table->count[i] = count;
    for (int32_t k = 0; k < count; k++)
        weight[k] = (float)(sums[k] * factor);
    if (border == WEFT_BORDER_CONSTANT) {
        weight[count] = (float)line->outside;
        table->constant |= line->outside != 0;
        table->total[i] = (float)(line->inside + line->outside);
    }
    table->wrap |= count > 0 && (line->low < 0 || line->high >= table->inputs);
    if (count > 1 || (count == 1 && weight[0] != 1.0f) || (count == 0 && line->outside != 1.0))
        table->move = false;
    if (count != 1 || table->first[i] != i)
        table->identity = false;
}

/* The longest run of outputs whose taps all lie inside. The axes that there are have one. */
static void find_inside(struct resample_table *table, const struct weft_axis *axis) {
    for (int64_t i = 0, start = 0; i < table->outputs; i++) {
        if (axis->first[i] < 0 || axis->first[i] + axis->count > table->inputs)
            start = i + 1;
        else if (i + 1 - start > table->high - table->low)
            table->low = start, table->high = i + 1;
    }
}

static bool is_ordered(const struct resample_table *table) {
    for (int64_t i = 0; i < table->outputs; i++)
        if (table->count[i] == 0 ||
            (i > 0 && (table->first[i] < table->first[i - 1] ||
                       table->first[i] + table->count[i] < table->first[i - 1] + table->count[i - 1])))
            return false;
    return true;
}

weft_status weft_resample_table(struct weft_axis *axis, int64_t inputs, weft_border border,
                                struct resample_table *table, weft_error *error) {
    size_t outputs = (size_t)axis->size, stride = (size_t)axis->count + (border == WEFT_BORDER_CONSTANT), bytes = 0;
    double *sums = weft_allocate((size_t)axis->count, sizeof *sums);
    *table = (struct resample_table){.inputs = inputs,
                                     .outputs = axis->size,
                                     .stride = stride,
                                     .taps = axis->count,
                                     .first = weft_allocate(outputs, sizeof *table->first),
                                     .count = weft_allocate(outputs, sizeof *table->count),
                                     .move = axis->exact,
                                     .identity = axis->exact && axis->size == inputs};
    if (weft_multiply(outputs, stride, &bytes))
        table->weight = weft_allocate(bytes, sizeof *table->weight);
    if (border == WEFT_BORDER_CONSTANT)
        table->total = weft_allocate(outputs, sizeof *table->total);
    bool room =
        sums && table->first && table->count && table->weight && (table->total || border != WEFT_BORDER_CONSTANT);
    if (room) {
        bool unit = true;
        for (int64_t i = 0; i < axis->size; i++) {
            struct line line = map_taps(axis, i, inputs, border, sums);
            fill_output(table, i, axis->first[i], &line, sums, border);
            unit = unit && fabs(line.inside + line.outside - 1) < 1e-6;
        }
        find_inside(table, axis);
        table->ordered = is_ordered(table);
        table->identity = table->identity && table->move;
        if (unit) {
            weft_free(table->total);
            table->total = NULL;
        }
    } else {
        weft_resample_clear(table);
        weft_fail_memory(error, bytes * sizeof *table->weight, "the table of an axis");
    }
    weft_free(sums);
    weft_axis_clear(axis);
    return room ? WEFT_OK : WEFT_ERROR_MEMORY;
}

void weft_resample_hull(const struct resample_table *table, int64_t i0, int64_t i1, int64_t *first, int64_t *end) {
    *first = INT64_MAX, *end = INT64_MIN;
    if (table->ordered) {
        *first = table->first[i0], *end = table->first[i1 - 1] + table->count[i1 - 1];
        return;
    }
    for (int64_t i = i0; i < i1; i++) {
        if (table->count[i] == 0)
            continue;
        int64_t low = table->first[i], high = low + table->count[i];
        *first = low < *first ? low : *first;
        *end = high > *end ? high : *end;
    }
    if (*first >= *end) /* only the border value counts: any pixel will do, best one near those of other outputs */
        *first = table->first[i0], *end = *first + 1;
}
