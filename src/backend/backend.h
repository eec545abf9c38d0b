/* SPDX-License-Identifier: MIT
 * What a backend is: one table. plan.c and run.c validate everything once; backends assume valid input. */
#ifndef BACKEND_BACKEND_H
#define BACKEND_BACKEND_H
#include "base/reference_count.h"
#include "graph/typed.h"
#include "weft/plan.h"

struct weft_device; /* begins with struct weft_device_base */

struct weft_device_base {
    const struct weft_backend *backend;
    weft_log log;
    weft_reference_count holders; /* plans and queues beside the caller */
    int64_t process;              /* that opened the device; 0: a device inside another one, which is checked instead */
};

/* WEFT_ERROR_DEVICE in a process other than the one that opened the device: the child of a fork has neither its threads nor its
 * GPU. */
weft_status weft_device_check(const struct weft_device *device, weft_error *error);
bool weft_device_is_foreign(const struct weft_device *device);
/* Closes the device, now or when the last one that holds it does. */
void weft_device_leave(struct weft_device *device);

/* What run gets: images and streams checked against the plan, workspace large enough and aligned. */
struct weft_run_request {
    const weft_run_input *inputs;
    const weft_run_output *outputs;
    const void *const *blocks; /* of each node of the typed graph: the parameters of this run */
    unsigned char *workspace;
    bool (*progress)(void *user, double done); /* NULL or to be called from the calling thread */
    void *progress_user;
    /* What GPU backends take from queues and callers; zero otherwise. */
    bool asynchronous; /* may return before the images are written, when all of them are device memory */
    bool has_stream;   /* CUDA: everything goes to this stream and nothing waits */
    void *stream;
    const weft_semaphore *wait, *signal;
    int32_t wait_count, signal_count;
};

enum { WEFT_WHY_SIZE = 400 };
/* Which device runs a plan, chosen by one that hands its plans to others. */
struct weft_choice {
    struct weft_device *device;
    bool last;               /* there is no other to choose, should this one be unable to run the plan */
    char why[WEFT_WHY_SIZE]; /* a sentence for who reads the plan */
};
struct weft_draft; /* a plan before it is known which device runs it (plan.h) */

struct weft_backend {
    const char *name;
    bool forks;        /* close and destroy do their work in the child of a fork, too: no GPU is asked */
    weft_keeps *keeps; /* whether a filter keeps its own form here; NULL: every cheaper form is taken */

    /* Describes device `index` of the backend, false past the end. */
    bool (*at)(int32_t index, weft_device_info *info);
    weft_status (*open)(const char *name, const weft_device_options *options, weft_device **device, weft_error *error);
    void (*close)(weft_device *device);
    void (*describe)(const weft_device *device, weft_device_info *info);

    /* Of a device that runs nothing itself: chooses who does; once more where that one refuses, with what it said. What a plan is
     * asked is the chosen one's to answer. NULL: the device runs its plans. */
    weft_status (*choose)(weft_device *device, const struct weft_draft *draft, const weft_error *refusal,
                          struct weft_choice *choice, weft_error *error);
    /* Makes what run needs of a graph; `typed` outlives it. */
    weft_status (*compile)(weft_device *device, const struct weft_typed_graph *typed, void **compiled,
                           weft_error *error);
    void (*destroy)(void *compiled);
    size_t (*workspace_size)(const void *compiled);
    int32_t (*passes)(const void *compiled);
    bool (*can_stream)(const void *compiled);
    uint64_t (*memory)(const void *compiled); /* weft_plan_memory; NULL: the workspace and all images */
    weft_status (*print)(const void *compiled, weft_plan_format format, char **text, weft_error *error);
    weft_status (*run)(const void *compiled, const struct weft_run_request *request, weft_error *error);
    /* Waits until all asynchronous runs and copies of the device are done; NULL where run never returns early. */
    weft_status (*drain)(weft_device *device, weft_error *error);

    /* Images in the device's own memory, for callers (weft/memory.h); all NULL where that is host memory. */
    weft_status (*image_create)(weft_device *device, weft_image *image, weft_error *error); /* of image->info: sets the rest */
    void (*image_destroy)(weft_device *device, weft_image *image); /* waits for what still uses it */
    /* Copies pixels between host memory and the device's, either way, or within the device's, and waits. */
    weft_status (*image_copy)(weft_device *device, const weft_image *from, const weft_image *to, weft_error *error);
    /* Starts a copy within the device's memory, in order with the asynchronous runs. May be NULL. */
    weft_status (*image_copy_start)(weft_device *device, const weft_image *from, const weft_image *to, weft_error *error);
};

static inline const struct weft_backend *weft_backend_of(const struct weft_device *device) {
    return ((const struct weft_device_base *)(const void *)device)->backend;
}

/* Ended by NULL, in the order in which tests try them. */
extern const struct weft_backend *const weft_backends[];

#endif
