/* SPDX-License-Identifier: MIT
 * The descriptor: all that weft knows about a filter. One per file under src/filters/, made there by the kind's header
 * (filter/channel.h and its siblings); everything else in the program reads it and nothing else names a filter. */
#ifndef FILTER_FILTER_H
#define FILTER_FILTER_H
#include <stdbool.h>
#include <stddef.h>
#include "weft/filter.h"
#include "weft/graph.h"

/* How an output pixel depends on the inputs. A kind has one skeleton per backend. */
enum weft_kind {
    WEFT_KIND_POINT,     /* the same pixel of each input; no input: a generator */
    WEFT_KIND_STENCIL,   /* a fixed small neighbourhood of one plane */
    WEFT_KIND_WINDOW,    /* a weighted mean over a neighbourhood, weights by the pixels themselves */
    WEFT_KIND_SEPARABLE, /* a row of weights, then a column of weights */
    WEFT_KIND_BOX,       /* the mean over a rectangle */
    WEFT_KIND_EXTREMUM,  /* the largest or smallest over a rectangle */
    WEFT_KIND_RANK,      /* the middle of the sorted neighbourhood */
    WEFT_KIND_RESAMPLE,  /* weights along each axis at places of its own: crop, flip, resize */
    WEFT_KIND_WARP,      /* the input at another place, anywhere */
    WEFT_KIND_LOOKUP,    /* the same pixel of the first input and any of the second, a table */
    WEFT_KIND_REDUCE,    /* the whole image, to a few numbers */
    WEFT_KIND_GLOBAL,    /* the whole image, to an image of its size (enum weft_global) */
    WEFT_KIND_COMPOSITE  /* a sub-graph of other filters */
};

/* Which channels the result has. Grey counts as one color channel; alpha follows the inputs unless said. */
enum weft_channels {
    WEFT_CHANNELS_SAME,  /* as the input with the most */
    WEFT_CHANNELS_COLOR, /* at least three color channels */
    WEFT_CHANNELS_GREY,  /* one color channel, made from all; alpha stays */
    WEFT_CHANNELS_PLANE, /* one channel and no alpha */
    WEFT_CHANNELS_PAIR,  /* two channels and no alpha: numbers that belong together, as the parts of a gradient */
    WEFT_CHANNELS_ALPHA, /* alpha is added where there was none */
    WEFT_CHANNELS_ADD_ALPHA = WEFT_CHANNELS_ALPHA /* its name in filters' files, where ALPHA alone is a macro */
};

/* In which form of alpha the body wants its colors. The planner converts where the image has another, so that it never
 * shows in which form the filter before left it. */
enum weft_alpha_need {
    WEFT_NEED_ANY,          /* pixels are moved as they are; of other kinds: the form that the user declared */
    WEFT_NEED_STRAIGHT,     /* colors independent of alpha: color arithmetic */
    WEFT_NEED_PREMULTIPLIED, /* colors weighted by alpha: means over neighbours */
    /* the same, but pixels of alpha 0 have a tiny weight, so that where there are no others their colors stay; for filters without
     * negative weights (filter/help/hidden.h) */
    WEFT_NEED_HIDDEN
};

/* Filters that the planner itself puts into graphs, found by what they do. */
enum weft_role {
    WEFT_ROLE_NONE,
    WEFT_ROLE_PREMULTIPLY,
    WEFT_ROLE_UNPREMULTIPLY,
    WEFT_ROLE_PREMULTIPLY_HIDDEN, /* for WEFT_NEED_HIDDEN, */
    WEFT_ROLE_UNPREMULTIPLY_HIDDEN,
    WEFT_ROLE_DROP_HIDDEN,  /* and from there to premultiplied colors */
    WEFT_ROLE_ENCODE, /* linear light to sRGB */
    WEFT_ROLE_DECODE,
    WEFT_ROLE_LUMINANCE,    /* color to one plane */
    WEFT_ROLE_ALPHA_REMOVE, /* the colors alone */
    WEFT_ROLE_ALPHA_COPY,   /* the colors of one image with the alpha of another */
    WEFT_ROLE_DELAY,        /* an image of earlier frames; its block begins with int32_t frames */
    WEFT_ROLE_RECALL        /* what DELAY becomes: its input, and what was kept; its block is a float, 1 while nothing was */
};

/* A list of numbers in a parameter block; the graph or plan that holds the block owns the numbers. */
typedef struct weft_list {
    const double *values;
    int32_t count;
} weft_list;

struct weft_parameter {
    weft_parameter_info info;
    size_t offset; /* in the block; FLOAT float, INT BOOL CHOICE int32_t, COLOR float[4], FLOATS float[count], LIST weft_list */
};

#define WEFT_LENGTH_BLOCK 64 /* bytes of a stencil's block that is a length of sums, at most */

