/* SPDX-License-Identifier: MIT
 * What the CPU asks of a body: one function per kind, that runs it over a piece of a row. Rows are planar f32. The build
 * compiles every body once per instruction set and lists the results in registry order. */
#ifndef KERNELS_ROWS_H
#define KERNELS_ROWS_H
#include <stdbool.h>
#include <stdint.h>

/* Before a loop whose iterations are independent, whatever its pointers: compilers do not use `restrict` of local pointers. The
 * build passes -fopenmp-simd. */
#define VECTOR_LOOP _Pragma("omp simd")
/* The same where elements of type T to the left and right are loaded: vectors of at most 32 bytes, of whose loads only half cross a
 * cache line. */
#define HALF_LOOP _Pragma("omp simd simdlen(32 / sizeof(T))")

#define WEFT_POINT_INPUTS 2
#define WEFT_STENCIL_ROWS 7

/* A piece of a row of `count` pixels that begins at x, y of an image of width x height. */
struct weft_point_call {
    const void *block;                          /* the parameters */
    const void *user;                           /* the body's */
    const float *in[WEFT_POINT_INPUTS][4];      /* red, green, blue, alpha; grey is in all three; no alpha is a row of ones */
    float *out[4];                              /* all four can be written and overlap no input */
    int32_t planes;                             /* color planes that are wanted: of out, 1 or 3; per channel bodies do
                                                   this many planes of in[0] */
    bool rest;                                  /* out[3] is wanted too */
    bool alpha;                                 /* some input has alpha */
    int32_t count;
    int64_t x, y, width, height;
};

/* Pixels of four bytes, red, green, blue and alpha, where all inputs and the result are such. */
struct weft_packed_call {
    const void *block;
    const uint8_t *in[WEFT_POINT_INPUTS];
    uint8_t *out;
    int32_t count;
};

/* rows[i][x + dx] is the pixel dx to the right of x in row y + i - radius, for any dx within the radius. */
struct weft_stencil_call {
    const void *block, *user;
    const float *rows[WEFT_STENCIL_ROWS];
    float *out;
    int32_t count;
};

/* The same of all planes: rows[k] is plane k's, and one of zeros where the pixels have no such plane. */
struct weft_stencil_pixels_call {
    const void *block;
    const float *rows[4][WEFT_STENCIL_ROWS];
    float *out[4]; /* `planes` of them are wanted; with 1 and 2 the others are not written */
    int32_t planes, count;
};

/* rows[(dy + ry) * 4 + k][x + dx] is plane k; NULL for a row that does not count. Pixels left of `left` or right of
 * `right` (from x = 0 of this call) do not count either. sums holds 2 * (planes + 1) * WEFT_WINDOW_PART floats, and where
 * `kept` is there WEFT_WINDOW_PART + 2 * WEFT_WINDOW_MUTUAL more.
 * Where all eight nearest pixels are there, `below` has room for a row of weights: of each pixel and the one below it.
 * The call for the next row gets them as `above`, which is NULL in other calls. Where all pixels are there, of filters whose
 * weights are mutual and radii to WEFT_WINDOW_MUTUAL, `kept` has sums of radius_y + 1 rows, this one's being number `slot` of them:
 * planes + 1 times `stride` floats each. They are of the rows before unless the call `begins`; rows to `last` below are made
 * too. */
#define WEFT_WINDOW_PART 512
#define WEFT_WINDOW_MUTUAL 32
struct weft_window_call {
    const void *block;
    const float *const *rows;
    float *out[4];
    float *sums, *below;
    const float *above;
    int32_t planes, radius_x, radius_y;
    int32_t from, count; /* pixels from .. count - 1 of the row are made */
    int64_t left, right;
    float *kept;
    int32_t slot, stride;
    bool begins;
    int64_t last;
};

/* For each pixel of a row of the output, the place in the input: pixel centres are whole numbers. Of warps to several
 * places it is place k of `places`, and its weight, otherwise `weight` is NULL. */
struct weft_warp_call {
    const void *block;
    float *from_x, *from_y, *weight;
    int32_t k, places;
    int32_t count;
    int64_t x, y, width, height; /* of the output */
    int64_t in_width, in_height;
};

struct weft_lookup_call; /* kernels/lookup.h */

/* One of the functions is set, by the filter's kind. */
struct weft_body {
    void (*point)(const struct weft_point_call *call);
    void (*margin)(const struct weft_point_call *call); /* of a binary filter, to out[0]: what decides; otherwise NULL */
    void (*packed)(const struct weft_packed_call *call); /* the same as point, of such pixels; NULL where there is none */
    void (*stencil)(const struct weft_stencil_call *call);
    void (*stencil_pixels)(const struct weft_stencil_pixels_call *call);
    void (*window)(const struct weft_window_call *call);
    bool mutual; /* of a window: two pixels have the same weight for one another */
    void (*warp)(const struct weft_warp_call *call);
    /* Of a warp that mixes several pixels along an axis: weight[n][i] is that of pixel n of them where the place is share[i] behind
     * the last of the first half. */
    void (*weigh)(const float *share, float *const *weight, int count);
    void (*lookup)(const struct weft_lookup_call *call);
    const void *user; /* for bodies that stand for functions of the program's own */
};

#endif
