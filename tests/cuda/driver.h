/* SPDX-License-Identifier: MIT
 * The emulated driver's objects. Work is put on streams and done when somebody waits for it, no sooner, and only as
 * much as must be: who forgets to wait sees old bytes. One lock is around everything.
 *
 * Environment, read by cuInit:
 *   WEFT_EMULATED_DEVICES=n      devices (1)
 *   WEFT_EMULATED_VERSION=n      the driver's CUDA version (13000)
 *   WEFT_EMULATED_CAPABILITY=n   90 for 9.0 (75)
 *   WEFT_EMULATED_MEMORY=n       bytes of each device (1 GiB)
 *   WEFT_EMULATED_FAIL=n         the n-th call that needs memory from now on fails for lack of it
 *   WEFT_EMULATED_LOSE=n         the device is lost in its n-th launch from now on */
#ifndef CUDA_DRIVER_H
#define CUDA_DRIVER_H
#include <stdbool.h>
#pragma GCC visibility push(default)
#include "caller.h"
#pragma GCC visibility pop
#include "emulated.h"

#define DEVICES 8

enum object_kind { OBJECT_MEMORY, OBJECT_STREAM, OBJECT_EVENT, OBJECT_MODULE, OBJECT_GRAPH, OBJECT_GRAPH_EXEC };
struct object { /* every object begins with it */
    enum object_kind kind;
    struct object *next;
    struct CUctx_st *context;
};

struct CUctx_st {
    int device, count; /* how often it is retained */
    CUresult lost;
    size_t used;
};

struct memory {
    struct object object;
    unsigned char *start, *map;
    size_t size, map_size;
    bool device; /* otherwise pinned host memory */
};

enum work_kind { WORK_LAUNCH, WORK_COPY, WORK_SET, WORK_RECORD, WORK_WAIT };
struct work {
    struct work *next;
    enum work_kind kind;
    const struct CUfunc_st *function;
    uint32_t blocks[3], threads[3];
    struct gpu_launch launch;
    uintptr_t to, from;
    size_t size;
    uint32_t value;
    struct CUevent_st *event;
    struct CUstream_st *stream; /* that records the event */
    uint64_t ticket;
};

struct CUstream_st {
    struct object object;
    struct work *first, **last;
    struct CUgraph_st *capture;
    bool spoiled;    /* the capture */
    bool is_default; /* of the context */
};

struct CUevent_st {
    struct object object;
    uint64_t recorded, reached; /* tickets */
    struct CUstream_st *stream; /* of the last record */
};

struct CUfunc_st {
    const struct emulated_code *code;
    unsigned shared; /* bytes that a launch asks for */
};
struct CUmod_st {
    struct object object;
    void *library;    /* of the kernel */
    char name[64];
    struct CUfunc_st function;
};

struct CUgraph_st {
    struct object object;
    struct work *first, **last;
};
struct CUgraphExec_st {
    struct object object;
    struct work *first;
};

struct emulated_settings {
    long devices, version, capability, memory, fail, lose;
};
extern struct emulated_settings emulated;

/* Around every call of the API. enter: CUDA_ERROR_* when there is no current context, or it is lost. */
CUresult emulated_enter(struct CUctx_st **context);
void emulated_lock(void);
CUresult emulated_leave(CUresult result);
/* The same where a stream that is being captured forbids the call; says so. */
CUresult emulated_enter_unsafe(struct CUctx_st **context, const char *call);
/* Counts a call that needs memory; true when it is the one to fail. */
bool emulated_fails(void);

extern struct object *emulated_objects;
void emulated_add(struct object *object, enum object_kind kind, struct CUctx_st *context);
bool emulated_is(const void *object, enum object_kind kind); /* alive and of that kind */
void emulated_remove(struct object *object);

/* Faults unless the bytes lie in one memory of that kind. */
void emulated_check_range(uintptr_t start, size_t size, bool device, const char *what);
/* Device memory can be touched while work runs, and not otherwise. */
void emulated_open_memory(bool open);
/* Whether work that is still to be done copies to or from that memory. */
bool emulated_pending(const struct memory *memory);

/* Takes a copy of the work, for a stream or its capture. */
CUresult emulated_put(struct CUctx_st *context, CUstream stream, const struct work *work);
void emulated_run_stream(CUstream stream, const struct CUevent_st *until, uint64_t ticket); /* NULL: all of it */
void emulated_run_all(void);
void emulated_free_works(struct work *work);
CUstream emulated_stream(struct CUctx_st *context, CUstream stream); /* the default stream for NULL */

#endif
