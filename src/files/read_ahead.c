/* SPDX-License-Identifier: MIT
 * Blocks of rows: some are filled while one is taken. Decoding a PNG takes most of what a thumbnail of it does, and
 * goes on while rows before are made smaller. */
#include "files/read_ahead.h"
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

enum { BLOCKS = 4, BLOCK_BYTES = 1 << 18 };

struct block {
    unsigned char *rows;
    int64_t count;
};

struct weft_ahead {
    weft_source source;
    size_t size;
    int64_t height, capacity; /* rows of the image, and of a block */
    int64_t next;             /* row of the block that is being taken */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct block blocks[BLOCKS];
    int64_t filled, taken; /* blocks so far, under the lock, as what follows */
    bool stopped;
    weft_status status; /* of what follows the filled blocks */
    weft_error failure;
};

static void *work(void *user) {
    struct weft_ahead *ahead = user;
    for (int64_t y = 0; y < ahead->height; y += ahead->capacity) {
        const int64_t count = ahead->height - y < ahead->capacity ? ahead->height - y : ahead->capacity;
        weft_error failure = {.status = WEFT_OK};
        pthread_mutex_lock(&ahead->lock);
        while (ahead->filled - ahead->taken == BLOCKS && !ahead->stopped)
            pthread_cond_wait(&ahead->changed, &ahead->lock);
        const bool stopped = ahead->stopped;
        struct block *block = &ahead->blocks[ahead->filled % BLOCKS];
        pthread_mutex_unlock(&ahead->lock);
        if (stopped)
            break;
        weft_status status =
            ahead->source.read(ahead->source.user, y, count, block->rows, (ptrdiff_t)ahead->size, &failure);
        pthread_mutex_lock(&ahead->lock);
        block->count = count;
        ahead->filled += status == WEFT_OK;
        ahead->status = status;
        ahead->failure = failure;
        pthread_cond_broadcast(&ahead->changed);
        pthread_mutex_unlock(&ahead->lock);
        if (status != WEFT_OK)
            break;
    }
    return NULL;
}

static void free_all(struct weft_ahead *ahead) {
    for (int i = 0; i < BLOCKS; i++)
        weft_free(ahead->blocks[i].rows);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    weft_free(ahead);
}

static int64_t rows_of_block(size_t size) { return size < BLOCK_BYTES ? (int64_t)(BLOCK_BYTES / size) : 1; }

size_t weft_ahead_bytes(size_t size) { return BLOCKS * (size_t)rows_of_block(size) * size; }

weft_status weft_ahead_open(const weft_source *source, size_t size, int64_t height, struct weft_ahead **result,
                            weft_error *error) {
    struct weft_ahead *ahead = weft_allocate(1, sizeof *ahead);
    bool good = true;
    *result = NULL;
    if (!ahead)
        return weft_fail_memory(error, sizeof *ahead, "rows of a file");
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    ahead->source = *source;
    ahead->size = size;
    ahead->height = height;
    ahead->capacity = rows_of_block(size);
    for (int i = 0; i < BLOCKS && good; i++) {
        ahead->blocks[i].rows = weft_reallocate(NULL, (size_t)ahead->capacity, size);
        good = ahead->blocks[i].rows != NULL;
    }
    if (!good) {
        free_all(ahead);
        return weft_fail_memory(error, (size_t)ahead->capacity * size, "rows of a file");
    }
    if (pthread_create(&ahead->thread, NULL, work, ahead) != 0) {
        free_all(ahead);
        return WEFT_OK;
    }
    *result = ahead;
    return WEFT_OK;
}

/* The block with the next row, NULL where the source failed. */
static const struct block *wait_for_block(struct weft_ahead *ahead, weft_error *error) {
    const struct block *block = NULL;
    pthread_mutex_lock(&ahead->lock);
    while (ahead->filled == ahead->taken && ahead->status == WEFT_OK)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    if (ahead->filled > ahead->taken)
        block = &ahead->blocks[ahead->taken % BLOCKS];
    else if (error)
        *error = ahead->failure;
    pthread_mutex_unlock(&ahead->lock);
    return block;
}

weft_status weft_ahead_read(struct weft_ahead *ahead, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    unsigned char *to = rows;
    while (count > 0) {
        const struct block *block = wait_for_block(ahead, error);
        if (!block)
            return ahead->status; /* the thread has ended */
        for (; count > 0 && ahead->next < block->count; ahead->next++, count--, to += stride)
            memcpy(to, block->rows + (size_t)ahead->next * ahead->size, ahead->size);
        if (ahead->next < block->count)
            break;
        ahead->next = 0;
        pthread_mutex_lock(&ahead->lock);
        ahead->taken++;
        pthread_cond_broadcast(&ahead->changed);
        pthread_mutex_unlock(&ahead->lock);
    }
    return WEFT_OK;
}

void weft_ahead_close(struct weft_ahead **result) {
    struct weft_ahead *ahead = *result;
    if (!ahead)
        return;
    pthread_mutex_lock(&ahead->lock);
    ahead->stopped = true;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
    free_all(ahead);
    *result = NULL;
}
