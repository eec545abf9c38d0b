/* SPDX-License-Identifier: MIT
 * The parameters of the key by chroma, which its point filter and its composite share. */
#ifndef FILTERS_KEY_CHROMA_PARAMS_H
#define FILTERS_KEY_CHROMA_PARAMS_H
#define CHROMA_PARAMS                                                                                                  \
    COLOR(color, 0, 1, 0, 1, 0, 1, "the color that goes")                                                              \
    FLOAT(similarity, 0.4, 0, 1, "", "chroma that is nearer to the color's is transparent")                            \
    FLOAT(smoothing, 0.1, 0, 1, "", "from there to opaque; 0 is a hard edge")                                          \
    FLOAT(spill, 0, 0, 1, "", "how much of the color's chroma is taken out of colors near it; others keep theirs")     \
    FLOAT(spill_reach, 0.1, 0, 1, "", "how far beyond the soft edge that fades out")
#endif
