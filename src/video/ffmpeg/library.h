/* SPDX-License-Identifier: MIT
 * FFmpeg's libraries, opened when the first video is: they bring some hundred others along, which pictures have no use
 * for, and a program goes on without them where they are not installed. */
#ifndef VIDEO_LIBRARY_H
#define VIDEO_LIBRARY_H
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <stdbool.h>
#include "weft/status.h"

/* Where what belongs to a stream, as how to turn it, is kept: from FFmpeg 6.1 on with its codec's parameters. */
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
#define WEFT_AV_SIDE_OF_CODEC(F) F(av_packet_side_data_get) F(av_packet_side_data_new)
#define WEFT_AV_SIDE_OF_FORMAT(F)
#else
#define WEFT_AV_SIDE_OF_CODEC(F)
#define WEFT_AV_SIDE_OF_FORMAT(F) F(av_stream_get_side_data) F(av_stream_new_side_data)
#endif

/* The functions that are used, by library. */
#define WEFT_AV_UTIL(F)                                                                                                \
    F(av_buffer_pool_get)                                                                                              \
    F(av_buffer_pool_init) F(av_buffer_pool_uninit) F(av_buffer_unref) F(av_dict_copy) F(av_dict_free) F(av_dict_get)  \
        F(av_dict_set) F(av_display_rotation_get) F(av_frame_alloc) F(av_frame_free) F(av_frame_get_buffer)            \
            F(av_frame_ref) F(av_frame_unref) F(av_free) F(av_freep) F(av_get_pix_fmt) F(av_get_pix_fmt_name)          \
                F(av_image_fill_linesizes) F(av_image_fill_plane_sizes) F(av_log_set_level) F(av_mallocz)              \
                    F(av_opt_find) F(av_opt_set) F(av_opt_set_int) F(av_pix_fmt_count_planes) F(av_pix_fmt_desc_get)   \
                        F(av_read_image_line2) F(av_rescale_q) F(av_rescale_q_rnd) F(av_strerror)                      \
                            F(av_write_image_line2) F(av_image_copy_plane)
#define WEFT_AV_CODEC(F)                                                                                               \
    F(av_packet_alloc)                                                                                                 \
    F(av_packet_free) F(av_packet_ref) F(av_packet_rescale_ts) F(av_packet_unref) F(avcodec_alloc_context3)            \
        F(avcodec_find_decoder) F(avcodec_find_encoder) F(avcodec_find_encoder_by_name) F(avcodec_flush_buffers)       \
            F(avcodec_free_context) F(avcodec_get_name) F(avcodec_open2) F(avcodec_parameters_copy)                    \
                F(avcodec_parameters_from_context) F(avcodec_parameters_to_context) F(avcodec_receive_frame)           \
                    F(avcodec_receive_packet) F(avcodec_send_frame) F(avcodec_send_packet) WEFT_AV_SIDE_OF_CODEC(F)
#define WEFT_AV_FORMAT(F)                                                                                              \
    F(av_find_best_stream)                                                                                             \
    F(av_find_input_format) F(av_guess_codec) F(av_guess_format) F(av_guess_frame_rate) F(av_interleaved_write_frame)  \
        F(av_read_frame) F(av_seek_frame) F(av_write_trailer) F(avformat_alloc_context)                                \
            F(avformat_alloc_output_context2) F(avformat_close_input) F(avformat_find_stream_info)                     \
                F(avformat_free_context) F(avformat_new_stream) F(avformat_open_input) F(avformat_query_codec)         \
                    F(avformat_version) F(avformat_write_header) F(avio_closep) F(avio_open2)                          \
                        F(avio_alloc_context) F(avio_context_free) F(av_filename_number_test) WEFT_AV_SIDE_OF_FORMAT(F)

struct weft_av {
    void *util, *codec, *format; /* of weft_library_open */
#define WEFT_AV_MEMBER(name) __typeof__(&name) name;
    WEFT_AV_UTIL(WEFT_AV_MEMBER) WEFT_AV_CODEC(WEFT_AV_MEMBER) WEFT_AV_FORMAT(WEFT_AV_MEMBER)
#undef WEFT_AV_MEMBER
};

/* Opens the libraries; to be closed in any case. WEFT_ERROR_UNSUPPORTED where they are not installed. */
weft_status weft_av_open(struct weft_av *av, weft_error *error);
void weft_av_close(struct weft_av *av);
/* The matrix by which a stream is to be turned, NULL where it has none; and a place for one, NULL for want of memory. */
const uint8_t *weft_av_matrix(const struct weft_av *av, const AVStream *stream, size_t *size);
uint8_t *weft_av_new_matrix(const struct weft_av *av, AVStream *stream, size_t size);
/* What FFmpeg says of a failure, after words of ours: "cannot open 'a.mp4': Invalid data found". */
weft_status weft_av_fail(const struct weft_av *av, weft_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
