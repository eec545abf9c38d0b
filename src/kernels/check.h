/* SPDX-License-Identifier: MIT
 * A kernel around one body, so that the GPU compilers compile all of it: the build's check that no body is written that a
 * GPU cannot take. IN and OUT are elements of a buffer. */
#if defined(GLSL)
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Data { float data[]; };
layout(push_constant, scalar) uniform Push { BLOCK P; };
#define IN(i) data[gl_GlobalInvocationID.x * 64 + (i)]
#define OUT(i, v) data[gl_GlobalInvocationID.x * 64 + 32 + (i)] = (v)
#define PLACE place(int(gl_GlobalInvocationID.x), int(gl_GlobalInvocationID.y), 640, 480)
#define KERNEL void main()
#define IN4(i) vec4(IN(i), IN((i) + 1), IN((i) + 2), IN((i) + 3))
#else
#ifdef BODY_READS_INPUT
__device__ float data[1 << 20];
#define KERNEL extern "C" __global__ void check(const __grid_constant__ BLOCK P)
#else
#define KERNEL extern "C" __global__ void check(const __grid_constant__ BLOCK P, float *data)
#endif
#define IN(i) data[threadIdx.x * 64 + (i)]
#define OUT(i, v) data[threadIdx.x * 64 + 32 + (i)] = (v)
#define PLACE place{int(blockIdx.x * 64 + threadIdx.x), int(blockIdx.y), 640, 480}
#define IN4(i) rgba(IN(i), IN((i) + 1), IN((i) + 2), IN((i) + 3))
#endif
#define OUT4(i, v)                                                                                                     \
    {                                                                                                                  \
        vec4 result = v;                                                                                               \
        OUT(i, result.x);                                                                                              \
        OUT((i) + 1, result.y);                                                                                        \
        OUT((i) + 2, result.z);                                                                                        \
        OUT((i) + 3, result.w);                                                                                        \
    }
