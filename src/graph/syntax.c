/* SPDX-License-Identifier: MIT
 * The grammar: chains, filters, labels and the list of a filter's values. It never calls itself, so no text can make it
 * run out of stack. */
#include "graph/syntax.h"
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

static char peek(const struct syntax *syntax, int64_t at) { return at < syntax->length ? syntax->text[at] : 0; }

/* A quoted copy of a part of the text. */
static const char *quote_of(const struct syntax *syntax, struct syntax_span span, char *quote) {
    return weft_text_quote(quote, syntax->text + span.offset, (size_t)span.length);
}

/* Makes room for one more element. */
static bool grow(void **array, int32_t count, int32_t *capacity, size_t size) {
    if (count < *capacity)
        return true;
    void *larger = weft_reallocate(*array, (size_t)*capacity * 2 + 16, size);
    if (larger) {
        *array = larger;
        *capacity = *capacity * 2 + 16; /* far from the end of int32_t: the text is short */
    }
    return larger != NULL;
}

/* Reads all labels at *at and counts them. */
static weft_status read_labels(struct syntax *syntax, int64_t *at, int32_t *count, weft_error *error) {
    for (*at = syntax_skip_blank(syntax, *at); peek(syntax, *at) == '['; *at = syntax_skip_blank(syntax, *at)) {
        int64_t open = *at, start = syntax_skip_blank(syntax, open + 1), end = syntax_label_end(syntax, start);
        int64_t close = syntax_skip_blank(syntax, end);
        if (peek(syntax, close) != ']') {
            char c = peek(syntax, close);
            if (close == syntax->length || c == '[' || c == ',' || c == ';')
                return syntax_at((struct syntax_span){open, end - open},
                                 weft_fail(error, WEFT_ERROR_GRAPH, "this '[' has no ']'"), error);
            return syntax_at(syntax_here(syntax, close),
                             weft_fail(error, WEFT_ERROR_GRAPH, "a label is made of letters, digits, '_', '-' and '.'"),
                             error);
        }
        if (start == end)
            return syntax_at((struct syntax_span){open, close + 1 - open},
                             weft_fail(error, WEFT_ERROR_GRAPH, "this label is empty"), error);
        void *labels = syntax->labels;
        if (!grow(&labels, syntax->label_count, &syntax->label_capacity, sizeof *syntax->labels))
            return weft_fail_memory(error, sizeof *syntax->labels, "a label");
        syntax->labels = labels;
        syntax->labels[syntax->label_count++] = (struct syntax_span){start, end - start};
        ++*count;
        *at = close + 1;
    }
    return WEFT_OK;
}

/* The words of the language, which are no filters. Each has one parameter, and `takes` says what it must be. */
static const struct {
    const char *name, *parameter, *takes;
} words[] = {[SYNTAX_SPLIT] = {WEFT_SPLIT_WORD, "outputs", "the number of its outputs, 1 or more"},
             [SYNTAX_PROFILE] = {WEFT_COLOR_PROFILE, "profile", "srgb or the name of a file with an ICC profile"}};

const char *syntax_name(const struct syntax_filter *filter) {
    return filter->word == SYNTAX_FILTER ? filter->filter->info.name : words[filter->word].name;
}

/* How many copies; false where the value is no such number. */
static bool take_copies(struct syntax_filter *item, const char *text) {
    double copies = 0;
    if (weft_text_number(text, strlen(text), &copies) != WEFT_NUMBER_GOOD || !(copies >= 1) || copies > WEFT_TEXT_LIMIT ||
        copies != (int32_t)copies)
        return false;
    item->copies = (int32_t)copies;
    return true;
}

