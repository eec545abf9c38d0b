/* SPDX-License-Identifier: MIT
 * The pool keeps a list of calls in progress; idle helpers join the first one that has tasks left. A call's record lives
 * on its caller's stack. */
#define _GNU_SOURCE
#include "base/threads.h"
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/status.h"

struct call {
    void (*task)(void *user, int32_t lane, int32_t i);
    void *user;
    int32_t count, next; /* next is taken under the pool's lock: tasks are thousands of pixels, not instructions */
    int32_t lanes;       /* handed out so far */
    int32_t busy;        /* helpers in it now */
    struct call *following;
};

struct weft_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    struct call *calls;
    bool closing;
    int32_t threads, started;
    pid_t process; /* whose threads they are: the child of a fork has none of them */
    pthread_t *helpers;
};

int32_t weft_thread_count(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int32_t)count : 1;
}

/* Does tasks of a call until none is left. The lock is held on entry and on return. */
static void work_on(struct weft_pool *pool, struct call *call, int32_t lane) {
    while (call->next < call->count) {
        int32_t i = call->next++;
        pthread_mutex_unlock(&pool->lock);
        call->task(call->user, lane, i);
        pthread_mutex_lock(&pool->lock);
    }
}

static struct call *find_call(struct weft_pool *pool) {
    for (struct call *call = pool->calls; call; call = call->following)
        if (call->next < call->count && call->lanes < pool->threads)
            return call;
    return NULL;
}

static void *help(void *user) {
    struct weft_pool *pool = user;
    pthread_mutex_lock(&pool->lock);
    while (!pool->closing) {
        struct call *call = find_call(pool);
        if (!call) {
            pthread_cond_wait(&pool->work, &pool->lock);
            continue;
        }
        call->busy++;
        work_on(pool, call, call->lanes++);
        if (--call->busy == 0)
            pthread_cond_broadcast(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

weft_status weft_pool_create(int32_t threads, struct weft_pool **result, weft_error *error) {
    struct weft_pool *pool = weft_allocate(1, sizeof *pool);
    *result = NULL;
    if (!pool)
        return weft_fail_memory(error, sizeof *pool, "threads");
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->threads = threads;
    pool->process = getpid();
    pool->helpers = weft_allocate((size_t)threads, sizeof *pool->helpers);
    if (!pool->helpers) {
        weft_pool_destroy(&pool);
        return weft_fail_memory(error, (size_t)threads * sizeof *pool->helpers, "threads");
    }
    while (pool->started < threads - 1 && pthread_create(&pool->helpers[pool->started], NULL, help, pool) == 0)
        pool->started++;
    pthread_mutex_lock(&pool->lock); /* helpers read it */
    pool->threads = pool->started + 1;
    pthread_mutex_unlock(&pool->lock);
    *result = pool;
    return WEFT_OK;
}

int32_t weft_pool_threads(const struct weft_pool *pool) { return pool->threads; }

/* In the child of a fork. The lock may be held by a thread that does not exist here, so it is not taken. */
static bool forget(struct weft_pool *pool) {
    if (pool->process == getpid())
        return false;
    weft_free(pool->helpers);
    weft_free(pool);
    return true;
}

void weft_pool_destroy(struct weft_pool **pool) {
    if (!pool || !*pool)
        return;
    struct weft_pool *p = *pool;
    *pool = NULL;
    if (forget(p))
        return;
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (int32_t i = 0; i < p->started; i++)
        pthread_join(p->helpers[i], NULL);
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->done);
    pthread_mutex_destroy(&p->lock);
    weft_free(p->helpers);
    weft_free(p);
}

void weft_pool_run(struct weft_pool *pool, int32_t count, void (*task)(void *user, int32_t lane, int32_t i),
                   void *user) {
    weft_pool_run_watched(pool, count, task, NULL, user);
}

/* Waits for helpers 20 ms at most. The lock is held on entry and on return. */
static void wait_a_while(struct weft_pool *pool) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&pool->done, &pool->lock, &until);
}

void weft_pool_run_watched(struct weft_pool *pool, int32_t count, void (*task)(void *user, int32_t lane, int32_t i),
                           void (*waiting)(void *user), void *user) {
    struct call call = {.task = task, .user = user, .count = count, .lanes = 1};
    if (pool->threads == 1 || count == 1) {
        for (int32_t i = 0; i < count; i++)
            task(user, 0, i);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    call.following = pool->calls;
    pool->calls = &call;
    pthread_cond_broadcast(&pool->work);
    work_on(pool, &call, 0);
    struct call **link = &pool->calls;
    while (*link != &call)
        link = &(*link)->following;
    *link = call.following;
    while (call.busy > 0) {
        if (!waiting) {
            pthread_cond_wait(&pool->done, &pool->lock);
            continue;
        }
        wait_a_while(pool);
        if (call.busy == 0)
            break;
        pthread_mutex_unlock(&pool->lock);
        waiting(user);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}
