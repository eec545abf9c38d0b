/* SPDX-License-Identifier: MIT
 * The options of weft run that only videos take. */
#ifndef TOOL_VIDEO_VIDEO_OPTIONS_H
#define TOOL_VIDEO_VIDEO_OPTIONS_H
#include <stdbool.h>
#include <stdint.h>
#include "weft/video.h"

enum { VIDEO_CURVES = 16 }; /* how often --param may be given */

struct video_switches {
    bool given;            /* any of them */
    double from, to, loop; /* seconds; 0 when not given */
    int64_t frames;        /* 0 when not given */
    const char *raw, *protocols, *chroma;
    weft_video_planes planes;
    const char *curves[VIDEO_CURVES];
    int curve_count;
};

/* Notes the option of that name. Returns EXIT_DONE, or EXIT_USAGE after a message. */
int video_switch(struct video_switches *switches, const char *name, const char *value);
/* A time: seconds, "90", "1.5s", or "1:30", "1:02:03.5". False when it is none. */
bool video_time(const char *text, double *seconds);

#endif
