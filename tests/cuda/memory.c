/* SPDX-License-Identifier: MIT
 * The emulated device's memory: mapped so that an access past either end is one to nowhere, as is one from the host. It is
 * one far past it too: a kernel that misses a band of a picture may miss it by many rows. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "driver.h"
#include "poison/poison.h"

#define ALIGNMENT 256
#define NOWHERE ((size_t)16 << 20) /* on either side: address space, no memory */

static int memory_open;

static struct memory *find(uintptr_t place, size_t size) {
    for (struct object *each = emulated_objects; each; each = each->next) {
        struct memory *memory = (struct memory *)(void *)each;
        uintptr_t start = each->kind == OBJECT_MEMORY ? (uintptr_t)memory->start : 0;
        if (start != 0 && place >= start && place - start < memory->size && size <= memory->size - (place - start))
            return memory;
    }
    return NULL;
}

void emulated_check_range(uintptr_t start, size_t size, bool device, const char *what) {
    const struct memory *memory = find(start, size);
    if (!memory || memory->device != device)
        emulated_fault("%s: %zu bytes at %#zx are no %s memory", what, size, (size_t)start,
                       device ? "device" : "pinned host");
}

void emulated_open_memory(bool open) {
    memory_open += open ? 1 : -1;
    if (memory_open == (open ? 1 : 0))
        for (struct object *each = emulated_objects; each; each = each->next) {
            struct memory *memory = (struct memory *)(void *)each;
            if (each->kind == OBJECT_MEMORY && memory->device)
                mprotect(memory->map, memory->map_size, open ? PROT_READ | PROT_WRITE : PROT_NONE);
        }
}

/* Between two pieces that cannot be touched; it ends where the second one begins. */
static CUresult create(struct CUctx_st *context, size_t size, bool device, struct memory **result) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t pages = (whole + page - 1) / page * page;
    if (size == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (emulated_fails() || size > (size_t)1 << 40 || (device && whole > (size_t)emulated.memory - context->used))
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct memory *memory = calloc(1, sizeof *memory);
    unsigned char *map = mmap(NULL, pages + 2 * NOWHERE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!memory || map == MAP_FAILED || mprotect(map + NOWHERE, pages, PROT_READ | PROT_WRITE) != 0)
        emulated_fault("the test has no memory");
    emulated_add(&memory->object, OBJECT_MEMORY, context);
    memory->map = map + NOWHERE;
    memory->map_size = pages;
    memory->start = map + NOWHERE + pages - whole;
    memory->size = size;
    memory->device = device;
    poison_fill(memory->start, whole);
    if (device) {
        context->used += whole;
        if (memory_open == 0)
            mprotect(memory->map, memory->map_size, PROT_NONE);
    }
    *result = memory;
    return CUDA_SUCCESS;
}

static void destroy(struct memory *memory) {
    size_t whole = (memory->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (emulated_pending(memory))
        emulated_fault("memory is freed while work that copies from or to it is still to be done");
    if (memory->device)
        emulated_run_all(); /* the driver waits too */
    emulated_open_memory(true);
    for (size_t i = memory->size; i < whole; i++)
        if (memory->start[i] != poison_byte(memory->start + i))
            emulated_fault("byte %zu of memory of %zu bytes was written", i, memory->size);
    emulated_open_memory(false);
    if (memory->device)
        memory->object.context->used -= whole;
    munmap(memory->map - NOWHERE, memory->map_size + 2 * NOWHERE);
    emulated_remove(&memory->object);
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS) {
        *total = (size_t)emulated.memory;
        *free_bytes = *total > context->used ? *total - context->used : 0;
    }
    return emulated_leave(result);
}
CUresult cuMemAlloc(CUdeviceptr *place, size_t size) {
    struct CUctx_st *context;
    struct memory *memory = NULL;
    CUresult result = emulated_enter_unsafe(&context, "cuMemAlloc");
    if (result == CUDA_SUCCESS)
        result = create(context, size, true, &memory);
    if (result == CUDA_SUCCESS)
        *place = (uintptr_t)memory->start;
    return emulated_leave(result);
}
int emulated_pinned;

CUresult cuMemHostAlloc(void **host, size_t size, unsigned flags) {
    struct CUctx_st *context;
    struct memory *memory = NULL;
    CUresult result = emulated_enter_unsafe(&context, "cuMemHostAlloc");
    (void)flags;
    if (result == CUDA_SUCCESS)
        result = create(context, size, false, &memory);
    if (result == CUDA_SUCCESS)
        *host = memory->start, emulated_pinned++;
    return emulated_leave(result);
}

static CUresult free_memory(uintptr_t place, bool device, const char *call) {
    struct CUctx_st *context;
    CUresult result = emulated_enter_unsafe(&context, call);
    struct memory *memory = find(place, 1);
    if (!memory || (uintptr_t)memory->start != place || memory->device != device)
        emulated_fault("%s frees what is no memory of that kind, or not any more", call);
    destroy(memory); /* of a lost device too */
    return emulated_leave(result);
}
CUresult cuMemFree(CUdeviceptr place) { return free_memory((uintptr_t)place, true, "cuMemFree"); }
CUresult cuMemFreeHost(void *host) { return free_memory((uintptr_t)host, false, "cuMemFreeHost"); }

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    const struct memory *memory = find((uintptr_t)pointer, 1);
    if (result == CUDA_SUCCESS && !memory)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
        *(CUmemorytype *)data = memory->device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    else if (result == CUDA_SUCCESS && attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
        *(int *)data = memory->object.context->device;
    else if (result == CUDA_SUCCESS)
        result = CUDA_ERROR_INVALID_VALUE;
    return emulated_leave(result);
}

static CUresult copy_now(void *to, const void *from, size_t size, uintptr_t device, const char *call) {
    struct CUctx_st *context;
    CUresult result = emulated_enter_unsafe(&context, call);
    if (result == CUDA_SUCCESS) {
        emulated_check_range(device, size, true, call);
        emulated_run_stream(emulated_stream(context, NULL), NULL, 0);
        emulated_open_memory(true);
        memcpy(to, from, size);
        emulated_open_memory(false);
    }
    return emulated_leave(result);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size) {
    return copy_now((void *)(uintptr_t)to, from, size, (uintptr_t)to, "cuMemcpyHtoD");
}
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size) {
    return copy_now(to, (const void *)(uintptr_t)from, size, (uintptr_t)from, "cuMemcpyDtoH");
}
