/* SPDX-License-Identifier: MIT
 * The options of weft run that only videos take. */
#include "video/video_options.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/message.h"

bool video_time(const char *text, double *seconds) {
    double sum = 0;
    for (int part = 0; part < 3; part++) {
        char *end;
        if (!isdigit((unsigned char)*text) && *text != '.')
            return false;
        double number = strtod(text, &end);
        if (!(number >= 0 && number < 1e9))
            return false;
        sum = 60 * sum + number;
        text = end;
        if (*text != ':')
            break;
        text++;
    }
    *seconds = sum;
    return !*text || !strcmp(text, "s");
}

int video_switch(struct video_switches *switches, const char *name, const char *value) {
    switches->given = true;
    double *time = !strcmp(name, "from") ? &switches->from : !strcmp(name, "loop") ? &switches->loop : NULL;
    if (time && !video_time(value, time))
        return message_usage("--%s takes a time, as 90, 1.5s or 1:30, not '%s'", name, value);
    if (!strcmp(name, "raw"))
        switches->raw = value;
    if (!strcmp(name, "chroma")) {
        switches->chroma = value;
        switches->planes = WEFT_PLANES_EACH;
    }
    if (!strcmp(name, "protocols"))
        switches->protocols = value;
    if (!strcmp(name, "frames")) {
        char *end;
        errno = 0;
        long long number = strtoll(value, &end, 10);
        if (end == value || *end || errno || number < 1)
            return message_usage("--frames takes a number of frames, not '%s'", value);
        switches->frames = number;
    }
    if (!strcmp(name, "param")) {
        if (switches->curve_count == VIDEO_CURVES)
            return message_usage("--param is given more than %d times", VIDEO_CURVES);
        switches->curves[switches->curve_count++] = value;
    }
    if (!strcmp(name, "planes")) {
        static const char *const names[] = {"color", "y", "each"};
        int which = 0;
        while (which < 3 && strcmp(value, names[which]) != 0)
            which++;
        if (which == 3)
            return message_usage("--planes takes color, y (luma alone) or each (every plane by itself), not '%s'",
                                 value);
        if (switches->chroma && which != WEFT_PLANES_EACH)
            return message_usage("--chroma has a graph for planes by themselves, which is --planes each");
        switches->planes = (weft_video_planes)which;
    }
    return EXIT_DONE;
}
