/* SPDX-License-Identifier: MIT
 * Capture of emulated streams into graphs, as far as tests need it: a graph is the work of one stream, in order. */
#include <stdio.h>
#include <stdlib.h>
#include "driver.h"

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS &&
        (!stream || !emulated_is(stream, OBJECT_STREAM) || stream->capture || mode != CU_STREAM_CAPTURE_MODE_GLOBAL))
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (result == CUDA_SUCCESS) {
        stream->capture = calloc(1, sizeof *stream->capture);
        stream->capture->last = &stream->capture->first;
        stream->spoiled = false;
    }
    return emulated_leave(result);
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    *graph = NULL;
    if (result == CUDA_SUCCESS && (!emulated_is(stream, OBJECT_STREAM) || !stream->capture))
        result = CUDA_ERROR_ILLEGAL_STATE;
    if (result == CUDA_SUCCESS && stream->spoiled) {
        emulated_free_works(stream->capture->first);
        free(stream->capture);
        stream->capture = NULL;
        result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    if (result == CUDA_SUCCESS) {
        *graph = stream->capture;
        stream->capture = NULL;
        emulated_add(&(*graph)->object, OBJECT_GRAPH, context);
    }
    return emulated_leave(result);
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && (!emulated_is(graph, OBJECT_GRAPH) || flags != 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *exec = calloc(1, sizeof **exec);
        emulated_add(&(*exec)->object, OBJECT_GRAPH_EXEC, context);
        (*exec)->first = graph->first;
        graph->first = NULL; /* tests make one of each */
    }
    return emulated_leave(result);
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && !emulated_is(exec, OBJECT_GRAPH_EXEC))
        result = CUDA_ERROR_INVALID_VALUE;
    for (const struct work *work = result == CUDA_SUCCESS ? exec->first : NULL; work && result == CUDA_SUCCESS;
         work = work->next)
        result = emulated_put(context, stream, work);
    return emulated_leave(result);
}
CUresult cuGraphDestroy(CUgraph graph) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (!emulated_is(graph, OBJECT_GRAPH))
        emulated_fault("cuGraphDestroy of no graph");
    emulated_free_works(graph->first);
    emulated_remove(&graph->object);
    return emulated_leave(result);
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (!emulated_is(exec, OBJECT_GRAPH_EXEC))
        emulated_fault("cuGraphExecDestroy of no graph");
    emulated_free_works(exec->first);
    emulated_remove(&exec->object);
    return emulated_leave(result);
}
