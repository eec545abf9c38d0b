/* SPDX-License-Identifier: MIT
 * Colors under an alpha of 0 among premultiplied ones: such a pixel has the weight HIDDEN_ALPHA, so little that beside any visible
 * pixel its share is lost in rounding. A mean of hidden pixels alone has their colors, and a pixel that stays where it is stays as
 * it is. An alpha below LEAST_ALPHA is of hidden pixels. */
#ifndef FILTER_HIDDEN_H
#define FILTER_HIDDEN_H

#define HIDDEN_ALPHA 8.077935669463161e-28f /* 2^-90 */
#define LEAST_ALPHA 8.271806125530277e-25f  /* 2^-80 */
FN float seen_alpha(float alpha) { return alpha > 0.0f && alpha < LEAST_ALPHA ? 0.0f : alpha; }

#endif
