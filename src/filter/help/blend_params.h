/* SPDX-License-Identifier: MIT
 * The parameters that all blend modes have. */
#ifndef FILTER_BLEND_PARAMS_H
#define FILTER_BLEND_PARAMS_H
#define BLEND_COMPAT CHOICE(compat, 0, "none|gpuimage", "gpuimage: that library's formula, on the numbers as they are")
#define BLEND_PARAMS FLOAT(opacity, 1, 0, 1, "", "scales the alpha of the second input") BLEND_COMPAT
#endif
