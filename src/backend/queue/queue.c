/* SPDX-License-Identifier: MIT
 * Queues. What the device can do by itself, runs and copies that touch only its own memory, is handed to it at once.
 * All else goes to a thread of the queue's, one after the other; as long as that has work, everything goes there, so
 * that the order stays. */
#include "weft/queue.h"
#include <pthread.h>
#include <string.h>
#include "backend/queue/job.h"
#include "backend/state.h"
#include "base/memory.h"
#include "base/status.h"
#include "weft/memory.h"

/* Workspaces that may be kept for runs under way before the queue waits for them. */
enum { MOST_KEPT = 64 };

struct weft_queue {
    weft_device *device;
    const struct weft_backend *backend;
    bool has_stream;
    void *stream;
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    pthread_t thread;
    bool started, closing;
    bool working; /* a caller does the jobs, since the system gave no thread */
    struct job *first, **last; /* waiting and, in front, the one being done */
    struct job *kept;          /* runs that the device may still be doing, for their workspaces */
    int32_t kept_count;
    bool failed;
    weft_error failure; /* the first */
};

/* True when a run touches nothing but memory of the device, which takes it without being waited for. Numbers, which go to the
 * host's memory, it keeps until the queue is drained; a caller's stream is not. */
static bool run_is_by_device(const struct weft_queue *queue, const weft_plan *plan, const weft_run *run) {
    if (!queue->backend->drain)
        return false;
    for (int32_t i = 0; i < run->input_count; i++)
        if (run->inputs[i].source.read || run->inputs[i].image.memory == WEFT_MEMORY_HOST)
            return false;
    for (int32_t i = 0; i < run->output_count; i++) {
        bool numbers = weft_plan_output_is_values(plan, i) && !queue->has_stream;
        if (run->outputs[i].sink.write || (run->outputs[i].image.memory == WEFT_MEMORY_HOST && !numbers))
            return false;
    }
    return true;
}

static bool copy_is_by_device(const struct weft_queue *queue, const weft_image *from, const weft_image *to) {
    return queue->backend->drain && queue->backend->image_copy_start && from->memory != WEFT_MEMORY_HOST &&
           to->memory != WEFT_MEMORY_HOST;
}

/* The lock is held. */
static void fail(struct weft_queue *queue, weft_status status, const weft_error *error) {
    if (status != WEFT_OK && !queue->failed) {
        queue->failed = true;
        queue->failure = *error;
    }
}

/* Waits for what the device was given, and frees what was kept for it. The lock is held before and after; with `let_go`
 * not while waiting. */
static weft_status drain(struct weft_queue *queue, bool let_go, weft_error *error) {
    weft_status status = WEFT_OK;
    struct job *kept = queue->kept;
    queue->kept = NULL;
    queue->kept_count = 0;
    if (queue->backend->drain && !queue->has_stream) {
        if (let_go)
            pthread_mutex_unlock(&queue->lock);
        status = queue->backend->drain(queue->device, error);
        if (let_go)
            pthread_mutex_lock(&queue->lock);
    }
    while (kept) {
        struct job *next = kept->next;
        weft_job_free(kept);
        kept = next;
    }
    return status;
}

/* Hands a job to the device, which gets the workspace until it is drained. The lock is held; frees the job on failure.
 */
static weft_status give(struct weft_queue *queue, struct job *job, weft_error *error) {
    weft_status status = WEFT_OK;
    if (queue->kept_count >= MOST_KEPT)
        status = drain(queue, false, error);
    if (status == WEFT_OK && job->plan) {
        struct weft_run_manner manner = {
            .asynchronous = true, .has_stream = queue->has_stream, .stream = queue->stream, .kept = &job->workspace};
        status = weft_run_start(job->plan, &job->run, &manner, error);
    } else if (status == WEFT_OK) {
        status = weft_copy_start(queue->device, &job->from, &job->to, true, error);
    }
    if (status == WEFT_OK && job->workspace) {
        job->next = queue->kept;
        queue->kept = job;
        queue->kept_count++;
    } else {
        weft_job_free(job);
    }
    return status;
}

/* Does the first job; the lock is held before and after, but not meanwhile. */
static void do_first(struct weft_queue *queue) {
    struct job *job = queue->first;
    weft_error error = {.status = WEFT_OK};
    weft_status status = WEFT_OK;
    if (!job->by_device) {
        /* Copies read and write the device's memory out of its own order. */
        if (!job->plan)
            status = drain(queue, true, &error);
        pthread_mutex_unlock(&queue->lock);
        if (job->plan)
            status = weft_run_start(job->plan, &job->run, &(struct weft_run_manner){.kept = NULL}, &error);
        else if (status == WEFT_OK)
            status = weft_copy_start(queue->device, &job->from, &job->to, false, &error);
        pthread_mutex_lock(&queue->lock);
    }
    queue->first = job->next;
    if (!queue->first)
        queue->last = &queue->first;
    if (job->by_device)
        status = give(queue, job, &error);
    else
        weft_job_free(job);
    fail(queue, status, &error);
    if (!queue->first)
        pthread_cond_broadcast(&queue->idle);
}

