/* SPDX-License-Identifier: MIT
 * The emulated streams and events: work waits on its stream until somebody asks for what it makes. */
#include <stdlib.h>
#include <string.h>
#include "driver.h"

CUstream emulated_stream(struct CUctx_st *context, CUstream stream) {
    if (stream)
        return emulated_is(stream, OBJECT_STREAM) && stream->object.context == context ? stream : NULL;
    for (struct object *each = emulated_objects; each; each = each->next)
        if (each->kind == OBJECT_STREAM && each->context == context && ((CUstream)(void *)each)->is_default)
            return (CUstream)(void *)each;
    stream = calloc(1, sizeof *stream);
    emulated_add(&stream->object, OBJECT_STREAM, context);
    stream->last = &stream->first;
    stream->is_default = true;
    return stream;
}

void emulated_free_works(struct work *work) {
    for (struct work *next; work; work = next) {
        next = work->next;
        free(work);
    }
}

CUresult emulated_put(struct CUctx_st *context, CUstream stream, const struct work *work) {
    stream = emulated_stream(context, stream);
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture && (work->kind == WORK_RECORD || work->kind == WORK_WAIT)) {
        stream->spoiled = true;
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    struct work *copy = malloc(sizeof *copy);
    *copy = *work;
    copy->next = NULL;
    struct work ***last = stream->capture ? &stream->capture->last : &stream->last;
    **last = copy;
    *last = &copy->next;
    return CUDA_SUCCESS;
}

static void launch(struct CUctx_st *context, const struct work *work) {
    if (emulated.lose > 0 && --emulated.lose == 0)
        context->lost = CUDA_ERROR_ILLEGAL_ADDRESS;
    if (context->lost == CUDA_SUCCESS)
        emulated_run(work->function->code, work->blocks, work->threads, &work->launch);
}

static void run_first(CUstream stream) {
    struct work *work = stream->first;
    if (work->kind == WORK_WAIT && work->ticket > work->event->reached) {
        emulated_run_stream(work->stream, work->event, work->ticket);
        if (stream->first != work) /* a circle, which the driver cannot have made */
            emulated_fault("streams wait for each other");
    }
    stream->first = work->next;
    if (!stream->first)
        stream->last = &stream->first;
    if (work->kind == WORK_RECORD)
        work->event->reached = work->ticket;
    else if (stream->object.context->lost != CUDA_SUCCESS)
        ; /* nothing is done any more */
    else if (work->kind == WORK_LAUNCH)
        launch(stream->object.context, work);
    else if (work->kind == WORK_COPY)
        memmove((void *)work->to, (const void *)work->from, work->size);
    else if (work->kind == WORK_SET)
        for (size_t i = 0; i < work->size / 4; i++)
            ((uint32_t *)work->to)[i] = work->value;
    free(work);
}

void emulated_run_stream(CUstream stream, const struct CUevent_st *until, uint64_t ticket) {
    if (!stream->first)
        return;
    emulated_open_memory(true);
    while (stream->first && !(until && until->reached >= ticket))
        run_first(stream);
    emulated_open_memory(false);
}
void emulated_run_all(void) {
    for (struct object *each = emulated_objects; each; each = each->next)
        if (each->kind == OBJECT_STREAM)
            emulated_run_stream((CUstream)(void *)each, NULL, 0);
}

