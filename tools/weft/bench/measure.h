/* SPDX-License-Identifier: MIT
 * Timing a plan on images that caches cannot hold, alternating with copies of the same bytes on the same device. */
#ifndef TOOL_MEASURE_H
#define TOOL_MEASURE_H
#include <stdbool.h>
#include "common/message.h"

/* The images taken in turn come to so many bytes at least: more than caches hold. */
#define MEASURE_BEYOND_CACHES ((size_t)256 << 20)

struct measured {
    double median, minimum, copy; /* seconds; `copy` is the median of the copies */
    double alone;                 /* median from the start of a run that is waited for by itself to its end */
    int runs, sets;               /* runs timed, sets of images taken in turn */
};

/* Host memory for images, kept from one plan to the next: new pages take longer than small plans do. Begins as zeros. */
struct measure_memory {
    struct measure_block {
        char *data;
        size_t size;
        bool huge; /* of huge pages */
    } images, copies;
};
void measure_memory_free(struct measure_memory *memory);

/* Measures where the images are at home: in the memory of the device. Returns EXIT_DONE, or another exit status after a
 * message. `graph` is for the places in messages. */
int measure(struct measured *measured, struct measure_memory *memory, weft_device *device, const weft_plan *plan,
            int32_t threads, double seconds, const struct graph_text *graph);

/* The parts of it, for images in host memory and in memory of the device's own. */
int measure_on_host(struct measured *measured, struct measure_memory *memory, const weft_plan *plan, int32_t threads,
                    double seconds, const struct graph_text *graph);
int measure_on_device(struct measured *measured, weft_device *device, const weft_plan *plan, double seconds,
                      const struct graph_text *graph);

/* The middle of the times, which are sorted then. */
double measure_median(double *times, int count);

#endif
