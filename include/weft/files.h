/* SPDX-License-Identifier: MIT
 * Files through a graph into files, in one call: what lies between readers, plans and writers. */
#ifndef WEFT_FILES_H
#define WEFT_FILES_H
#include "weft/file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_files_input {
    const char *path; /* "-" is standard input */
    weft_reader_options reading;
} weft_files_input;

typedef struct weft_files_output {
    const char *path;            /* "-" is standard output */
    weft_writer_options writing; /* without metadata the first input's go along */
    weft_type type;              /* of the components; 0 for what is nearest to the first input's. An error when the
                                    format does not hold it */
} weft_files_output;

/* The steps of the work. Plans that can stream read and write while they filter. */
typedef enum weft_files_step { WEFT_FILES_READING, WEFT_FILES_FILTERING, WEFT_FILES_WRITING } weft_files_step;

/* What calls of weft_filter_files for the frames of a sequence share, one after the other: the plan, and the state of filters with
 * a memory. It holds the plan's device; the graph must stay the same. The caller destroys it. */
typedef struct weft_sequence weft_sequence;
WEFT_API weft_status weft_sequence_create(weft_sequence **sequence, weft_error *error);
/* Destroys a sequence that no call is using and sets *sequence to NULL; NULL is allowed. */
WEFT_API void weft_sequence_destroy(weft_sequence **sequence);

/* What weft_filter_files needs. Everything that is 0 but the files and the graph has a default. */
typedef struct weft_files {
    const weft_files_input *inputs; /* one for each input of the graph */
    int32_t input_count;
    const weft_files_output *outputs; /* one for each output of the graph, or for each picture among them */
    int32_t output_count;
    const char *text;        /* the graph as text that ends in 0, */
    const weft_graph *graph; /* or a graph; one of them is NULL */
    weft_device *device;     /* NULL: one by the name "auto" is opened for this call */
    uint64_t memory;         /* as in weft_plan_options; 0: as much as it takes */
    weft_sequence *sequence; /* the call is its next frame, of the first one's size and format; NULL: it is none */
    weft_log log;            /* what becomes of pictures that a file cannot hold as they are, and what is left out */

    /* Each may be NULL, and gets `user`. */
    bool (*progress)(void *user, weft_files_step step, double done); /* of the step, 0 to 1; false cancels */
    /* The plan, before any file is begun; what is not WEFT_OK ends the call with that error. */
    weft_status (*planned)(void *user, const weft_plan *plan, weft_error *error);
    /* The numbers of a reduction, output `index` of the graph, once all pictures are written. Graphs that make numbers
     * are refused where it is NULL. `path` is the output's, "-" where outputs are given for pictures alone. */
    weft_status (*numbers)(void *user, int32_t index, const char *path, const weft_image_info *info,
                           const double *numbers, weft_error *error);
    void *user;
} weft_files;

/* Reads the inputs, runs the graph and writes the outputs. Where the plan can stream, rows go from file to file and
 * the pictures may be larger than memory; else pictures lie in memory. What the graph makes is converted to what a
 * file holds of it: the nearest component type, grey as three channels, alpha in the file's form, or, where the file
 * has none, the picture on black, which the log says. color_profile at an end of the graph is what the options of that file of
 * this name are. The color profile, EXIF, XMP, IPTC and resolution of the first
 * input go along. Each output appears whole or not at all; it may be one of the inputs, unless that holds several
 * pictures, of which one would take the place of all. Errors name the file; those of the graph's text have its
 * place. */
WEFT_API weft_status weft_filter_files(const weft_files *files, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
