/* SPDX-License-Identifier: MIT
 * Sound and subtitles on their way from a reader to its writers: packets wait here, in the order in which they were
 * read. */
#ifndef VIDEO_PASSTHROUGH_H
#define VIDEO_PASSTHROUGH_H
#include <pthread.h>
#include "video/ffmpeg/library.h"

struct weft_packets {
    AVPacket **list;
    int first, count, capacity;
    int64_t bytes; /* that wait */
};

enum { WEFT_CARRIERS = 16 }; /* writers of one reader */

struct weft_carry {
    const struct weft_av *av;
    pthread_mutex_t lock;
    bool locked_once;                             /* the lock has been made */
    struct weft_packets early, to[WEFT_CARRIERS]; /* early: read before there were writers */
    bool used[WEFT_CARRIERS], begun;
    int64_t limit; /* of bytes that wait for one writer */
};

weft_status weft_carry_open(struct weft_carry *carry, const struct weft_av *av, weft_error *error);
void weft_carry_close(struct weft_carry *carry);
/* A place for a writer, below 0 without one. */
int weft_carry_join(struct weft_carry *carry);
void weft_carry_leave(struct weft_carry *carry, int place);
/* Copies a packet for every writer. `early` ones are kept for those that come. 0, or FFmpeg's code: AVERROR(ENOMEM), or
 * AVERROR(ENOSPC) where more bytes than the limit wait. */
int weft_carry_put(struct weft_carry *carry, const AVPacket *packet, bool early);
/* The next packet, to be freed; NULL when none waits, or when it belongs to a time, in microseconds, of `until` or
 * later. `streams` are the reader's. */
AVPacket *weft_carry_take(struct weft_carry *carry, int place, AVStream *const *streams, int64_t until);

#endif
