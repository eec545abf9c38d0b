/* SPDX-License-Identifier: MIT
 * Which bin of a histogram a value falls into, as all devices have it. Of formats with steps it is the bin of the nearest step, by
 * whole numbers: what a file of the format would hold. Products and quotients, as of colors by alpha, are often just half way
 * between two steps, or floats at the edge of a bin, but for rounding. So values within this relative distance below an edge count
 * as being at it; f32 takes up to 5 roundings of half as much. */
#ifndef IMAGE_BINS_H
#define IMAGE_BINS_H

#define BIN_REACH 9.5367431640625e-7f /* 2^-20 */

#endif
