/* SPDX-License-Identifier: MIT
 * Packets that wait for writers. */
#include "video/ffmpeg/passthrough.h"
#include "base/memory.h"
#include "base/status.h"

enum { OVERHEAD = 512 }; /* bytes that a packet takes beside its data, about */

static bool append(const struct weft_av *av, struct weft_packets *packets, const AVPacket *packet) {
    if (packets->first > 0 && packets->first == packets->count)
        packets->first = packets->count = 0;
    if (packets->count == packets->capacity) {
        int capacity = packets->capacity * 2 + 64;
        void *larger = weft_reallocate(packets->list, (size_t)capacity, sizeof *packets->list);
        if (!larger)
            return false;
        packets->list = larger;
        packets->capacity = capacity;
    }
    AVPacket *copy = av->av_packet_alloc();
    if (!copy || av->av_packet_ref(copy, packet) < 0) {
        av->av_packet_free(&copy);
        return false;
    }
    packets->list[packets->count++] = copy;
    packets->bytes += copy->size + OVERHEAD;
    return true;
}

static void clear(const struct weft_av *av, struct weft_packets *packets) {
    for (int i = packets->first; i < packets->count; i++)
        av->av_packet_free(&packets->list[i]);
    weft_free(packets->list);
    *packets = (struct weft_packets){.list = NULL};
}

weft_status weft_carry_open(struct weft_carry *carry, const struct weft_av *av, weft_error *error) {
    carry->av = av;
    carry->locked_once = pthread_mutex_init(&carry->lock, NULL) == 0;
    return carry->locked_once ? WEFT_OK : weft_fail_memory(error, sizeof carry->lock, "a lock");
}

void weft_carry_close(struct weft_carry *carry) {
    if (!carry->locked_once)
        return;
    clear(carry->av, &carry->early);
    for (int i = 0; i < WEFT_CARRIERS; i++)
        clear(carry->av, &carry->to[i]);
    pthread_mutex_destroy(&carry->lock);
    carry->locked_once = false;
}

int weft_carry_join(struct weft_carry *carry) {
    int place = 0;
    pthread_mutex_lock(&carry->lock);
    while (place < WEFT_CARRIERS && carry->used[place])
        place++;
    bool good = place < WEFT_CARRIERS;
    for (int i = carry->early.first; good && i < carry->early.count; i++)
        good = append(carry->av, &carry->to[place], carry->early.list[i]);
    if (good)
        carry->used[place] = true;
    else if (place < WEFT_CARRIERS)
        clear(carry->av, &carry->to[place]);
    pthread_mutex_unlock(&carry->lock);
    return good ? place : -1;
}

void weft_carry_leave(struct weft_carry *carry, int place) {
    pthread_mutex_lock(&carry->lock);
    carry->used[place] = false;
    clear(carry->av, &carry->to[place]);
    pthread_mutex_unlock(&carry->lock);
}

int weft_carry_put(struct weft_carry *carry, const AVPacket *packet, bool early) {
    bool good = true, full = false;
    pthread_mutex_lock(&carry->lock);
    if (early)
        good = append(carry->av, &carry->early, packet);
    else
        clear(carry->av, &carry->early);
    full = carry->early.bytes > carry->limit;
    for (int i = 0; i < WEFT_CARRIERS && good; i++)
        if (carry->used[i]) {
            good = append(carry->av, &carry->to[i], packet);
            full = full || carry->to[i].bytes > carry->limit;
        }
    pthread_mutex_unlock(&carry->lock);
    return !good ? AVERROR(ENOMEM) : full ? AVERROR(ENOSPC) : 0;
}

AVPacket *weft_carry_take(struct weft_carry *carry, int place, AVStream *const *streams, int64_t until) {
    AVPacket *packet = NULL;
    pthread_mutex_lock(&carry->lock);
    struct weft_packets *packets = &carry->to[place];
    if (packets->first < packets->count) {
        packet = packets->list[packets->first];
        int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
        AVRational micro = {1, AV_TIME_BASE};
        bool known = time != AV_NOPTS_VALUE && until != INT64_MAX;
        if (known && carry->av->av_rescale_q(time, streams[packet->stream_index]->time_base, micro) >= until)
            packet = NULL;
        else
            packets->first++, packets->bytes -= packet->size + OVERHEAD;
    }
    pthread_mutex_unlock(&carry->lock);
    return packet;
}
