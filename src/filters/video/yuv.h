/* SPDX-License-Identifier: MIT
 * What luma and chroma mean: ITU-R BT.601, 709 and 2020, in limited range, where black is 16 and white 235 of 8 bits,
 * or in all of it. Included before the kind's header. */
#define YUV_CHOICES                                                                                                    \
    CHOICE(matrix, 1, "601|709|2020", "the weights of red, green and blue in luma, by ITU-R BT")                       \
    CHOICE(range, 0, "limited|full", "limited: of 8 bits black is 16, white 235, and chroma goes from 16 to 240")
#define YUV_BITS INT(bits, 8, 8, 16, "", "of a sample")
#define YUV_FIXED_CHOICES                                                                                              \
    FIXED_CHOICE(matrix, 1, "601|709|2020", "the weights of red, green and blue in luma, by ITU-R BT")                 \
    FIXED_CHOICE(range, 0, "limited|full", "limited: of 8 bits black is 16, white 235, and chroma goes from 16 to 240")
#define YUV_SITING                                                                                                     \
    FIXED_CHOICE(siting, 0, "left|center|topleft|top|bottomleft|bottom",                                               \
                 "where a chroma sample lies among the pixels that share it: left is usual in video, center in JPEG")
