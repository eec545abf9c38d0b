/* SPDX-License-Identifier: MIT
 * Numbers that a graph measured, as text. */
#ifndef TOOL_VALUES_H
#define TOOL_VALUES_H
#include "common/json.h"
#include "common/message.h"
#include "weft/weft.h"

enum values_form { VALUES_TEXT, VALUES_CSV, VALUES_JSON };

/* The form that the extension of `path` asks for; false when it asks for none of them. */
bool values_form_of(const char *path, enum values_form *form);
/* Prints an image of F64 numbers, tightly packed. */
void values_print(FILE *file, enum values_form form, const weft_image_info *info, const double *numbers);
/* One JSON object of an image of numbers. */
void values_json(struct json *json, const weft_image_info *info, const double *numbers);
/* Writes them to a file that appears whole or not at all. Returns an exit status, after a message unless EXIT_DONE. */
int values_write(const struct reporting *report, const char *path, const weft_image_info *info, const double *numbers);

#endif
