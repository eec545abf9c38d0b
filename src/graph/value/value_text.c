/* SPDX-License-Identifier: MIT
 * Parameters as users type them: numbers, lists, colors, choices and the border names of other libraries. */
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "graph/graph.h"

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool same(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* The index of a choice by name, -1 when there is none. */
static int32_t find_choice(const char *choices, const char *text, size_t length) {
    for (int32_t i = 0;; i++) {
        size_t size = strcspn(choices, "|");
        if (size == length && memcmp(choices, text, length) == 0)
            return i;
        if (!choices[size])
            return -1;
        choices += size + 1;
    }
}

/* The name of a border in another library says which library: "reflect" alone means two different things. */
static int32_t find_border(const char *choices, const char *text, size_t length) {
    static const struct {
        const char *alias, *name;
    } borders[] = {{"cv:replicate", "replicate"}, {"cv:reflect101", "mirror"},
                   {"cv:reflect_101", "mirror"},  {"cv:reflect", "symmetric"},
                   {"cv:wrap", "wrap"},           {"cv:constant", "constant"},
                   {"np:edge", "replicate"},      {"np:reflect", "mirror"},
                   {"np:symmetric", "symmetric"}, {"np:wrap", "wrap"},
                   {"np:constant", "constant"},   {"scipy:nearest", "replicate"},
                   {"scipy:mirror", "mirror"},    {"scipy:reflect", "symmetric"},
                   {"scipy:wrap", "wrap"},        {"scipy:constant", "constant"}};
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++)
        if (same(text, length, borders[i].alias))
            return find_choice(choices, borders[i].name, strlen(borders[i].name));
    return -1;
}

static weft_status read_choice(const weft_parameter_info *info, const char *text, size_t length, double *value,
                               weft_error *error) {
    char quote[WEFT_QUOTE_SIZE];
    int32_t index = find_choice(info->choices, text, length), least = WEFT_TEXT_FAR;
    const char *nearest = NULL, *choice = info->choices;
    if (index < 0)
        index = find_border(info->choices, text, length);
    *value = index;
    if (index >= 0)
        return WEFT_OK;
    if (same(text, length, "reflect") && find_choice(info->choices, "mirror", 6) >= 0 &&
        find_choice(info->choices, "symmetric", 9) >= 0)
        return weft_fail(
            error, WEFT_ERROR_PARAMETER,
            "%s=reflect means two things: choose mirror (cb|abcd|cb, np:reflect, cv:reflect101) or symmetric "
            "(ba|abcd|dc, cv:reflect, scipy:reflect)",
            info->name);
    for (size_t size = strcspn(choice, "|");; choice += size + 1, size = strcspn(choice, "|")) {
        int32_t distance = weft_text_distance(text, length, choice, size);
        if (distance < least) {
            least = distance;
            nearest = choice;
        }
        if (!choice[size])
            break;
    }
    weft_text_quote(quote, text, length);
    if (nearest)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "'%s' is no choice of %s: did you mean '%.*s'? There are %s",
                         quote, info->name, (int)strcspn(nearest, "|"), nearest, info->choices);
    return weft_fail(error, WEFT_ERROR_PARAMETER, "'%s' is no choice of %s: there are %s", quote, info->name,
                     info->choices);
}

static weft_status read_bool(const weft_parameter_info *info, const char *text, size_t length, double *value,
                             weft_error *error) {
    static const char *const words[] = {"0", "false", "no", "off", "1", "true", "yes", "on"};
    char quote[WEFT_QUOTE_SIZE];
    for (int i = 0; i < 8; i++)
        if (weft_text_is(text, length, words[i])) {
            *value = i / 4;
            return WEFT_OK;
        }
    return weft_fail(error, WEFT_ERROR_PARAMETER, "%s is either 1, true, yes, on or 0, false, no, off, not '%s'",
                     info->name, weft_text_quote(quote, text, length));
}

