/* SPDX-License-Identifier: MIT
 * The arithmetic of luma and chroma, after the kind's header. Of two channels point filters see the second as alpha. What depends
 * on parameters alone is written without choices, which would keep loops over rows from becoming vector code. */
#ifndef VIDEO_YUV_BODY_H
#define VIDEO_YUV_BODY_H
/* Parabolas through what BT.601, 709 and 2020 say. */
FN float weight_of_red(int matrix) {
    float m = to_float(matrix);
    return 0.299f + m * (0.06825f * m - 0.15465f);
}
FN float weight_of_blue(int matrix) {
    float m = to_float(matrix);
    return 0.114f + m * (0.01445f * m - 0.05625f);
}
/* Samples are numbers of `bits` bits; range is 0 for limited, 1 for full. */
FN float largest_sample(int bits) { return to_float((1 << bits) - 1); }
/* How many steps of samples the full scale of an image is: storage is 0 for whole, 1 for low, 2 for high. */
FN float full_scale(int storage, int bits) {
    int whole = (1 - storage) * (2 - storage) / 2, high = storage * (storage - 1) / 2;
    return to_float(whole * ((1 << bits) - 1) + (1 - whole) * 65535) / to_float(1 << (high * (16 - bits)));
}
/* What no sample is above: the largest where the lower bits of 16 hold it, in which larger numbers fit, otherwise no limit. */
FN float largest_in(int storage, int bits) {
    int low = storage * (2 - storage);
    return largest_sample(bits) + to_float(1 - low) * UNBOUNDED;
}
FN float steps(int limited, int range, int bits) {
    return to_float((1 - range) * (limited << (bits - 8)) + range * ((1 << bits) - 1));
}
FN float luma_steps(int range, int bits) { return steps(219, range, bits); }
FN float chroma_steps(int range, int bits) { return steps(224, range, bits); }
FN float black_sample(int range, int bits) { return to_float((1 - range) * (16 << (bits - 8))); }
FN float grey_sample(int bits) { return to_float(1 << (bits - 1)); }
/* Limits of colors: 0 and 1, or none. */
FN float beyond(int limit) { return to_float(1 - limit) * UNBOUNDED; }
#endif