/* The value of a word. */
static weft_status read_word(struct syntax *syntax, struct syntax_filter *item, int64_t *at, weft_error *error) {
    const char *word = words[item->word].name, *parameter = words[item->word].parameter;
    struct syntax_argument argument = {0};
    int64_t start = syntax_skip_blank(syntax, *at), end = syntax_name_end(syntax, start);
    if (end > start && peek(syntax, syntax_skip_blank(syntax, end)) == '=') {
        struct syntax_span key = {start, end - start};
        if (!weft_text_is(syntax->text + start, (size_t)(end - start), parameter))
            return syntax_at(key, weft_fail(error, WEFT_ERROR_PARAMETER, "%s has one parameter: %s", word, parameter), error);
        *at = syntax_skip_blank(syntax, end) + 1;
    }
    weft_status status = syntax_read_value(syntax, at, NULL, &argument, error);
    if (status != WEFT_OK)
        return status;
    if (argument.bound || (item->word == SYNTAX_SPLIT && !take_copies(item, syntax->values + argument.text)))
        return syntax_at(argument.value,
                         weft_fail(error, WEFT_ERROR_PARAMETER, "%s takes %s", word, words[item->word].takes), error);
    if (peek(syntax, *at) == ':')
        return syntax_at(syntax_here(syntax, *at), weft_fail(error, WEFT_ERROR_PARAMETER, "%s takes one value", word), error);
    item->profile = (int64_t)argument.text;
    item->whole.length = argument.value.offset + argument.value.length - item->whole.offset;
    return WEFT_OK;
}

static weft_status fail_parameter(struct syntax_span place, const struct weft_filter *filter, const char *parameter,
                                  weft_error *error) {
    weft_error_at(error, -1, filter->info.name, parameter);
    return syntax_at(place, WEFT_ERROR_PARAMETER, error);
}

/* The names of a filter's parameters, as many as there is room for. */
static const char *list_parameters(const struct weft_filter *filter, char *list, size_t size) {
    size_t used = (size_t)snprintf(list, size, "%s", filter->info.parameters > 0 ? "" : "none");
    for (int32_t i = 0; i < filter->info.parameters && used < size; i++)
        used += (size_t)snprintf(list + used, size - used, i > 0 ? ", %s" : "%s", filter->parameters[i].info.name);
    return list;
}

/* The parameter that a name before '=' means; its index, or the number of parameters for `space`. */
static weft_status find_parameter(const struct syntax *syntax, const struct weft_filter *filter, struct syntax_span key,
                                  int32_t *index, weft_error *error) {
    char quote[WEFT_QUOTE_SIZE], list[256];
    const char *name = syntax->text + key.offset;
    *index = weft_parameter_find(filter, name, (size_t)key.length);
    if (*index >= 0)
        return WEFT_OK;
    *index = filter->info.parameters;
    if (filter->info.inputs > 0 && key.length == 5 && memcmp(name, "space", 5) == 0)
        return WEFT_OK;
    const struct weft_parameter *nearest = weft_parameter_nearest(filter, name, (size_t)key.length);
    quote_of(syntax, key, quote);
    if (nearest)
        weft_fail(error, WEFT_ERROR_PARAMETER, "%s has no parameter '%s': did you mean '%s'?", filter->info.name, quote,
                  nearest->info.name);
    else
        weft_fail(error, WEFT_ERROR_PARAMETER, "%s has no parameter '%s': it has %s", filter->info.name, quote,
                  list_parameters(filter, list, sizeof list));
    return fail_parameter(key, filter, quote, error);
}

