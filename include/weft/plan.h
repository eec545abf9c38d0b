/* SPDX-License-Identifier: MIT
 * Plans: a graph made ready for images of given sizes and formats on one device. A plan is immutable; any number of
 * threads may run it at once, each with its own workspace. */
#ifndef WEFT_PLAN_H
#define WEFT_PLAN_H
#include "weft/device.h"
#include "weft/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_plan weft_plan;
typedef struct weft_parameters weft_parameters;
typedef struct weft_state weft_state; /* weft/state.h */

typedef struct weft_plan_options {
    const weft_image_info *inputs; /* one per input of the graph */
    int32_t input_count;
    const weft_type *output_types; /* component type of each output, 0 for the first input's; NULL for all 0 */
    int32_t output_type_count;
    uint64_t memory; /* bytes that a run between streams may take on the CPU: images that need more when they are whole lie in
                        temporary files, in the folder that TMPDIR names; 0: all lies in memory, as much as it takes */
} weft_plan_options;

/* Makes a plan, which holds the device; the graph is not needed afterwards. */
WEFT_API weft_status weft_plan_create(weft_device *device, const weft_graph *graph, const weft_plan_options *options,
                                      weft_plan **plan, weft_error *error);
/* Destroys a plan that is not running and sets *plan to NULL; NULL is allowed. Parameters hold it, and runs of queues. */
WEFT_API void weft_plan_destroy(weft_plan **plan);

/* How many images the plan takes and makes, 0 for NULL; the size and format that input or output `index` must have,
 * WEFT_ERROR_ARGUMENT past the end. */
WEFT_API int32_t weft_plan_input_count(const weft_plan *plan);
WEFT_API int32_t weft_plan_output_count(const weft_plan *plan);
WEFT_API weft_status weft_plan_input_info(const weft_plan *plan, int32_t index, weft_image_info *info, weft_error *error);
WEFT_API weft_status weft_plan_output_info(const weft_plan *plan, int32_t index, weft_image_info *info,
                                           weft_error *error);
/* True when the output is the result of a reduction (numbers in F64) rather than a picture. */
WEFT_API bool weft_plan_output_is_values(const weft_plan *plan, int32_t index);

/* How far from one of its pixels an output looks at an input, in pixels: a piece of the output is the same made from that
 * piece of the input and so much around it. Filters that are exact then make the same bits; gaussians on a coarse grid, which
 * begins elsewhere in a piece, the same within their tolerance. */
typedef struct weft_reach {
    bool reads;                       /* false: not at all */
    bool whole;                       /* any pixel may count, or where the pixel is: pieces do not do */
    int64_t left, right, above, below; /* 0 where whole */
} weft_reach;
/* What output `output` looks at of input `input`. WEFT_ERROR_ARGUMENT past the end of either. */
WEFT_API weft_status weft_plan_reach(const weft_plan *plan, int32_t output, int32_t input, weft_reach *reach,
                                     weft_error *error);

/* Walks over memory that the plan makes. */
WEFT_API int32_t weft_plan_passes(const weft_plan *plan);
/* Bytes of pixels that a run reads from its inputs (each once) and writes to its outputs. */
WEFT_API uint64_t weft_plan_bytes(const weft_plan *plan);
/* Bytes of workspace, aligned to 64, that a run needs when no input or output is streamed. */
WEFT_API size_t weft_plan_workspace_size(const weft_plan *plan);

/* Bytes of the processor's memory that a run takes for pixels at most: rings of rows, what streams hold where the plan can
 * stream, images that are whole. What readers and writers of files take comes on top. */
WEFT_API uint64_t weft_plan_memory(const weft_plan *plan);

/* EXPLAIN: the text, and for each step or pass why it is done by that kernel. */
typedef enum weft_plan_format { WEFT_PLAN_TEXT, WEFT_PLAN_JSON, WEFT_PLAN_DOT, WEFT_PLAN_EXPLAIN } weft_plan_format;
/* Describes the plan; free *text with weft_free. */
WEFT_API weft_status weft_plan_print(const weft_plan *plan, weft_plan_format format, char **text, weft_error *error);

/* The values of a plan's dynamic parameters, to be changed between runs; starts with the graph's. They are for runs of this
 * plan alone, which they hold; the caller destroys them. */
WEFT_API weft_status weft_parameters_create(const weft_plan *plan, weft_parameters **parameters, weft_error *error);
/* Destroys parameters and sets *parameters to NULL; NULL is allowed. No run may be reading them, but runs of queues hold theirs. */
WEFT_API void weft_parameters_destroy(weft_parameters **parameters);
/* Sets a parameter of a node of the graph: all `count` numbers of it, as weft_graph_set does, while no run reads it.
 * WEFT_ERROR_PARAMETER when there is none of that name, when a number is not finite or out of range, or when it decides the plan
 * itself (a radius, a size): then a new plan is needed. WEFT_ERROR_ARGUMENT when the node is no filter of the graph. */
WEFT_API weft_status weft_parameters_set(weft_parameters *parameters, weft_node node, const char *parameter,
                                         const double *values, int32_t count, weft_error *error);

/* Rows pulled from the caller. read: writes rows y .. y+count-1, `stride` bytes apart, to `rows`; called with growing y,
 * each row once to the last one, also those that the graph does not need, from one thread at a time. */
typedef struct weft_source {
    weft_status (*read)(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error);
    void *user;
} weft_source;

/* Rows pushed to the caller, in the same manner. */
typedef struct weft_sink {
    weft_status (*write)(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride, weft_error *error);
    void *user;
} weft_sink;

typedef struct weft_run_input {
    weft_image image;          /* used when source.read is NULL */
    weft_source source;
} weft_run_input;

typedef struct weft_run_output {
    weft_image image;        /* used when sink.write is NULL; from its first byte to its last it must overlap no input and
                                no other output, so two regions side by side will not do */
    weft_sink sink;
} weft_run_output;

/* A VkSemaphore of the device's VkDevice: a timeline semaphore and its value, or a binary one and 0. */
typedef struct weft_semaphore {
    void *handle;
    uint64_t value;
} weft_semaphore;

typedef struct weft_run {
    const weft_run_input *inputs;
    int32_t input_count;
    const weft_run_output *outputs;
    int32_t output_count;
    const weft_parameters *parameters; /* NULL for the graph's own values */
    weft_state *state; /* what filters with a memory have of earlier frames; NULL: this is a first frame, and no other follows */
    void *workspace;                   /* at least weft_plan_workspace_size bytes, aligned to 64; NULL: allocated for this run */
    size_t workspace_size;
    /* Called now and then from the calling thread with the part done, 0 to 1; returning false cancels. NULL is allowed. */
    bool (*progress)(void *user, double done);
    void *progress_user;
    /* Vulkan only: what the run waits for before it reads its images, and what it signals when it has written them. */
    const weft_semaphore *wait, *signal;
    int32_t wait_count, signal_count;
} weft_run;

/* Runs the plan and waits for it. Images must have the plan's sizes and formats: WEFT_ERROR_FORMAT else, and WEFT_ERROR_ARGUMENT
 * where there are too few or too many, rows or images overlap, the workspace is too small, or parameters or state are another
 * plan's. After a failure what outputs hold is not defined. With a workspace and no streams, run allocates nothing. A plan of
 * several passes cannot read a stream twice: see weft_plan_can_stream. */
WEFT_API weft_status weft_plan_run(const weft_plan *plan, const weft_run *run, weft_error *error);

/* True when inputs may be sources: the plan walks over them once, from top to bottom. */
WEFT_API bool weft_plan_can_stream(const weft_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
