/* SPDX-License-Identifier: MIT
 * From the pixels that a graph makes to those that a file can hold, where that takes more than another component type:
 * alpha that is stored differently or not at all, other channels. The space is left alone: a graph that makes linear
 * light is taken at its word, and its numbers are what the file gets. */
#ifndef FILES_CONVERT_H
#define FILES_CONVERT_H
#include <stdbool.h>
#include "weft/image.h"

/* True when rows must go through weft_convert_row; `from` then has to be made with components of F32. */
bool weft_convert_needed(const weft_image_info *from, const weft_image_info *to);
/* NULL when it can be done, else why not: the words that follow "the file ". */
const char *weft_convert_obstacle(const weft_image_info *from, const weft_image_info *to);
void weft_convert_row(const weft_image_info *from, const weft_image_info *to, const float *source, void *target);

#endif
