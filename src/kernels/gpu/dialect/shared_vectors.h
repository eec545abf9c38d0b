/* SPDX-License-Identifier: MIT
 * Shared memory that is read 16 bytes at a time, since that is four times as fast, and written by the number or so too:
 *
 *   SHARED(quad, tile, 64);
 *   quad_read(tile, i), quad_write(tile, i, v)    numbers 4 i .. 4 i + 3, as a vec4
 *   quad_number(tile, i)                          number i
 *
 * or 8 bytes at a time, of floats or of whole numbers, with members x and y:
 *
 *   SHARED(float_pair, tile, 64);
 *   pair_of_floats(x, y), pair_of_uints(x, y) */
#ifndef KERNELS_GPU_SHARED_VECTORS_H
#define KERNELS_GPU_SHARED_VECTORS_H
#include "kernels/gpu/dialect/kernel.h"

#if defined(GLSL)
#define float_pair vec2
#define uint_pair uvec2
#define pair_of_floats vec2
#define pair_of_uints uvec2
#define quad vec4
#define quad_read(tile, i) tile[i]
#define quad_write(tile, i, v) tile[i] = (v)
#define quad_number(tile, i) tile[(i) >> 2][(i) & 3]
#else
#define float_pair float2
#define uint_pair uint2
#define pair_of_floats make_float2
#define pair_of_uints make_uint2
#define quad float4
#define quad_number(tile, i) ((float *)(tile))[i]
FN vec4 quad_of(float4 v) { return rgba(v.x, v.y, v.z, v.w); }
#define quad_read(tile, i) quad_of(tile[i])
#define quad_write(tile, i, v) tile[i] = make_float4((v).x, (v).y, (v).z, (v).w)
#endif

#endif