/* Reads the values of a filter, *at being after its '='. */
static weft_status read_arguments(struct syntax *syntax, struct syntax_filter *item, int64_t *at, weft_error *error) {
    const struct weft_filter *filter = item->filter;
    const char *named = NULL; /* the last parameter that was given by name */
    item->first_argument = syntax->argument_count;
    for (;; ++*at) {
        struct syntax_argument argument = {0};
        int64_t start = syntax_skip_blank(syntax, *at), end = syntax_name_end(syntax, start);
        struct syntax_span key = {start, end - start};
        bool has_key = end > start && peek(syntax, syntax_skip_blank(syntax, end)) == '=';
        int32_t index = item->arguments;
        if (has_key) {
            weft_status status = find_parameter(syntax, filter, key, &index, error);
            if (status != WEFT_OK)
                return status;
            *at = syntax_skip_blank(syntax, end) + 1;
        }
        bool loose = !has_key && (named || index >= filter->info.parameters); /* no parameter takes this value */
        const weft_parameter_info *info = index < filter->info.parameters ? &filter->parameters[index].info : NULL;
        argument.parameter = info ? info->name : "space";
        weft_status status = syntax_read_value(syntax, at, loose ? NULL : argument.parameter, &argument, error);
        if (status != WEFT_OK) {
            weft_error_at(error, -1, filter->info.name, loose ? NULL : argument.parameter);
            return status;
        }
        if (!has_key && named) {
            weft_fail(error, WEFT_ERROR_PARAMETER, "a value after %s= needs a name too", named);
            return fail_parameter(argument.value, filter, NULL, error);
        }
        if (loose) {
            weft_fail(error, WEFT_ERROR_PARAMETER, "%s has only %d parameter%s, this value is one too many",
                      filter->info.name, filter->info.parameters, filter->info.parameters == 1 ? "" : "s");
            return fail_parameter(argument.value, filter, NULL, error);
        }
        for (int32_t i = 0; i < item->arguments; i++)
            if (strcmp(syntax->arguments[item->first_argument + i].parameter, argument.parameter) == 0) {
                weft_fail(error, WEFT_ERROR_PARAMETER, "%s is given twice", argument.parameter);
                return fail_parameter(has_key ? key : argument.value, filter, argument.parameter, error);
            }
        void *arguments = syntax->arguments;
        if (!grow(&arguments, syntax->argument_count, &syntax->argument_capacity, sizeof argument))
            return weft_fail_memory(error, sizeof argument, "a value");
        syntax->arguments = arguments;
        syntax->arguments[syntax->argument_count++] = argument;
        item->arguments++;
        item->whole.length = argument.value.offset + argument.value.length - item->whole.offset;
        named = has_key ? argument.parameter : NULL;
        if (peek(syntax, *at) != ':')
            return WEFT_OK;
    }
}

/* Reads the name of a filter and finds it. */
static weft_status read_name(const struct syntax *syntax, struct syntax_filter *item, int64_t at, weft_error *error) {
    char quote[WEFT_QUOTE_SIZE];
    item->name = (struct syntax_span){at, syntax_name_end(syntax, at) - at};
    if (item->name.length == 0) {
        if (at == syntax->length || peek(syntax, at) == ',' || peek(syntax, at) == ';')
            weft_fail(error, WEFT_ERROR_GRAPH, "a filter is missing here");
        else if (peek(syntax, at) == ']')
            weft_fail(error, WEFT_ERROR_GRAPH, "this ']' has no '['");
        else
            weft_fail(error, WEFT_ERROR_GRAPH, "the name of a filter must come before '%c'", peek(syntax, at));
        return syntax_at(syntax_here(syntax, at), WEFT_ERROR_GRAPH, error);
    }
    const char *name = syntax->text + at;
    size_t length = (size_t)item->name.length;
    for (item->word = SYNTAX_SPLIT; item->word <= SYNTAX_PROFILE; item->word++)
        if (weft_text_is(name, length, words[item->word].name))
            return WEFT_OK;
    item->word = SYNTAX_FILTER;
    item->filter = weft_catalog_lookup(syntax->catalog, name, length);
    if (item->filter)
        return WEFT_OK;
    const struct weft_filter *nearest = weft_catalog_nearest(syntax->catalog, name, length);
    quote_of(syntax, item->name, quote);
    if (nearest)
        weft_fail(error, WEFT_ERROR_GRAPH, "unknown filter '%s': did you mean '%s'?", quote, nearest->info.name);
    else
        weft_fail(error, WEFT_ERROR_GRAPH, "unknown filter '%s'", quote);
    weft_error_at(error, -1, quote, NULL);
    return syntax_at(item->name, WEFT_ERROR_GRAPH, error);
}

