/* SPDX-License-Identifier: MIT
 * Memory for the images of weft bench. */
#ifndef TOOL_IMAGE_MEMORY_H
#define TOOL_IMAGE_MEMORY_H
#include <stdbool.h>
#include <stddef.h>

/* Memory for an image, aligned for vectors; NULL when there is none. `size` may not be 0. And for `count` of them, one
 * behind the other. */
void *image_memory(size_t size);
void *images_memory(size_t size, size_t count);
/* Whether memory for images of `size` bytes is of huge pages. */
bool images_huge(size_t size);

#endif
