/* SPDX-License-Identifier: MIT
 * A launch: all parameters of a kernel, laid out alike for the host, CUDA (passed by value) and Vulkan (a uniform buffer of scalar
 * layout). The planner fills it in; the backends only put the addresses of memory into it. Fields that all kernels may need are
 * here; those of a family are a struct at the record's end, such as L.box, which the family's *_launch.h defines and documents. A
 * kernel includes the header of its own family alone, and first. Kernels load 8 aligned bytes at a time: fields that are used
 * together are next to each other. */
#ifndef KERNELS_GPU_LAUNCH_H
#define KERNELS_GPU_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"
#include "kernels/gpu/dialect/specialization.h"

#if !defined(GLSL) && !defined(__CUDACC__)
#include <stddef.h>
#include "kernels/gpu/box/box_launch.h"
#include "kernels/gpu/convolve/convolve_launch.h"
#include "kernels/gpu/extremum/extremum_launch.h"
#include "kernels/gpu/global/global_launch.h"
#include "kernels/gpu/lookup/lookup_launch.h"
#include "kernels/gpu/multirate/multirate_launch.h"
#include "kernels/gpu/point/point_launch.h"
#include "kernels/gpu/rank/rank_launch.h"
#include "kernels/gpu/reduce/reduce_launch.h"
#include "kernels/gpu/resample/resample_launch.h"
#include "kernels/gpu/stencil/stencil_launch.h"
#include "kernels/gpu/window/window_launch.h"
#undef LAUNCH_OF
#endif

#define LAUNCH_IMAGES 16      /* images that one launch reads and writes */
#define LAUNCH_CODE 32        /* instructions of a point program */
#define LAUNCH_REDUCTIONS 2   /* reductions that are fused into one launch */
#define LAUNCH_WORDS 448      /* 4-byte words of parameter blocks */
#define LAUNCH_WEIGHTS 40     /* weights of an axis that are in the launch itself */

/* Components in memory: the values of weft_type. VALUES is a reduction's: two f32 whose sum is the number. */
#define TYPE_U8 1
#define TYPE_U16 2
#define TYPE_F16 3
#define TYPE_F32 4
#define TYPE_VALUES 5

/* The values of weft_border. */
#define BORDER_REPLICATE 0
#define BORDER_MIRROR 1
#define BORDER_SYMMETRIC 2
#define BORDER_WRAP 3
#define BORDER_CONSTANT 4
#define BORDER_SHRINK 5

/* An image in device memory: interleaved components. `first` is where pixel 0, 0 lies, or would lie if the rows from it
 * to those that are there were there too: bands of large images keep their row numbers. */
struct gpu_image {
    address first;
    long_int pitch; /* bytes */
    int width, height;
    int from_y, to_y; /* the rows that stores may write; others belong to another band, or are outside */
    int type, channels;
};

/* One step of a point program. Values are four components in registers, in the order of the image's channels.
 *   op        number of a point filter (the generated list), or one of OP_* below
 *   operands  A | B << 8 | result register << 16; an operand below 8 is a register, otherwise image number operand - 8
 *   shape     channels of A | of B << 4 | of the result << 8 | type of A << 12 | of B << 16 | of the result << 20 | flags
 *   block     where its parameters begin, in words of the launch's parameters */
struct gpu_instruction {
    int op, operands, shape, block;
};
#define REGISTERS 4
#define OPERAND_IMAGE 8
#define OP_NONE (-1)
#define OP_STORE (-2)  /* register A to image B - 8, with the result's type and channels */
#define OP_REDUCE (-3) /* register A into reduction B */
#define OP_COPY (-4)   /* A to the result register: an image that is only converted */
#define SHAPE_ALPHA (1 << 24) /* the last channel is alpha: filters of single channels leave it alone, blends weigh by it */
/* Tables that a block makes (block_tables.h). TABLE: of the beginning of a store program, which is a table of bytes for each
 * component. SUMS: one of a run of instructions that make weighted sums, to the same register each but for the first's operand;
 * APART: of such a run, no component sees another; FIRST: the first of it. Its number follows. */
