/* SPDX-License-Identifier: MIT
 * A cell shows one place of the image, between pixels the mean of the four around. */
#define NAME pixellate
#define SUMMARY "Show the image in squares of one color each, taken from one place of the square"
#define ALIASES "pixelate pixelize"
#define EXAMPLE "pixellate=0.03"
#define TOLERANCE 1
#define STEADY_TOLERANCE 6e-5 /* places below 512 are off by 3e-5 along each axis in f32; a pixel is at most 1 */
#define PARAMS                                                                                                         \
    FLOAT(fraction, 0.05, 0, 1, "", "width of a square, as a share of the image's width; at least a pixel")            \
    AUTO_FLOAT(fraction_y, 0, 1, "", "height of a cell, as a share of the image's height; auto makes squares")         \
    CHOICE(place, 0, "center|corner", "the place of the cell whose color it has; corner is the top left")
#include "filter/warp.h"
#include "filters/geometry/cell.h"

BODY {
    float wide = cell_side(P.fraction, at.width), share = P.place == 0 ? 0.5f : 0.0f;
    float high = P.fraction_y < 0.0f ? wide : max(P.fraction_y * to_float(at.height), 1.0f);
    return xy(cell_place(to_float(at.x), wide, share), cell_place(to_float(at.y), high, share));
}
