/* SPDX-License-Identifier: MIT */
#define NAME histogram_look
#define SUMMARY "For a place of a plot, whether the column of a table there is so high"
#define STEP_OF "histogram_plot"
#define EXAMPLE "split[a][b];[a]place_map[m];[b]histogram[h];[m][h]histogram_look=1280:960"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    INT(width, 256, 1, 100000, "px", "of the plot")                                                                    \
    INT(height, 200, 1, 100000, "px", "of the plot")                                                                   \
    COLOR(background, 0, 0, 0, 1, -UNBOUNDED, UNBOUNDED, "where no column is")
#define CHANNELS COLOR
#define FORMS 1
#include "filter/lookup.h"

FORM { return 0; }
/* How many bins there are, and 1 over the largest count. */
SETUP {
    float most = 0.0f;
    for (int i = 0; i < table.width; i++) {
        vec4 v = TABLE(i, 0);
        most = max(most, max(v.x, max(v.y, v.z)));
    }
    return rgba(to_float(table.width), most > 0.0f ? 1.0f / most : 0.0f, 0.0f, 0.0f);
}
BODY {
    vec4 count = TABLE(to_int(floor((c.x + 0.5f) * setup0.x / to_float(P.width))), 0);
    float level = 1.0f - (c.y + 0.5f) / to_float(P.height), scale = setup0.y;
    bool red = count.x * scale >= level, green = count.y * scale >= level, blue = count.z * scale >= level;
    bool any = red || green || blue;
    return rgba(any ? (red ? 1.0f : 0.0f) : P.background.x, any ? (green ? 1.0f : 0.0f) : P.background.y,
                any ? (blue ? 1.0f : 0.0f) : P.background.z, 1.0f);
}
