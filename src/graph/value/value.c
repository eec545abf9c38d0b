/* SPDX-License-Identifier: MIT
 * Parameter blocks by number: defaults, checks, reading back, printing. value_text.c reads what users type. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "graph/graph.h"

static void *slot(const struct weft_parameter *parameter, void *block) { return (char *)block + parameter->offset; }
static const void *const_slot(const struct weft_parameter *parameter, const void *block) {
    return (const char *)block + parameter->offset;
}

/* A list's numbers are the block's own, however it shows them to filters. */
static void free_list(weft_list *list) {
    union {
        const double *shown;
        double *own;
    } values = {.shown = list->values};
    weft_free(values.own);
    *list = (weft_list){0};
}

static bool set_list(weft_list *list, const double *values, int32_t count) {
    double *copy = weft_allocate((size_t)count, sizeof *copy);
    if (!copy)
        return false;
    memcpy(copy, values, (size_t)count * sizeof *copy);
    free_list(list);
    *list = (weft_list){.values = copy, .count = count};
    return true;
}

static int32_t choice_count(const char *choices) {
    int32_t count = 1;
    for (; *choices; choices++)
        count += *choices == '|';
    return count;
}

/* WEFT_AUTO is not a float; the nearest one stands for it. */
static bool is_auto(const weft_parameter_info *info, double value) {
    return info->automatic && (value == WEFT_AUTO || value == (double)(float)WEFT_AUTO);
}

/* Stores numbers that have been checked. */
static bool store(const struct weft_parameter *parameter, void *block, const double *values, int32_t count) {
    const weft_parameter_info *info = &parameter->info;
    float *single = slot(parameter, block);
    switch (info->type) {
    case WEFT_PARAMETER_INT:
    case WEFT_PARAMETER_BOOL:
    case WEFT_PARAMETER_CHOICE:
        *(int32_t *)slot(parameter, block) = is_auto(info, values[0]) ? (int32_t)WEFT_AUTO : (int32_t)values[0];
        return true;
    case WEFT_PARAMETER_COLOR:
        for (int32_t i = 0; i < 3; i++)
            single[i] = (float)values[count == 1 ? 0 : i];
        single[3] = (float)(count == 4 ? values[3] : info->defaults[3]);
        return true;
    case WEFT_PARAMETER_LIST:
        return set_list(slot(parameter, block), values, count);
    default:
        for (int32_t i = 0; i < count; i++)
            single[i] = (float)values[i];
        return true;
    }
}

/* Filters write the defaults of FLOATS and LIST as text only. */
static bool store_default(const struct weft_filter *filter, const struct weft_parameter *parameter, void *block) {
    const weft_parameter_info *info = &parameter->info;
    if (info->type == WEFT_PARAMETER_FLOATS || info->type == WEFT_PARAMETER_LIST) {
        weft_error error = {.status = WEFT_OK};
        if (info->default_text[0])
            weft_block_set_text(filter, block, (int32_t)(parameter - filter->parameters), info->default_text,
                                strlen(info->default_text), &error);
        return error.status != WEFT_ERROR_MEMORY;
    }
    return store(parameter, block, info->defaults, info->count);
}

void *weft_block_create(const struct weft_filter *filter) {
    void *block = weft_allocate(1, filter->block_size);
    for (int32_t i = 0; block && i < filter->info.parameters; i++)
        if (!store_default(filter, &filter->parameters[i], block)) {
            weft_block_destroy(filter, block);
            block = NULL;
        }
    return block;
}

void *weft_block_copy(const struct weft_filter *filter, const void *block) {
    void *copy = weft_allocate(1, filter->block_size);
    bool good = copy != NULL;
    if (good)
        memcpy(copy, block, filter->block_size);
    for (int32_t i = 0; copy && i < filter->info.parameters; i++)
        if (filter->parameters[i].info.type == WEFT_PARAMETER_LIST) {
            weft_list *list = slot(&filter->parameters[i], copy), original = *list;
            *list = (weft_list){0}; /* in any case: the original's numbers must not be freed with the copy */
            good = good && (original.count == 0 || set_list(list, original.values, original.count));
        }
    if (!good && copy) {
        weft_block_destroy(filter, copy);
        copy = NULL;
    }
    return copy;
}

void weft_block_destroy(const struct weft_filter *filter, void *block) {
    for (int32_t i = 0; block && i < filter->info.parameters; i++)
        if (filter->parameters[i].info.type == WEFT_PARAMETER_LIST)
            free_list(slot(&filter->parameters[i], block));
    weft_free(block);
}

static weft_status check_count(const weft_parameter_info *info, int32_t count, weft_error *error) {
    bool color = info->type == WEFT_PARAMETER_COLOR, list = info->type == WEFT_PARAMETER_LIST;
    if (list ? count >= 1 : color ? count == 1 || count == 3 || count == 4 : count == info->count)
        return WEFT_OK;
    if (list || color)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s takes %s, %d given", info->name,
                         list ? "one or more numbers" : "1, 3 or 4 numbers", count);
    return weft_fail(error, WEFT_ERROR_PARAMETER, "%s takes %d number%s%s, %d given", info->name, info->count,
                     info->count == 1 ? "" : "s",
                     info->count == 2  ? " joined by x or |"
                     : info->count > 2 ? " joined by |"
                                       : "",
                     count);
}

