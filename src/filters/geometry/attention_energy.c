/* SPDX-License-Identifier: MIT
 * What draws the eye: edges, strong colors and skin. All in whole numbers, which are the same on every device: where the best part
 * of an image lies must not depend on how sums are rounded. Which colors are those of skin is said by Kovac, Peer and Solina 2003,
 * for daylight; stronger ones than skin has, of oranges and of clothes, are left out here. */
#define NAME attention_energy
#define SUMMARY "How much a pixel draws the eye: steps of 255 of its edges, half of those between its colors, and 255 for skin"
#define STEP_OF "resize"
#define EXAMPLE "attention_energy,exposure=-9"
#define CHANNELS GREY
#define ALPHA_DOC "reads colors over black; the result's alpha is 1"
#define TOLERANCE 1
#define RADIUS 1
#define PIXELS
#define PARAMS BOOL(grey, 0, "the first channel is all colors")
#include "filter/stencil.h"

FN int level(float v) { return to_int(floor(clamp(v, 0.0f, 1.0f) * 255.0f + 0.5f)); }
FN int light(vec4 c, int grey) {
    return grey != 0 ? level(c.x) : (77 * level(c.x) + 150 * level(c.y) + 29 * level(c.z)) >> 8;
}
FN int apart(int a, int b) { return a > b ? a - b : b - a; }
FN int larger(int a, int b) { return a > b ? a : b; }
FN int smaller(int a, int b) { return a < b ? a : b; }

BODY {
    int edges = apart(light(AT(1, 0), P.grey), light(AT(-1, 0), P.grey)) +
                apart(light(AT(0, 1), P.grey), light(AT(0, -1), P.grey));
    int r = level(AT(0, 0).x), g = level(AT(0, 0).y), b = level(AT(0, 0).z);
    int most = larger(r, larger(g, b)), least = smaller(r, smaller(g, b));
    bool skin = r > 95 && g > 40 && b > 20 && most - least > 15 && r - g > 15 && r > b &&
                5 * (most - least) < 3 * most;
    int colors = P.grey != 0 ? 0 : ((most - least) >> 1) + (skin ? 255 : 0);
    float v = to_float(edges + colors);
    return rgba(v, v, v, 1.0f);
}
