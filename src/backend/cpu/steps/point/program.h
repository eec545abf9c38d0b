/* SPDX-License-Identifier: MIT
 * Point programs: any number of fused point filters as a list of instructions over registers. A register is one plane of
 * as many pixels as the program takes at a time, at most WEFT_CHUNK. */
#ifndef CPU_PROGRAM_H
#define CPU_PROGRAM_H
#include "backend/cpu/choose/point.h"
#include "backend/cpu/pipeline/pipeline.h"
#include "graph/schedule.h"

#define WEFT_CHUNK 1024
#define WEFT_PROGRAM_PIECE (WEFT_CHUNK / 2 * 4 * sizeof(float)) /* wide pixels go by half chunks */

/* Where an operand lies: a plane of an input, a temporary, a plane of the output, or a row of ones. */
enum place_kind { PLACE_NONE, PLACE_INPUT, PLACE_TEMPORARY, PLACE_OUTPUT, PLACE_ONES };
struct operand {
    enum place_kind kind;
    int32_t index, plane; /* index of the step's input, or of the temporary */
};

struct instruction {
    int32_t node;
    const struct weft_body *body;
    struct operand in[WEFT_POINT_INPUTS][4], out[4];
    int32_t inputs, planes;
    bool alpha, rest;
};

struct program {
    struct instruction *list;
    int32_t count, temporaries;
    struct operand result[4]; /* planes of the result that no instruction writes: copies of inputs */
    bool apart; /* each plane of the result depends on one plane of the one input and on nothing else: on the same one, or
                   that of an image of one channel */
    bool affine; /* the result is a weighted sum of the planes of the one input and a number */
    bool binary; /* the same of what decides between the two colors of the result, at the end; alpha is such a sum */
    bool packed; /* it is one filter that takes pixels of four bytes, and pixels have color and alpha */
    enum cpu_point_kernel kernel;
    int32_t chunk; /* pixels taken at a time, from load to store */
};

extern const struct step_kind weft_program_kind;
void weft_program_destroy(void *data);

/* Adds the point program of all nodes n with group[n] == root; step_of[i] makes the f32 rows of each node i outside it
 * that it reads. */
weft_status weft_lower_program(struct builder *b, int32_t root, const int32_t *group, const int32_t *step_of,
                               const struct weft_body *const *bodies, int32_t *result, weft_error *error);

/* Row y of a program straight to pixels: planes is room for four chunks, and for WEFT_PROGRAM_PIECE bytes of what goes past
 * the caches. store NULL: the pixels are one plane of f32. past_caches: no cache is to keep them. */
void weft_program_store(struct lane *lane, const struct step *step, int64_t y, float *planes,
                        void (*store)(const float *const *planes, int channels, void *pixels, int count),
                        unsigned char *pixels, size_t pixel_bytes, bool past_caches);

/* Marks the steps of a finished stage that run inside their one neighbour, chunk by chunk. */
void weft_programs_inline(struct stage *stage, const struct weft_kernels *kernels);

/* The nodes that a program step runs, in order; none for other steps. nodes has room for 2 * WEFT_PROGRAM_NODES. */
void weft_program_nodes(const struct step *step, int32_t *nodes, int32_t *count);

#endif
