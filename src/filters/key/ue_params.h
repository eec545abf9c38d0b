/* SPDX-License-Identifier: MIT
 * The parameters of the matting key, which its point filter and its composites share. */
#ifndef FILTERS_KEY_UE_PARAMS_H
#define FILTERS_KEY_UE_PARAMS_H
#define UE_PARAMS                                                                                                      \
    COLOR(color, 0, 1, 0, 1, 0, 1, "the key: the color of the screen")                                                 \
    FLOAT(similarity, 0.2, 0, 2, "", "hues this near to the key's are transparent; none are more than 0.7 apart")   \
    FLOAT(smoothing, 0.1, 0, 2, "", "from there to opaque; 0 is a hard edge")                                          \
    FLOAT(exponent, 1, 0.01, 100, "", "bends that edge; below 1 it is more opaque")                                    \
    FLOAT(spill, 0, 0, 1, "", "how much of the key's light is taken out of colors near the key; others keep theirs")   \
    FLOAT(spill_exponent, 1, 0.01, 100, "", "bends how that fades towards opaque colors; above 1 it reaches further")  \
    FLOAT(luma_mask, 1, 0.001, 100, "", "colors whose red, green and blue sum to less than some of this have no hue")  \
    COLOR(ambient, 0, 0, 0, 1, 0, 1, "light of the new background, for colors near the key")                           \
    FLOAT(ambient_scale, 0, 0, 10, "", "how much of it")
#endif
