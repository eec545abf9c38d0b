/* SPDX-License-Identifier: MIT
 * From the pixels that a graph makes to those that a file can hold, where that takes more than another component type:
 * alpha that is stored differently or not at all, other channels. The space is left alone: a graph that makes linear
 * light is taken at its word, and its numbers are what the file gets. */
#ifndef TOOL_CONVERT_H
#define TOOL_CONVERT_H
#include "weft/weft.h"

/* True when rows must go through convert_row; `from` then has to be made with components of F32. */
bool convert_needed(const weft_image_info *from, const weft_image_info *to);
/* NULL when it can be done, else why not: the words that follow "the file ". */
const char *convert_obstacle(const weft_image_info *from, const weft_image_info *to);
void convert_row(const weft_image_info *from, const weft_image_info *to, const float *source, void *target);

/* Writes one component; `value` 1 is full scale. */
void convert_store(weft_type type, float value, unsigned char *target);

#endif
