/* SPDX-License-Identifier: MIT
 * The C library's strtod and printf follow the locale of the program that weft is linked into; these do not. */
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More digits than these cannot change a double, other than by not being 0. */
#define SIGNIFICANT 800

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool weft_text_is(const char *text, size_t length, const char *word) {
    if (strlen(word) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != lower(word[i]))
            return false;
    return true;
}

enum weft_number weft_text_number(const char *text, size_t length, double *value) {
    char digits[SIGNIFICANT + 32]; /* the number again, as an integer and an exponent: no decimal point, no locale */
    size_t used = 0, kept = 0, i = 0;
    int64_t exponent = 0, written = 0;
    bool any = false, point = false, rest = false, negative = false;
    if (i < length && (text[i] == '+' || text[i] == '-'))
        negative = text[i++] == '-';
    if (weft_text_is(text + i, length - i, "nan") || weft_text_is(text + i, length - i, "inf") ||
        weft_text_is(text + i, length - i, "infinity"))
        return WEFT_NUMBER_NOT_FINITE;
    if (negative)
        digits[used++] = '-';
    for (; i < length; i++) {
        char c = text[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(c))
            break;
        any = true;
        if (kept == 0 && c == '0') {
            exponent -= point;
        } else if (kept < SIGNIFICANT) {
            digits[used++] = c;
            kept++;
            exponent -= point;
        } else {
            exponent += !point;
            rest = rest || c != '0';
        }
    }
    if (!any)
        return WEFT_NUMBER_NONE;
    if (i < length && lower(text[i]) == 'e') {
        bool down = false;
        i++;
        if (i < length && (text[i] == '+' || text[i] == '-'))
            down = text[i++] == '-';
        if (i == length)
            return WEFT_NUMBER_NONE;
        for (; i < length && is_digit(text[i]); i++)
            if (written < 1000000000)
                written = written * 10 + (text[i] - '0');
        exponent += down ? -written : written;
    }
    if (i < length)
        return WEFT_NUMBER_NONE;
    if (kept == 0) {
        digits[used++] = '0';
        exponent = 0;
    }
    if (rest) {
        digits[used++] = '1';
        exponent--;
    }
    snprintf(digits + used, sizeof digits - used, "e%lld", (long long)exponent);
    *value = strtod(digits, NULL);
    return isfinite(*value) ? WEFT_NUMBER_GOOD : WEFT_NUMBER_TOO_LARGE;
}

