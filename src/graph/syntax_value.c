/* SPDX-License-Identifier: MIT
 * The smallest parts of graph text: blanks, comments and names; and values, with their quotes, escapes, colors that
 * begin with '#', and numbers taken from other images. */
#include <string.h>
#include "base/status.h"
#include "base/text.h"
#include "graph/syntax.h"

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_hexadecimal(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static char peek(const struct syntax *syntax, int64_t at) { return at < syntax->length ? syntax->text[at] : 0; }

weft_status syntax_at(struct syntax_span place, weft_status status, weft_error *error) {
    if (error) {
        error->offset = place.offset;
        error->length = place.length;
    }
    return status;
}

int64_t syntax_skip_blank(const struct syntax *syntax, int64_t at) {
    while (at < syntax->length && (is_blank(syntax->text[at]) || syntax->text[at] == '#')) {
        if (syntax->text[at] == '#')
            while (at < syntax->length && syntax->text[at] != '\n')
                at++;
        else
            at++;
    }
    return at;
}

int64_t syntax_name_end(const struct syntax *syntax, int64_t at) {
    while (at < syntax->length && !is_blank(syntax->text[at]) && !strchr("[]=,;:'\\#", syntax->text[at]))
        at++;
    return at;
}

int64_t syntax_label_end(const struct syntax *syntax, int64_t at) {
    for (; at < syntax->length; at++) {
        char c = syntax->text[at];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
              c == '.'))
            break;
    }
    return at;
}

struct syntax_span syntax_here(const struct syntax *syntax, int64_t at) {
    while (at > 0 && (at >= syntax->length || is_blank(syntax->text[at])))
        at--;
    int64_t end = at < syntax->length ? at + 1 : at;
    while (end < syntax->length && (syntax->text[end] & 0xc0) == 0x80 && end < at + 4)
        end++;
    return (struct syntax_span){at, end - at};
}

/* '#' starts a comment, but at the start of a value it may be a color: 3, 6 or 8 hexadecimal digits and no more. */
static bool is_color(const struct syntax *syntax, int64_t at) {
    int64_t count = 0;
    if (peek(syntax, at) != '#')
        return false;
    while (is_hexadecimal(peek(syntax, at + 1 + count)))
        count++;
    int64_t end = at + 1 + count;
    return (count == 3 || count == 6 || count == 8) &&
           (end == syntax->length || is_blank(syntax->text[end]) || strchr(":,;[]#", syntax->text[end]));
}

static int64_t skip_to_value(const struct syntax *syntax, int64_t at) {
    for (; at < syntax->length && !is_color(syntax, at); at++) {
        if (syntax->text[at] == '#')
            while (at + 1 < syntax->length && syntax->text[at + 1] != '\n')
                at++;
        else if (!is_blank(syntax->text[at]))
            break;
    }
    return at;
}

/* border=cv:reflect101 means the name of another library, not two values: true when the ':' at `at` is of that kind. */
static bool joins(const struct syntax *syntax, int64_t start, int64_t at) {
    static const char *const libraries[] = {"cv", "np", "scipy"};
    int64_t end = syntax_name_end(syntax, at + 1);
    if (end == at + 1 || peek(syntax, syntax_skip_blank(syntax, end)) == '=')
        return false;
    for (int i = 0; i < 3; i++)
        if (weft_text_is(syntax->text + start, (size_t)(at - start), libraries[i]))
            return true;
    return false;
}

/* Reads label, label[index] and *scale, `at` being after the '@'. */
static weft_status read_binding(const struct syntax *syntax, int64_t *at, struct syntax_argument *argument,
                                weft_error *error) {
    int64_t start = *at, end = syntax_label_end(syntax, start);
    double number = 0;
    argument->bound = true;
    argument->label = (struct syntax_span){start, end - start};
    argument->scale = 1;
    argument->index = 0;
    if (start == end)
        return syntax_at((struct syntax_span){start - 1, 1},
                         weft_fail(error, WEFT_ERROR_GRAPH, "a label must follow '@'"), error);
    char next = peek(syntax, end + 1);
    if (peek(syntax, end) == '[' && (is_digit(next) || next == '-' || next == '+' || next == ']')) {
        int64_t open = end;
        end = syntax_label_end(syntax, open + 1 + (next == '+'));
        bool good = weft_text_number(syntax->text + open + 1, (size_t)(end - open - 1), &number) == WEFT_NUMBER_GOOD &&
                    number >= 0 && number <= INT32_MAX - 1 && number == (double)(int32_t)number;
        if (!good || peek(syntax, end) != ']')
            return syntax_at((struct syntax_span){open, end - open + (peek(syntax, end) == ']')},
                             weft_fail(error, WEFT_ERROR_GRAPH, "a number from 0 and ']' must follow '@label['"),
                             error);
        argument->index = (int32_t)number;
        end++;
    }
    *at = syntax_skip_blank(syntax, end);
    if (peek(syntax, *at) == '*') {
        start = syntax_skip_blank(syntax, *at + 1);
        end = syntax_name_end(syntax, start);
        if (weft_text_number(syntax->text + start, (size_t)(end - start), &argument->scale) != WEFT_NUMBER_GOOD)
            return syntax_at((struct syntax_span){*at, end > *at ? end - *at : 1},
                             weft_fail(error, WEFT_ERROR_GRAPH, "a number must follow '*'"), error);
        *at = syntax_skip_blank(syntax, end);
    }
    argument->value.length = end - argument->value.offset;
    if (*at < syntax->length && !strchr(":,;[", syntax->text[*at]))
        return syntax_at((struct syntax_span){*at, 1},
                         weft_fail(error, WEFT_ERROR_GRAPH, "only [number] and *number can follow '@label'"), error);
    return WEFT_OK;
}

