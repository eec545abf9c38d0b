/* SPDX-License-Identifier: MIT
 * What one weft_filter_files holds, so that it can be let go in one place, and its two ends. */
#ifndef FILES_FILES_H
#define FILES_FILES_H
#include "weft/files.h"
#include "weft/state.h"

struct weft_sequence {
    weft_plan *plan; /* NULL before the first frame */
    weft_state *state;
};

struct weft_files_in {
    weft_reader *reader;
    struct weft_ahead *ahead; /* that reads rows before the run asks for them, or NULL */
    const char *path;
    double seconds; /* that decoding took */
};

struct weft_files_out {
    const char *path;
    weft_writer_options writing;
    weft_type asked;            /* by the caller; 0 for any */
    bool values;                /* numbers rather than a picture */
    bool converts;              /* the file holds something that the plan cannot make */
    weft_type type;             /* what the plan is asked for; 0 for its own choice */
    weft_image_info made, held; /* by the plan, by the file */
    weft_writer *writer;
    struct weft_background *background; /* that gives rows to the writer, or NULL */
    void *row;                  /* of the file, for conversions */
    double seconds; /* that encoding took */
};

struct weft_files_job {
    const weft_files *files;
    weft_graph *parsed; /* of the text */
    const weft_graph *asked; /* the caller's, with the color profiles that it asks of files, */
    weft_graph *bare;   /* and a copy without them, or NULL where there are none */
    weft_graph *fixed;  /* that makes of reduced inputs what the caller's makes of whole ones, or NULL */
    const weft_graph *graph;
    weft_device *device, *opened; /* the latter by this call */
    weft_plan *plan;
    int32_t input_count, output_count;
    struct weft_files_in *inputs;
    struct weft_files_out *outputs;
    weft_image_info *infos;
    weft_run_input *run_inputs;
    weft_run_output *run_outputs;
};

/* Says that the caller goes on with the step; WEFT_ERROR_CANCELLED when it does not. */
weft_status weft_files_progress(const struct weft_files_job *job, weft_files_step step, double done, weft_error *error);
/* Puts the file's name before a message that lacks it, and returns the status. */
weft_status weft_files_name(const char *path, weft_status status, weft_error *error);
/* Memory for an image's pixels: data and stride. */
weft_status weft_files_memory(weft_image *image, const char *path, weft_error *error);
/* How many rows of an image are worth a call to a reader or writer. */
int64_t weft_files_rows(const weft_image_info *info);

weft_status weft_files_open_inputs(struct weft_files_job *job, weft_error *error);
/* Lets decoders make smaller images where the graph begins with a reduction to less than half of them. */
weft_status weft_files_reduce_inputs(struct weft_files_job *job, bool *reduced, weft_error *error);
/* Makes them sources of the run, or reads them into memory. */
weft_status weft_files_stream_inputs(struct weft_files_job *job, weft_error *error);
weft_status weft_files_read_inputs(struct weft_files_job *job, weft_error *error);
/* Checks that nothing was missing or wrong at their ends, once all rows are read, and notes what is left out. */
weft_status weft_files_finish_inputs(struct weft_files_job *job, weft_error *error);
/* An error when an output would replace a file of several pictures. */
weft_status weft_files_check_replaced(const struct weft_files_job *job, weft_error *error);

/* Tells the log how long decoding and encoding took. */
void weft_files_tell_times(const struct weft_files_job *job);

/* Gives each output of a first plan its path, and asks the files what they can hold. */
weft_status weft_files_match_outputs(struct weft_files_job *job, weft_error *error);
/* Starts the files with what the final plan makes; when `stream` is set, as sinks of the run, else gets memory. */
weft_status weft_files_open_outputs(struct weft_files_job *job, bool stream, weft_error *error);
/* Writes what is in memory to the files. */
weft_status weft_files_write_outputs(struct weft_files_job *job, weft_error *error);
/* Gives the files their names, then the numbers to who wants them. */
weft_status weft_files_finish_outputs(struct weft_files_job *job, weft_error *error);

#endif
