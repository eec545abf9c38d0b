/* SPDX-License-Identifier: MIT
 * What tone_curve and its step curve_pieces agree on. */
#ifndef FILTERS_COLOR_CURVE_PIECES_H
#define FILTERS_COLOR_CURVE_PIECES_H
#define CURVE_POINTS 16  /* of a curve, at most */
#define CURVE_PARTS 5    /* numbers of a piece */
#define CURVE_NEVER 1e30 /* where pieces begin that there are not */
#endif