static weft_status read_number(const weft_parameter_info *info, const char *text, size_t length, double *value,
                               weft_error *error) {
    char quote[WEFT_QUOTE_SIZE];
    weft_text_quote(quote, text, length);
    if (info->automatic && weft_text_is(text, length, "auto")) {
        *value = WEFT_AUTO;
        return WEFT_OK;
    }
    switch (weft_text_number(text, length, value)) {
    case WEFT_NUMBER_GOOD:
        return WEFT_OK;
    case WEFT_NUMBER_NOT_FINITE:
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s must be a finite number, not '%s'", info->name, quote);
    case WEFT_NUMBER_TOO_LARGE:
        return weft_fail(error, WEFT_ERROR_PARAMETER, "'%s' is too large for %s", quote, info->name);
    default:
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s takes a number%s%s, not '%s'", info->name,
                         info->automatic ? " or auto" : "", info->type == WEFT_PARAMETER_COLOR ? " or a color" : "",
                         quote);
    }
}

/* 200x100: an x between digits parts numbers, too, where there are several. */
static bool parts_sizes(const weft_parameter_info *info, const char *text, size_t length, size_t i) {
    return info->type == WEFT_PARAMETER_FLOATS && info->count == 2 && i > 0 && i + 1 < length && text[i] == 'x' &&
           text[i - 1] >= '0' && text[i - 1] <= '9' && text[i + 1] >= '0' && text[i + 1] <= '9';
}

/* Numbers separated by blanks, '|' or ',', and pairs by an 'x': *values is from weft_allocate and the caller frees it, in any
 * case. */
static weft_status read_numbers(const weft_parameter_info *info, const char *text, size_t length, double **values,
                                int32_t *count, weft_error *error) {
    int32_t capacity = 0;
    size_t i = 0;
    for (bool more = true; more;) {
        size_t start = i;
        while (i < length && !is_blank(text[i]) && text[i] != '|' && text[i] != ',' &&
               !parts_sizes(info, text, length, i))
            i++;
        if (start == i)
            return weft_fail(error, WEFT_ERROR_PARAMETER, "a number of %s is missing", info->name);
        if (*count == capacity) {
            double *larger =
                capacity < INT32_MAX / 4 ? weft_reallocate(*values, (size_t)capacity * 2 + 4, sizeof *larger) : NULL;
            if (!larger)
                return weft_fail_memory(error, ((size_t)capacity * 2 + 4) * sizeof *larger, "a list of numbers");
            *values = larger;
            capacity = capacity * 2 + 4;
        }
        weft_status status = read_number(info, text + start, i - start, &(*values)[*count], error);
        if (status != WEFT_OK)
            return status;
        ++*count;
        while (i < length && is_blank(text[i]))
            i++;
        more = i < length;
        if (more && (text[i] == '|' || text[i] == ',' || parts_sizes(info, text, length, i)))
            for (i++; i < length && is_blank(text[i]);)
                i++;
    }
    return WEFT_OK;
}

weft_status weft_block_set_text(const struct weft_filter *filter, void *block, int32_t parameter, const char *text,
                                size_t length, weft_error *error) {
    double few[4] = {0}, *many = NULL;
    int32_t count = 1;
    weft_status status = WEFT_OK;
    if (parameter < 0 || parameter >= filter->info.parameters)
        return weft_block_set(filter, block, parameter, few, 0, error); /* which says so */
    const weft_parameter_info *info = &filter->parameters[parameter].info;
    while (length > 0 && is_blank(text[0]))
        text++, length--;
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    if (length == 0)
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "%s has an empty value", info->name);
    else if (info->type == WEFT_PARAMETER_BOOL)
        status = read_bool(info, text, length, few, error);
    else if (info->type == WEFT_PARAMETER_CHOICE)
        status = read_choice(info, text, length, few, error);
    else if (info->type == WEFT_PARAMETER_COLOR && weft_text_color(text, length, few))
        count = 4;
    else {
        count = 0;
        status = read_numbers(info, text, length, &many, &count, error);
    }
    if (status != WEFT_OK)
        weft_error_at(error, -1, filter->info.name, info->name);
    else
        status = weft_block_set(filter, block, parameter, many ? many : few, count, error);
    weft_free(many);
    return status;
}
