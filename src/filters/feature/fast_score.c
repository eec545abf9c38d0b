/* SPDX-License-Identifier: MIT
 * The score is the largest threshold that an arc reaches: of all arcs, the largest of their smallest difference. Pixels
 * are taken in whole steps of 16 bits, in which those of 8 bits are whole too, so that scores are the same everywhere
 * and equal ones are equal. */
#define NAME fast_score
#define SUMMARY "How much brighter or darker an arc of the circle around a pixel is: the score of fast_corner"
#define SOURCE "Rosten and Drummond 2006"
#define EXAMPLE "fast_score,gamma=0.5"
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0, 0, 1, "", "scores that do not exceed it become 0; 1 is full scale")                            \
    CHOICE(arc, 0, "9|12", "how many of the circle's 16 pixels in a row have to differ")
#define TOLERANCE 1
#define LUMINANCE
#define RADIUS 3
#include "filter/stencil.h"
#include "filters/feature/whole.h"

FN float steps_of(float v) { return floor(v * 65535.0f + 0.5f); }

/* score / 65535 in whole 2^30ths, large ones in 2^24ths: a quotient that devices round alike, but beyond full scale. */
FN float score_of_steps(int score) {
    int inside = score < 65535 ? score : 65535, fine = inside * 16384 + whole_quotient(inside * 16384, 65535);
    float v = fine < 16777216 ? to_float(fine) * (1.0f / 1073741824.0f)
                              : to_float(fine >> 6) * (1.0f / 16777216.0f);
    return score > inside ? to_float(score) * (1.0f / 65535.0f) : v;
}

/* The larger of two arcs' smallest pixels. Two arcs of 9 share 8 pixels and each has an end of its own; two of 12 share
 * these, two more and `eleventh`. */
FN float two_arcs(float eight, float end, float ninth, float two, float eleventh, float twelfth, int arc) {
    float nine = min(eight, max(end, ninth)), twelve = min(min(eight, min(two, eleventh)), max(end, twelfth));
    return arc == 0 ? nine : twelve;
}
/* The largest, over all arcs, of their smallest pixel; the ring in order. */
FN float best_arc(float p0, float p1, float p2, float p3, float p4, float p5, float p6, float p7, float p8, float p9,
                  float p10, float p11, float p12, float p13, float p14, float p15, int arc) {
    float a1 = min(p1, p2), a3 = min(p3, p4), a5 = min(p5, p6), a7 = min(p7, p8);
    float a9 = min(p9, p10), a11 = min(p11, p12), a13 = min(p13, p14), a15 = min(p15, p0);
    float b1 = min(a1, a3), b3 = min(a3, a5), b5 = min(a5, a7), b7 = min(a7, a9);
    float b9 = min(a9, a11), b11 = min(a11, a13), b13 = min(a13, a15), b15 = min(a15, a1);
    float c0 = two_arcs(min(b1, b5), p0, p9, a9, p11, p12, arc);
    float c2 = two_arcs(min(b3, b7), p2, p11, a11, p13, p14, arc);
    float c4 = two_arcs(min(b5, b9), p4, p13, a13, p15, p0, arc);
    float c6 = two_arcs(min(b7, b11), p6, p15, a15, p1, p2, arc);
    float c8 = two_arcs(min(b9, b13), p8, p1, a1, p3, p4, arc);
    float c10 = two_arcs(min(b11, b15), p10, p3, a3, p5, p6, arc);
    float c12 = two_arcs(min(b13, b1), p12, p5, a5, p7, p8, arc);
    float c14 = two_arcs(min(b15, b3), p14, p7, a7, p9, p10, arc);
    return max(max(max(c0, c2), max(c4, c6)), max(max(c8, c10), max(c12, c14)));
}

BODY {
    float p0 = steps_of(AT(0, -3)), p1 = steps_of(AT(1, -3)), p2 = steps_of(AT(2, -2)), p3 = steps_of(AT(3, -1));
    float p4 = steps_of(AT(3, 0)), p5 = steps_of(AT(3, 1)), p6 = steps_of(AT(2, 2)), p7 = steps_of(AT(1, 3));
    float p8 = steps_of(AT(0, 3)), p9 = steps_of(AT(-1, 3)), p10 = steps_of(AT(-2, 2)), p11 = steps_of(AT(-3, 1));
    float p12 = steps_of(AT(-3, 0)), p13 = steps_of(AT(-3, -1)), p14 = steps_of(AT(-2, -2)), p15 = steps_of(AT(-1, -3));
    float own = steps_of(AT(0, 0));
    float bright = best_arc(p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, P.arc) - own;
    float dark =
        best_arc(-p0, -p1, -p2, -p3, -p4, -p5, -p6, -p7, -p8, -p9, -p10, -p11, -p12, -p13, -p14, -p15, P.arc) + own;
    float score = max(bright, dark);
    return score > steps_of(P.threshold) ? score_of_steps(to_int(score)) : 0.0f;
}
