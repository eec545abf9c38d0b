/* SPDX-License-Identifier: MIT
 * Shared memory that is read 16 bytes at a time, since that is four times as fast, and written by the number or so too:
 *
 *   SHARED(quad, tile, 64);
 *   quad_read(tile, i), quad_write(tile, i, v)    numbers 4 i .. 4 i + 3, as a vec4
 *   quad_number(tile, i)                          number i */
#ifndef KERNELS_GPU_SHARED_VECTORS_H
#define KERNELS_GPU_SHARED_VECTORS_H
#include "kernels/gpu/dialect/kernel.h"

#if defined(GLSL)
#define quad vec4
#define quad_read(tile, i) tile[i]
#define quad_write(tile, i, v) tile[i] = (v)
#define quad_number(tile, i) tile[(i) >> 2][(i) & 3]
#else
#define quad float4
#define quad_number(tile, i) ((float *)(tile))[i]
FN vec4 quad_of(float4 v) { return rgba(v.x, v.y, v.z, v.w); }
#define quad_read(tile, i) quad_of(tile[i])
#define quad_write(tile, i, v) tile[i] = make_float4((v).x, (v).y, (v).z, (v).w)
#endif

#endif
