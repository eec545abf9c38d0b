/* SPDX-License-Identifier: MIT
 * Each angle and distance gathers its own pixels, so that no two threads add to one number: along the line, in each column or row
 * of the image one or two whose distance rounds to this one. */
#define NAME hough_look
#define SUMMARY "For an angle and a distance, how many bright pixels of a table lie on that line"
#define STEP_OF "hough_lines"
#define EXAMPLE "crop=0:0:60:40,split[a][b];[a]place_map[m];[b]sobel[e];[m][e]hough_look=60"
#define TOLERANCE 1
#define PARAMS INT(angles, 180, 1, 3600, "", "how many of them half a turn has")
#define CHANNELS GREY
#define FORMS 1
#include "filter/lookup.h"

FORM { return 0; }
SETUP { return rgba(to_float(table.width), to_float(table.height), 0.0f, 0.0f); }
/* 1 where the pixel is bright, inside, and so far away. */
FN float counted(TABLE_IN float x, float y, vec4 size, float across, float down, float distance) {
    bool on = x >= 0.0f && y >= 0.0f && x < size.x && y < size.y && floor(x * across + y * down + 0.5f) == distance;
    return on && TABLE(to_int(x), to_int(y)).x >= 0.5f ? 1.0f : 0.0f;
}
BODY {
    float angle = c.x * 3.1415927f / to_float(P.angles), across = cos(angle), down = sin(angle);
    float distance = c.y - setup0.x - setup0.y, sum = 0.0f;
    bool level = abs(down) >= abs(across); /* a pixel or two in each column */
    int count = to_int(level ? setup0.x : setup0.y);
    for (int i = 0; i < count; i++) {
        float at = to_float(i), slope = level ? down : across, other = distance - at * (level ? across : down);
        float first = floor(min((other - 0.5f) / slope, (other + 0.5f) / slope));
        for (int k = 0; k < 3; k++) {
            float v = first + to_float(k);
            sum += counted(TABLE_ARGUMENT level ? at : v, level ? v : at, setup0, across, down, distance);
        }
    }
    float share = sum / max(setup0.x, setup0.y);
    return rgba(share, share, share, 1.0f);
}
