/* SPDX-License-Identifier: MIT
 * A stage on streams: what of them is in memory at a time. */
#ifndef CPU_STREAM_H
#define CPU_STREAM_H
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/dry_run.h"

struct stream {
    struct view *view;
    const weft_image_info *info;
    int64_t capacity; /* rows of the buffer */
    int64_t low;      /* of this window: rows before it are not needed again */
    int64_t high;     /* rows up to here are read (source) or made (sink) */
    int64_t previous; /* low of the window before */
    bool falls;       /* a later window needs earlier rows: keep all */
    bool owned;       /* view->data is the buffer */
};

struct streaming {
    weft_image_info *infos; /* of the inputs, then of the outputs */
    int32_t count;
    struct cpu_run *run;
    struct stream *streams; /* of the same; capacity 0 for images */
    struct walk early, late; /* the rows that a window reads at least (late), and those that it may read ahead (early) */
    struct walk *apart;      /* such a pair for each strip in which a narrow output has no columns, which reads less far ahead */
    int32_t apart_count;
    int64_t window;         /* parts of the stage that are walked at a time */
    bool chain;             /* each step of the stage has at most one reader */
    bool goes_on;           /* a window goes on where the one before ended, with the rows that the rings hold */
};

/* Looks at what the run's stage reads and makes; to be closed in any case. */
weft_status weft_streaming_open(struct streaming *s, struct cpu_run *run, weft_error *error);
void weft_streaming_close(struct streaming *s);
/* Chooses windows and learns how many rows each stream holds. */
weft_status weft_streaming_choose(struct streaming *s, weft_error *error);
/* Sets low and high of every stream for parts [from, to). */
void weft_streaming_window(struct streaming *s, int64_t from, int64_t to);
size_t weft_stream_row(const struct stream *stream); /* bytes */
/* Whether a stream holds so many rows that it should be put into a file; for inputs only. */
bool weft_stream_spills(const struct streaming *s, int32_t i);

#endif
