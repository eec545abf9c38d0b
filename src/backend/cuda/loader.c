/* SPDX-License-Identifier: MIT
 * libcuda.so.1, the part of CUDA that comes with NVIDIA's driver. Only it is needed when a program runs. */
#include "backend/cuda/cuda.h"
#include "base/library.h"
#include "base/status.h"

static const struct weft_library_function functions[] = {
#define CUDA_ROW(name, ...) {CUDA_TEXT(name), offsetof(struct cuda_api, name)},
    CUDA_FUNCTIONS(CUDA_ROW)
#undef CUDA_ROW
};

/* The first that has all of these functions and launches that overlap. */
#define NEEDED_VERSION 12000

static weft_status start(struct cuda_api *api, weft_error *error) {
    const char *missing = weft_library_find_all(api->library, functions, sizeof functions / sizeof *functions, api);
    if (missing)
        return weft_fail(error, WEFT_ERROR_DEVICE, "the NVIDIA driver is too old: its libcuda.so.1 has no %s", missing);
    CUresult result = api->cuInit(0);
    if (result == CUDA_ERROR_NO_DEVICE)
        return weft_fail(error, WEFT_ERROR_DEVICE, "the NVIDIA driver finds no GPU that it may use");
    if (result == CUDA_SUCCESS)
        result = api->cuDriverGetVersion(&api->version);
    if (result != CUDA_SUCCESS) {
        const char *name = NULL, *text = NULL;
        api->cuGetErrorName(result, &name);
        api->cuGetErrorString(result, &text);
        return weft_fail(error, WEFT_ERROR_DEVICE, "the NVIDIA driver does not start: %s (%s)",
                         text ? text : "unknown error", name ? name : "?");
    }
    if (api->version < NEEDED_VERSION)
        return weft_fail(error, WEFT_ERROR_DEVICE,
                         "the NVIDIA driver is too old: it knows CUDA %d.%d, weft needs %d.0 or later",
                         api->version / 1000, api->version % 1000 / 10, NEEDED_VERSION / 1000);
    return WEFT_OK;
}

weft_status weft_cuda_load(struct cuda_api *api, weft_error *error) {
    *api = (struct cuda_api){.library = weft_library_open("libcuda.so.1")};
    if (!api->library)
        return weft_fail(error, WEFT_ERROR_DEVICE, "no libcuda.so.1: is an NVIDIA driver installed?");
    weft_status status = start(api, error);
    if (status != WEFT_OK)
        weft_cuda_unload(api);
    return status;
}

void weft_cuda_unload(struct cuda_api *api) {
    weft_library_close(api->library);
    api->library = NULL;
}
