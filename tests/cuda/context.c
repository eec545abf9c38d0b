/* SPDX-License-Identifier: MIT
 * The emulated driver's start, its devices and contexts. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "driver.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct CUctx_st contexts[DEVICES];
static bool started;
static _Thread_local struct CUctx_st *stack[16];
static _Thread_local int depth;

struct emulated_settings emulated;
struct object *emulated_objects;

void emulated_lock(void) { pthread_mutex_lock(&mutex); }
CUresult emulated_leave(CUresult result) {
    pthread_mutex_unlock(&mutex);
    return result;
}
CUresult emulated_enter(struct CUctx_st **context) {
    emulated_lock();
    *context = depth > 0 ? stack[depth - 1] : NULL;
    return !started                              ? CUDA_ERROR_NOT_INITIALIZED
           : !*context || (*context)->count == 0 ? CUDA_ERROR_INVALID_CONTEXT
                                                 : (*context)->lost;
}
CUresult emulated_enter_unsafe(struct CUctx_st **context, const char *call) {
    CUresult result = emulated_enter(context);
    for (struct object *each = emulated_objects; each; each = each->next)
        if (each->kind == OBJECT_STREAM && ((struct CUstream_st *)(void *)each)->capture) {
            fprintf(stderr, "emulated CUDA device: %s while a stream is being captured\n", call);
            ((struct CUstream_st *)(void *)each)->spoiled = true;
            result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
    return result;
}

void emulated_add(struct object *object, enum object_kind kind, struct CUctx_st *context) {
    *object = (struct object){kind, emulated_objects, context};
    emulated_objects = object;
}
bool emulated_is(const void *object, enum object_kind kind) {
    for (struct object *each = emulated_objects; each; each = each->next)
        if (each == object)
            return each->kind == kind;
    return false;
}
void emulated_remove(struct object *object) {
    struct object **at = &emulated_objects;
    while (*at != object)
        at = &(*at)->next;
    *at = object->next;
    free(object);
}

static long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

bool emulated_fails(void) { return emulated.fail > 0 && --emulated.fail == 0; }

CUresult cuInit(unsigned flags) {
    emulated_lock();
    emulated.devices = setting("WEFT_EMULATED_DEVICES", 1);
    emulated.version = setting("WEFT_EMULATED_VERSION", CUDA_VERSION);
    emulated.capability = setting("WEFT_EMULATED_CAPABILITY", 75);
    emulated.memory = setting("WEFT_EMULATED_MEMORY", 1L << 30);
    emulated.fail = setting("WEFT_EMULATED_FAIL", 0);
    emulated.lose = setting("WEFT_EMULATED_LOSE", 0);
    if (emulated.devices > DEVICES)
        emulated.devices = DEVICES;
    started = emulated.devices > 0;
    return emulated_leave(flags != 0 ? CUDA_ERROR_INVALID_VALUE : started ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE);
}
CUresult cuDriverGetVersion(int *version) {
    *version = (int)emulated.version;
    return CUDA_SUCCESS;
}

static const struct {
    CUresult result;
    const char *name, *text;
} errors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
};
CUresult cuGetErrorName(CUresult result, const char **name) {
    *name = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].result == result)
            *name = errors[i].name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult result, const char **text) {
    *text = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].result == result)
            *text = errors[i].text;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_device(CUdevice device) {
    return !started                                   ? CUDA_ERROR_NOT_INITIALIZED
           : device < 0 || device >= emulated.devices ? CUDA_ERROR_INVALID_DEVICE
                                                      : CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
    *count = (int)emulated.devices;
    return started ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}
CUresult cuDeviceGet(CUdevice *device, int index) {
    *device = index;
    return check_device(index);
}
CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
    if (device == 0)
        snprintf(name, (size_t)size, "emulated CUDA device");
    else
        snprintf(name, (size_t)size, "emulated CUDA device, the %c one", 'a' + device);
    return check_device(device);
}
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    *bytes = (size_t)emulated.memory;
    return check_device(device);
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = (int)(emulated.capability / 10);
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = (int)(emulated.capability % 10);
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
        *value = 2147483647;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
        *value = 65535;
        break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = 4;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = 1024;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
        *value = 49152;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = emulated.capability >= 90 ? 232448 : 101376;
        break;
    case CU_DEVICE_ATTRIBUTE_INTEGRATED:
        *value = 0;
        break;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT:
        *value = 2;
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return check_device(device);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    emulated_lock();
    CUresult result = check_device(device);
    if (result == CUDA_SUCCESS && emulated_fails())
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS) {
        *context = &contexts[device];
        if ((*context)->count++ == 0)
            **context = (struct CUctx_st){.device = device, .count = 1};
    }
    return emulated_leave(result);
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    static const char *const names[] = {"memory", "stream", "event", "module", "graph", "executable graph"};
    emulated_lock();
    CUresult result = check_device(device);
    if (result == CUDA_SUCCESS && contexts[device].count == 0)
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result == CUDA_SUCCESS && --contexts[device].count == 0)
        for (struct object *each = emulated_objects, *next; each; each = next) {
            next = each->next;
            if (each->context != &contexts[device])
                continue;
            if (each->kind != OBJECT_STREAM || !((struct CUstream_st *)(void *)each)->is_default)
                emulated_fault("a %s is left when the context goes", names[each->kind]);
            emulated_run_stream((CUstream)(void *)each, NULL, 0);
            emulated_remove(each);
        }
    return emulated_leave(result);
}

CUresult cuCtxPushCurrent(CUcontext context) {
    emulated_lock();
    bool good = context >= contexts && context < contexts + DEVICES && context->count > 0;
    if (good && depth == (int)(sizeof stack / sizeof *stack))
        emulated_fault("contexts are pushed and not popped");
    if (good)
        stack[depth++] = context;
    return emulated_leave(good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT);
}
CUresult cuCtxPopCurrent(CUcontext *context) {
    emulated_lock();
    if (depth == 0)
        emulated_fault("a context is popped that was not pushed");
    *context = stack[--depth];
    return emulated_leave(CUDA_SUCCESS);
}
