/* SPDX-License-Identifier: MIT
 * The row pipeline. A plan is cut into stages; a stage is a list of steps, each of which makes rows from rows of the
 * steps before it; the last ones, the sinks, write them away. A lane, one thread's working memory, walks down a tile (a
 * band of rows times a strip of columns) and pulls: a sink asks for a row, each step computes what is not in its ring
 * yet. So a stage is one walk over memory and needs O(width x radius) of it.
 *
 * Rows are numbered by the image's rows; with border=wrap they may run on below 0 and above the height, and row v then
 * is row v mod height. Columns of a step in a lane are an interval [first, end) of the image's. */
#ifndef CPU_PIPELINE_H
#define CPU_PIPELINE_H
#include <stdatomic.h>
#include "backend/backend.h"
#include "filter/catalog/custom.h"
#include "image/border.h"
#include "kernels/cpu/kernels.h"

#define WEFT_STEP_INPUTS 32

struct lane;
struct step;

/* A row as a consumer sees it: plane[k] points at column `first` of the producing step's interval in this lane, so
 * column x is element x - first. Pixels beyond the image's left and right edges, as far as the consumer asked with
 * weft_stage_pad, lie before and behind. plane[0] NULL: the row does not exist (border constant or shrink). */
struct row {
    void *plane[4];
};

struct step_kind {
    const char *name; /* for plans: "separable" */
    /* Rows first..last of input i that output row y reads. NULL: row y. Must not leave [0, height of input) except with
     * border=wrap; see weft_rows_around. */
    void (*rows)(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last);
    /* Those of these rows that must be read for output row y; the others can be read for a later row too. NULL: all. */
    void (*rows_now)(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last);
    /* True when rows() of successive y are all needed but only the last of them at a time, the others having been folded
     * into the step's state; then the input's ring stays one row. */
    bool folds;
    /* Columns [*first, *end) of input i that output columns [x0, x1) read, within the input's width. NULL: the same. */
    void (*columns)(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end);
    /* Bytes of the step's own memory in a lane whose longest strip has `columns` output columns and `in_columns` of input
     * 0; NULL for none. It is 64-byte aligned and keeps its contents between rows. */
    size_t (*state_size)(const struct step *step, int64_t columns, int64_t in_columns);
    /* Makes the state ready when a tile begins and the lane has its columns; NULL: it is zeroed. */
    void (*begin)(struct lane *lane, const struct step *step);
    bool looks_up; /* begin does nothing but look up where an image lies: again for each window of a stream */
    /* Makes row y (0 <= y < height): fetches the rows that it needs with weft_lane_fetch and writes the step's columns of
     * all planes to out->plane[k]. A sink gets out = NULL. */
    void (*run)(struct lane *lane, const struct step *step, int64_t y, const struct row *out);
    void (*destroy)(void *data); /* frees step->data; NULL: weft_free */
};

struct step {
    const struct step_kind *kind;
    int32_t inputs[WEFT_STEP_INPUTS]; /* steps of the same stage, all before this one */
    int32_t input_count;
    int32_t node;                     /* of the typed graph; -1 for steps that only convert */
    const char *why;                  /* it is this kind; NULL where there was no choice */
    void *data;                       /* the kind's own, made when the plan is, read only from then on */
    const struct whole *whole;        /* the image that it reads besides, or NULL; part of the data */
    bool anywhere;                    /* not row by row: it asks weft_whole_tiles where that lies */

    /* The rows that it makes; a sink's are those that it consumes. */
    enum weft_row_type type;
    int32_t planes;
    int32_t interleave;               /* components of each element of a plane: above 1, whole pixels in plane 0 */
    int64_t width, height;
    bool sink;
    bool inlined;                     /* runs inside its one consumer, by the chunk: no ring, never fetched */
    bool delivers;                    /* writes straight to the image of its one consumer, a sink: the same */
    bool divisible;                   /* run can be asked for a row in pieces, one column after the other */
    bool direct;                      /* rows are the image's own memory: no ring, run is not called */
    /* run reads most of its input before it writes the row, so cache lines of the output image can be prefetched meanwhile. Steps
     * that read and write in one loop are slower with that prefetch, measured */
    bool late;
    int64_t work;                     /* about how many sums an element of a row takes; 0: few */
    int64_t pad;                      /* pixels kept valid beyond the image's edges */
    weft_border pad_border;
    int32_t pad_node;                 /* whose border_value; -1 for 0 */

