/* SPDX-License-Identifier: MIT
 * What one weft_filter_video holds: its sources, its targets, the plan, and what goes between its three threads. */
#ifndef VIDEO_JOB_H
#define VIDEO_JOB_H
#include <pthread.h>
#include <stdatomic.h>
#include "video/graph.h"
#include "weft/state.h"
#include "weft/video.h"

enum { WEFT_VIDEO_ENDS = 16, WEFT_FRAMES_IN_FLIGHT = 4 };
enum { WEFT_STILL_RATE = 25 }; /* frames a second of a picture, where its file does not say how long one is shown */

/* Frames of all sources, or of all targets, that belong together. */
struct weft_frame_set {
    weft_video_frame *frames[WEFT_VIDEO_ENDS];
};

/* Sets on their way from one thread to the next: at most so many. */
struct weft_frame_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct weft_frame_set sets[WEFT_FRAMES_IN_FLIGHT];
    int first, count;
    bool closed; /* no more will come */
    bool broken; /* the reader has stopped taking them */
};

bool weft_frames_open(struct weft_frame_queue *queue);
void weft_frames_close(struct weft_frame_queue *queue);
/* Waits for room; false, and the set is freed, when the reader has stopped. */
bool weft_frames_put(struct weft_frame_queue *queue, struct weft_frame_set *set);
/* Waits for a set; false when there are no more. */
bool weft_frames_take(struct weft_frame_queue *queue, struct weft_frame_set *set);
void weft_frames_end(struct weft_frame_queue *queue);  /* no more will be put */
void weft_frames_stop(struct weft_frame_queue *queue); /* no more will be taken */
void weft_frames_free(struct weft_frame_set *set);

struct weft_source_end {
    const weft_video_input *given;
    weft_video_reader *reader; /* NULL for a picture */
    weft_image still;          /* of a picture */
    weft_image_info picture;
    int64_t pages; /* of its file, that follow one another as frames; 0 where it stands still */
    struct weft_video_end end;
};

struct weft_target_end {
    const weft_video_output *given; /* NULL for numbers */
    weft_video_writer *writer;      /* NULL for a picture, and for numbers */
    bool values, still;
    weft_image image;            /* of a picture or of numbers */
    weft_writer_options picture; /* of a picture */
    char *settings;
    struct weft_video_end end;
};

/* A curve of the caller's and where it is. */
struct weft_bent {
    const weft_video_curve *curve;
    weft_node node; /* of the caller's graph */
    bool plans;     /* a new value takes a new plan */
    bool whole;     /* values are whole numbers */
    double value;   /* the last one */
};

struct weft_video_job {
    const weft_video *video;
    weft_device *device, *opened; /* the latter by this call */
    weft_graph *graph;
    weft_node *map;
    weft_plan *plan;
    weft_parameters *parameters;
    weft_state *state; /* of filters that remember frames; NULL without such */
    int32_t source_count, target_count;
    struct weft_source_end sources[WEFT_VIDEO_ENDS];
    struct weft_target_end targets[WEFT_VIDEO_ENDS];
    weft_image_info planned[WEFT_VIDEO_ENDS * WEFT_VIDEO_PLANES]; /* the plan's inputs */
    weft_type types[WEFT_VIDEO_ENDS * WEFT_VIDEO_PLANES];         /* and its outputs' */
    struct weft_bent *curves;
    weft_run_input *run_inputs;
    weft_run_output *run_outputs;
    void *workspace;
    size_t workspace_size;

    int leader;            /* the source whose times count; -1 for a picture that is looped */
    int64_t still_frames;  /* of a looped picture, or of one with pages */
    double still_begins, still_lasts; /* seconds: the present frame of these */
    int64_t first_page;    /* of these, counted from 0 */
    weft_video_info shape; /* of the leader */
    bool videos;           /* some target is a video, or some are numbers: all frames are wanted */

    struct weft_frame_queue read, written;
    _Atomic int64_t bytes;
    weft_status reading, writing; /* how the threads ended */
    weft_error reading_error, writing_error;
    int64_t frames;
};

/* sources.c: opens the sources. */
weft_status weft_video_open_sources(struct weft_video_job *job, weft_error *error);
/* plan.c: plans, which opens the writers too. */
weft_status weft_video_plan(struct weft_video_job *job, weft_error *error);
/* A plan of the graph, whose parameters may have changed, that makes the same images. */
weft_status weft_video_plan_again(struct weft_video_job *job, weft_error *error);
/* targets.c: which outputs are numbers, and which names the others have. */
weft_status weft_video_name_targets(struct weft_video_job *job, weft_error *error);
/* Opens the writer of a target that is to have images like `made`. */
weft_status weft_video_open_target(struct weft_video_job *job, struct weft_target_end *target, const weft_image_info *made,
                                   weft_error *error);
/* Planes that went through a graph by themselves may have come out in any size. */
weft_status weft_video_check_planes(const struct weft_video_job *job, const struct weft_target_end *target,
                                    weft_error *error);
/* Memory for what a run makes. */
weft_status weft_video_open_targets(struct weft_video_job *job, weft_error *error);
void weft_video_close_job(struct weft_video_job *job);
/* still.c: a picture, in and out. `page` is counted from 1, and 0 is what the file gives without being asked; *pictures
 * is how many it holds, *seconds how long it is shown, 0 where the file does not say. */
weft_status weft_video_read_still(const char *path, int64_t page, weft_image *image, weft_image_info *info, int64_t *pictures,
                                  double *seconds, weft_error *error);
/* How long a page is shown, without decoding it. */
weft_status weft_video_page_seconds(const char *path, int64_t page, double *seconds, weft_error *error);
/* The picture or page of the next frame, and its time. */
weft_status weft_video_turn_pages(struct weft_video_job *job, weft_error *error);
weft_status weft_video_write_still(const struct weft_target_end *target, weft_error *error);

#endif
