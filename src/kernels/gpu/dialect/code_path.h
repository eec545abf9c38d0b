/* SPDX-License-Identifier: MIT
 * The code path that a kernel takes, where the host chose one of several by a filter's radius or an image's format
 * (weft_gpu_choose_path). CUDA reads it from the launch. In Vulkan it is a specialization constant, so that a pipeline has neither
 * the code nor the registers of the other paths. */
#ifndef KERNELS_GPU_CODE_PATH_H
#define KERNELS_GPU_CODE_PATH_H

#define SPECIAL_PATH 14 /* its id in Vulkan: that of the last of a kernel's own constants */
#if defined(GLSL)
layout(constant_id = SPECIAL_PATH) const int KNOWN_PATH = 0;
#endif
#define path_known KNOWN(KNOWN_PATH, L.path)

/* Code paths of a stencil (stencil.h). WALKING: for radius 1 and bytes or floats as stored (walk.h). WHOLE: the same, where the
 * weights also allow whole numbers (walk_whole.h). */
#define STENCIL_BY_TILE 0
#define STENCIL_WALKING 1
#define STENCIL_WHOLE 2

/* Code paths of extrema (extremum_bytes.h), by the radius along an axis: how many windows at least share common work. */
#define EXTREMUM_NARROW 0   /* none: radius 0 and 1 */
#define EXTREMUM_BY_4 1
#define EXTREMUM_BY_8 2
#define EXTREMUM_BY_16 3
#define EXTREMUM_BY_CELLS 4 /* longer than a cell along rows */
#define EXTREMUM_OF(radius) ((radius) < 2 ? 0 : (radius) < 4 ? 1 : (radius) < 8 ? 2 : (radius) < 17 ? 3 : 4)
#define EXTREMUM_PATH(radius_x, radius_y) (EXTREMUM_OF(radius_x) | EXTREMUM_OF(radius_y) << 3)
#define EXTREMUM_ALONG (path_known & 7)
#define EXTREMUM_DOWN (path_known >> 3)

#endif
