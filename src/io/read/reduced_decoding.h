/* SPDX-License-Identifier: MIT
 * Readers whose decoder can make a smaller image in less time. */
#ifndef IO_REDUCED_DECODING_H
#define IO_REDUCED_DECODING_H
#include <stdbool.h>
#include "weft/file.h"

/* Whether its decoder is such a one at all. */
bool weft_reader_can_reduce(const weft_reader *reader);
/* Before rows are read: divides the sides of the image by 2, 4 or 8, rounded up, where the decoder can do that and its
 * options let it; weft_reader_info then says so. */
bool weft_reader_reduce(weft_reader *reader, int32_t times);

#endif
