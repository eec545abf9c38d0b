/* SPDX-License-Identifier: MIT
 * The two parameters of every filter that looks at neighbours. They come last, border_value right after border. */
#define BORDER_PARAMS                                                                                                  \
    FIXED_CHOICE(border, 1, "replicate|mirror|symmetric|wrap|constant|shrink",                                         \
                 "what lies outside the image; shrink counts only pixels inside")                                      \
    FLOAT(border_value, 0, -UNBOUNDED, UNBOUNDED, "", "the value outside for border=constant, 1 is full scale")
