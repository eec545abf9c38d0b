/* SPDX-License-Identifier: MIT
 * Decoding: the next picture within the times that are wanted. Packets of sound and subtitles go to the writers. A packet or a
 * picture that cannot be decoded is counted and left out. */
#include "video/ffmpeg/reader.h"
#include "base/status.h"

static int64_t duration_of(const struct weft_video_reader *reader, const AVFrame *picture) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    int64_t duration = picture->duration;
#else
    int64_t duration = picture->pkt_duration;
#endif
    AVRational step = {(int)reader->info.rate_denominator, (int)reader->info.rate_numerator};
    if (duration <= 0 && step.den > 0)
        duration = reader->av.av_rescale_q(1, step, reader->stream->time_base);
    return duration > 0 ? duration : 0;
}

/* Hands a packet of sound or subtitles on, cut to the times that are wanted and counted like the frames. */
static int pass_on(struct weft_video_reader *reader, AVPacket *packet) {
    const AVStream *stream = reader->context->streams[packet->stream_index];
    if (!weft_video_carries(reader, stream))
        return 0;
    AVRational base = reader->stream->time_base;
    int64_t time = weft_time_known(packet->pts) ? packet->pts : packet->dts;
    if (weft_time_known(time)) {
        int64_t from = reader->av.av_rescale_q(reader->from, base, stream->time_base);
        int64_t to = reader->to == INT64_MAX ? INT64_MAX : reader->av.av_rescale_q(reader->to, base, stream->time_base);
        if (reader->options.from > 0 && time + packet->duration <= from)
            return 0;
        if (time >= to)
            return 0;
        if (reader->options.from > 0) {
            packet->pts = weft_time_known(packet->pts) ? packet->pts - from : packet->pts;
            packet->dts = weft_time_known(packet->dts) ? packet->dts - from : packet->dts;
        }
    }
    int code = weft_carry_put(&reader->carry, packet, !reader->carry.begun);
    reader->flooded = reader->flooded || code == AVERROR(ENOSPC);
    return code;
}

/* Notes how far the file reaches. */
static void note_time(struct weft_video_reader *reader, const AVPacket *packet) {
    const AVStream *stream = reader->context->streams[packet->stream_index];
    if (!weft_time_known(packet->pts))
        return;
    double end = (double)(packet->pts + packet->duration) * av_q2d(stream->time_base);
    if (weft_time_known(reader->context->start_time))
        end -= (double)reader->context->start_time / AV_TIME_BASE;
    reader->seen = end > reader->seen ? end : reader->seen;
}

/* Reads a packet and gives it to the decoder or to the writers; the end goes to the decoder, too. FFmpeg's code. */
static int feed(struct weft_video_reader *reader) {
    const struct weft_av *av = &reader->av;
    int code = av->av_read_frame(reader->context, reader->packet);
    if (code < 0) {
        if (code == AVERROR(EAGAIN))
            return 0;
        if (code != AVERROR_EOF)
            reader->failure = code;
        reader->draining = true;
        return av->avcodec_send_packet(reader->decoder, NULL);
    }
    note_time(reader, reader->packet);
    if (reader->packet->stream_index == reader->stream->index) {
        reader->packets++;
        code = av->avcodec_send_packet(reader->decoder, reader->packet);
        if (code < 0 && code != AVERROR(ENOMEM)) {
            reader->broken++;
            code = 0;
        }
    } else {
        code = pass_on(reader, reader->packet);
    }
    av->av_packet_unref(reader->packet);
    return code;
}

/* After the last frame that is wanted: what else of sound and subtitles belongs to it. */
static void pass_rest(struct weft_video_reader *reader) {
    const struct weft_av *av = &reader->av;
    AVRational base = reader->stream->time_base;
    if (!reader->limited || reader->draining)
        return;
    int64_t late = reader->to + av->av_rescale_q(1, (AVRational){1, 1}, base);
    for (bool more = true; more && av->av_read_frame(reader->context, reader->packet) >= 0;) {
        const AVStream *stream = reader->context->streams[reader->packet->stream_index];
        int64_t time = weft_time_known(reader->packet->dts) ? av->av_rescale_q(reader->packet->dts, stream->time_base, base) : 0;
        more = time < late && pass_on(reader, reader->packet) >= 0;
        av->av_packet_unref(reader->packet);
    }
}

/* The next picture that can be decoded, in `picture`. FFmpeg's code. */
static int decode(struct weft_video_reader *reader) {
    for (;;) {
        int code = reader->av.avcodec_receive_frame(reader->decoder, reader->picture);
        if (code == AVERROR(EAGAIN) && !reader->draining)
            code = feed(reader);
        else if (code < 0 && code != AVERROR_EOF && code != AVERROR(ENOMEM) && code != AVERROR(EAGAIN)) {
            reader->broken++; /* this picture; others follow */
            if (reader->draining && reader->broken > reader->packets + 16)
                return AVERROR_EOF;
            code = 0;
        } else {
            return code;
        }
        if (code < 0)
            return code;
    }
}

/* Whether a picture lies in the times that are wanted; sets its time. */
static bool wanted(struct weft_video_reader *reader) {
    AVFrame *picture = reader->picture;
    int64_t time = picture->best_effort_timestamp;
    if (!weft_time_known(time))
        time = reader->count ? reader->last + (reader->last_duration ? reader->last_duration : 1) : reader->from;
    if (time < reader->from && reader->options.from > 0)
        return false;
    if (time >= reader->to) {
        reader->limited = true;
        return false;
    }
    if (reader->count && time <= reader->last)
        time = reader->last + 1;
    reader->last = time;
    reader->last_duration = duration_of(reader, picture);
    reader->count++;
    if (reader->options.frames > 0 && reader->count >= reader->options.frames) {
        reader->limited = true; /* the last one */
        reader->to = time + (reader->last_duration ? reader->last_duration : 1);
    }
    return true;
}

weft_status weft_video_next_picture(struct weft_video_reader *reader, weft_error *error) {
    while (!reader->ended) {
        int code = reader->limited ? AVERROR_EOF : decode(reader);
        if (code == AVERROR(ENOMEM))
            return weft_fail_memory(error, 0, "a decoder");
        if (code < 0) {
            reader->ended = true;
            pass_rest(reader);
        } else if (wanted(reader)) {
            reader->have_picture = true;
            return WEFT_OK;
        } else {
            reader->av.av_frame_unref(reader->picture);
        }
    }
    return WEFT_OK;
}
