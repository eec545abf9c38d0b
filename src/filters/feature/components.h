/* SPDX-License-Identifier: MIT
 * Which pixels belong to components: what filters of them share. */
#define COMPONENT_PARAMS                                                                                               \
    FLOAT(threshold, 0.5, -UNBOUNDED, UNBOUNDED, "", "pixels belong to components whose luminance exceeds it")         \
    CHOICE(neighbors, 0, "8|4", "how many neighbors a pixel is connected to: with those on its diagonals or without")
