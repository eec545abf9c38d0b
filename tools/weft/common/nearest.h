/* SPDX-License-Identifier: MIT
 * What a mistyped word was meant to be. */
#ifndef TOOL_NEAREST_H
#define TOOL_NEAREST_H

/* The word of the list (which ends with NULL) that is the fewest typing slips away from `word`; NULL when none is near
 * enough to be worth naming. */
const char *nearest_word(const char *word, const char *const *words);

#endif