/* The weights of one axis of a separable filter: the output at x is the sum over k of weight[k] * input[x + k - radius]. */
struct weft_taps {
    int32_t radius;
    double *weight; /* 2 * radius + 1 of them, from weft_allocate; the caller frees */
};

/* One axis of a resampling: output i is the sum over k of weight[i * count + k] * input[first[i] + k]. Places outside
 * the input follow the border. exact: every weight is 0 or 1, so pixels are moved, not mixed. */
#define WEFT_AXIS_LIMIT (1 << 24)   /* outputs at most, so that a short graph text cannot ask for all of the memory */
#define WEFT_AXIS_WEIGHTS (1 << 28) /* weights of all outputs at most, for the same reason */
struct weft_axis {
    int64_t size;   /* outputs */
    int32_t count;  /* weights per output */
    int64_t *first; /* from weft_allocate; the caller frees */
    float *weight;
    bool exact;
};

enum weft_direction { WEFT_X, WEFT_Y };

/* Frees the numbers of an axis. */
void weft_axis_clear(struct weft_axis *axis);

/* What a REDUCE makes of each plane: one number, or a table of counts. */
enum weft_reduction {
    WEFT_REDUCE_MIN,
    WEFT_REDUCE_MAX,
    WEFT_REDUCE_SUM,
    WEFT_REDUCE_MEAN,
    WEFT_REDUCE_HISTOGRAM,
    WEFT_REDUCE_BOXES,    /* of each number that pixels have, the smallest rectangle around these: left, top, width, height */
    WEFT_REDUCE_CENTROIDS /* where their middle is: x, y */
};
/* Counters of a bin while pixels are counted. 0: no table but a number for each channel. */
static inline int32_t weft_reduction_counters(enum weft_reduction what) {
    return what == WEFT_REDUCE_HISTOGRAM ? 1 : what == WEFT_REDUCE_BOXES ? 4 : what == WEFT_REDUCE_CENTROIDS ? 3 : 0;
}

/* What a GLOBAL makes of the whole image. */
enum weft_global {
    WEFT_GLOBAL_CONNECT, /* which pixels are connected to seeds; the block begins with struct weft_connect */
    WEFT_GLOBAL_LABEL,   /* the numbers of components; the block begins with struct weft_threshold */
    WEFT_GLOBAL_DISTANCE, /* how far the nearest dark pixel is; struct weft_threshold */
    WEFT_GLOBAL_RECONSTRUCT /* of two images the first one, grown under the second; struct weft_reconstruct */
};
struct weft_reconstruct {
    int32_t erosion; /* 1: shrunk above the second instead */
    int32_t four;    /* neighbors that count: 1 without those on diagonals */
};
struct weft_threshold {
    float above;  /* pixels count whose luminance exceeds it */
    int32_t form; /* LABEL: 1 where neighbors on diagonals do not count; DISTANCE: 1 for squares */
};
struct weft_connect {
    float low, high;
    int32_t four; /* neighbors that count: 1 without those on diagonals */
};

/* How a BOX that makes integers from integers ends its division. */
enum weft_rounding { WEFT_ROUND_NEAREST, WEFT_ROUND_DOWN };

struct weft_custom; /* filter/catalog/custom.h */

static inline bool weft_role_multiplies(enum weft_role role) {
    return role == WEFT_ROLE_PREMULTIPLY || role == WEFT_ROLE_PREMULTIPLY_HIDDEN;
}
static inline bool weft_role_divides(enum weft_role role) {
    return role == WEFT_ROLE_UNPREMULTIPLY || role == WEFT_ROLE_UNPREMULTIPLY_HIDDEN;
}

struct weft_filter {
    weft_filter_info info;
    enum weft_kind kind;
    const struct weft_custom *custom; /* the functions of a filter that a program added; NULL for weft's own */
    enum weft_channels channels;
    enum weft_alpha_need alpha;
    enum weft_role role;
    const struct weft_parameter *parameters;
    size_t block_size;   /* bytes of the parameter block */
    int32_t border;      /* index of the parameter `border`, -1 without; `border_value` follows it */
    bool per_channel;    /* POINT: the body sees one channel at a time and leaves alpha alone. STENCIL, SEPARABLE: where
                            colors are wanted straight, alpha is copied */
    bool placed;         /* POINT: the body looks at where the pixel is, or, a program's own, may do so */
    bool apart;          /* POINT: each channel of the result depends on the same channel alone */
    bool affine;         /* POINT: each channel of the result is a weighted sum of all channels and a number */
    bool binary;         /* POINT: the color is 1 where a weighted sum of all channels and a number is not below 0, else 0 */
    bool planewise;      /* POINT with two inputs: without alpha, every channel is a color channel */
    bool pixels;         /* STENCIL: the body sees all channels at a time and makes all of the result */
    bool luminance;      /* STENCIL, GLOBAL, REDUCE: reads the luminance of color images, not each channel */
    bool grid;           /* WARP: pixels are moved by whole ones, a step to the right or down being the same step in the
                            input everywhere; and all of them lie inside it */
    bool maximum;        /* EXTREMUM: largest, not smallest */
    enum weft_global global;
    bool squares;        /* WINDOW without a body: the mean of a square (filter/patch.h), not one weighted by patches */
    bool guided;         /* the same: the guided filter of an image by itself */
    bool averages;       /* RESAMPLE: no weight is below 0, so that no difference grows */
    int32_t radius;      /* STENCIL: pixels each way */
    /* STENCIL: true when with these parameters the result is a sum of weighted neighbours and a number. May be NULL. */
    bool (*linear)(const void *block);
    /* STENCIL: whether with these parameters the result is the length of two such sums without a number; then those with which
     * it is sum number `part`, 0 or 1, are written to `sum`, a block too. May be NULL. */
    bool (*length)(const void *block, int part, void *sum);

