/* SPDX-License-Identifier: MIT
 * Where something lies in something larger, by a point of the compass. For composites. */
#ifndef GEOMETRY_GRAVITY_H
#define GEOMETRY_GRAVITY_H
#include <math.h>

#define GRAVITIES "center|north|northeast|east|southeast|south|southwest|west|northwest"

/* The share of the room that is left over which lies before: 0 at the left or top, 1 at the right or bottom. */
static inline double weft_gravity_x(int gravity) {
    return gravity >= 2 && gravity <= 4 ? 1 : gravity >= 6 ? 0 : 0.5;
}
static inline double weft_gravity_y(int gravity) {
    return gravity >= 4 && gravity <= 6 ? 1 : gravity == 0 || gravity == 3 || gravity == 7 ? 0.5 : 0;
}

/* The first pixel of `size` in `room`, `margin` pixels from the edge that gravity draws it to; from the middle, so many
 * pixels further right or down. */
static inline double weft_gravity_place(double share, double room, double size, double margin) {
    return floor((room - size) * share + 0.5) + (share < 1 ? margin : -margin);
}

#endif
