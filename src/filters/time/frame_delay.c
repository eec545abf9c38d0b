/* SPDX-License-Identifier: MIT
 * What other filters of time are made of: the planner puts the input of kept images in its place, and frame_recall. */
#define NAME frame_delay
#define SUMMARY "Show the frame of so many frames ago; in the first frames, which have none before them, the present one"
#define ALIASES "buffer save_frame"
#define SOURCE "GPUImage's GPUImageBuffer"
#define EXAMPLE "frame_delay=5"
#define ALPHA ANY
#define EXACT true
#define APART true
#define ROLE DELAY
#define PARAMS FIXED_INT(frames, 1, 0, 1000, "frames", "how many frames ago; as many images are kept, and one more")
#include "filter/pixel.h"

BODY {
    return c;
}
