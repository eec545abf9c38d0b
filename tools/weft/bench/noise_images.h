/* SPDX-License-Identifier: MIT
 * Images to measure with: noise, the same at every start, valid in every format. */
#ifndef TOOL_NOISE_IMAGES_H
#define TOOL_NOISE_IMAGES_H
#include "weft/weft.h"

/* Fills a tightly packed image with numbers from 0 to 1 of full scale. */
void noise_fill(const weft_image_info *info, void *data, uint64_t seed);

#endif
