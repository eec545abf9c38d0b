/* SPDX-License-Identifier: MIT
 * Two parcels of rows: one is filled while the other is written. */
#include "files/behind.h"
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

enum { PARCELS = 2, PARCEL = 1 << 18 };

struct parcel {
    unsigned char *rows;
    int64_t y, count;
};

struct weft_behind {
    weft_sink sink;
    size_t size;
    int64_t capacity; /* rows of a parcel */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct parcel parcels[PARCELS];
    int64_t filled, written; /* parcels so far, under the lock, as what follows */
    bool ended, stopped;     /* no more will come; what has come is not wanted */
    weft_status status;
    weft_error failure;
};

static void *work(void *user) {
    struct weft_behind *behind = user;
    pthread_mutex_lock(&behind->lock);
    for (;;) {
        while (behind->written == behind->filled && !behind->ended && !behind->stopped)
            pthread_cond_wait(&behind->changed, &behind->lock);
        if (behind->stopped || behind->written == behind->filled)
            break;
        const struct parcel *parcel = &behind->parcels[behind->written % PARCELS];
        const bool good = behind->status == WEFT_OK;
        weft_error failure = {.status = WEFT_OK};
        pthread_mutex_unlock(&behind->lock);
        weft_status status = good ? behind->sink.write(behind->sink.user, parcel->y, parcel->count, parcel->rows,
                                                       (ptrdiff_t)behind->size, &failure)
                                  : WEFT_OK;
        pthread_mutex_lock(&behind->lock);
        if (good && status != WEFT_OK) {
            behind->status = status;
            behind->failure = failure;
        }
        behind->written++;
        pthread_cond_broadcast(&behind->changed);
    }
    pthread_mutex_unlock(&behind->lock);
    return NULL;
}

static void free_all(struct weft_behind *behind) {
    for (int i = 0; i < PARCELS; i++)
        weft_free(behind->parcels[i].rows);
    pthread_cond_destroy(&behind->changed);
    pthread_mutex_destroy(&behind->lock);
    weft_free(behind);
}

weft_status weft_behind_open(const weft_sink *sink, size_t size, struct weft_behind **result, weft_error *error) {
    struct weft_behind *behind = weft_allocate(1, sizeof *behind);
    bool good = true;
    *result = NULL;
    if (!behind)
        return weft_fail_memory(error, sizeof *behind, "rows of a file");
    pthread_mutex_init(&behind->lock, NULL);
    pthread_cond_init(&behind->changed, NULL);
    behind->sink = *sink;
    behind->size = size;
    behind->capacity = size < PARCEL ? (int64_t)(PARCEL / size) : 1;
    for (int i = 0; i < PARCELS && good; i++) {
        behind->parcels[i].rows = weft_reallocate(NULL, (size_t)behind->capacity, size);
        good = behind->parcels[i].rows != NULL;
    }
    if (!good) {
        free_all(behind);
        return weft_fail_memory(error, PARCELS * size, "rows of a file");
    }
    if (pthread_create(&behind->thread, NULL, work, behind) != 0) {
        free_all(behind);
        return WEFT_OK;
    }
    *result = behind;
    return WEFT_OK;
}

/* With the lock held. */
static weft_status tell(const struct weft_behind *behind, weft_error *error) {
    if (behind->status != WEFT_OK && error)
        *error = behind->failure;
    return behind->status;
}

weft_status weft_behind_write(struct weft_behind *behind, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                              weft_error *error) {
    weft_status status = WEFT_OK;
    for (int64_t done = 0, part; done < count && status == WEFT_OK; done += part) {
        struct parcel *parcel;
        part = count - done < behind->capacity ? count - done : behind->capacity;
        pthread_mutex_lock(&behind->lock);
        while (behind->filled - behind->written == PARCELS)
            pthread_cond_wait(&behind->changed, &behind->lock);
        status = tell(behind, error);
        parcel = &behind->parcels[behind->filled % PARCELS];
        pthread_mutex_unlock(&behind->lock);
        if (status != WEFT_OK)
            return status;
        for (int64_t i = 0; i < part; i++)
            memcpy(parcel->rows + (size_t)i * behind->size,
                   (const unsigned char *)rows + (ptrdiff_t)(done + i) * stride, behind->size);
        parcel->y = y + done;
        parcel->count = part;
        pthread_mutex_lock(&behind->lock);
        behind->filled++;
        pthread_cond_broadcast(&behind->changed);
        pthread_mutex_unlock(&behind->lock);
    }
    return status;
}

static weft_status end(struct weft_behind **result, bool stopped, weft_error *error) {
    struct weft_behind *behind = *result;
    weft_status status;
    pthread_mutex_lock(&behind->lock);
    behind->ended = true;
    behind->stopped = stopped;
    pthread_cond_broadcast(&behind->changed);
    pthread_mutex_unlock(&behind->lock);
    pthread_join(behind->thread, NULL);
    status = tell(behind, error);
    free_all(behind);
    *result = NULL;
    return status;
}

weft_status weft_behind_finish(struct weft_behind **behind, weft_error *error) { return end(behind, false, error); }

void weft_behind_close(struct weft_behind **behind) {
    if (*behind)
        (void)end(behind, true, NULL);
}
