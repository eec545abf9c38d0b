/* SPDX-License-Identifier: MIT
 * Half precision: every number there is, there and back, and the roundings between them. */
#include <math.h>
#include "check.h"
#include "image/half.h"

/* The definition. */
static double value_of(unsigned bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude = exponent == 0    ? ldexp(fraction, -24)
                       : exponent == 31 ? (double)INFINITY
                                        : ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static bool is_nan(unsigned bits) { return (bits & 0x7fff) > 0x7c00; }

static void test_every_number(void) {
    int wrong = 0, changed = 0;
    for (unsigned bits = 0; bits < 65536; bits++) {
        float v = weft_half_to_float((uint16_t)bits);
        unsigned back = weft_float_to_half(v);
        if (is_nan(bits)) {
            wrong += !isnan(v) || !signbit(v) != !(bits & 0x8000);
            changed += !is_nan(back);
        } else {
            wrong += (double)v != value_of(bits) || !signbit(v) != !(bits & 0x8000);
            changed += back != bits;
        }
    }
    CHECK(wrong == 0);
    CHECK(changed == 0);
}

/* Between two neighbours: the middle goes to the even one, the floats next to it to the nearer one. */
static void test_rounding(void) {
    int wrong = 0;
    for (unsigned bits = 0; bits < 0x7bff; bits++) {
        float middle = (float)((value_of(bits) + value_of(bits + 1)) / 2);
        for (unsigned sign = 0; sign <= 0x8000; sign += 0x8000) {
            float to = sign ? -1 : 1;
            wrong += weft_float_to_half(to * middle) != ((bits + (bits & 1)) | sign);
            wrong += weft_float_to_half(to * nextafterf(middle, 0)) != (bits | sign);
            wrong += weft_float_to_half(to * nextafterf(middle, INFINITY)) != ((bits + 1) | sign);
        }
    }
    CHECK(wrong == 0);
}

static void test_ends(void) {
    CHECK(weft_float_to_half(65504) == 0x7bff);
    CHECK(weft_float_to_half(nextafterf(65520, 0)) == 0x7bff);
    CHECK(weft_float_to_half(65520) == 0x7c00);
    CHECK(weft_float_to_half(65536) == 0x7c00);
    CHECK(weft_float_to_half(3e38f) == 0x7c00);
    CHECK(weft_float_to_half(-INFINITY) == 0xfc00);
    CHECK(weft_float_to_half(0x1p-14f) == 0x0400);
    CHECK(weft_float_to_half(0x1p-24f) == 1);
    CHECK(weft_float_to_half(0x1p-25f) == 0);
    CHECK(weft_float_to_half(1e-45f) == 0);
    CHECK(weft_float_to_half(-1e-45f) == 0x8000);
    CHECK(weft_float_to_half(-0.0f) == 0x8000);
    CHECK(is_nan(weft_float_to_half(NAN)));
    CHECK(is_nan(weft_float_to_half(weft_float_of_bits(0x7f800001))));
    CHECK(is_nan(weft_float_to_half(weft_float_of_bits(0xffffffff))));
}

int main(void) {
    test_every_number();
    test_rounding();
    test_ends();
    return check_done("half");
}
