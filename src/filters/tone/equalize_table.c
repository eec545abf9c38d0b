/* SPDX-License-Identifier: MIT */
#define NAME equalize_table
#define SUMMARY "From a cumulative histogram, given twice, the table that makes all levels equally frequent"
#define STEP_OF "equalize_histogram"
#define SOURCE "OpenCV's equalizeHist"
#define EXAMPLE "histogram=64,split[a][b];[a][b]equalize_table"
#define TOLERANCE 1e-5
#define FORMS 1
#include "filter/lookup.h"

FORM { return 0; }
/* 0: the count of the first bin that is not empty; 1: the count of all pixels; 2: where that first bin is, which is the only level
 * of an image that has one. */
SETUP {
    float last = max(to_float(table.width - 1), 1.0f);
    vec4 count = rgba(0.0f, 0.0f, 0.0f, 0.0f), at = count, all = TABLE(table.width - 1, 0);
    for (int i = table.width - 1; i >= 0; i--) {
        vec4 v = TABLE(i, 0);
        float where = to_float(i) / last;
        count = rgba(v.x > 0.0f ? v.x : count.x, v.y > 0.0f ? v.y : count.y, v.z > 0.0f ? v.z : count.z, 1.0f);
        at = rgba(v.x > 0.0f ? where : at.x, v.y > 0.0f ? where : at.y, v.z > 0.0f ? where : at.z, 1.0f);
    }
    return k == 0 ? count : k == 1 ? all : at;
}
FN float level_of(float count, float first, float all, float only) {
    float rest = all - first;
    return rest > 0.0f ? max(count - first, 0.0f) / rest : only;
}
BODY {
    return rgba(level_of(c.x, setup0.x, setup1.x, setup2.x), level_of(c.y, setup0.y, setup1.y, setup2.y),
                level_of(c.z, setup0.z, setup1.z, setup2.z), c.w);
}
