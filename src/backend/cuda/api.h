/* SPDX-License-Identifier: MIT
 * What weft calls of CUDA, so that nothing of CUDA is needed to build it: the driver API (libcuda.so.1) and the run-time
 * compiler NVRTC (libnvrtc.so), by their documented names and numbers. Names that libcuda has in a second version stand for
 * that one, as they do in CUDA's own header. */
#ifndef BACKEND_CUDA_API_H
#define BACKEND_CUDA_API_H
#include <stddef.h>

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

typedef enum CUresult {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_ILLEGAL_STATE = 401,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
    CUDA_ERROR_INVALID_PC = 718,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_SYSTEM_NOT_READY = 802,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
    CUDA_ERROR_EXTERNAL_DEVICE = 911,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;

typedef enum CUdevice_attribute {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97
} CUdevice_attribute;
typedef enum CUfunction_attribute {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
} CUfunction_attribute;
typedef enum CUpointer_attribute {
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9
} CUpointer_attribute;
typedef enum CUmemorytype {
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;
enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_DISABLE_TIMING = 2 };
enum { CU_MEMHOSTALLOC_PORTABLE = 1 };

typedef enum CUlaunchAttributeID { CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6 } CUlaunchAttributeID;
typedef struct CUlaunchAttribute {
    CUlaunchAttributeID id;
    char padding[4];
    union {
        char all[64];
        int programmaticStreamSerializationAllowed;
    } value;
} CUlaunchAttribute;
typedef struct CUlaunchConfig {
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned numAttrs;
} CUlaunchConfig;

#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemFree cuMemFree_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuEventDestroy cuEventDestroy_v2

/* X(name, arguments): each gives a CUresult. */
#define CUDA_FUNCTIONS(X)                                                                                              \
    X(cuInit, unsigned flags)                                                                                          \
    X(cuDriverGetVersion, int *version)                                                                                \
    X(cuGetErrorName, CUresult error, const char **name)                                                               \
    X(cuGetErrorString, CUresult error, const char **text)                                                             \
    X(cuDeviceGetCount, int *count)                                                                                    \
    X(cuDeviceGet, CUdevice *device, int ordinal)                                                                      \
    X(cuDeviceGetName, char *name, int length, CUdevice device)                                                        \
    X(cuDeviceGetAttribute, int *value, CUdevice_attribute attribute, CUdevice device)                                 \
    X(cuDeviceTotalMem, size_t *bytes, CUdevice device)                                                                \
    X(cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice device)                                                   \
    X(cuDevicePrimaryCtxRelease, CUdevice device)                                                                      \
    X(cuCtxPushCurrent, CUcontext context)                                                                             \
    X(cuCtxPopCurrent, CUcontext *context)                                                                             \
    X(cuMemGetInfo, size_t *free_bytes, size_t *all)                                                                   \
    X(cuMemAlloc, CUdeviceptr *memory, size_t size)                                                                    \
    X(cuMemFree, CUdeviceptr memory)                                                                                   \
    X(cuMemHostAlloc, void **memory, size_t size, unsigned flags)                                                      \
    X(cuMemFreeHost, void *memory)                                                                                     \
    X(cuMemcpyHtoDAsync, CUdeviceptr to, const void *from, size_t size, CUstream stream)                               \
    X(cuMemcpyDtoHAsync, void *to, CUdeviceptr from, size_t size, CUstream stream)                                     \
    X(cuMemcpyDtoDAsync, CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)                               \
    X(cuMemsetD32Async, CUdeviceptr to, unsigned value, size_t count, CUstream stream)                                 \
    X(cuPointerGetAttribute, void *value, CUpointer_attribute attribute, CUdeviceptr pointer)                          \
    X(cuModuleLoadData, CUmodule *module, const void *image)                                                           \
    X(cuModuleUnload, CUmodule module)                                                                                 \
    X(cuModuleGetFunction, CUfunction *function, CUmodule module, const char *name)                                    \
    X(cuFuncGetAttribute, int *value, CUfunction_attribute attribute, CUfunction function)                             \
    X(cuFuncSetAttribute, CUfunction function, CUfunction_attribute attribute, int value)                              \
    X(cuFuncLoad, CUfunction function)                                                                                 \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, CUfunction function, int threads, size_t shared)       \
    X(cuLaunchKernelEx, const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra)             \
    X(cuStreamCreate, CUstream *stream, unsigned flags)                                                                \
    X(cuStreamDestroy, CUstream stream)                                                                                \
    X(cuStreamSynchronize, CUstream stream)                                                                            \
    X(cuStreamWaitEvent, CUstream stream, CUevent event, unsigned flags)                                               \
    X(cuEventCreate, CUevent *event, unsigned flags)                                                                   \
    X(cuEventDestroy, CUevent event)                                                                                   \
    X(cuEventRecord, CUevent event, CUstream stream)                                                                   \
    X(cuEventSynchronize, CUevent event)

typedef struct _nvrtcProgram *nvrtcProgram;
typedef enum nvrtcResult {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_COMPILATION = 6
} nvrtcResult;

/* X(name, arguments): each gives an nvrtcResult. */
#define NVRTC_FUNCTIONS(X)                                                                                             \
    X(nvrtcVersion, int *major, int *minor)                                                                            \
    X(nvrtcGetNumSupportedArchs, int *count)                                                                           \
    X(nvrtcGetSupportedArchs, int *architectures)                                                                      \
    X(nvrtcCreateProgram, nvrtcProgram *program, const char *source, const char *name, int header_count,               \
      const char *const *headers, const char *const *names)                                                            \
    X(nvrtcDestroyProgram, nvrtcProgram *program)                                                                      \
    X(nvrtcCompileProgram, nvrtcProgram program, int option_count, const char *const *options)                         \
    X(nvrtcGetPTXSize, nvrtcProgram program, size_t *size)                                                             \
    X(nvrtcGetPTX, nvrtcProgram program, char *ptx)                                                                    \
    X(nvrtcGetCUBINSize, nvrtcProgram program, size_t *size)                                                           \
    X(nvrtcGetCUBIN, nvrtcProgram program, char *cubin)                                                                \
    X(nvrtcGetProgramLogSize, nvrtcProgram program, size_t *size)                                                      \
    X(nvrtcGetProgramLog, nvrtcProgram program, char *log)

#define CUDA_TEXT_(name) #name
#define CUDA_TEXT(name) CUDA_TEXT_(name)

#endif
