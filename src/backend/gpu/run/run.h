/* SPDX-License-Identifier: MIT
 * What a run of a GPU plan keeps track of, and the steps of it that move images. */
#ifndef BACKEND_GPU_RUN_H
#define BACKEND_GPU_RUN_H
#include "backend/gpu/plan/plan.h"

struct run_state {
    const struct gpu_plan *plan;
    const struct weft_run_request *request;
    struct gpu_point half[4];       /* when the halves of staging memory are free */
    struct gpu_point made[2];       /* of the last two bands */
    struct gpu_point uploaded, downloaded[2];
    struct gpu_external external;
    bool has_external;
    int32_t frame_slot, slot; /* the launches that this run has, and its place for numbers */
    size_t frame_slot_offset;
};

/* staging.c: the caller's image that a picture stands for, NULL when it must be copied to or from the device. */
const weft_image *weft_gpu_on_device(const struct run_state *run, int32_t picture);
/* Starts to copy what a band reads up to the device, and what it made down from it. */
weft_status weft_gpu_upload(struct run_state *run, int32_t stage, int32_t band, weft_error *error);
weft_status weft_gpu_download(struct run_state *run, int32_t stage, int32_t band, weft_error *error);
/* Reads the last rows of sources, which nothing needed, so that a reader reaches its end. Staging memory must be free. */
weft_status weft_gpu_drain_sources(const struct run_state *run, weft_error *error);

#endif
