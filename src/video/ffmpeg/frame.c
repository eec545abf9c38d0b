/* SPDX-License-Identifier: MIT
 * Memory for frames. */
#include "video/ffmpeg/frame.h"
#include "base/memory.h"
#include "base/status.h"
#include "video/ffmpeg/format.h"

weft_status weft_frame_pool_open(struct weft_frame_pool *pool, const struct weft_av *av,
                                 const weft_video_format *format, weft_error *error) {
    *pool = (struct weft_frame_pool){.av = av, .format = *format};
    for (int i = 0; i < format->plane_count; i++) {
        const weft_image_info *info = &format->planes[i];
        size_t row, plane;
        if (!weft_multiply((size_t)info->width, weft_format_size(info->format), &row) || row > INT32_MAX - 64 ||
            !weft_multiply(weft_round_up(row), (size_t)info->height, &plane) ||
            !weft_add(pool->size, plane, &pool->size))
            return weft_fail(error, WEFT_ERROR_MEMORY, "frames of %lldx%lld do not fit memory", (long long)info->width,
                             (long long)info->height);
        pool->strides[i] = (int)weft_round_up(row);
        pool->offsets[i] = pool->size - plane;
    }
    pool->size += 64; /* encoders may read a little more than there is */
    pool->buffers = av->av_buffer_pool_init(pool->size, NULL);
    return pool->buffers ? WEFT_OK : weft_fail_memory(error, pool->size, "frames");
}

void weft_frame_pool_close(struct weft_frame_pool *pool) {
    if (pool->buffers)
        pool->av->av_buffer_pool_uninit(&pool->buffers);
}

weft_status weft_frame_take(struct weft_frame_pool *pool, struct weft_held_frame **held, weft_error *error) {
    *held = weft_allocate(1, sizeof **held);
    if (!*held)
        return weft_fail_memory(error, sizeof **held, "a frame");
    (*held)->av = pool->av;
    (*held)->memory = pool->av->av_buffer_pool_get(pool->buffers);
    if (!(*held)->memory) {
        weft_free(*held);
        *held = NULL;
        return weft_fail_memory(error, pool->size, "a frame");
    }
    for (int i = 0; i < pool->format.plane_count; i++)
        (*held)->frame.planes[i] = (weft_image){.info = pool->format.planes[i],
                                                .data = (*held)->memory->data + pool->offsets[i],
                                                .stride = pool->strides[i]};
    return WEFT_OK;
}

weft_status weft_frame_wrap(const struct weft_av *av, const weft_video_format *format, AVFrame *picture,
                            struct weft_held_frame **held, weft_error *error) {
    *held = weft_allocate(1, sizeof **held);
    AVFrame *copy = *held ? av->av_frame_alloc() : NULL;
    if (!copy || av->av_frame_ref(copy, picture) < 0) {
        av->av_frame_free(&copy);
        weft_free(*held);
        *held = NULL;
        return weft_fail_memory(error, sizeof **held, "a frame");
    }
    av->av_frame_unref(picture);
    (*held)->av = av;
    (*held)->picture = copy;
    weft_pixels_planes(format, copy, (*held)->frame.planes);
    return WEFT_OK;
}

void weft_video_frame_free(weft_video_frame **frame) {
    if (!frame || !*frame)
        return;
    struct weft_held_frame *held = (struct weft_held_frame *)*frame; /* its first member */
    if (held->picture)
        held->av->av_frame_free(&held->picture);
    if (held->memory)
        held->av->av_buffer_unref(&held->memory);
    weft_free(held);
    *frame = NULL;
}
