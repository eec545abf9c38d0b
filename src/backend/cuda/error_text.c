/* SPDX-License-Identifier: MIT
 * What the driver's results mean, and its context around every call. */
#include "backend/cuda/cuda.h"
#include "base/status.h"

/* After these the context is of no use: every later call fails. */
static bool loses(CUresult result) {
    switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_SYSTEM_NOT_READY:
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_UNKNOWN:
        return true;
    default:
        return false;
    }
}

static const char *text_of(const struct gpu_device *device, CUresult result) {
    const char *text = NULL;
    device->api.cuGetErrorString(result, &text);
    return text ? text : "unknown error";
}

static weft_status fail_lost(const struct gpu_device *device, CUresult result, weft_error *error) {
    return weft_fail(
        error, WEFT_ERROR_DEVICE,
        "the CUDA device '%s' is lost (%s, error %d): close it and what was made with it; where it cannot be opened "
        "again, a new process can",
        device->info.name, text_of(device, result), (int)result);
}

weft_status weft_cuda_check(struct gpu_device *device, CUresult result, const char *doing, weft_error *error) {
    int none = 0;
    if (result == CUDA_SUCCESS)
        return WEFT_OK;
    if (loses(result)) {
        atomic_compare_exchange_strong(&device->lost, &none, (int)result);
        return fail_lost(device, result, error);
    }
    return weft_fail(error, result == CUDA_ERROR_OUT_OF_MEMORY ? WEFT_ERROR_MEMORY : WEFT_ERROR_DEVICE,
                     "the CUDA device '%s' failed when %s: %s, error %d", device->info.name, doing,
                     text_of(device, result), (int)result);
}

weft_status weft_cuda_enter(struct gpu_device *device, weft_error *error) {
    CUresult lost = (CUresult)atomic_load(&device->lost);
    if (lost != CUDA_SUCCESS)
        return fail_lost(device, lost, error);
    return weft_cuda_check(device, device->api.cuCtxPushCurrent(device->context), "taking its context", error);
}

void weft_cuda_leave(struct gpu_device *device) {
    CUcontext context;
    device->api.cuCtxPopCurrent(&context);
}
