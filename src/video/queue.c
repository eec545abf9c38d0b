/* SPDX-License-Identifier: MIT
 * Frames on their way from thread to thread. */
#include <string.h>
#include "video/job.h"

bool weft_frames_open(struct weft_frame_queue *queue) {
    if (pthread_mutex_init(&queue->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&queue->changed, NULL) == 0)
        return true;
    pthread_mutex_destroy(&queue->lock);
    return false;
}

void weft_frames_free(struct weft_frame_set *set) {
    for (int i = 0; i < WEFT_VIDEO_ENDS; i++)
        weft_video_frame_free(&set->frames[i]);
}

void weft_frames_close(struct weft_frame_queue *queue) {
    for (; queue->count > 0; queue->count--, queue->first++)
        weft_frames_free(&queue->sets[queue->first % WEFT_FRAMES_IN_FLIGHT]);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
}

bool weft_frames_put(struct weft_frame_queue *queue, struct weft_frame_set *set) {
    pthread_mutex_lock(&queue->lock);
    while (queue->count == WEFT_FRAMES_IN_FLIGHT && !queue->broken)
        pthread_cond_wait(&queue->changed, &queue->lock);
    bool good = !queue->broken;
    if (good) {
        queue->sets[(queue->first + queue->count) % WEFT_FRAMES_IN_FLIGHT] = *set;
        queue->count++;
        memset(set, 0, sizeof *set);
        pthread_cond_broadcast(&queue->changed);
    }
    pthread_mutex_unlock(&queue->lock);
    if (!good)
        weft_frames_free(set);
    return good;
}

bool weft_frames_take(struct weft_frame_queue *queue, struct weft_frame_set *set) {
    pthread_mutex_lock(&queue->lock);
    while (queue->count == 0 && !queue->closed)
        pthread_cond_wait(&queue->changed, &queue->lock);
    bool good = queue->count > 0;
    if (good) {
        *set = queue->sets[queue->first];
        queue->first = (queue->first + 1) % WEFT_FRAMES_IN_FLIGHT;
        queue->count--;
        pthread_cond_broadcast(&queue->changed);
    }
    pthread_mutex_unlock(&queue->lock);
    return good;
}

static void mark(struct weft_frame_queue *queue, bool *flag) {
    pthread_mutex_lock(&queue->lock);
    *flag = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

void weft_frames_end(struct weft_frame_queue *queue) { mark(queue, &queue->closed); }
void weft_frames_stop(struct weft_frame_queue *queue) { mark(queue, &queue->broken); }
