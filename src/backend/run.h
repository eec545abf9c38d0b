/* SPDX-License-Identifier: MIT
 * What runs, queues and copies of images share: the checks, and starting a run that has been checked. */
#ifndef BACKEND_RUN_H
#define BACKEND_RUN_H
#include "backend/plan.h"

/* Checks an image by itself: where it lies, its stride, its alignment. `what` names it in the message. */
weft_status weft_image_check(const weft_image *image, const struct weft_backend *backend, const char *what,
                             weft_error *error);
/* True when two images share bytes, or lie so that one has bytes between those of the other. */
bool weft_images_overlap(const weft_image *a, const weft_image *b);

/* Checks everything of a run against its plan. */
weft_status weft_run_check(const weft_plan *plan, const weft_run *run, weft_error *error);

struct weft_run_manner {
    bool asynchronous, has_stream; /* as in struct weft_run_request */
    void *stream;
    void **kept; /* not NULL: takes the workspace of a run that had none, to be freed by weft_free when it is done */
};
/* Starts a run that has been checked, and waits for it unless `manner` says otherwise. */
weft_status weft_run_start(const weft_plan *plan, const weft_run *run, const struct weft_run_manner *manner,
                           weft_error *error);

/* The same for copies; `asynchronous`: both images lie in the device's memory, and drain waits for it. */
weft_status weft_copy_check(weft_device *device, const weft_image *from, const weft_image *to, weft_error *error);
weft_status weft_copy_start(weft_device *device, const weft_image *from, const weft_image *to, bool asynchronous,
                            weft_error *error);

#endif
