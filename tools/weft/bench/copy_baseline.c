/* SPDX-License-Identifier: MIT
 * The copy that weft bench compares with. It is cut into a part for each thread; the caller copies too, and takes the parts of
 * threads that are slow to wake. Threads sleep between copies, so that they do not disturb the measurement. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "bench/copy_baseline.h"
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct copier {
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    char *target;
    const char *source;
    size_t size, part;
    int32_t parts, taken, finished; /* of the copy that is under way */
    bool closing;
    int32_t workers;
    pthread_t threads[];
};

int32_t copier_default_threads(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int32_t)count : 1;
}

/* Copies one part. The mutex is held at the call and at the return, and released during the copy. */
static void copy_part(struct copier *copier) {
    size_t start = copier->part * (size_t)copier->taken++, rest = start < copier->size ? copier->size - start : 0;
    pthread_mutex_unlock(&copier->mutex);
    if (rest)
        memcpy(copier->target + start, copier->source + start, rest < copier->part ? rest : copier->part);
    pthread_mutex_lock(&copier->mutex);
    if (++copier->finished == copier->parts)
        pthread_cond_signal(&copier->done);
}

static void *work(void *user) {
    struct copier *copier = user;
    pthread_mutex_lock(&copier->mutex);
    while (!copier->closing) {
        if (copier->taken < copier->parts)
            copy_part(copier);
        else
            pthread_cond_wait(&copier->work, &copier->mutex);
    }
    pthread_mutex_unlock(&copier->mutex);
    return NULL;
}

struct copier *copier_open(int32_t threads) {
    struct copier *copier = calloc(1, sizeof *copier + (size_t)threads * sizeof *copier->threads);
    if (!copier)
        return NULL;
    pthread_mutex_init(&copier->mutex, NULL);
    pthread_cond_init(&copier->work, NULL);
    pthread_cond_init(&copier->done, NULL);
    while (copier->workers < threads - 1 && pthread_create(&copier->threads[copier->workers], NULL, work, copier) == 0)
        copier->workers++;
    return copier;
}

void copier_copy(struct copier *copier, void *target, const void *source, size_t size) {
    pthread_mutex_lock(&copier->mutex);
    copier->target = target;
    copier->source = source;
    copier->size = size;
    copier->parts = copier->workers + 1;
    /* Whole pages for each thread, so that no two write to one cache line. */
    copier->part = (size / (size_t)copier->parts + 4095) & ~(size_t)4095;
    copier->taken = copier->finished = 0;
    if (copier->workers)
        pthread_cond_broadcast(&copier->work);
    while (copier->taken < copier->parts)
        copy_part(copier);
    while (copier->finished < copier->parts)
        pthread_cond_wait(&copier->done, &copier->mutex);
    pthread_mutex_unlock(&copier->mutex);
}

void copier_close(struct copier *copier) {
    if (!copier)
        return;
    pthread_mutex_lock(&copier->mutex);
    copier->closing = true;
    pthread_cond_broadcast(&copier->work);
    pthread_mutex_unlock(&copier->mutex);
    for (int32_t i = 0; i < copier->workers; i++)
        pthread_join(copier->threads[i], NULL);
    pthread_cond_destroy(&copier->done);
    pthread_cond_destroy(&copier->work);
    pthread_mutex_destroy(&copier->mutex);
    free(copier);
}
