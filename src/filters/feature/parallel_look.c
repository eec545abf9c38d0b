/* SPDX-License-Identifier: MIT
 * Sides go from -1 to 1. A pixel at (x, y) is the segments from (-1, -y) to (0, x) and on to (1, y), of which each column of the
 * result holds one pixel. Backwards, a pixel of the result is a line of the image: this counts along it, so that no two threads
 * add to one number.
 * Where a segment is in a column is a whole number of 2 width^2-ths of a row. A segment that goes just between two rows is in the
 * lower one, and a part of a row added to all, half of the least that may be between them, keeps it there whatever is rounded. */
#define NAME parallel_look
#define SUMMARY "For a place, how many bright pixels of a table of the same size have a segment that crosses it"
#define STEP_OF "parallel_coordinates"
#define EXAMPLE "crop=0:0:60:40,split[a][b];[a]place_map[m];[b]sobel[e];[m][e]parallel_look"
#define TOLERANCE 1
#define PARAMS FLOAT(threshold, 0.5, -UNBOUNDED, UNBOUNDED, "", "pixels whose first channel is at least this are counted")
#define CHANNELS GREY
#define FORMS 1
#include "filter/lookup.h"

FORM { return 0; }
SETUP { return rgba(to_float(table.width), to_float(table.height), 0.0f, 0.0f); }
/* 1 where the pixel is bright, inside, and crosses the row in this column. */
FN float crosses(TABLE_IN float x, float y, vec4 size, float across, float down, float from, float row, float threshold) {
    bool on = x >= 0.0f && y >= 0.0f && x < size.x && y < size.y && floor(from + x * across + y * down) == row;
    return on && TABLE(to_int(x), to_int(y)).x >= threshold ? 1.0f : 0.0f;
}
BODY {
    /* The row of pixel (x, y) is floor(from + across x + down y): t along the first segment, or the second. */
    float t = (2.0f * c.x + 1.0f) / setup0.x, high = setup0.y, scale = high / setup0.x;
    bool first = t < 1.0f;
    t = first ? t : t - 1.0f;
    float across = scale * (first ? t : 1.0f - t), down = first ? t - 1.0f : t;
    float from = (first ? high * (1.0f - t) : 0.0f) + 0.5f * (across + down) + 0.25f / (setup0.x * setup0.x), sum = 0.0f;
    bool level = abs(down) >= abs(across); /* a few pixels in each column, else in each row */
    float slope = level ? down : across, other = level ? across : down;
    int count = to_int(level ? setup0.x : setup0.y);
    for (int i = 0; i < count; i++) {
        float at = to_float(i), rest = c.y - from - at * other;
        float least = floor(min(rest / slope, (rest + 1.0f) / slope));
        float limit = level ? setup0.y : setup0.x, most = least + floor(1.0f / abs(slope)) + 3.0f;
        int begin = to_int(clamp(least, 0.0f, limit)), end = to_int(clamp(most, 0.0f, limit));
        for (int k = begin; k < end; k++) {
            float v = to_float(k);
            sum += crosses(TABLE_ARGUMENT level ? at : v, level ? v : at, setup0, across, down, from, c.y, P.threshold);
        }
    }
    float share = sum / max(setup0.x, setup0.y);
    return rgba(share, share, share, 1.0f);
}
