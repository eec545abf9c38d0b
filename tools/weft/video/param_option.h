/* SPDX-License-Identifier: MIT
 * The words of --param: "gaussian.sigma=0@0s,8@2s", or "gaussian:2.sigma=..." for the second filter of that name. */
#ifndef TOOL_VIDEO_PARAM_OPTION_H
#define TOOL_VIDEO_PARAM_OPTION_H
#include "video/video_options.h"
#include "weft/video.h"

struct curves {
    weft_video_curve list[VIDEO_CURVES];
    char *words[VIDEO_CURVES];
    double *points[VIDEO_CURVES];
    int count;
};

/* Returns EXIT_DONE, or another status after a message; to be closed in any case. */
int curves_open(struct curves *curves, const struct video_switches *switches);
void curves_close(struct curves *curves);

#endif
