/* SPDX-License-Identifier: MIT
 * Parameters that change with time. */
#ifndef VIDEO_PARAMETER_CURVES_H
#define VIDEO_PARAMETER_CURVES_H
#include "video/job.h"

/* Checks the curves and finds their filters. */
weft_status weft_video_open_curves(struct weft_video_job *job, weft_error *error);
/* Sets all parameters to their values at a time, with a new plan where one of them decides it. */
weft_status weft_video_follow_curves(struct weft_video_job *job, double seconds, weft_error *error);

#endif
