/* SPDX-License-Identifier: MIT
 * What the gradient operators of 3 x 3 pixels share: differences across the middle column or row, summed over the three rows or
 * columns with the weights CORNER, SIDE, CORNER. */
#define PARAMS                                                                                                         \
    CHOICE(component, 0, "magnitude|x|y", "the length of the gradient, or one component with its sign")                   \
    FLOAT(edge_strength, 1, 0, 100, "", "factor on the result")
#define LUMINANCE
#define RADIUS 1
#define LINEAR (P.component != 0)
#define LENGTH_OF component

/* The central difference at a pixel of row dy, and the smoothed sum along that row. */
#define ACROSS(dy) (AT(1, dy) - AT(-1, dy))
#define ALONG(dy) (CORNER * AT(-1, dy) + SIDE * AT(0, dy) + CORNER * AT(1, dy))
#define GRADIENT_X (CORNER * ACROSS(-1) + SIDE * ACROSS(0) + CORNER * ACROSS(1))
#define GRADIENT_Y (ALONG(1) - ALONG(-1))
#define GRADIENT(x, y)                                                                                                 \
    ((P.component == 0 ? sqrt((x) * (x) + (y) * (y)) : P.component == 1 ? (x) : (y)) * P.edge_strength)
