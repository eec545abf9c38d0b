/* SPDX-License-Identifier: MIT
 * weft run on videos. */
#ifndef TOOL_VIDEO_H
#define TOOL_VIDEO_H
#include "run/operands.h"

/* Whether the inputs or outputs are videos. */
bool video_asked(const struct operands *operands, const struct options *options);
/* Runs the graph on every frame. Returns the exit status, after a message unless EXIT_DONE. */
int video_run(const struct operands *operands, const struct graph *graph, const struct options *options);

#endif
