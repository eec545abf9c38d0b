/* SPDX-License-Identifier: MIT
 * Point filters as operations of programs: what their kinds' headers need to make operation_NAME of a body. Values hold an
 * image's channels in their order; bodies of whole pixels see grey as red = green = blue and alpha that is not there as 1. */
#ifndef KERNELS_GPU_OPERATION_H
#define KERNELS_GPU_OPERATION_H
#include "kernels/gpu/dialect/kernel.h"
#include "kernels/gpu/dialect/launch.h"

#define OPERATION(name) FN vec4 name(vec4 a, vec4 b, place at, address block, int shape)
#define CHANNELS_A (shape & 15)
#define CHANNELS_B (shape >> 4 & 15)
#define CHANNELS_RESULT (shape >> 8 & 15)

FN vec4 color_of(vec4 v, int channels) {
    float last = channels == 2 ? v.y : channels == 4 ? v.w : 1.0f;
    return channels < 3 ? rgba(v.x, v.x, v.x, last) : rgba(v.x, v.y, v.z, last);
}
FN vec4 channels_of(vec4 c, int channels) { return channels == 2 ? rgba(c.x, c.w, 0.0f, 0.0f) : c; }

#endif
