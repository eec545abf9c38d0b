/* SPDX-License-Identifier: MIT
 * The arithmetic of luma and chroma, after the kind's header. Of two channels point filters see the second as alpha. */
#ifndef VIDEO_YUV_BODY_H
#define VIDEO_YUV_BODY_H
FN float weight_of_red(int matrix) { return matrix == 0 ? 0.299f : (matrix == 1 ? 0.2126f : 0.2627f); }
FN float weight_of_blue(int matrix) { return matrix == 0 ? 0.114f : (matrix == 1 ? 0.0722f : 0.0593f); }
/* Samples are numbers of `bits` bits. */
FN float largest_sample(int bits) { return to_float((1 << bits) - 1); }
/* How many steps of samples the full scale of an image is: storage is whole, low or high. */
FN float full_scale(int storage, int bits) {
    float high = storage == 2 ? to_float(1 << (16 - bits)) : 1.0f;
    return storage == 0 ? largest_sample(bits) : 65535.0f / high;
}
FN float black_sample(int range, int bits) { return range == 0 ? to_float(16 << (bits - 8)) : 0.0f; }
FN float luma_steps(int range, int bits) { return range == 0 ? to_float(219 << (bits - 8)) : largest_sample(bits); }
FN float chroma_steps(int range, int bits) { return range == 0 ? to_float(224 << (bits - 8)) : largest_sample(bits); }
FN float grey_sample(int bits) { return to_float(1 << (bits - 1)); }

#endif