/* Reads a filter with its labels and values. */
static weft_status read_filter(struct syntax *syntax, int64_t *at, bool chained, weft_error *error) {
    struct syntax_filter item = {.chained = chained, .first_input = syntax->label_count, .profile = -1};
    if (syntax->filter_count == WEFT_FILTER_LIMIT)
        return syntax_at(syntax_here(syntax, *at),
                         weft_fail(error, WEFT_ERROR_GRAPH, "a graph has at most %d filters", WEFT_FILTER_LIMIT),
                         error);
    weft_status status = read_labels(syntax, at, &item.inputs, error);
    if (status == WEFT_OK)
        status = read_name(syntax, &item, *at, error);
    if (status != WEFT_OK)
        return status;
    *at = item.name.offset + item.name.length;
    item.whole = item.name;
    int64_t mark = syntax_skip_blank(syntax, *at);
    if (peek(syntax, mark) == '=') {
        *at = mark + 1;
        status = item.filter ? read_arguments(syntax, &item, at, error) : read_word(syntax, &item, at, error);
        if (status != WEFT_OK)
            return status;
    }
    item.first_output = syntax->label_count;
    status = read_labels(syntax, at, &item.outputs, error);
    if (status != WEFT_OK)
        return status;
    item.continues = peek(syntax, *at) == ',';
    void *filters = syntax->filters;
    if (!grow(&filters, syntax->filter_count, &syntax->filter_capacity, sizeof item))
        return weft_fail_memory(error, sizeof item, "a filter");
    syntax->filters = filters;
    syntax->filters[syntax->filter_count++] = item;
    return WEFT_OK;
}

/* What stands where a filter should have ended. */
static weft_status fail_stray(const struct syntax *syntax, int64_t at, weft_error *error) {
    struct syntax_span stray = {at, syntax_name_end(syntax, at) - at};
    char quote[WEFT_QUOTE_SIZE];
    if (stray.length == 0)
        stray = syntax_here(syntax, at);
    quote_of(syntax, stray, quote);
    if (peek(syntax, at) == ']')
        weft_fail(error, WEFT_ERROR_GRAPH, "this ']' has no '['");
    else if (peek(syntax, at) == ':' || peek(syntax, at) == '=')
        weft_fail(error, WEFT_ERROR_GRAPH, "'%s' cannot stand here: values follow a filter's name as name=value:value",
                  quote);
    else
        weft_fail(error, WEFT_ERROR_GRAPH, "a ',' or ';' is missing before '%s'", quote);
    return syntax_at(stray, WEFT_ERROR_GRAPH, error);
}

weft_status syntax_read(struct syntax *syntax, const weft_catalog *catalog, const char *text, size_t length,
                        weft_error *error) {
    bool chained = false;
    if (length > WEFT_TEXT_LIMIT)
        return weft_fail(error, WEFT_ERROR_GRAPH, "the graph is %zu bytes long, %d are allowed", length,
                         WEFT_TEXT_LIMIT);
    const char *zero = length ? memchr(text, 0, length) : NULL;
    if (zero)
        return syntax_at((struct syntax_span){zero - text, 1},
                         weft_fail(error, WEFT_ERROR_GRAPH, "the graph has a zero byte in it"), error);
    *syntax = (struct syntax){
        .catalog = catalog, .text = text, .length = (int64_t)length, .values = weft_allocate(length + 2, 1)};
    if (!syntax->values)
        return weft_fail_memory(error, length, "the values of a graph");
    int64_t at = syntax_skip_blank(syntax, 0);
    if (at == syntax->length)
        return syntax_at((struct syntax_span){0, syntax->length},
                         weft_fail(error, WEFT_ERROR_GRAPH, "the graph is empty"), error);
    for (;;) {
        weft_status status = read_filter(syntax, &at, chained, error);
        if (status != WEFT_OK || at == syntax->length)
            return status;
        chained = text[at] == ',';
        if (!chained && text[at] != ';')
            return fail_stray(syntax, at, error);
        int64_t next = syntax_skip_blank(syntax, at + 1);
        if (next == syntax->length) /* a ';' may end the graph */
            return chained ? syntax_at(syntax_here(syntax, at),
                                       weft_fail(error, WEFT_ERROR_GRAPH, "a filter must follow this ','"), error)
                           : WEFT_OK;
        at = next;
    }
}

void syntax_free(struct syntax *syntax) {
    weft_free(syntax->filters);
    weft_free(syntax->labels);
    weft_free(syntax->arguments);
    weft_free(syntax->values);
    *syntax = (struct syntax){0};
}
