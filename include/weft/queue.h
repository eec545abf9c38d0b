/* SPDX-License-Identifier: MIT
 * Queues: runs that are started and waited for later. */
#ifndef WEFT_QUEUE_H
#define WEFT_QUEUE_H
#include "weft/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_queue weft_queue;

typedef struct weft_queue_options {
    /* CUDA: a stream of the caller's (CUstream or cudaStream_t). Runs whose images are all device memory are put on it
     * and nothing else is touched, so that they order with the caller's own work and can be captured into a graph. */
    void *cuda_stream;
    bool has_cuda_stream; /* the default stream is NULL, which is a stream too */
} weft_queue_options;

/* Makes a queue of a device; `options` may be NULL. Runs of one queue happen in the order in which they are started. */
WEFT_API weft_status weft_queue_create(weft_device *device, const weft_queue_options *options, weft_queue **queue,
                                       weft_error *error);
/* Waits for what runs, destroys the queue and sets *queue to NULL; NULL is allowed. */
WEFT_API void weft_queue_destroy(weft_queue **queue);
/* Starts a run and returns; it is checked at once and refused with an error. `run` and its lists of inputs, outputs and
 * semaphores are copied; images and workspace must stay, and parameters stay as they are, until the queue has been waited
 * for; plan and parameters may be destroyed before. That goes for the memory of a reduction's numbers too: it is written to at any
 * time up to the end of the wait, by this thread or by another one that uses the device, and holds the numbers then; where several
 * runs write to the same place, those of the last. A run may read what earlier ones of the queue write. Progress and streams of
 * rows are called from a thread of the queue's. */
WEFT_API weft_status weft_queue_run(weft_queue *queue, const weft_plan *plan, const weft_run *run, weft_error *error);
/* Starts weft_image_copy in order with the queue's runs. Not for queues of a caller's stream. */
WEFT_API weft_status weft_queue_copy(weft_queue *queue, const weft_image *from, const weft_image *to,
                                     weft_error *error);
/* Waits for all runs and copies started so far. Returns the first failure among those since the last wait; what was
 * started after a failure is run all the same. With a caller's stream the caller synchronizes the stream; this waits
 * for the runs that were not put on it. */
WEFT_API weft_status weft_queue_wait(weft_queue *queue, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
