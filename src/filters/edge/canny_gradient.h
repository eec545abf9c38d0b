/* SPDX-License-Identifier: MIT
 * What the gradients of canny share. Sums of rounded products differ in the last bit from device to device, and where
 * neighbors are equal that would decide which of them is an edge. So pixels may be taken in whole steps, in which those of
 * 8 bits are whole to begin with, and the sums are exact while they stay below 2^24: of 7x7 pixels, up to 26214 steps. */
#define SOURCE "Sobel and Feldman 1968"
#define CHANNELS PAIR
#define LUMINANCE
#define PIXELS
#define TOLERANCE 1 /* where luminance is half way between two steps */
#define PARAMS                                                                                                         \
    INT(steps, 0, 0, 65535, "",                                                                                        \
        "take luminance in whole steps, so many to full scale, and leave the result in steps; 0 takes it as it is")
#define PIXEL(dx, dy) (P.steps > 0 ? floor(AT(dx, dy).x * to_float(P.steps) + 0.5f) : AT(dx, dy).x)
