/* SPDX-License-Identifier: MIT
 * The machine's CUDA devices: what they are called, whether they can be used, which one a name means. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "backend/cuda/cuda.h"
#include "backend/cuda/find_nvrtc.h"
#include "base/status.h"
#include "base/text.h"

/* The least compute capability that kernels are written for: 75 is 7.5. */
#define LEAST_CAPABILITY 75

/* Whether there is a compiler of kernels that the driver understands, or a pack of them. */
static bool has_kernels(const struct cuda_api *api) {
    char path[sizeof((struct cuda_compiler *)0)->path];
    uint64_t identity;
    const char *pack = getenv("WEFT_KERNEL_PACK");
    weft_cuda_find_compiler(api->version / 1000, path, sizeof path, &identity);
    return path[0] != 0 || (pack && pack[0]);
}

bool weft_cuda_describe(const struct cuda_api *api, int32_t index, CUdevice *device, int *capability,
                        weft_device_info *info) {
    int count = 0, major = 0, minor = 0;
    size_t memory = 0;
    *info = (weft_device_info){.backend = "cuda"};
    if (api->cuDeviceGetCount(&count) != CUDA_SUCCESS || index < 0 || index >= count)
        return false;
    if (api->cuDeviceGet(device, index) != CUDA_SUCCESS ||
        api->cuDeviceGetName(info->name, sizeof info->name, *device) != CUDA_SUCCESS ||
        api->cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, *device) != CUDA_SUCCESS ||
        api->cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, *device) != CUDA_SUCCESS ||
        api->cuDeviceTotalMem(&memory, *device) != CUDA_SUCCESS) {
        snprintf(info->detail, sizeof info->detail, "the NVIDIA driver does not say what it is");
        return true;
    }
    *capability = 10 * major + minor;
    if (*capability < LEAST_CAPABILITY)
        snprintf(info->detail, sizeof info->detail, "weft has no code for compute capability %d.%d: it is for %d.%d and later",
                 major, minor, LEAST_CAPABILITY / 10, LEAST_CAPABILITY % 10);
    else if (!has_kernels(api))
        snprintf(info->detail, sizeof info->detail, "no compiler of kernels: %s", CUDA_COMPILER_ADVICE);
    else
        info->available = true;
    if (info->available)
        snprintf(info->detail, sizeof info->detail, "compute capability %d.%d, %.1f GiB, driver for CUDA %d.%d", major,
                 minor, (double)memory / 1073741824.0, api->version / 1000, api->version % 1000 / 10);
    return true;
}

/* Whether a name holds some words, however they are written. */
static bool holds(const char *name, const char *words) {
    size_t length = strlen(words);
    for (size_t left = strlen(name); left >= length; left--, name++)
        if (weft_text_is(name, length, words))
            return true;
    return false;
}

static bool is_number(const char *text) { return text[0] != 0 && strspn(text, "0123456789") == strlen(text); }

weft_status weft_cuda_choose(const struct cuda_api *api, const char *name, int32_t *index, weft_error *error) {
    const char *words = strchr(name, ':');
    weft_device_info info;
    CUdevice device;
    int capability, matches = 0, count = 0;
    char quote[WEFT_QUOTE_SIZE], first_reason[sizeof info.detail] = "there is none";
    bool number = words && is_number(words + 1);
    words = words ? words + 1 : "";
    for (int32_t i = 0; weft_cuda_describe(api, i, &device, &capability, &info); i++, count++) {
        bool meant = number ? strlen(words) < 6 && strtol(words, NULL, 10) == i : holds(info.name, words);
        if (meant && !info.available && matches == 0)
            snprintf(first_reason, sizeof first_reason, "%s", info.detail);
        if (meant && info.available && matches++ == 0)
            *index = i;
        if (meant && number && !info.available)
            return weft_fail(error, WEFT_ERROR_DEVICE, "the CUDA device %s, '%s', cannot be used: %s", words, info.name,
                             info.detail);
    }
    if (count == 0)
        return weft_fail(error, WEFT_ERROR_DEVICE, "the NVIDIA driver finds no GPU that it may use");
    if (words[0] == 0 && matches == 0)
        return weft_fail(error, WEFT_ERROR_DEVICE, "no CUDA device can be used: %s", first_reason);
    weft_text_quote(quote, words, strlen(words));
    if (matches == 0)
        return weft_fail(error, WEFT_ERROR_DEVICE, "there is no CUDA device '%s'; there %s cuda:0%s", quote,
                         count == 1 ? "is only" : "are", count == 1 ? "" : " and more: see the list of devices");
    if (matches > 1 && words[0] != 0)
        return weft_fail(error, WEFT_ERROR_DEVICE,
                         "%d CUDA devices are called '%s'; choose one by its number, as in cuda:%d", matches, quote,
                         (int)*index);
    return WEFT_OK;
}
