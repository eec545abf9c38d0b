/* SPDX-License-Identifier: MIT
 * Code for one program: PTX text that the driver compiles. */
#ifndef BACKEND_CUDA_WEAVE_H
#define BACKEND_CUDA_WEAVE_H
#include <stddef.h>
#include <stdint.h>
#include "weft/weft.h"

/* Whether a program can be woven: it is short enough to be in `specials` (kernels/gpu/launch.h), and reduces nothing. */
bool weft_cuda_can_weave(const int32_t *specials);

/* The kernel of `woven`, what cmake/weave.awk made of its woven form, ended by 0, with the program of `specials` in it. The
 * caller frees *text with weft_free. */
weft_status weft_cuda_weave(const char *woven, const int32_t *specials, char **text, weft_error *error);

#endif