#define SHAPE_TABLE (1 << 25)
#define SHAPE_SUMS (1 << 26)
#define SHAPE_APART (1 << 27)
#define SHAPE_FIRST (1 << 28)
#define SHAPE_RUN(shape) ((shape) >> 29 & 3)
#define PREPARED_RUNS 3

/* Programs that only convert between an image and what kernels work on; such launches count as plain (conversions.h). */
#define CONVERTS_LOAD 1      /* the load program makes of one image's pixels premultiplied ones, or their luminance */
#define CONVERTS_LUMINANCE 2 /* the luminance among it */
#define CONVERTS_STORE 4     /* the store program divides by alpha, or drops hidden pixels, and stores */

/* A fused reduction: every block of the launch leaves one partial result per channel, and `reduce_finish` joins them. */
struct gpu_reduction {
    address partial; /* per block and channel two f32 (high and low part); a histogram: one table of u32, all blocks' */
    int what;        /* REDUCE_* */
    int bins;
    int channels;
    int steps;       /* 255 or 65535 when all values are whole numbers of these steps, 0 otherwise */
    int from_y, to_y; /* rows that count: a launch may make more, which others need */
};
#define REDUCE_MIN 0 /* the values of enum weft_reduction */
#define REDUCE_MAX 1
#define REDUCE_SUM 2
#define REDUCE_MEAN 3
#define REDUCE_HISTOGRAM 4
#define REDUCE_BOXES 5
#define REDUCE_CENTROIDS 6

struct gpu_launch {
    STRUCT_OF(gpu_image) image[LAUNCH_IMAGES]; /* 0: what the kernel reads when there is no load program */
    STRUCT_OF(gpu_instruction) load[LAUNCH_CODE];   /* makes a pixel of the kernel's input, in register 0 */
    STRUCT_OF(gpu_instruction) store[LAUNCH_CODE];  /* takes a pixel of the kernel's result in register 0; every store is in it */
    STRUCT_OF(gpu_reduction) reduce[LAUNCH_REDUCTIONS];
    address blocks;                  /* parameter blocks, where they are in memory because a number found on the device
                                        goes into them; 0: `words` below. In Vulkan always set */
    int load_count, store_count;
    int reduce_count;
    int converts;                    /* CONVERTS_* */
    int width, height;               /* of the result */
    int from_y, to_y;                /* the rows of it that this launch makes; kernels start at row from_y */
    int in_width, in_height;         /* of the input */
    int in_channels, in_type;        /* of the kernel's input pixels; the type of image 0 when there is no load program */
    int channels;                    /* of the pixels that the kernel hands to the store program */
    int border;
    float border_value;
    int radius_x, radius_y;
    int walk;                        /* rows, or columns, that a block walks, of kernels whose blocks walk */
    int path;                        /* of several code paths the one to take (code_path.h) */
    int block;                       /* the kernel's own parameter block, in words */
    float weight_x[LAUNCH_WEIGHTS], weight_y[LAUNCH_WEIGHTS]; /* of an output */
    int words[LAUNCH_WORDS];
#if defined(GLSL) || defined(__CUDACC__)
#if defined(LAUNCH_OF)
#define LAUNCH_STRUCT_(family) family##_launch
#define LAUNCH_STRUCT(family) LAUNCH_STRUCT_(family)
    LAUNCH_STRUCT(LAUNCH_OF) LAUNCH_OF;
#endif
};
#else
    union {
        struct box_launch box;
        struct convolve_launch convolve;
        struct extremum_launch extremum;
        struct global_launch global;
        struct lookup_launch lookup;
        struct multirate_launch multirate;
        struct point_launch point;
        struct rank_launch rank;
        struct reduced_launch reduced;
        struct resample_launch resample;
        struct stencil_launch stencil;
        struct window_launch window;
    };
};
/* A family's struct lies at the same place whether it has addresses or not. */
_Static_assert(offsetof(struct gpu_launch, lookup) == offsetof(struct gpu_launch, words) + 4 * LAUNCH_WORDS,
               "a gap before the data of a family");
#endif

#endif
