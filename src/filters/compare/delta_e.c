/* SPDX-License-Identifier: MIT */
#define NAME delta_e
#define SUMMARY "How far two colors seem from one another: CIE's delta E 2000 of sRGB, 1 being just seen"
#define SOURCE "CIE 142-2001; Sharma, Wu and Dalal 2005"
#define EXAMPLE "split[a][b];[b]saturation=1.3[c];[a][c]delta_e,exposure=-4"
#define CHANNELS PLANE
#define ALPHA_DOC "colors are taken straight, whatever their alpha; the result has none"
#define TOLERANCE 2e-2
#include "filter/pixel2.h"

FN float light(float v) { return v <= 0.04045f ? v / 12.92f : pow((v + 0.055f) / 1.055f, 2.4f); }
FN float root(float t) { return t > 0.008856452f ? pow(t, 0.33333333f) : 7.787037f * t + 0.13793103f; }
FN vec4 lab(vec4 c) {
    float r = light(c.x), g = light(c.y), b = light(c.z);
    float x = root((0.412453f * r + 0.357580f * g + 0.180423f * b) / 0.95047f);
    float y = root(0.212671f * r + 0.715160f * g + 0.072169f * b);
    float z = root((0.019334f * r + 0.119193f * g + 0.950227f * b) / 1.08883f);
    return rgba(116.0f * y - 16.0f, 500.0f * (x - y), 200.0f * (y - z), 1.0f);
}
FN float chroma(float a, float b) { return sqrt(a * a + b * b); }
FN float seventh(float c) { /* root of c^7 over c^7 + 25^7 */
    float share = c / 25.0f, square = share * share, power = square * square * square * share;
    return sqrt(power / (power + 1.0f));
}
FN float hue(float b, float a) { /* 0 to 2 pi */
    float angle = a == 0.0f && b == 0.0f ? 0.0f : atan2(b, a);
    return angle < 0.0f ? angle + 6.2831853f : angle;
}
BODY {
    vec4 one = lab(base), two = lab(over);
    float rise = 1.5f - 0.5f * seventh(0.5f * (chroma(one.y, one.z) + chroma(two.y, two.z)));
    float a1 = one.y * rise, a2 = two.y * rise, c1 = chroma(a1, one.z), c2 = chroma(a2, two.z);
    float h1 = hue(one.z, a1), h2 = hue(two.z, a2), turn = h2 - h1;
    bool grey = c1 * c2 == 0.0f, around = abs(turn) > 3.1415927f;
    turn = grey ? 0.0f : around ? (turn > 0.0f ? turn - 6.2831853f : turn + 6.2831853f) : turn;
    float sum = h1 + h2, half_turn = sum < 6.2831853f ? 3.1415927f : -3.1415927f;
    float h = grey ? sum : 0.5f * sum + (around ? half_turn : 0.0f);
    float dl = two.x - one.x, dc = c2 - c1, dh = 2.0f * sqrt(c1 * c2) * sin(0.5f * turn);
    float l = 0.5f * (one.x + two.x) - 50.0f, c = 0.5f * (c1 + c2);
    float t = 1.0f - 0.17f * cos(h - 0.52359878f) + 0.24f * cos(2.0f * h) + 0.32f * cos(3.0f * h + 0.10471976f) -
              0.2f * cos(4.0f * h - 1.0995574f);
    float sl = 1.0f + 0.015f * l * l / sqrt(20.0f + l * l), sc = 1.0f + 0.045f * c, sh = 1.0f + 0.015f * c * t;
    float bend = (h * 57.29578f - 275.0f) / 25.0f;
    float rt = -2.0f * seventh(c) * sin(1.0471976f * exp(-min(bend * bend, 80.0f)));
    float x = dl / sl, y = dc / sc, z = dh / sh, e = sqrt(max(x * x + y * y + z * z + rt * y * z, 0.0f));
    return rgba(e, e, e, 1.0f);
}
