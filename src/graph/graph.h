/* SPDX-License-Identifier: MIT
 * The graph as the steps of planning see it: an array of nodes, each after the nodes that it reads. */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H
#include "filter/filter.h"
#include "filter/catalog/catalog.h"
#include "filter/catalog/registry.h"

#define WEFT_NODE_INPUTS 4

/* A parameter that takes its value from another node's image at run time. */
struct weft_binding {
    int32_t parameter; /* index in the filter's list; a FLOAT, or a COLOR or FLOATS, of which it is one number: */
    int32_t component;
    weft_node from;
    int32_t index; /* of the number in that image: component by component, pixel by pixel */
    double scale;
};

struct weft_graph_node {
    const struct weft_filter *filter; /* NULL for an input of the graph */
    int32_t input;                    /* which input, for an input */
    weft_node inputs[WEFT_NODE_INPUTS];
    void *block;                      /* the parameters; the node owns it and the lists in it */
    weft_space space;                 /* LINEAR: work in linear light (`space=linear`, a parameter of every filter) */
    struct weft_binding *bindings;
    int32_t binding_count;
    weft_node kept; /* DELAY: the node whose image is recalled later, 0: its own input; RECALL: 1 + its place in the list */
    int32_t origin;                   /* the node of the caller's graph that this came from, for errors and parameters */
    int64_t offset, length;           /* where it stands in the graph text; -1 and 0 when built by calls */
};

/* Colors that a file brings to a profile as it is read or written, for the text of the graph asks for that at this end of
 * it. Pixels of images have no profile, so what is no file refuses such graphs. */
struct weft_graph_profile {
    const char *wanted;     /* the graph's own: "srgb", or a file of an ICC profile */
    int32_t end;            /* the input that is read so, or -1 - the output that is written so */
    int64_t offset, length; /* where it stands in the graph text */
};

struct weft_graph {
    struct weft_graph_node *nodes;
    int32_t count, capacity;
    weft_node *outputs;
    int32_t output_count, output_capacity;
    char *labels; /* of the first `labeled` outputs, from the text, each with a 0 behind it */
    int32_t labeled;
    int32_t input_count;
    struct weft_graph_profile *profiles; /* none for a copy */
    int32_t profile_count;
    const weft_catalog *catalog; /* where names are looked up beside weft's own filters; NULL: nowhere */
};

/* value/value.c: parameters by number and by text. */

/* A block with the filter's defaults, from weft_allocate; NULL without memory. */
void *weft_block_create(const struct weft_filter *filter);
void *weft_block_copy(const struct weft_filter *filter, const void *block);
void weft_block_destroy(const struct weft_filter *filter, void *block);
/* Sets a parameter, checking count, range and NaN. The error names filter and parameter and says what would be right. */
weft_status weft_block_set(const struct weft_filter *filter, void *block, int32_t parameter, const double *values,
                           int32_t count, weft_error *error);
weft_status weft_block_set_text(const struct weft_filter *filter, void *block, int32_t parameter, const char *text,
                                size_t length, weft_error *error);
/* Reads back up to `capacity` numbers of a parameter; returns how many it has. */
int32_t weft_block_get(const struct weft_filter *filter, const void *block, int32_t parameter, double *values,
                       int32_t capacity);
/* Writes a parameter as graph text; returns the length that it needs, as snprintf does. */
int weft_block_print(const struct weft_filter *filter, const void *block, int32_t parameter, char *text, size_t size);

/* graph/build/ */

/* weft_graph_bind of one number of a parameter. */
weft_status weft_graph_bind_number(struct weft_graph *graph, weft_node node, int32_t parameter, int32_t component,
                                   weft_node from, int32_t index, double scale, weft_error *error);

/* Appends a filter's node with defaults; `origin` -1 stands for itself. */
weft_status weft_graph_append(struct weft_graph *graph, const struct weft_filter *filter, const weft_node *inputs,
                              int32_t count, weft_node *node, weft_error *error);
/* Takes the last node away again. */
void weft_graph_remove_last(struct weft_graph *graph);
/* A copy with everything that it owns. */
weft_status weft_graph_copy(const struct weft_graph *graph, struct weft_graph **copy, weft_error *error);
/* Lets each DELAY of `graph` that is a copy of one of `from` recall what the node that this one recalls has become: map says
 * of each node of `from` which one of `graph` that is. */
void weft_graph_map_kept(struct weft_graph *graph, const struct weft_graph *from, const weft_node *map);

/* graph/profiles.c */

/* Adds one, of `profile` all but the memory. An input or output can have one: the same again changes nothing. */
weft_status weft_graph_add_profile(struct weft_graph *graph, const struct weft_graph_profile *profile, weft_error *error);
/* What is wanted at an end; NULL for nothing. */
const char *weft_graph_profile_at(const struct weft_graph *graph, int32_t end);
/* Adds those of `other`, whose inputs are those of `graph` and whose outputs follow its first `outputs`. An input that one of them
 * reads as it is, `inputs` being how many `graph` had before, must not be brought to a profile by the other. */
weft_status weft_graph_join_profiles(struct weft_graph *graph, const struct weft_graph *other, int32_t inputs, int32_t outputs,
                                     int64_t offset, weft_error *error);
/* Fails where there are any, for there are no files. */
weft_status weft_graph_refuse_profiles(const struct weft_graph *graph, weft_error *error);
/* Lets go of all but the first `count`. */
void weft_graph_drop_profiles(struct weft_graph *graph, int32_t count);

/* graph/validate.c: every input of the graph is read, there is an output, every filter's parameters agree with one
 * another (filter->check), and no binding points at its own consumer or later. */
weft_status weft_graph_validate(const struct weft_graph *graph, weft_error *error);
/* The same, and that there are as many images as it reads, of formats that there are. */
weft_status weft_graph_validate_for(const struct weft_graph *graph, const weft_image_info *inputs, int32_t count,
                                    weft_error *error);

#endif
