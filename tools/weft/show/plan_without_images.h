/* SPDX-License-Identifier: MIT
 * A graph planned for images that do not exist: of the size, format and alpha that the options give. */
#ifndef TOOL_PLAN_WITHOUT_IMAGES_H
#define TOOL_PLAN_WITHOUT_IMAGES_H
#include "graph.h"
#include "options.h"

struct planned {
    weft_device *device;
    weft_plan *plan;
};

/* Opens the device and plans. Returns EXIT_DONE, or another exit status after a message; to be closed in any case. */
int planned_open(struct planned *planned, const struct graph *graph, const struct options *options, int32_t threads,
                 uint64_t memory);
/* Plans on planned->device, which is open; the rest as above. */
int planned_make(struct planned *planned, const struct graph *graph, const struct options *options, uint64_t memory);
void planned_close(struct planned *planned);

#endif
