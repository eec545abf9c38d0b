/* SPDX-License-Identifier: MIT
 * Files of several JPEG pictures (MPO, CIPA DC-007): the first one says in a marker which there are. */
#ifndef IO_JPEG_PICTURES_H
#define IO_JPEG_PICTURES_H
#include <stddef.h>
#include <stdint.h>

/* How many pictures the data of an APP2 marker tells of, without those that are smaller copies; 1 where it tells of none. */
int64_t weft_jpeg_count_pictures(const unsigned char *data, size_t size);

#endif
