/* SPDX-License-Identifier: MIT */
#define NAME jfa_step
#define SUMMARY "Learn of nearer seeds from pixels that are so far away, the image being given twice"
#define STEP_OF "jfa_voronoi"
#define EXAMPLE "jfa_seed,split[a][b];[a][b]jfa_step=8,jfa_show"
#define TOLERANCE 1
#define PARAMS INT(step, 1, 1, 16777216, "px", "how far they are, along either axis or both")
#define ALPHA_DOC "the fourth channel is a number"
#define FORMS 1
#include "filter/lookup.h"

FORM { return 0; }
SETUP { return rgba(to_float(table.width), to_float(table.height), 0.0f, 0.0f); }
BODY {
    vec4 best = c;
    float far = 3.0e38f, x = best.x - c.z, y = best.y - c.w, least = best.x >= 0.0f ? x * x + y * y : far;
    int column = to_int(clamp(c.z, 0.0f, setup0.x)), row = to_int(clamp(c.w, 0.0f, setup0.y));
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            vec4 other = TABLE(column + i * P.step, row + j * P.step);
            x = other.x - c.z, y = other.y - c.w;
            float distance = other.x >= 0.0f ? x * x + y * y : far;
            bool nearer = distance < least;
            best = rgba(nearer ? other.x : best.x, nearer ? other.y : best.y, c.z, c.w);
            least = min(distance, least);
        }
    return best;
}
