/* SPDX-License-Identifier: MIT
 * Graphs by chance: drawn, run on a device, compared with the reference. */
#ifndef FUZZ_GRAPHS_H
#define FUZZ_GRAPHS_H
#include "weft/weft.h"
#include "harness/harness.h"

#define NODES 16
#define INPUTS 3
#define FED (INPUTS + 1) /* a graph that is cut has one more */
#define OUTPUTS 8
#define SPEC 1024

enum { ISAS = 3, THREADS = 5, MOVES = 3 };

struct node {
    char text[SPEC]; /* as variation_write makes it; empty for an input */
    int32_t inputs[2], input_count;
    char bound[64]; /* a parameter that is bound, empty for none */
    int32_t from, index;
    double scale;
    double tolerance;
    bool rough, wild; /* of the results some jump, or all may */
    uint32_t made_of; /* this node and all that it reads, a bit each */
};
_Static_assert(NODES <= 32, "a bit for each node");

struct graph {
    struct node nodes[NODES];
    int32_t count, outputs[OUTPUTS], output_count, input_count;
    weft_image_info inputs[INPUTS], info[NODES];
    enum content contents[INPUTS];
    weft_type types[OUTPUTS];
};

struct fuzz {
    weft_device *cpu[ISAS][THREADS], *reference, *null;
    const char *device; /* NULL: the processor */
    int64_t passed, failed, streamed, bound;
    int64_t refused; /* runs on a GPU that stops long loops, lavapipe, which it says before */
    int64_t beyond;        /* outputs that are not compared: numbers on the way are too large for that */
    double numbers, loose; /* compared; of these with a tolerance that says little */
    bool verbose;
};

/* draw.c */
void draw_graph(struct fuzz *fuzz, struct graph *graph, struct chance *chance);
void print_graph(const struct graph *graph);
bool is_values(const struct graph *graph, int32_t node);
/* The first `count` nodes, with the outputs given; to be destroyed. */
weft_graph *build_graph(const struct graph *graph, int32_t count, const int32_t *outputs, int32_t output_count,
                        weft_error *error);

/* run.c */
struct manner {
    bool plain, workspace, parameters, sources, sinks;
    int fill; /* what the workspace holds before */
};
weft_plan *make_plan(weft_device *device, const struct graph *graph, const weft_image_info *inputs,
                     const weft_type *types, weft_error *error);
/* Makes the outputs too; they are to be destroyed in any case. */
bool run_plan(const weft_plan *plan, const struct picture *inputs, struct picture *outputs, const struct manner *manner,
              struct chance *chance, weft_error *error);

/* agree.c: whether `got`, an image of `node`, is as near to `expected` as it can be asked to be; others[k * OUTPUTS], k
 * below MOVES, are what the reference makes of inputs that have moved a little. `rounded`, or NULL: what roundings make. */
bool agree(struct fuzz *fuzz, const struct graph *graph, int32_t node, const struct picture *got,
           const struct picture *expected, const struct picture *others, const struct picture *rounded, char *why,
           size_t size);
bool same_bytes(const struct picture *a, const struct picture *b);

/* between.c: by how much the image of `node` differs where what its filters make is rounded otherwise; to be destroyed in any
 * case. */
enum roundings { ROUNDINGS_TOLD, ROUNDINGS_BEYOND, ROUNDINGS_UNKNOWN };
enum roundings roundings_between(struct fuzz *fuzz, const struct graph *graph, int32_t node, const struct picture *inputs,
                                 struct picture *sum);

/* case.c: the whole of one case, from drawing to comparing; false after a report on standard output. `name` is said in
 * it. Threads 0: any number. */
bool try_graph(struct fuzz *fuzz, const char *name, struct chance *chance, int32_t threads);
bool open_devices(struct fuzz *fuzz);
void close_devices(struct fuzz *fuzz);

#endif
