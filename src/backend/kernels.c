/* SPDX-License-Identifier: MIT
 * The public face of CUDA's compiled kernels. */
#include "weft/kernels.h"
#include <stdio.h>
#include <string.h>
#include "backend/backend.h"
#include "backend/gpu/device/kernels.h"
#include "base/status.h"

#ifdef WEFT_HAVE_CUDA
#include "backend/cuda/pack.h"
#include "backend/cuda/store/store.h"

struct listing {
    weft_kernels_each *each;
    void *user;
    weft_kernel_place place;
};

static void list_one(void *user, const struct cuda_key *key, uint64_t size) {
    const struct listing *listing = user;
    const weft_kernel_info info = {listing->place, "cuda", key->name, key->architecture, size};
    listing->each(listing->user, &info);
}

static weft_status list_compiled(weft_kernels_each *each, void *user, weft_error *error) {
    struct cuda_store store;
    struct listing listing = {each, user, WEFT_KERNEL_CACHED};
    weft_status status = weft_cuda_store_open(&store, error);
    if (status != WEFT_OK)
        return status;
    weft_cuda_store_list(&store, list_one, &listing);
    listing.place = WEFT_KERNEL_PACKED;
    weft_cuda_pack_list(&store, list_one, &listing);
    weft_cuda_store_close(&store);
    return WEFT_OK;
}

static weft_status copy_folder(char *path, size_t size, weft_error *error) {
    struct cuda_store store;
    weft_cuda_store_folder(&store);
    if (strlen(store.folder) >= size)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the path of the kernels' folder takes %zu bytes; there are %zu",
                         strlen(store.folder) + 1, size);
    memcpy(path, store.folder, strlen(store.folder) + 1);
    return WEFT_OK;
}

static weft_status clear(int64_t *count, weft_error *error) {
    struct cuda_store store;
    weft_cuda_store_folder(&store);
    return weft_cuda_store_clear(&store, count, error);
}

#define open_device weft_cuda_packer_open
#define compiles_only weft_cuda_is_packer
#define write_pack weft_cuda_packers_write
#else
static weft_status list_compiled(weft_kernels_each *each, void *user, weft_error *error) {
    (void)each, (void)user, (void)error;
    return WEFT_OK;
}

static weft_status copy_folder(char *path, size_t size, weft_error *error) {
    (void)path, (void)size, (void)error;
    return WEFT_OK;
}

static weft_status clear(int64_t *count, weft_error *error) {
    (void)count, (void)error;
    return WEFT_OK;
}

static weft_status open_device(int32_t architecture, const weft_device_options *options, weft_device **device,
                               weft_error *error) {
    (void)architecture, (void)options, (void)device;
    return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                     "this build has no CUDA backend: it was configured with -DWEFT_CUDA=OFF");
}

static bool compiles_only(const weft_device *device) { return device == NULL; }

static weft_status write_pack(weft_device *const *devices, int32_t count, const char *path, weft_error *error) {
    (void)devices, (void)count, (void)path, (void)error;
    return WEFT_OK; /* there are no such devices */
}
#endif

weft_status weft_kernels_folder(char *path, size_t size, weft_error *error) {
    if (!path || size < 1)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_kernels_folder needs a place for the path");
    path[0] = 0;
    return copy_folder(path, size, error);
}

weft_status weft_kernels_clear(int64_t *removed, weft_error *error) {
    int64_t count = 0;
    weft_status status = clear(&count, error);
    if (removed)
        *removed = count;
    return status;
}

weft_status weft_kernels_device(int32_t architecture, const weft_device_options *options, weft_device **device,
                                weft_error *error) {
    if (!device)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_kernels_device needs a place for the device");
    *device = NULL;
    return open_device(architecture, options, device, error);
}

weft_status weft_kernels_pack(weft_device *const *devices, int32_t count, const char *path, weft_error *error) {
    if (!devices || !path || count < 1)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_kernels_pack needs devices and a path");
    for (int32_t i = 0; i < count; i++)
        if (!devices[i] || !compiles_only(devices[i]))
            return weft_fail(error, WEFT_ERROR_ARGUMENT,
                             "device %d of weft_kernels_pack was not opened by weft_kernels_device", (int)i);
    return write_pack(devices, count, path, error);
}

weft_status weft_kernels_list(weft_kernels_each *each, void *user, weft_error *error) {
    if (!each)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_kernels_list needs a function to call");
    for (int32_t i = 0; weft_gpu_kernels[i].name; i++) {
        const struct gpu_kernel_row *row = &weft_gpu_kernels[i];
        weft_kernel_info info = {.place = WEFT_KERNEL_EMBEDDED, .backend = "cuda", .name = row->name};
        bool another = i > 0 && strcmp(weft_gpu_kernels[i - 1].name, row->name) == 0; /* variants lie side by side */
        if (row->text && !another)
            each(user, &info);
        info.backend = "vulkan";
        if (row->spirv && !another)
            each(user, &info);
    }
    return list_compiled(each, user, error);
}