static weft_status check_number(const weft_parameter_info *info, double value, weft_error *error) {
    bool whole =
        info->type == WEFT_PARAMETER_INT || info->type == WEFT_PARAMETER_BOOL || info->type == WEFT_PARAMETER_CHOICE;
    bool exact = whole || info->type == WEFT_PARAMETER_LIST; /* compared as stored: 0.1f is within 0.1 */
    double high = info->type == WEFT_PARAMETER_CHOICE ? choice_count(info->choices) - 1 : info->maximum;
    char given[32], low_text[32], high_text[32];
    if (!isfinite(value))
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s must be a finite number", info->name);
    if (is_auto(info, value))
        return WEFT_OK;
    weft_text_print_number(given, sizeof given, value, !exact);
    if (fabs(value) <= FLT_MAX && (exact || ((float)value >= (float)info->minimum && (float)value <= (float)high)) &&
        (!exact || (value >= info->minimum && value <= high))) {
        if (whole && value != floor(value))
            return weft_fail(error, WEFT_ERROR_PARAMETER, "%s must be a whole number, not %s", info->name, given);
        return WEFT_OK;
    }
    weft_text_print_number(low_text, sizeof low_text, info->minimum, !exact);
    weft_text_print_number(high_text, sizeof high_text, high, !exact);
    return weft_fail(error, WEFT_ERROR_PARAMETER, "%s must be from %s to %s%s%s%s, not %s", info->name, low_text,
                     high_text, info->unit[0] ? " " : "", info->unit, info->automatic ? " or auto" : "", given);
}

weft_status weft_block_set(const struct weft_filter *filter, void *block, int32_t parameter, const double *values,
                           int32_t count, weft_error *error) {
    if (parameter < 0 || parameter >= filter->info.parameters) {
        weft_fail(error, WEFT_ERROR_ARGUMENT, "%s has no parameter number %d", filter->info.name, parameter);
        weft_error_at(error, -1, filter->info.name, NULL);
        return WEFT_ERROR_ARGUMENT;
    }
    const struct weft_parameter *row = &filter->parameters[parameter];
    weft_status status = check_count(&row->info, count, error);
    for (int32_t i = 0; status == WEFT_OK && i < count; i++)
        status = check_number(&row->info, values[i], error);
    if (status == WEFT_OK && !store(row, block, values, count))
        status = weft_fail_memory(error, (size_t)count * sizeof *values, "a list of numbers");
    if (status != WEFT_OK)
        weft_error_at(error, -1, filter->info.name, row->info.name);
    return status;
}

int32_t weft_block_get(const struct weft_filter *filter, const void *block, int32_t parameter, double *values,
                       int32_t capacity) {
    if (parameter < 0 || parameter >= filter->info.parameters)
        return 0;
    const struct weft_parameter *row = &filter->parameters[parameter];
    const void *place = const_slot(row, block);
    const weft_list *list = row->info.type == WEFT_PARAMETER_LIST ? place : NULL;
    int32_t count = list ? list->count : row->info.count;
    for (int32_t i = 0; i < count && i < capacity; i++) {
        switch (row->info.type) {
        case WEFT_PARAMETER_INT:
        case WEFT_PARAMETER_BOOL:
        case WEFT_PARAMETER_CHOICE:
            values[i] = *(const int32_t *)place;
            break;
        case WEFT_PARAMETER_LIST:
            values[i] = list->values[i];
            break;
        default:
            values[i] = ((const float *)place)[i];
        }
        if (is_auto(&row->info, values[i]))
            values[i] = WEFT_AUTO;
    }
    return count;
}

/* Prints number `index` of a parameter. */
static int print_one(const struct weft_parameter *row, const void *block, int32_t index, char *text, size_t size) {
    const void *place = const_slot(row, block);
    if (row->info.type == WEFT_PARAMETER_LIST)
        return weft_text_print_number(text, size, ((const weft_list *)place)->values[index], false);
    if (row->info.type == WEFT_PARAMETER_INT || row->info.type == WEFT_PARAMETER_BOOL ||
        row->info.type == WEFT_PARAMETER_CHOICE) {
        int32_t value = *(const int32_t *)place;
        if (is_auto(&row->info, value))
            return snprintf(text, size, "auto");
        if (row->info.type == WEFT_PARAMETER_CHOICE) {
            const char *choice = row->info.choices;
            for (int32_t i = 0; i < value && *choice; i++) {
                choice += strcspn(choice, "|");
                choice += *choice == '|';
            }
            return snprintf(text, size, "%.*s", (int)strcspn(choice, "|"), choice);
        }
        return snprintf(text, size, "%d", value);
    }
    float value = ((const float *)place)[index];
    return is_auto(&row->info, value) ? snprintf(text, size, "auto") : weft_text_print_number(text, size, value, true);
}

int weft_block_print(const struct weft_filter *filter, const void *block, int32_t parameter, char *text, size_t size) {
    int32_t count = weft_block_get(filter, block, parameter, NULL, 0);
    size_t used = 0;
    if (size)
        text[0] = 0;
    for (int32_t i = 0; i < count; i++) {
        size_t at = used < size ? used : size; /* past the end only the length is counted */
        if (i > 0) {
            snprintf(at < size ? text + at : NULL, size - at, "|");
            used++;
            at = used < size ? used : size;
        }
        used += (size_t)print_one(&filter->parameters[parameter], block, i, at < size ? text + at : NULL, size - at);
    }
    return (int)used;
}
