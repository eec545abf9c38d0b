/* SPDX-License-Identifier: MIT
 * A window moves along the table, and the place where the sum in it is largest counts, of several the one nearest the middle.
 * Sums are of whole numbers and stay below 2^24 where tables have up to 96 lines of as many pixels of up to 1020. */
#define NAME attention_place
#define SUMMARY "Where a window over the second image has the largest sum: its first column or row, of an image so much larger"
#define STEP_OF "resize"
#define EXAMPLE "crop=0:0:60:40,split[a][b];[a]place_map[m];[b]attention_energy[e];[m][e]attention_place=20:100,exposure=-7"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    INT(window, 1, 1, 1048576, "px", "of the table, that the window takes in")                                         \
    INT(room, 0, 0, 2147483647, "px", "by which the image is larger than what is cut out of it")                       \
    CHOICE(axis, 0, "x|y", "along which the window moves")
#define CHANNELS COLOR
#define FORMS 2
#include "filter/lookup.h"

FORM { return P.axis; }
SETUP { return rgba(to_float(table.width), to_float(table.height), 0.0f, 0.0f); }
/* The sum of a column, or of a row. */
FN float line(TABLE_IN int at, int count, int form) {
    float sum = 0.0f;
    for (int i = 0; i < count; i++)
        sum += floor(TABLE(form == 0 ? at : i, form == 0 ? i : at).x);
    return sum;
}
BODY {
    int along = to_int(form == 0 ? setup0.x : setup0.y), across = to_int(form == 0 ? setup0.y : setup0.x);
    int window = P.window < along ? P.window : along, last = along - window, best = 0;
    float sum = 0.0f, most = 0.0f;
    for (int i = 0; i < window; i++)
        sum += line(TABLE_ARGUMENT i, across, form);
    most = sum;
    for (int i = 1; i <= last; i++) {
        sum += line(TABLE_ARGUMENT i + window - 1, across, form) - line(TABLE_ARGUMENT i - 1, across, form);
        int aside = 2 * i - last, before = 2 * best - last;
        aside = aside < 0 ? -aside : aside, before = before < 0 ? -before : before;
        best = sum > most || (sum == most && aside < before) ? i : best;
        most = max(sum, most);
    }
    float room = to_float(P.room), first = room * to_float(best) / to_float(last > 0 ? last : 1);
    first = last > 0 ? floor(first + 0.49f) : floor(0.5f * room);
    return rgba(form == 0 ? first : 0.0f, form == 0 ? 0.0f : first, 0.0f, 1.0f);
}
