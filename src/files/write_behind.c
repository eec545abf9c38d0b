/* SPDX-License-Identifier: MIT
 * Blocks of rows: some are filled while one is written. There are enough for all rows that a run of a chain of filters hands over
 * at a time (weft_streaming_choose): while those are written, the next are read and filtered. With two blocks and larger windows
 * the threads waited for one another, and a JPEG of 24 megapixels became another in 1.5 times the time. */
#include "files/write_behind.h"
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

enum { LEAST_BLOCKS = 2, MOST_BLOCKS = 8, BLOCK_BYTES = 1 << 18, ALL_BYTES = MOST_BLOCKS * BLOCK_BYTES };

struct block {
    unsigned char *rows;
    int64_t y, count;
};

struct weft_background {
    weft_sink sink;
    size_t size;
    int64_t capacity; /* rows of a block */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct block blocks[MOST_BLOCKS];
    int64_t count;           /* of blocks */
    int64_t filled, written; /* blocks so far, under the lock, as what follows */
    bool ended, stopped;     /* no more will come; what has come is not wanted */
    weft_status status;
    weft_error failure;
};

static void *work(void *user) {
    struct weft_background *background = user;
    pthread_mutex_lock(&background->lock);
    for (;;) {
        while (background->written == background->filled && !background->ended && !background->stopped)
            pthread_cond_wait(&background->changed, &background->lock);
        if (background->stopped || background->written == background->filled)
            break;
        const struct block *block = &background->blocks[background->written % background->count];
        const bool good = background->status == WEFT_OK;
        weft_error failure = {.status = WEFT_OK};
        pthread_mutex_unlock(&background->lock);
        weft_status status = good ? background->sink.write(background->sink.user, block->y, block->count, block->rows,
                                                           (ptrdiff_t)background->size, &failure)
                                  : WEFT_OK;
        pthread_mutex_lock(&background->lock);
        if (good && status != WEFT_OK) {
            background->status = status;
            background->failure = failure;
        }
        background->written++;
        pthread_cond_broadcast(&background->changed);
    }
    pthread_mutex_unlock(&background->lock);
    return NULL;
}

static void free_all(struct weft_background *background) {
    for (int64_t i = 0; i < background->count; i++)
        weft_free(background->blocks[i].rows);
    pthread_cond_destroy(&background->changed);
    pthread_mutex_destroy(&background->lock);
    weft_free(background);
}

weft_status weft_background_open(const weft_sink *sink, size_t size, struct weft_background **result,
                                 weft_error *error) {
    struct weft_background *background = weft_allocate(1, sizeof *background);
    bool good = true;
    *result = NULL;
    if (!background)
        return weft_fail_memory(error, sizeof *background, "rows of a file");
    pthread_mutex_init(&background->lock, NULL);
    pthread_cond_init(&background->changed, NULL);
    background->sink = *sink;
    background->size = size;
    background->capacity = size < BLOCK_BYTES ? (int64_t)(BLOCK_BYTES / size) : 1;
    background->count =
        size < ALL_BYTES / LEAST_BLOCKS ? (int64_t)(ALL_BYTES / ((size_t)background->capacity * size)) : 0;
    background->count = background->count < LEAST_BLOCKS  ? LEAST_BLOCKS
                        : background->count > MOST_BLOCKS ? MOST_BLOCKS
                                                          : background->count;
    for (int64_t i = 0; i < background->count && good; i++) {
        background->blocks[i].rows = weft_reallocate(NULL, (size_t)background->capacity, size);
        good = background->blocks[i].rows != NULL;
    }
    if (!good) {
        free_all(background);
        return weft_fail_memory(error, (size_t)background->capacity * size, "rows of a file");
    }
    if (pthread_create(&background->thread, NULL, work, background) != 0) {
        free_all(background);
        return WEFT_OK;
    }
    *result = background;
    return WEFT_OK;
}

/* With the lock held. */
static weft_status tell(const struct weft_background *background, weft_error *error) {
    if (background->status != WEFT_OK && error)
        *error = background->failure;
    return background->status;
}

weft_status weft_background_write(struct weft_background *background, int64_t y, int64_t count, const void *rows,
                                  ptrdiff_t stride, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int64_t done = 0, part; done < count && status == WEFT_OK; done += part) {
        struct block *block;
        part = count - done < background->capacity ? count - done : background->capacity;
        pthread_mutex_lock(&background->lock);
        while (background->filled - background->written == background->count)
            pthread_cond_wait(&background->changed, &background->lock);
        status = tell(background, error);
        block = &background->blocks[background->filled % background->count];
        pthread_mutex_unlock(&background->lock);
        if (status != WEFT_OK)
            return status;
        for (int64_t i = 0; i < part; i++)
            memcpy(block->rows + (size_t)i * background->size,
                   (const unsigned char *)rows + (ptrdiff_t)(done + i) * stride, background->size);
        block->y = y + done;
        block->count = part;
        pthread_mutex_lock(&background->lock);
        background->filled++;
        pthread_cond_broadcast(&background->changed);
        pthread_mutex_unlock(&background->lock);
    }
    return status;
}

static weft_status end(struct weft_background **result, bool stopped, weft_error *error) {
    struct weft_background *background = *result;
    weft_status status;
    pthread_mutex_lock(&background->lock);
    background->ended = true;
    background->stopped = stopped;
    pthread_cond_broadcast(&background->changed);
    pthread_mutex_unlock(&background->lock);
    pthread_join(background->thread, NULL);
    status = tell(background, error);
    free_all(background);
    *result = NULL;
    return status;
}

weft_status weft_background_finish(struct weft_background **background, weft_error *error) {
    return end(background, false, error);
}

void weft_background_close(struct weft_background **background) {
    if (*background)
        (void)end(background, true, NULL);
}