static void *work(void *user) {
    struct weft_queue *queue = user;
    pthread_mutex_lock(&queue->lock);
    while (queue->first || !queue->closing) {
        if (queue->first)
            do_first(queue);
        else
            pthread_cond_wait(&queue->work, &queue->lock);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* Starts a checked job: at once where the device takes it, else behind the others. NULL: there was no memory for it. */
static weft_status start(struct weft_queue *queue, struct job *job, weft_error *error) {
    if (!job)
        return weft_fail_memory(error, sizeof *job, "a run");
    weft_status status = WEFT_OK;
    pthread_mutex_lock(&queue->lock);
    if (job->by_device && (queue->has_stream || !queue->first)) {
        status = give(queue, job, error);
    } else {
        if (!queue->started && !queue->working)
            queue->started = pthread_create(&queue->thread, NULL, work, queue) == 0;
        *queue->last = job;
        queue->last = &job->next;
        pthread_cond_signal(&queue->work);
        /* Without a thread this one does the work; what others start meanwhile, too. */
        if (!queue->started && !queue->working) {
            queue->working = true;
            while (queue->first)
                do_first(queue);
            queue->working = false;
        }
    }
    pthread_mutex_unlock(&queue->lock);
    return status;
}

weft_status weft_queue_create(weft_device *device, const weft_queue_options *options, weft_queue **result,
                              weft_error *error) {
    if (!device || !result)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_queue_create needs a device and a place for the queue");
    *result = NULL;
    struct weft_device_base *base = (struct weft_device_base *)(void *)device;
    const struct weft_backend *backend = base->backend;
    weft_status status = weft_device_check(device, error);
    if (status != WEFT_OK)
        return status;
    bool has_stream = options && options->has_cuda_stream;
    if (has_stream && strcmp(backend->name, "cuda") != 0)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a CUDA stream needs a device of cuda; this one is of %s",
                         backend->name);
    struct weft_queue *queue = weft_allocate(1, sizeof *queue);
    if (!queue)
        return weft_fail_memory(error, sizeof *queue, "the queue");
    queue->device = device;
    weft_reference_count_add(&base->holders);
    queue->backend = backend;
    queue->has_stream = has_stream;
    queue->stream = has_stream ? options->cuda_stream : NULL;
    queue->last = &queue->first;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->work, NULL);
    pthread_cond_init(&queue->idle, NULL);
    *result = queue;
    return WEFT_OK;
}

void weft_queue_destroy(weft_queue **queue) {
    if (!queue || !*queue)
        return;
    struct weft_queue *q = *queue;
    *queue = NULL;
    /* The child of a fork has neither the thread nor, maybe, the lock: what waits there is forgotten. */
    if (weft_device_is_foreign(q->device)) {
        weft_device_leave(q->device);
        return;
    }
    weft_queue_wait(q, NULL);
    pthread_mutex_lock(&q->lock);
    q->closing = true;
    pthread_cond_signal(&q->work);
    pthread_mutex_unlock(&q->lock);
    if (q->started)
        pthread_join(q->thread, NULL);
    pthread_cond_destroy(&q->work);
    pthread_cond_destroy(&q->idle);
    pthread_mutex_destroy(&q->lock);
    weft_device_leave(q->device);
    weft_free(q);
}

weft_status weft_queue_run(weft_queue *queue, const weft_plan *plan, const weft_run *run, weft_error *error) {
    if (!queue)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_queue_run needs a queue");
    weft_status status = weft_run_check(plan, run, error);
    if (status != WEFT_OK)
        return status;
    if (plan->device != queue->device)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the plan is for another device than the queue");
    bool by_device = run_is_by_device(queue, plan, run);
    if (by_device && queue->has_stream && !run->workspace && weft_plan_workspace_size(plan) > 0)
        return weft_fail(
            error, WEFT_ERROR_ARGUMENT,
            "a run on a caller's stream needs a workspace of the caller's, of %zu bytes: only the caller knows "
            "when it is done",
            weft_plan_workspace_size(plan));
    if (by_device && queue->has_stream && !run->state && weft_plan_has_memory(plan))
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "a run on a caller's stream needs a state, since filters of the plan keep images");
    struct job *job = weft_job_of_run(plan, run);
    if (job)
        job->by_device = by_device;
    return start(queue, job, error);
}

weft_status weft_queue_copy(weft_queue *queue, const weft_image *from, const weft_image *to, weft_error *error) {
    if (!queue)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_queue_copy needs a queue");
    weft_status status = weft_copy_check(queue->device, from, to, error);
    if (status != WEFT_OK)
        return status;
    if (queue->has_stream)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "a queue of a caller's stream takes no copies; the stream does");
    struct job *job = weft_allocate(1, sizeof *job);
    if (job) {
        job->from = *from;
        job->to = *to;
        job->by_device = copy_is_by_device(queue, from, to);
    }
    return start(queue, job, error);
}

weft_status weft_queue_wait(weft_queue *queue, weft_error *error) {
    weft_error failure = {.status = WEFT_OK};
    if (!queue)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_queue_wait needs a queue");
    weft_status status = weft_device_check(queue->device, error);
    if (status != WEFT_OK)
        return status;
    pthread_mutex_lock(&queue->lock);
    while (queue->first)
        pthread_cond_wait(&queue->idle, &queue->lock);
    status = drain(queue, true, &failure);
    fail(queue, status, &failure);
    status = WEFT_OK;
    if (queue->failed) {
        status = queue->failure.status;
        if (error)
            *error = queue->failure;
    }
    queue->failed = false;
    pthread_mutex_unlock(&queue->lock);
    return status;
}
