/* SPDX-License-Identifier: MIT
 * Graphs of filters, built by calls or from text. A graph is plain data: it knows no sizes, formats or devices.
 *
 * Text is FFmpeg's filtergraph: filters in a chain are joined by ',', chains by ';'. A filter is
 * name=value:value:key=value, positional values in the order of the filter's parameters. [labels] before a filter name
 * its inputs, labels after it its outputs; [0], [1] are the graph's inputs. A chain without input labels takes the
 * inputs that no one has taken yet. What no filter consumes is an output, in order of appearance. 'split' copies.
 * Values may be quoted with '...'; a backslash escapes one character; '#' starts a comment to the end of the line.
 * threshold=@label takes the parameter from the first number of that label's image (a reduction's result), a color from three,
 * @label[3] from its fourth number, @label*0.5 scaled.
 * 'color_profile=srgb', or the file of an ICC profile in place of srgb, stands behind an input or before an output: files
 * bring their colors to it as they are read or written (weft/files.h). A graph with it runs from file to file alone; other
 * calls that are to run, plan or flatten it say so. */
#ifndef WEFT_GRAPH_H
#define WEFT_GRAPH_H
#include "weft/filter.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_COLOR_PROFILE "color_profile"

typedef struct weft_graph weft_graph;
typedef int32_t weft_node; /* a node of one graph: an input or a filter; its one output image */

/* Makes an empty graph; the caller destroys it. */
WEFT_API weft_status weft_graph_create(weft_graph **graph, weft_error *error);
/* Makes a graph from `length` bytes of text (need not end in 0). On failure *graph is NULL and the error's offset and
 * length point into the text. */
WEFT_API weft_status weft_graph_parse(const char *text, size_t length, weft_graph **graph, weft_error *error);
/* Destroys a graph and sets *graph to NULL; NULL is allowed. */
WEFT_API void weft_graph_destroy(weft_graph **graph);

/* Adds the next input of the graph. */
WEFT_API weft_status weft_graph_input(weft_graph *graph, weft_node *node, weft_error *error);
/* Adds a filter by name or alias, reading `inputs[0..count-1]`; its parameters have their defaults. */
WEFT_API weft_status weft_graph_add(weft_graph *graph, const char *filter, const weft_node *inputs, int32_t count,
                                    weft_node *node, weft_error *error);
/* Declares the next output of the graph. */
WEFT_API weft_status weft_graph_output(weft_graph *graph, weft_node node, weft_error *error);

/* Set a parameter: all `count` numbers of it (one number serves for all components of a color), or by its text. */
WEFT_API weft_status weft_graph_set(weft_graph *graph, weft_node node, const char *parameter, const double *values,
                                    int32_t count, weft_error *error);
WEFT_API weft_status weft_graph_set_text(weft_graph *graph, weft_node node, const char *parameter, const char *text,
                                         weft_error *error);
/* Takes a FLOAT parameter from number `index` of the image that `from` makes, times `scale`, at every run; red, green and blue
 * of a COLOR, and all of FLOATS, from that number and those behind it, or from the only one that there is. */
WEFT_API weft_status weft_graph_bind(weft_graph *graph, weft_node node, const char *parameter, weft_node from,
                                     int32_t index, double scale, weft_error *error);

/* A number that another node makes, a reduction mostly: number `index` of its image, times `scale`. */
typedef struct weft_from {
    bool bound; /* false: from nowhere */
    weft_node node;
    int32_t index;
    double scale;
} weft_from;

/* A value for weft_graph_add_with: `count` numbers as weft_graph_set takes, or from another node; without either the
 * parameter keeps its default. */
typedef struct weft_value {
    const char *parameter;
    const double *numbers;
    int32_t count;
    weft_from from; /* used when bound */
} weft_value;

/* weft_graph_add, then weft_graph_set or weft_graph_bind for each value; on failure the graph is as it was. weft/builders.h
 * has a function with named, typed values for each filter, made of this. */
WEFT_API weft_status weft_graph_add_with(weft_graph *graph, const char *filter, const weft_node *inputs, int32_t count,
                                         const weft_value *values, int32_t value_count, weft_node *node,
                                         weft_error *error);

/* Adds all that `other` has: its inputs become those of the same number, its outputs follow. Errors of its nodes point
 * at their place in its text, `offset` bytes further on. On failure the graph is as it was. */