/* Nothing stands between `before`, where a value could begin, and `end`. */
static weft_status fail_missing(const struct syntax *syntax, int64_t before, int64_t end, const char *parameter,
                                weft_error *error) {
    int64_t comment = before;
    while (comment < end && is_blank(syntax->text[comment]))
        comment++;
    int64_t word = comment < end ? syntax_name_end(syntax, comment + 1) : 0; /* that the comment begins with */
    struct syntax_span place = end == syntax->length ? (struct syntax_span){before - 1, 1} : syntax_here(syntax, end);
    if (word > comment + 1) {
        place = (struct syntax_span){comment, word - comment};
        weft_fail(error, WEFT_ERROR_PARAMETER, "this is a comment, for a color has 3, 6 or 8 digits");
    } else if (parameter) {
        weft_fail(error, WEFT_ERROR_PARAMETER, "the value of %s is missing", parameter);
    } else {
        weft_fail(error, WEFT_ERROR_PARAMETER, "a value is missing");
    }
    return syntax_at(place, WEFT_ERROR_PARAMETER, error);
}

weft_status syntax_read_value(struct syntax *syntax, int64_t *at, const char *parameter,
                              struct syntax_argument *argument, weft_error *error) {
    const char *text = syntax->text;
    int64_t before = *at, start = skip_to_value(syntax, before), i = start, end = start;
    size_t used = syntax->values_used, kept = used; /* kept: up to the last that is not a blank */
    argument->text = used;
    argument->value = (struct syntax_span){start, 0};
    if (peek(syntax, i) == '@') {
        *at = i + 1;
        return read_binding(syntax, at, argument, error);
    }
    while (i < syntax->length && !strchr(",;[", text[i])) {
        if (text[i] == ':' && !(end == i && joins(syntax, start, i)))
            break;
        if (text[i] == ']')
            return syntax_at((struct syntax_span){i, 1}, weft_fail(error, WEFT_ERROR_GRAPH, "this ']' has no '['"),
                             error);
        if (text[i] == '\'') {
            const char *close = memchr(text + i + 1, '\'', (size_t)(syntax->length - i - 1));
            if (!close)
                return syntax_at((struct syntax_span){i, syntax->length - i},
                                 weft_fail(error, WEFT_ERROR_GRAPH, "this quote is never closed"), error);
            size_t length = (size_t)(close - text - i - 1);
            memcpy(syntax->values + used, text + i + 1, length);
            kept = used += length;
            end = i = close - text + 1;
        } else if (text[i] == '\\') {
            if (i + 1 == syntax->length)
                return syntax_at((struct syntax_span){i, 1},
                                 weft_fail(error, WEFT_ERROR_GRAPH, "a character must follow this backslash"), error);
            syntax->values[used++] = text[i + 1];
            kept = used;
            end = i += 2;
        } else if (is_blank(text[i]) || (text[i] == '#' && !(i == start && is_color(syntax, i)))) {
            i = text[i] == '#' ? syntax_skip_blank(syntax, i) : i + 1;
            syntax->values[used++] = ' ';
        } else {
            syntax->values[used++] = text[i];
            kept = used;
            end = ++i;
        }
    }
    *at = i;
    argument->value.length = end - start;
    if (end == start)
        return fail_missing(syntax, before, start, parameter, error);
    syntax->values[kept] = 0; /* there is room: every value has a '=' or ':' before it that is not copied */
    syntax->values_used = kept + 1;
    return WEFT_OK;
}
