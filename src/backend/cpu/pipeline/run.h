/* SPDX-License-Identifier: MIT
 * A compiled plan of the CPU backend, and one run of it. */
#ifndef CPU_RUN_H
#define CPU_RUN_H
#include "backend/cpu/device/isa.h"
#include "backend/cpu/pipeline/reduction.h"
#include "backend/cpu/pipeline/whole_image.h"
#include "base/memory.h"
#include "base/threads.h"
#include "graph/schedule.h"

/* What runs have mapped of files at a time, which the system tells for the process as a whole. */
struct mapped {
    _Atomic int32_t runs;
    _Atomic int64_t before, most; /* bytes in memory: when the first of these runs began, and of all of them at most */
};

struct cpu_device {
    struct weft_device_base base;
    struct mapped maps, *mapped; /* mapped: of maps, since runs have the device as const */
    struct weft_pool *pool;
    int32_t threads;
    const struct weft_isa *isa;
    struct weft_kernels kernels;
};

/* Where a kept image lies in the workspace: planes of rows, or the numbers of a reduction as doubles. */
struct kept {
    size_t offset, plane_bytes;
    size_t tiles_offset, tiles_size; /* planes of tiles (tiles.h), where plan->spills; their size is 0 where nobody reads them */
    ptrdiff_t row_bytes;
    enum weft_row_type type;
    bool numbers;
};

struct cpu_plan {
    const struct cpu_device *device;
    const struct weft_typed_graph *typed;
    struct weft_schedule schedule;
    struct stage *stages; /* schedule.stages of them */
    struct kept *kept;    /* of each node */
    /* Offsets into the workspace. */
    size_t *block;        /* of each node: a private copy of its parameters; SIZE_MAX for those without bindings */
    size_t blocks;        /* the array of all nodes' parameters */
    size_t views;         /* of the inputs, then of the outputs */
    size_t *partial;      /* of each reduction's node: partial results, tile by tile, and the total behind them */
    size_t lanes, lane_bytes;
    size_t workspace;
    bool spills;          /* kept images, and inputs that are read whole or twice, lie in temporary files */
    size_t kept_apart;    /* bytes of kept images where they do; their offsets are in there */
    size_t kept_tiles;    /* bytes of them that lie in tiles */
    bool large;           /* it takes more than it may: what can lies in files (spill.h) */
    int64_t mapped_most;  /* bytes of these files that may be in memory at a time */
};

/* Rows of an input or output that are in memory: all of them, or a window that slides down a stream. */
struct view {
    unsigned char *data;
    ptrdiff_t stride;
    int64_t first, count; /* rows; an image has INT64_MAX of them */
    bool past_caches;     /* of an output: larger than what caches should keep of it */
};

#define WEFT_PROGRESS_ROWS 64 /* between two calls of the progress callback, */
#define WEFT_PROGRESS_SECONDS 0.02 /* unless they take longer than that */

struct cpu_run {
    const struct cpu_plan *plan;
    const struct weft_run_request *request;
    const void **blocks; /* of each node */
    struct view *inputs, *outputs;
    unsigned char *workspace;
    const struct stage *stage;
    int64_t from, to;    /* what this walk covers: parts of the stage's height */
    int32_t bands;       /* that it is cut into, at most the stage's */
    bool grouped;        /* the stage's groups of reductions are the tasks instead */
    int64_t joined;      /* how many rows go through the stage as one; 1: each by itself */
    int64_t total;       /* parts of all stages times strips, for progress */
    _Atomic int64_t done;
    atomic_bool cancelled;
    double asked;        /* when a global filter last asked the caller, in seconds */
    struct stage *cut;       /* the stage in other strips than the plan's; NULL: run->stage is the plan's */
    unsigned char *strips;   /* a lane's memory for each strip, which goes on from window to window; NULL: for each thread */
    struct misread *misread;
    unsigned char *kept;     /* where the offsets of kept images are counted from */
    struct spill *spill;     /* NULL: all of the run is in memory */
    int64_t touches;         /* bytes of spilled images for one part of one strip */
};

/* Whether a step has read a row that no window has: an error of the library. */
struct misread {
    atomic_bool yes;
};

/* Whether all steps of a stage only look at single pixels, and at memory of the run's images. */
bool weft_stage_joins(const struct stage *stage, const struct weft_typed_graph *typed);
/* How many rows of the run's stage go as one. */
int64_t weft_run_joined_rows(const struct cpu_run *run);
/* Makes the columns of rows [from, to) the lane's, all in row 0. */
void weft_lane_join(struct lane *lane, int64_t from, int64_t to);

/* Column where strip `strip` of `strips` begins: whole cache lines of f32. */
static inline int64_t weft_strip_edge(int64_t width, int32_t strip, int32_t strips) {
    int64_t x = strip >= strips ? width : width * strip / strips / 64 * 64;
    return x;
}
/* Row where part `part` of `parts` begins. */
static inline int64_t weft_part_edge(int64_t height, int64_t part, int64_t parts) {
    return height * part / parts; /* both are below 2^31 */
}

/* The rows of sink `step` that part `part` of the stage's height stands for: [*first, *end). */
static inline void weft_sink_rows(const struct stage *stage, const struct step *step, int64_t part, int64_t *first,
                                  int64_t *end) {
    *first = part, *end = part + 1;
    if (step->height == stage->height) /* mostly; divisions take as long as a vector or two of pixels */
        return;
    *first = weft_part_edge(step->height, part, stage->height);
    *end = weft_part_edge(step->height, part + 1, stage->height);
}