WEFT_API weft_status weft_graph_join(weft_graph *graph, const weft_graph *other, int64_t offset, weft_error *error);

/* How many inputs and outputs the graph has so far. */
WEFT_API int32_t weft_graph_inputs(const weft_graph *graph);
WEFT_API int32_t weft_graph_outputs(const weft_graph *graph);
/* The label that output `index` has in the text that the graph was made of, without brackets; "" where it has none, or there
 * is no such output. As good as the graph. */
WEFT_API const char *weft_graph_output_label(const weft_graph *graph, int32_t index);

/* Reading a graph. Its nodes are numbered from 0, each behind those that it reads. */
WEFT_API int32_t weft_graph_nodes(const weft_graph *graph);
/* The node that is input `index`, and the one that makes output `index`; -1 where there is none. */
WEFT_API weft_node weft_graph_input_node(const weft_graph *graph, int32_t index);
WEFT_API weft_node weft_graph_output_node(const weft_graph *graph, int32_t index);
/* The filter of a node, NULL for an input. As good as the graph. */
WEFT_API const weft_filter_info *weft_graph_node_filter(const weft_graph *graph, weft_node node);
/* The node whose image a node reads as its `index`th; -1 past the last one. */
WEFT_API weft_node weft_graph_node_reads(const weft_graph *graph, weft_node node, int32_t index);
/* Writes the value of a parameter, or of "space", as weft_graph_set_text takes it, into `size` bytes of `text` and ends it in
 * 0; returns the length that it needs, as snprintf does, or -1 where there is no such parameter. *from, which may be NULL, tells
 * where the value comes from at every run, as weft_graph_bind was told. */
WEFT_API int32_t weft_graph_node_value(const weft_graph *graph, weft_node node, const char *parameter, weft_from *from,
                                       char *text, int32_t size);

/* How to merge numbers: a node made some of each piece of the image that it reads, and those of the whole image are wanted. */
typedef enum weft_merge {
    WEFT_MERGE_NONE, /* they cannot be merged: the node makes a picture, or places in one, or is made of other filters, which
                        weft_graph_flatten shows */
    WEFT_MERGE_MIN,  /* the least; NaN does not count */
    WEFT_MERGE_MAX,  /* the largest; NaN does not count */
    WEFT_MERGE_SUM,
    WEFT_MERGE_MEAN /* the mean, in which each piece counts by its pixels */
} weft_merge;
/* WEFT_MERGE_NONE where there is no such node. Whether what the node reads can be made of pieces is not looked at. */
WEFT_API weft_merge weft_graph_node_merge(const weft_graph *graph, weft_node node);

/* The size and format of every node's image, for weft_graph_nodes of them, from those of the inputs. What filters that are made of
 * others make, and what is made of it, is known in the graph that weft_graph_flatten makes, and 0 here. */
WEFT_API weft_status weft_graph_node_infos(const weft_graph *graph, const weft_image_info *inputs, int32_t count,
                                           weft_image_info *infos, weft_error *error);

/* Along an axis, pixel i of `count` is the mean of `side` pixels of another image, from first + side * i on. */
typedef struct weft_cells {
    int64_t first, count;
    int32_t side;
} weft_cells;
/* Whether a node makes each pixel that of one, or the mean of several, of the image that it reads, which is of such a size and
 * format: a rectangle cut out, with a side of 1, or a smaller picture. False for all that does something else besides, as reading
 * beyond the image or averaging light; and where there is no such node. Colors of a mean count by their alpha. */
WEFT_API bool weft_graph_node_cells(const weft_graph *graph, weft_node node, const weft_image_info *read, weft_cells *x,
                                    weft_cells *y);

/* Makes a graph of single filters that does the same on images of these sizes and formats, one for each input: filters that are
 * made of others are replaced by them. Its outputs have the same order and no labels. The caller destroys it; `graph` is not
 * needed any more. Fails with what a plan of the graph on these images would say, and *flat is then NULL. What filters with a
 * memory recall is kept by weft_graph_join, but the calls above do not tell it. */
WEFT_API weft_status weft_graph_flatten(const weft_graph *graph, const weft_image_info *inputs, int32_t count,
                                        weft_graph **flat, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
