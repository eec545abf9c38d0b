/* SPDX-License-Identifier: MIT
 * One component as it lies in an image. */
#ifndef TOOL_CONVERT_H
#define TOOL_CONVERT_H
#include "weft/weft.h"

/* Writes one component; `value` 1 is full scale. */
void convert_store(weft_type type, float value, unsigned char *target);

#endif
