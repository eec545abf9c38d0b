/* SPDX-License-Identifier: MIT
 * The two parameters of every filter that looks at neighbours. They come last, border_value right after border. A file may define
 * BORDERS, the borders that its filter supports (the first ones of the list, in its order), BORDER_FIRST, the index of its default,
 * and BORDER_DOC; or BORDERLESS: it never looks outside, and has neither. */
#ifndef BORDERS
#define BORDERS "replicate|mirror|symmetric|wrap|constant|shrink"
#define BORDER_DOC "what lies outside the image; shrink counts only pixels inside"
#endif
#ifndef BORDER_FIRST
#define BORDER_FIRST 1
#endif
#ifdef BORDERLESS
#define BORDER_PARAMS
#define BORDER_INDEX -1
#else
#define BORDER_PARAMS                                                                                                  \
    FIXED_CHOICE(border, BORDER_FIRST, BORDERS, BORDER_DOC)                                                            \
    FLOAT(border_value, 0, -UNBOUNDED, UNBOUNDED, "", "the value outside for border=constant, 1 is full scale")
#define BORDER_INDEX (PARAMETER_COUNT - 2)
#endif
