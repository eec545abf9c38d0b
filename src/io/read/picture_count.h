/* SPDX-License-Identifier: MIT
 * Pictures that follow one another in a file or a pipe, as PNM and PAM may. */
#ifndef IO_PICTURE_COUNT_H
#define IO_PICTURE_COUNT_H
#include "io/limits.h"
#include "io/stream.h"

/* How many stand where the input is, of formats that may follow one another, which are read over; in a pipe, which may
 * never end, WEFT_MOST_FOLLOWERS at most. One that is cut or beyond a limit is the last that counts, and what is none of them
 * ends the count. */
int64_t weft_count_followers(weft_input *input, const weft_read_limits *limits);

enum { WEFT_MOST_FOLLOWERS = 1000 };

#endif
