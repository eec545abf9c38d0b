/* SPDX-License-Identifier: MIT
 * What pictures in a HEIF file are made of others, looked at before libheif does. */
#ifndef IO_HEIF_ITEMS_H
#define IO_HEIF_ITEMS_H
#include <stdbool.h>
#include <stddef.h>
#include "weft/weft.h"

/* Whether decoding comes to an end: libheif 1.15 follows a grid of tiles that names itself, or two that name each other,
 * until memory is gone, a thread each time. *sound is false too where pictures are nested deeper than any writer does, or
 * so that more than some hundred thousand would be decoded. */
weft_status weft_heif_items_sound(const unsigned char *bytes, size_t size, bool *sound, weft_error *error);

#endif