    /* The form of alpha by the parameters, where it is not always `alpha`; those that decide it are fixed. May be NULL. */
    enum weft_alpha_need (*need)(const void *block);
    /* Checks what ranges cannot say (an odd count, two values that contradict). May be NULL. */
    weft_status (*check)(const void *block, weft_error *error);
    /* The output's size; may be NULL (as the first input). Also sets alpha or space where the filter changes them. */
    weft_status (*infer)(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error);
    /* SEPARABLE: the weights along an axis. precise: as far as double precision reaches; otherwise to the stated
     * tolerance. radius 0 and weight 1 is the identity. */
    weft_status (*taps)(const void *block, enum weft_direction direction, bool precise, struct weft_taps *taps,
                        weft_error *error);
    /* BOX, EXTREMUM, RANK, WINDOW: the radius along an axis. */
    int32_t (*reach)(const void *block, enum weft_direction direction);
    /* WARP: to how many places, for an input of that size; NULL: to one. */
    int32_t (*places)(const void *block, int64_t width, int64_t height);
    int32_t spread; /* WARP: pixels along each axis around a place that are mixed by weights; 0: two, by nearness */
    /* BOX: how quotients end in integer formats. NEAREST (halves up) keeps f32 where more filters follow; DOWN makes
     * integers of the image's format at once. */
    enum weft_rounding (*rounding)(const void *block);
    /* REDUCE: what to compute; *bins is the length of the table, 1 for a number. A histogram counts floor(value * bins)
     * limited to the table, value 1 being full scale; boxes and centroids are those of the nearest whole number. */
    enum weft_reduction (*reduction)(const void *block, int32_t *bins);
    /* RESAMPLE: the table of one axis for an input of `size` pixels. */
    weft_status (*axis)(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *axis,
                        weft_error *error);
    /* RESAMPLE: true when these parameters only move pixels, which then keep their colors whatever their alpha. May be
     * NULL. */
    bool (*moves)(const void *block);
    /* COMPOSITE: adds the sub-graph that does the work of `node` to `graph` and says which node is its result. For other
     * kinds an optional cheaper form within tolerance: *result = -1 keeps the node; the reference never asks.
     * inputs[i] is node i's input, info[i] its size and format. */
    weft_status (*expand)(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error);
};

static inline enum weft_alpha_need weft_filter_need(const struct weft_filter *filter, const void *block) {
    return filter->need ? filter->need(block) : filter->alpha;
}

/* Whether colors alone are filtered, alpha being copied. */
static inline bool weft_filter_copies_alpha(const struct weft_filter *filter, const void *block) {
    return filter->per_channel && weft_filter_need(filter, block) == WEFT_NEED_STRAIGHT;
}

/* Whether the filter treats the components of images with so many of them independently: a point filter that sees one at a time, or
 * one whose input has only one. */
static inline bool weft_filter_is_apart(const struct weft_filter *filter, int32_t channels) {
    return !filter->placed && filter->info.inputs == 1 &&
           (filter->per_channel || filter->apart || channels == 1);
}

/* The value of `border` in a block, WEFT_BORDER_REPLICATE for filters without one. */
static inline weft_border weft_filter_border(const struct weft_filter *filter, const void *block) {
    if (filter->border < 0)
        return WEFT_BORDER_REPLICATE;
    return (weft_border) * (const int32_t *)((const char *)block + filter->parameters[filter->border].offset);
}
static inline float weft_filter_border_value(const struct weft_filter *filter, const void *block) {
    if (filter->border < 0)
        return 0;
    return *(const float *)((const char *)block + filter->parameters[filter->border + 1].offset);
}

/* border=shrink divides weighted sums by the weight inside the image. Where that is negligible beside `magnitude`, the sum of the
 * absolute weights, the sum is not a mean and stays as it is: this returns 1. */
static inline double weft_weight_inside(double inside, double magnitude) {
    double least = 1e-6 * magnitude;
    return inside > least || inside < -least ? inside : 1;
}

#endif