    /* Set when the stage is complete. */
    int64_t ring;                     /* rows that are kept */
    int64_t max_columns;              /* of the longest strip */
    size_t row_bytes;                 /* of one plane of one row with its pads */
    size_t ring_offset, tag_offset, state_offset; /* in a lane's memory */
    size_t state_bytes;
};

struct stage {
    struct step *steps;
    int32_t count, capacity;
    int64_t height;       /* of the tallest sink: a walk is counted in parts of it */
    int64_t lead;         /* parts that a band computes in excess */
    int32_t bands, strips;
    int32_t sinks;
    int32_t groups;       /* of sinks, 0 unless these are reductions that share no work: with images in memory each group is a
                           * task from top to bottom, whose counters are cleared and joined once, not for each band */
    size_t columns_offset; /* of first and end in a lane's memory */
    size_t lane_bytes;
    bool reads_whole_input; /* not from top to bottom */
    bool ordered;         /* its steps make their rows in the fixed order (weft_lane_gather) */
    bool joins;           /* rows that lie one behind the other may go as one (contiguous_rows.c) */
    struct global *globals; /* whole_image.h */
    int32_t global_count;
};

/* One thread's view while it walks down a tile. */
struct lane {
    const struct stage *stage;
    const struct weft_typed_graph *typed;
    const struct weft_kernels *kernels;
    const struct weft_body *const *bodies;  /* in registry order */
    const struct cpu_run *run;              /* images and parameters of this run */
    unsigned char *memory;
    int64_t *first, *end;                   /* columns of each step in this tile */
    int32_t tile;                           /* number of the tile, for partial results */
    atomic_bool *cancelled;                 /* set when the run is cancelled: rows need not be made any more; NULL: the caller
                                               cannot cancel it */
    struct cpu_run *asks;                   /* whose caller this lane asks now and then whether to go on; NULL: another does */
    int64_t worked;                         /* since it looked at the clock, in weft_lane_stops's units */
    double asked;                           /* when, in seconds */
};

/* Row v of input step `input` (an index into stage->steps, as in step->inputs). The pointers are good until the step's
 * ring has taken ring - 1 further rows; the ring is sized so that all rows of one run() stay. */
struct row weft_lane_fetch(struct lane *lane, int32_t input, int64_t v);

/* The same with the border applied to y, which may be anywhere; plane[0] is NULL where nothing is (constant, shrink). */
struct row weft_lane_fetch_border(struct lane *lane, int32_t input, int64_t y, weft_border border);

/* Rows y .. y + count - 1 with the border applied, into rows[0 .. count - 1]: what weft_lane_fetch_border gives one by
 * one, for less where they are there already. */
void weft_lane_fetch_rows(struct lane *lane, int32_t input, int64_t y, int32_t count, weft_border border,
                          struct row *rows);

/* The last of the steps that this one reads, of those before step `before`; -1 where none is. */
int32_t weft_gather_next(const struct step *step, int32_t before);
/* Makes what row y of a step reads: of the last of its inputs first, each from top to bottom. */
void weft_lane_gather(struct lane *lane, const struct step *step, int64_t y);

/* Work after which a lane looks at the clock: it takes some 10 us, the look some 20 ns. */
#define WEFT_LANE_WORK ((int64_t)1 << 16)

/* Asks the caller whether to go on, where that was long ago. */
void weft_lane_ask(struct lane *lane);
/* Whether the run is cancelled, before `work` sums of elements are made: by then it may have been asked. */
static inline bool weft_lane_stops(struct lane *lane, int64_t work) {
    if (!lane->cancelled)
        return false;
    lane->worked += work;
    if (lane->worked >= WEFT_LANE_WORK && lane->asks)
        weft_lane_ask(lane);
    return atomic_load_explicit(lane->cancelled, memory_order_relaxed);
}

