/* SPDX-License-Identifier: MIT */
#define NAME clahe_look
#define SUMMARY "A place and its level by the tables of the four tiles around it"
#define STEP_OF "clahe"
#define SOURCE "OpenCV's createCLAHE"
#define EXAMPLE "split[a][b];[a]place_map[m];[b]resize=256:4[t];[m][t]clahe_look=2:2:640:480"
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    INT(across, 8, 1, 32, "", "tiles from left to right")                                                              \
    INT(down, 8, 1, 32, "", "tiles from top to bottom")                                                                \
    FLOAT(width, 16, 1, 16777216, "px", "of a tile")                                                                   \
    FLOAT(height, 16, 1, 16777216, "px", "of a tile")
#define CHANNELS GREY
#define FORMS 1
#include "filter/lookup.h"

FORM { return 0; }
SETUP { return rgba(to_float(table.width), 1.0f / P.width, 1.0f / P.height, 0.0f); }
BODY {
    float x = c.x * setup0.y - 0.5f, y = c.y * setup0.z - 0.5f, left = floor(x), top = floor(y);
    float u = x - left, v = y - top, last_x = to_float(P.across) - 1.0f, last_y = to_float(P.down) - 1.0f;
    float bin = clamp(c.z, 0.0f, 1.0f) * (setup0.x - 1.0f), low = min(floor(bin), setup0.x - 2.0f), part = bin - low;
    float x0 = clamp(left, 0.0f, last_x), x1 = clamp(left + 1.0f, 0.0f, last_x);
    float y0 = clamp(top, 0.0f, last_y) * (last_x + 1.0f), y1 = clamp(top + 1.0f, 0.0f, last_y) * (last_x + 1.0f);
    int at = to_int(low), a = to_int(y0 + x0), b = to_int(y0 + x1), d = to_int(y1 + x0), e = to_int(y1 + x1);
    float one = mix(TABLE(at, a).x, TABLE(at + 1, a).x, part), two = mix(TABLE(at, b).x, TABLE(at + 1, b).x, part);
    float three = mix(TABLE(at, d).x, TABLE(at + 1, d).x, part), four = mix(TABLE(at, e).x, TABLE(at + 1, e).x, part);
    float level = mix(mix(one, two, u), mix(three, four, u), v);
    return rgba(level, level, level, 1.0f);
}
