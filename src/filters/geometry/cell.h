/* SPDX-License-Identifier: MIT
 * What the filters that work in square cells share: where the cells are. */
#ifndef FILTERS_GEOMETRY_CELL_H
#define FILTERS_GEOMETRY_CELL_H

/* The place, `share` of a cell from its beginning, of the cell around pixel i, for cells of `side` pixels. A pixel
 * whose middle is on an edge, but for rounding, belongs to the cell after it. */
FN float cell_place(float i, float side, float share) {
    return (floor((i + 0.5f) / side + 1e-4f) + share) * side - 0.5f;
}

/* How far a pixel is from the middle of its cell, in pixels. */
FN float cell_distance(place at, float side) {
    float dx = to_float(at.x) - cell_place(to_float(at.x), side, 0.5f);
    float dy = to_float(at.y) - cell_place(to_float(at.y), side, 0.5f);
    return sqrt(dx * dx + dy * dy);
}

/* The side of cells that are `fraction` of the width, in pixels. One that is whole but for rounding is whole, so that places on
 * pixels are not between them. */
FN float cell_side(float fraction, int width) {
    float side = fraction * to_float(width), whole = floor(side + 0.5f);
    return max(abs(side - whole) <= 1e-6f * side ? whole : side, 1.0f);
}

#endif