/* The step's memory in this lane. */
void *weft_lane_state(struct lane *lane, const struct step *step);
/* The parameters of the step's node in this run. */
const void *weft_lane_block(const struct lane *lane, const struct step *step);
/* Columns of the step / of its input in this tile, and an input row's pointer moved to column x. */
static inline int64_t weft_lane_first(const struct lane *lane, const struct step *step) {
    return lane->first[step - lane->stage->steps];
}
static inline int64_t weft_lane_end(const struct lane *lane, const struct step *step) {
    return lane->end[step - lane->stage->steps];
}
/* Whether it keeps rows in a ring. */
static inline bool weft_step_keeps(const struct step *step) {
    return !step->sink && !step->direct && !step->inlined && !step->delivers;
}
/* Whether it makes its rows inside the step that reads them. */
static inline bool weft_step_within(const struct step *step) { return step->inlined || step->delivers; }
/* Asks for `bytes` of memory before they are used. They may lie outside an image: nothing is read. */
static inline void weft_prefetch(uintptr_t from, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += 64)
        __builtin_prefetch((const void *)(from + (uintptr_t)i));
}
/* What images are made of whose rows are of that type. */
static inline weft_type weft_row_image_type(enum weft_row_type type) {
    return type == WEFT_ROW_F32 ? WEFT_F32 : type == WEFT_ROW_U16 ? WEFT_U16 : WEFT_U8;
}
/* Bytes of an element of a step's rows. */
static inline size_t weft_step_element(const struct step *step) {
    return weft_row_type_size(step->type) * (size_t)step->interleave;
}
/* Plane k of an f32 row of `input` at column x. */
static inline float *weft_row_at(const struct lane *lane, int32_t input, const struct row *row, int k, int64_t x) {
    return (float *)row->plane[k] + (x - lane->first[input]);
}

/* Rows y - radius .. y + radius of an image of `height` rows under a border, for step_kind.rows. */
void weft_rows_around(int64_t y, int64_t radius, int64_t height, weft_border border, int64_t *first, int64_t *last);
/* Columns x0 - radius .. x1 + radius inside the width (all of them for wrap), for step_kind.columns. */
void weft_columns_around(int64_t x0, int64_t x1, int64_t radius, int64_t width, weft_border border, int64_t *first,
                         int64_t *end);

/* Fills `pad` elements of `interleave` components on the left and/or right of a row of a plane whose `width` elements
 * start at `row`: the whole image row must be there for what the border needs. */
void weft_pad_row(enum weft_row_type type, void *row, int32_t interleave, int64_t width, int64_t pad,
                  weft_border border, float value, bool left, bool right);

/* A filter's body: the one of the instruction set, or the program's own. */
static inline const struct weft_body *weft_cpu_body(const struct weft_body *const *bodies,
                                                    const struct weft_filter *filter) {
    return filter->custom ? &filter->custom->body : bodies[weft_registry_index(filter)];
}

/* ---- making stages (stage.c); each file under steps/ adds the steps for one kind of node and returns the index
 * of the last one in *result, or fails */
struct builder {
    const struct weft_typed_graph *typed;
    const struct weft_body *const *bodies; /* of the device's instruction set, in registry order */
    const struct weft_kernels *kernels;    /* of the same */
    struct stage *stage;
};
weft_status weft_stage_add(struct builder *b, const struct step *step, int32_t *index, weft_error *error);
/* The same for a step that makes whole pixels of its node's image: planes, interleave and size are set here. */
weft_status weft_stage_add_whole(struct builder *b, struct step step, int32_t *index, weft_error *error);
/* How many inputs of other steps step `index` is. */
int32_t weft_stage_readers(const struct stage *stage, int32_t index);
/* A step like `input` whose rows have `pad` valid pixels beyond the edges: *input itself where possible. */
weft_status weft_stage_pad(struct builder *b, int32_t *input, int64_t pad, weft_border border, int32_t node,
                           weft_error *error);
/* A step that makes f32 rows of *input. */
weft_status weft_stage_widen(struct builder *b, int32_t *input, weft_error *error);

#endif
