/* SPDX-License-Identifier: MIT
 * The words of --param. */
#include "video/param_option.h"
#include <stdlib.h>
#include <string.h>
#include "common/message.h"

static int wrong(const char *word) {
    return message_usage("--param takes FILTER.NAME=VALUE@TIME,VALUE@TIME, as gaussian.sigma=0@0s,8@2s, not '%s'",
                         word);
}

/* "8@2s": its end becomes a 0. */
static bool read_point(char *text, double *value, double *seconds) {
    char *at = strchr(text, '@'), *end;
    if (!at)
        return false;
    *at = 0;
    *value = strtod(text, &end);
    return end != text && !*end && video_time(at + 1, seconds);
}

static int read_curve(struct curves *curves, const char *word) {
    weft_video_curve *curve = &curves->list[curves->count];
    char *copy = strdup(word);
    size_t most = 1;
    for (const char *at = word; *at; at++)
        most += *at == ',';
    double *points = calloc(2 * most, sizeof *points);
    curves->words[curves->count] = copy;
    curves->points[curves->count++] = points;
    if (!copy || !points)
        return message_unable("not enough memory");
    char *dot = strchr(copy, '.'), *sign = dot ? strchr(dot, '=') : NULL;
    if (!sign)
        return wrong(word);
    *dot = *sign = 0;
    char *colon = strchr(copy, ':'), *end;
    if (colon) {
        *colon = 0;
        long which = strtol(colon + 1, &end, 10);
        if (end == colon + 1 || *end || which < 1 || which > 10000)
            return wrong(word);
        curve->which = (int32_t)which - 1;
    }
    curve->filter = copy;
    curve->parameter = dot + 1;
    curve->values = points;
    curve->seconds = points + most;
    for (char *point = sign + 1; point; curve->count++) {
        char *next = strchr(point, ',');
        if (next)
            *next++ = 0;
        if (!read_point(point, &points[curve->count], &points[most + (size_t)curve->count]))
            return wrong(word);
        point = next;
    }
    return EXIT_DONE;
}

int curves_open(struct curves *curves, const struct video_switches *switches) {
    int status = EXIT_DONE;
    for (int i = 0; i < switches->curve_count && status == EXIT_DONE; i++)
        status = read_curve(curves, switches->curves[i]);
    return status;
}

void curves_close(struct curves *curves) {
    for (int i = 0; i < curves->count; i++) {
        free(curves->words[i]);
        free(curves->points[i]);
    }
}