#define WEFT_MOST_LEAD 0.05 /* rows that bands make twice, to the height, before strips are better */

/* plan/size.c: rings, strips, bands and the layout of a lane's memory. */
weft_status weft_stage_size(struct stage *stage, const struct cpu_device *device, const struct weft_typed_graph *typed,
                            weft_error *error);
/* layout.c: makes more strips until the rings fit the cache, as long as what neighbours compute twice stays small; then as many
 * as there are threads, where bands of rows would compute more twice. False when a lane's memory does not fit the address
 * space. `lane` has the stage and room for its columns. */
bool weft_stage_cut_to_fit(struct stage *stage, int32_t threads, int64_t widest, struct lane *lane);
/* Lays a stage of a plan out for a number of strips; *columns: of all strips of all steps together. */
weft_status weft_stage_cut(struct stage *stage, const struct weft_typed_graph *typed, int32_t strips, double *columns,
                           weft_error *error);
/* Columns of the widest image that it makes. */
int64_t weft_stage_widest(const struct stage *stage);

/* strips.c: cuts the run's stage into `strips`, where these have at most `most` times the columns of the whole. */
weft_status weft_run_cut(struct cpu_run *run, int32_t strips, double most, weft_error *error);
/* Gives each strip a lane's memory of its own, for the whole stage. */
weft_status weft_run_keep_strips(struct cpu_run *run, weft_error *error);
/* Ends both with the stage. */
void weft_run_uncut(struct cpu_run *run);

/* convolve_fixed.c: convolutions that in whole numbers take less time than in their cheaper form. */
weft_keeps weft_cpu_keeps;

/* print.c */
weft_status weft_cpu_print(const void *compiled, weft_plan_format format, char **text, weft_error *error);
/* run.c */
weft_status weft_cpu_run(const void *compiled, const struct weft_run_request *request, weft_error *error);
/* All tiles of parts [run->from, run->to) of run->stage; and stream.c: all parts, window by window. */
weft_status weft_cpu_run_tiles(struct cpu_run *run, weft_error *error);
weft_status weft_cpu_run_streams(struct cpu_run *run, weft_error *error);

/* run_numbers.c: makes the totals of reductions 0, which lie behind as many partial results as the run's stage has tiles. */
void weft_run_clear_totals(const struct cpu_run *run);
/* Calls `work` for the tile's partial result of each reduction among steps [first, end). Every tile clears and closes its
 * own, so that threads share that work: counters of many small histograms take longer to clear and to join than to count in. */
void weft_lane_each_reduction(const struct lane *lane, int32_t first, int32_t end,
                              void (*work)(const struct step *step, double *partial));
/* Adds all tiles' partial results to the totals; then makes the stage's numbers of the totals. */
void weft_run_merge_reductions(const struct cpu_run *run);
void weft_run_finish_reductions(const struct cpu_run *run);
/* Sets parameters that numbers of the stage just finished decide; held to their range. */
void weft_run_apply_bindings(const struct cpu_run *run, int32_t stage);
/* Writes reductions that are outputs of the graph: doubles, or a row to a sink. */
weft_status weft_run_write_numbers(const struct cpu_run *run, weft_error *error);

/* memory.c: whether inputs and outputs may be streams; bytes that a run takes at most: between streams where it can stream, else
 * with whole images. */
bool weft_cpu_can_stream(const void *compiled);
weft_status weft_cpu_peak(const struct cpu_plan *plan, uint64_t *peak, weft_error *error);
uint64_t weft_cpu_memory(const void *compiled);
/* Computes how much memory is left for mapped files, for a plan that needs more memory than its limit. */
weft_status weft_cpu_share_memory(struct cpu_plan *plan, weft_error *error);
/* What a plan reserves of the workspace for lane number `lane`. */
static inline unsigned char *weft_lane_memory(const struct cpu_run *run, int32_t lane) {
    return run->workspace + run->plan->lanes + (size_t)lane * run->plan->lane_bytes;
}

/* Whether the run is cancelled: a global filter's question before each row. Lane 0, the caller's thread, asks the caller now and
 * then. */
bool weft_run_stops(struct cpu_run *run, int32_t lane);
/* global.c: the global filters of run->stage; of a run that is cancelled what they make is not to be used. */
void weft_cpu_run_globals(struct cpu_run *run);
/* compile.c */
weft_status weft_cpu_compile(weft_device *device, const struct weft_typed_graph *typed, void **compiled,
                             weft_error *error);
void weft_cpu_destroy(void *compiled);

/* workspace.c: where everything lies, once the stages are made. */
weft_status weft_lay_out_workspace(struct cpu_plan *plan, weft_error *error);
bool weft_is_global(const struct weft_typed_graph *typed, int32_t n); /* whether node n is a global filter */

/* The columns of every step of the lane's stage in a strip; and a lane made ready for a tile of it. */
void weft_tile_columns(struct lane *lane, int32_t strip);
void weft_tile_begin(struct lane *lane, int32_t strip);
/* The lane goes on with its tile where it stopped; images may lie elsewhere now. */
void weft_tile_resume(struct lane *lane);

#endif