int weft_text_print_number(char *text, size_t size, double value, bool single) {
    char printed[64], plain[64];
    for (int precision = 6; precision <= 17; precision++) {
        size_t used = 0;
        double back = 0;
        snprintf(printed, sizeof printed, "%.*g", precision, value);
        /* What is neither digit, sign nor exponent is the locale's decimal point, of one byte or more. */
        for (const char *c = printed; *c; c++) {
            bool number = is_digit(*c) || *c == '-' || *c == '+' || *c == 'e';
            if (number || used == 0 || plain[used - 1] != '.')
                plain[used++] = number ? *c : '.';
        }
        plain[used] = 0;
        if (weft_text_number(plain, used, &back) != WEFT_NUMBER_GOOD ||
            (single ? (float)back == (float)value : back == value))
            break;
    }
    return snprintf(text, size, "%s", isfinite(value) ? plain : isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static char fold(char c) { return c == '-' ? '_' : lower(c); }

/* Damerau-Levenshtein distance in the form of optimal string alignment: a swap of neighbours is one mistake. */
static int32_t alignment(const char *a, size_t a_length, const char *b, size_t b_length) {
    int32_t rows[3][WEFT_TEXT_NAME + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (int32_t)j;
    for (size_t i = 1; i <= a_length; i++) {
        int32_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = (int32_t)i;
        for (size_t j = 1; j <= b_length; j++) {
            int32_t same = fold(a[i - 1]) == fold(b[j - 1]) ? 0 : 1;
            int32_t best = above[j - 1] + same;
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]) &&
                second[j - 2] + 1 < best)
                best = second[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

/* True when `part` stands in `whole` at the start of one of its words. */
static bool is_word(const char *part, size_t part_length, const char *whole, size_t whole_length) {
    for (size_t i = 0; i + part_length <= whole_length; i++) {
        size_t j = 0;
        if (i > 0 && fold(whole[i - 1]) != '_')
            continue;
        while (j < part_length && fold(part[j]) == fold(whole[i + j]))
            j++;
        if (j == part_length)
            return true;
    }
    return false;
}

/* The same words in another order. */
static bool is_turned(const char *typed, size_t typed_length, const char *name, size_t name_length) {
    size_t start = 0;
    if (typed_length != name_length)
        return false;
    for (size_t i = 0; i <= name_length; i++)
        if (i == name_length || fold(name[i]) == '_') {
            if (!is_word(name + start, i - start, typed, typed_length))
                return false;
            start = i + 1;
        }
    return true;
}

/* Another form of the same word: they begin alike, for most of the longer one. */
static bool is_stem(const char *typed, size_t typed_length, const char *name, size_t name_length) {
    const size_t longer = typed_length > name_length ? typed_length : name_length;
    size_t same = 0;
    while (same < typed_length && same < name_length && fold(typed[same]) == fold(name[same]))
        same++;
    return same >= 5 && 3 * same >= 2 * longer;
}

int32_t weft_text_distance(const char *typed, size_t typed_length, const char *name, size_t name_length) {
    if (typed_length == 0 || name_length == 0 || typed_length > WEFT_TEXT_NAME || name_length > WEFT_TEXT_NAME)
        return WEFT_TEXT_FAR;
    int32_t mistakes = alignment(typed, typed_length, name, name_length);
    int32_t allowed = typed_length >= 6 ? (int32_t)typed_length / 3 : 1;
    if (mistakes > 1 && is_stem(typed, typed_length, name, name_length))
        return 1;
    if (mistakes <= allowed && (size_t)mistakes < name_length && (size_t)mistakes < typed_length)
        return mistakes;
    /* The start of a name, or one word of it, comes after every mistyping; the shorter name is the nearer. */
    if (typed_length >= 2 && typed_length < name_length && is_word(typed, typed_length, name, name_length))
        return WEFT_TEXT_NAME + (int32_t)(name_length - typed_length) +
               (fold(typed[0]) == fold(name[0]) ? 0 : WEFT_TEXT_NAME);
    if (is_turned(typed, typed_length, name, name_length))
        return WEFT_TEXT_NAME;
    if (name_length >= 4 && name_length < typed_length && 3 * name_length >= typed_length &&
        is_word(name, name_length, typed, typed_length))
        return WEFT_TEXT_INSIDE + (int32_t)(typed_length - name_length);
    return WEFT_TEXT_FAR;
}

/* Bytes of the printable UTF-8 character at `text`, 0 when there is none. */
static size_t character(const unsigned char *text, size_t length) {
    size_t count = text[0] < 0x80                      ? 1
                   : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                   : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                                                       : 4;
    uint32_t code = count == 1 ? text[0] : text[0] & (0x7fu >> count);
    if ((text[0] >= 0x80 && text[0] < 0xc2) || text[0] > 0xf4 || count > length)
        return 0;
    for (size_t i = 1; i < count; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    bool overlong = (count == 3 && code < 0x800) || (count == 4 && code < 0x10000);
    return control || overlong || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : count;
}

const char *weft_text_quote(char *quote, const char *text, size_t length) {
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        size_t count = character((const unsigned char *)text + i, length - i);
        if (used + count + 4 >= WEFT_QUOTE_SIZE) {
            memcpy(quote + used, "...", 3);
            used += 3;
            break;
        }
        if (count == 0)
            quote[used++] = '?';
        for (size_t k = 0; k < count; k++)
            quote[used++] = text[i + k];
        i += count ? count : 1;
    }
    quote[used] = 0;
    return quote;
}

static int hexadecimal(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool weft_text_color(const char *text, size_t length, double *color) {
    static const struct {
        const char *name, *hexadecimal;
    } names[] = {{"black", "#000"},  {"white", "#fff"},   {"red", "#f00"},     {"green", "#008000"},
                 {"lime", "#0f0"},   {"blue", "#00f"},    {"cyan", "#0ff"},    {"magenta", "#f0f"},
                 {"yellow", "#ff0"}, {"gray", "#808080"}, {"grey", "#808080"}, {"transparent", "#00000000"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (weft_text_is(text, length, names[i].name)) {
            text = names[i].hexadecimal;
            length = strlen(text);
            break;
        }
    if (text[0] != '#' || (length != 4 && length != 7 && length != 9))
        return false;
    for (size_t i = 1; i < length; i++)
        if (hexadecimal(text[i]) < 0)
            return false;
    color[3] = 1;
    for (size_t i = 0; i < (length == 9 ? 4 : 3); i++)
        color[i] = (length == 4 ? 17 * hexadecimal(text[1 + i])
                                : 16 * hexadecimal(text[1 + 2 * i]) + hexadecimal(text[2 + 2 * i])) /
                   255.0;
    return true;
}
