/* SPDX-License-Identifier: MIT
 * Writing JSON: values in the order in which they are given, indented, always valid. */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H
#include <stdbool.h>
#include <stdio.h>

struct json {
    FILE *file;
    int depth;
    bool inside; /* something stands before the next value of this object or array */
};

/* In all of these `key` is the value's name inside an object, and NULL inside an array or at the top. */
void json_object(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array(struct json *json, const char *key);
void json_array_end(struct json *json);
void json_text(struct json *json, const char *key, const char *text); /* NULL writes null */
void json_number(struct json *json, const char *key,
                 double number); /* infinities and NaN, which JSON lacks, write null */
void json_bool(struct json *json, const char *key, bool value);
/* Text that is JSON already. */
void json_raw(struct json *json, const char *key, const char *text);
/* Ends the document. */
void json_end(struct json *json);

/* Writes a number with as few digits as bring it back exactly. */
void json_print_number(FILE *file, double number);

#endif
