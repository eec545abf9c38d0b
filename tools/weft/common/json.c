/* SPDX-License-Identifier: MIT
 * Writing JSON. */
#include "common/json.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void json_print_number(FILE *file, double number) {
    char text[40];
    if (!isfinite(number)) {
        fputs(isnan(number) ? "nan" : number > 0 ? "inf" : "-inf", file);
        return;
    }
    if (fabs(number) < 1e15 && floor(number) == number) {
        fprintf(file, "%.0f", number == 0 ? 0.0 : number);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, file);
}

/* The length of the well formed UTF-8 sequence at `text`, 0 when there is none. */
static size_t sequence(const unsigned char *text) {
    size_t length = *text < 0x80 ? 1 : *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : *text >= 0xc2 ? 2 : 0;
    if (*text > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates and what lies past U+10FFFF. */
    if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) || (*text == 0xf0 && text[1] < 0x90) ||
        (*text == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

static void quoted(FILE *file, const char *text) {
    putc('"', file);
    for (const unsigned char *byte = (const unsigned char *)text; *byte;) {
        size_t length = sequence(byte);
        if (length == 0)
            fputs("\\ufffd", file);
        else if (*byte == '"' || *byte == '\\')
            fprintf(file, "\\%c", *byte);
        else if (*byte == '\n')
            fputs("\\n", file);
        else if (*byte == '\t')
            fputs("\\t", file);
        else if (*byte < 0x20 || *byte == 0x7f)
            fprintf(file, "\\u%04x", *byte);
        else
            fwrite(byte, 1, length, file);
        byte += length ? length : 1;
    }
    putc('"', file);
}

static void line(struct json *json) {
    putc('\n', json->file);
    for (int i = 0; i < json->depth; i++)
        fputs("  ", json->file);
}

static void before(struct json *json, const char *key) {
    if (json->inside)
        putc(',', json->file);
    if (json->depth)
        line(json);
    if (key) {
        quoted(json->file, key);
        fputs(": ", json->file);
    }
    json->inside = true;
}

static void open_bracket(struct json *json, const char *key, char bracket) {
    before(json, key);
    putc(bracket, json->file);
    json->depth++;
    json->inside = false;
}

static void close_bracket(struct json *json, char bracket) {
    json->depth--;
    if (json->inside)
        line(json);
    putc(bracket, json->file);
    json->inside = true;
}

void json_object(struct json *json, const char *key) { open_bracket(json, key, '{'); }
void json_object_end(struct json *json) { close_bracket(json, '}'); }
void json_array(struct json *json, const char *key) { open_bracket(json, key, '['); }
void json_array_end(struct json *json) { close_bracket(json, ']'); }

void json_text(struct json *json, const char *key, const char *text) {
    before(json, key);
    if (text)
        quoted(json->file, text);
    else
        fputs("null", json->file);
}

void json_number(struct json *json, const char *key, double number) {
    before(json, key);
    if (isfinite(number))
        json_print_number(json->file, number);
    else
        fputs("null", json->file);
}

void json_bool(struct json *json, const char *key, bool value) {
    before(json, key);
    fputs(value ? "true" : "false", json->file);
}

void json_raw(struct json *json, const char *key, const char *text) {
    before(json, key);
    fputs(text, json->file);
}

void json_end(struct json *json) { putc('\n', json->file); }
