/* SPDX-License-Identifier: MIT
 * Arithmetic of whole numbers, which ends in the same bits on every device: devices round quotients and roots differently,
 * and put products and sums together. Numbers below 2^24 are as exact in a float as in an int. */
#ifndef FILTERS_FEATURE_WHOLE_H
#define FILTERS_FEATURE_WHOLE_H

/* By how much a quotient is off whose remainder is this. */
FN int whole_off(int rest, int n) { return (rest < 0 ? -1 : 0) + (rest >= n ? 1 : 0); }

/* The floor of a / n, below 2^22, for n above 0; a lies within 2^30. */
FN int whole_quotient(int a, int n) {
    int q = to_int(floor(to_float(a) * (1.0f / to_float(n))));
    int rest = a - q * n;
    return q + whole_off(rest, n);
}

/* The floor of a b / 2^24, for a and b from 0 to 2^24: the product of two fractions of 24 bits. */
FN int whole_product(int a, int b) {
    int a1 = a >> 12, a0 = a & 4095, b1 = b >> 12, b0 = b & 4095;
    return a1 * b1 + ((a1 * b0 + a0 * b1 + ((a0 * b0) >> 12)) >> 12);
}

/* The floor of 2^24 a / b, for a from 0 to b, and b from 2^23 to 2^24. */
FN int whole_ratio(int a, int b) {
    int b1 = b >> 12, b0 = b & 4095;
    float scale = 4096.0f / to_float(b);
    int high = to_int(to_float(a) * scale);
    int rest = (a - high * b1) * 4096 - high * b0;
    int off = whole_off(rest, b);
    high += off;
    rest -= off * b;
    int low = to_int(to_float(rest) * scale);
    rest = (rest - low * b1) * 4096 - low * b0;
    return high * 4096 + low + whole_off(rest, b);
}

/* The floor of the root of a^2 + b^2, for a and b from 0 to 2^24 and a result below 2^24. */
FN int whole_length(int a, int b) {
    int a1 = a >> 12, a0 = a & 4095, b1 = b >> 12, b0 = b & 4095;
    float x = to_float(a), y = to_float(b);
    int root = to_int(sqrt(x * x + y * y));
    /* a^2 + b^2 - root^2 is small, though its parts are not. */
    int r1 = root >> 12, r0 = root & 4095;
    int high = a1 * a1 + b1 * b1 - r1 * r1, middle = 2 * (a1 * a0 + b1 * b0 - r1 * r0), low = a0 * a0 + b0 * b0 - r0 * r0;
    int rest = (high * 4096 + middle) * 4096 + low;
    int step = to_int(floor(to_float(rest) / (2.0f * max(to_float(root), 1.0f))));
    rest -= step * (2 * root + step);
    root += step;
    step = whole_off(rest, 2 * root + 1);
    rest -= step * (2 * root + step);
    root += step;
    return root + whole_off(rest, 2 * root + 1);
}

#endif
