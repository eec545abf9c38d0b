/* SPDX-License-Identifier: MIT
 * What tests and callers of weft use of the driver API beside what weft does (backend/cuda/api.h). */
#ifndef CUDA_CALLER_H
#define CUDA_CALLER_H
#include "backend/cuda/api.h"

#define CUDA_VERSION 13000
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef enum CUstreamCaptureMode { CU_STREAM_CAPTURE_MODE_GLOBAL = 0 } CUstreamCaptureMode;
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuStreamBeginCapture cuStreamBeginCapture_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define CALLER_FUNCTIONS(X)                                                                                            \
    X(cuMemcpyHtoD, CUdeviceptr to, const void *from, size_t size)                                                     \
    X(cuMemcpyDtoH, void *to, CUdeviceptr from, size_t size)                                                           \
    X(cuStreamBeginCapture, CUstream stream, CUstreamCaptureMode mode)                                                 \
    X(cuStreamEndCapture, CUstream stream, CUgraph *graph)                                                             \
    X(cuGraphInstantiate, CUgraphExec *exec, CUgraph graph, unsigned long long flags)                                  \
    X(cuGraphLaunch, CUgraphExec exec, CUstream stream)                                                                \
    X(cuGraphDestroy, CUgraph graph)                                                                                   \
    X(cuGraphExecDestroy, CUgraphExec exec)

#define CUDA_PROTOTYPE(name, ...) CUresult name(__VA_ARGS__);
CUDA_FUNCTIONS(CUDA_PROTOTYPE)
CALLER_FUNCTIONS(CUDA_PROTOTYPE)
#define NVRTC_PROTOTYPE(name, ...) nvrtcResult name(__VA_ARGS__);
NVRTC_FUNCTIONS(NVRTC_PROTOTYPE)

#endif
