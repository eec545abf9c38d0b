/* SPDX-License-Identifier: MIT
 * The driver of a device that only compiles kernels: its memory is never read and its lists are never run. */
#include <stdio.h>
#include <string.h>
#include "backend/cuda/pack.h"
#include "base/memory.h"
#include "base/status.h"

static weft_status memory_create(struct gpu_device *device, enum gpu_memory_kind kind, size_t size, struct gpu_memory *memory,
                                 weft_error *error) {
    (void)device;
    *memory = (struct gpu_memory){.size = size, .address = 256};
    /* The device's own memory is never read: one byte is enough. */
    memory->handle = weft_allocate(1, kind == GPU_MEMORY_DEVICE || size == 0 ? 1 : size);
    memory->host = kind == GPU_MEMORY_DEVICE ? NULL : memory->handle;
    return memory->handle ? WEFT_OK : weft_fail_memory(error, size, "the plan");
}

static void memory_destroy(struct gpu_device *device, struct gpu_memory *memory) {
    (void)device;
    weft_free(memory->handle);
    *memory = (struct gpu_memory){0};
}

static void *memory_export(const struct gpu_memory *memory) { return memory->handle; }

/* With the mutex held. */
static struct packed *find(const struct packer *packer, const struct cuda_source *source) {
    for (struct packed *each = packer->kernels; each; each = each->next)
        if (memcmp(each->key.hash, source->hash, sizeof source->hash) == 0)
            return each;
    return NULL;
}

static weft_status compile(struct packer *packer, const struct cuda_source *source, struct packed **kernel, weft_error *error) {
    struct packed *made = weft_allocate(1, sizeof *made);
    if (!made)
        return weft_fail_memory(error, sizeof *made, "a kernel");
    weft_status status = weft_cuda_code_get(&packer->compiler, &packer->store, source, packer->architecture, &made->code,
                                            &made->size, error);
    if (status != WEFT_OK) {
        weft_free(made);
        return status;
    }
    made->key = (struct cuda_key){{source->hash[0], source->hash[1]}, packer->compiler.identity, packer->architecture, ""};
    snprintf(made->key.name, sizeof made->key.name, "%s", source->row->name);
    pthread_mutex_lock(&packer->mutex);
    *kernel = find(packer, source); /* another thread may have been first */
    if (!*kernel) {
        made->next = packer->kernels;
        packer->kernels = *kernel = made;
    }
    pthread_mutex_unlock(&packer->mutex);
    if (*kernel != made) {
        weft_free(made->code);
        weft_free(made);
    }
    return WEFT_OK;
}

static weft_status kernel_get(struct gpu_device *device, int32_t row_index, const struct gpu_wanted *wanted,
                              const struct gpu_kernel **result, weft_error *error) {
    struct packer *packer = weft_cuda_packer_of(device);
    const struct gpu_kernel_row *row = &weft_gpu_kernels[row_index];
    struct packed *kernel = NULL;
    struct cuda_source source;
    if (!row->text || row->capability > packer->architecture)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "the kernel '%s' is none of CUDA's for compute capability %d.%d",
                         row->name, packer->architecture / 10, packer->architecture % 10);
    weft_status status = weft_cuda_source_make(row, wanted, &source, error);
    if (status != WEFT_OK)
        return status;
    pthread_mutex_lock(&packer->mutex);
    kernel = find(packer, &source);
    pthread_mutex_unlock(&packer->mutex);
    if (!kernel)
        status = compile(packer, &source, &kernel, error);
    weft_cuda_source_clear(&source);
    *result = (const struct gpu_kernel *)(const void *)kernel; /* it is not read */
    return status;
}

static void kernel_release(struct gpu_device *device, const struct gpu_kernel *kernel) { (void)device, (void)kernel; }

static int32_t kernel_occupancy(struct gpu_device *device, const struct gpu_kernel *kernel) {
    (void)kernel;
    return 2 * weft_cuda_packer_of(device)->base.limits.multiprocessors;
}

static weft_status list_create(struct gpu_device *device, enum gpu_queue queue, const struct gpu_command *commands,
                               int32_t count, struct gpu_list **list, weft_error *error) {
    (void)queue, (void)commands, (void)count, (void)error;
    *list = (struct gpu_list *)(void *)device; /* any address: it is not read */
    return WEFT_OK;
}

static void list_destroy(struct gpu_device *device, struct gpu_list *list) { (void)device, (void)list; }

static weft_status submit(struct gpu_device *device, struct gpu_list *list, const struct gpu_point *wait, int32_t wait_count,
                          const struct gpu_external *external, struct gpu_point *done, weft_error *error) {
    (void)device, (void)list, (void)wait, (void)wait_count, (void)external, (void)error;
    *done = (struct gpu_point){GPU_QUEUE_COMPUTE, 0};
    return WEFT_OK;
}

static weft_status wait_for(struct gpu_device *device, struct gpu_point point, weft_error *error) {
    (void)device, (void)point, (void)error;
    return WEFT_OK;
}

weft_status weft_cuda_packer_no_run(weft_error *error) {
    return weft_fail(
        error, WEFT_ERROR_UNSUPPORTED,
        "the device only compiles kernels, for a pack: a plan that runs is made on a device that weft_device_open opens");
}

static weft_status import(struct gpu_device *device, const weft_image *image, uint64_t *result, weft_error *error) {
    (void)device, (void)image, (void)result;
    return weft_cuda_packer_no_run(error);
}

const struct gpu_driver weft_cuda_packer_driver = {
    .name = "cuda",
    .memory = WEFT_MEMORY_CUDA,
    .memory_export = memory_export,
    .memory_create = memory_create,
    .memory_destroy = memory_destroy,
    .kernel_get = kernel_get,
    .kernel_release = kernel_release,
    .kernel_occupancy = kernel_occupancy,
    .list_create = list_create,
    .list_destroy = list_destroy,
    .submit = submit,
    .wait = wait_for,
    .import = import,
};
