/* SPDX-License-Identifier: MIT
 * Text as people type it: numbers that read the same in every locale, names that are nearly right, and foreign text
 * made safe to show in a message. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weft_number { WEFT_NUMBER_GOOD, WEFT_NUMBER_NONE, WEFT_NUMBER_NOT_FINITE, WEFT_NUMBER_TOO_LARGE };

/* Reads all of `text` as [+-]digits[.digits][e[+-]digits], rounded correctly. */
enum weft_number weft_text_number(const char *text, size_t length, double *value);

/* Writes a number so that weft_text_number reads the same one back; `single`: the same float. Returns the length that
 * it needs, as snprintf does. */
int weft_text_print_number(char *text, size_t size, double value, bool single);

/* Equal but for upper and lower case; `word` ends in 0. */
bool weft_text_is(const char *text, size_t length, const char *word);

/* Reads a color's red, green, blue and alpha: "#rgb", "#rrggbb", "#rrggbbaa" and names, which are opaque unless they say otherwise;
 * false when it is none of them. */
bool weft_text_color(const char *text, size_t length, double *color);

/* How far what was typed is from a name, 0 for the same: mistypings for their length, and other forms of the word; from
 * WEFT_TEXT_NAME on the name's start, a word of it, or its words in another order; from WEFT_TEXT_INSIDE on words beside
 * the name. WEFT_TEXT_FAR when one would not be meant by the other. */
#define WEFT_TEXT_NAME 64
#define WEFT_TEXT_INSIDE (3 * WEFT_TEXT_NAME)
#define WEFT_TEXT_FAR INT32_MAX
int32_t weft_text_distance(const char *typed, size_t typed_length, const char *name, size_t name_length);

/* A copy of foreign text for a message: what is not printable UTF-8 becomes '?', and what is long is cut. */
#define WEFT_QUOTE_SIZE 72
const char *weft_text_quote(char *quote, const char *text, size_t length);

#endif
