/* SPDX-License-Identifier: MIT
 * Coarse pixels around an image: gaussian asks for at most DIRECT_CUT times sigma=10000 in steps of 2, and some more. */
#define MOST_MARGIN 25000