bool emulated_pending(const struct memory *memory) {
    uintptr_t start = (uintptr_t)memory->start, end = start + memory->size;
    for (struct object *each = emulated_objects; each; each = each->next)
        for (struct work *work = each->kind == OBJECT_STREAM ? ((CUstream)(void *)each)->first : NULL; work;
             work = work->next)
            if ((work->to >= start && work->to < end) || (work->from >= start && work->from < end))
                return true;
    return false;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && emulated_fails())
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS && flags != CU_STREAM_DEFAULT && flags != CU_STREAM_NON_BLOCKING)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *stream = calloc(1, sizeof **stream);
        emulated_add(&(*stream)->object, OBJECT_STREAM, context);
        (*stream)->last = &(*stream)->first;
    }
    return emulated_leave(result);
}
CUresult cuStreamDestroy(CUstream stream) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (!emulated_is(stream, OBJECT_STREAM) || stream->is_default)
        emulated_fault("cuStreamDestroy of no stream");
    emulated_run_stream(stream, NULL, 0);
    emulated_remove(&stream->object);
    return emulated_leave(result);
}
CUresult cuStreamSynchronize(CUstream stream) {
    struct CUctx_st *context;
    CUresult result = emulated_enter_unsafe(&context, "cuStreamSynchronize");
    if (result == CUDA_SUCCESS && !(stream = emulated_stream(context, stream)))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS) {
        emulated_run_stream(stream, NULL, 0);
        result = context->lost;
    }
    return emulated_leave(result);
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && (!emulated_is(event, OBJECT_EVENT) || flags != 0))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && event->recorded == 0)
        emulated_fault("cuStreamWaitEvent for an event that was never recorded");
    if (result == CUDA_SUCCESS)
        result = emulated_put(
            context, stream,
            &(struct work){.kind = WORK_WAIT, .event = event, .stream = event->stream, .ticket = event->recorded});
    return emulated_leave(result);
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    (void)flags;
    if (result == CUDA_SUCCESS && emulated_fails())
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS) {
        *event = calloc(1, sizeof **event);
        emulated_add(&(*event)->object, OBJECT_EVENT, context);
    }
    return emulated_leave(result);
}
CUresult cuEventDestroy(CUevent event) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (!emulated_is(event, OBJECT_EVENT))
        emulated_fault("cuEventDestroy of no event");
    emulated_run_all(); /* so that no work names it */
    emulated_remove(&event->object);
    return emulated_leave(result);
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && !emulated_is(event, OBJECT_EVENT))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        result = emulated_put(context, stream,
                              &(struct work){.kind = WORK_RECORD, .event = event, .ticket = event->recorded + 1});
    if (result == CUDA_SUCCESS) {
        event->recorded++;
        event->stream = emulated_stream(context, stream);
    }
    return emulated_leave(result);
}
CUresult cuEventSynchronize(CUevent event) {
    struct CUctx_st *context;
    CUresult result = emulated_enter_unsafe(&context, "cuEventSynchronize");
    if (result == CUDA_SUCCESS && !emulated_is(event, OBJECT_EVENT))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && event->recorded == 0)
        emulated_fault("cuEventSynchronize of an event that was never recorded");
    if (result == CUDA_SUCCESS) {
        if (event->reached < event->recorded)
            emulated_run_stream(event->stream, event, event->recorded);
        result = context->lost;
    }
    return emulated_leave(result);
}

static CUresult copy(uintptr_t to, bool to_device, uintptr_t from, bool from_device, size_t size, CUstream stream,
                     const char *call) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS) {
        emulated_check_range(to, size, to_device, call);
        emulated_check_range(from, size, from_device, call);
        if (to < from + size && from < to + size)
            emulated_fault("%s between bytes that overlap", call);
        result = emulated_put(context, stream, &(struct work){.kind = WORK_COPY, .to = to, .from = from, .size = size});
    }
    return emulated_leave(result);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
    return copy((uintptr_t)to, true, (uintptr_t)from, false, size, stream, "cuMemcpyHtoDAsync");
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream) {
    return copy((uintptr_t)to, false, (uintptr_t)from, true, size, stream, "cuMemcpyDtoHAsync");
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
    return copy((uintptr_t)to, true, (uintptr_t)from, true, size, stream, "cuMemcpyDtoDAsync");
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && to % 4 != 0)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        emulated_check_range((uintptr_t)to, 4 * count, true, "cuMemsetD32Async");
        result = emulated_put(context, stream,
                              &(struct work){.kind = WORK_SET, .to = (uintptr_t)to, .size = 4 * count, .value = value});
    }
    return emulated_leave(result);
}
