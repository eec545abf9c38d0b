/* SPDX-License-Identifier: MIT
 * Prefix codes of limited length, as RFC 1951 wants them. */
#ifndef IO_PNG_HUFFMAN_H
#define IO_PNG_HUFFMAN_H
#include <stdint.h>

enum { WEFT_HUFFMAN_SYMBOLS = 288 };

/* Of each symbol the length of its code, 0 where it does not occur, for codes of at most `limit` bits that take nearly
 * as few bits as can be. Two symbols at least get a code. */
void weft_huffman_lengths(const uint32_t *counts, int symbols, int limit, uint8_t *lengths);
/* The codes of these lengths, with their first bit lowest. */
void weft_huffman_codes(const uint8_t *lengths, int symbols, uint16_t *codes);

#endif
