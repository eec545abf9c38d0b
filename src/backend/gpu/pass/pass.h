/* SPDX-License-Identifier: MIT
 * A GPU plan: passes, each one launch that reads images and writes images, in order. Nodes of the graph that are no kernels
 * of their own (point filters, reductions) run in the load or the store program of a pass. */
#ifndef BACKEND_GPU_PASS_H
#define BACKEND_GPU_PASS_H
#include "backend/gpu/driver.h"

#define GPU_TABLES 4

/* Which rows of its input a pass needs for rows of its result. */
enum gpu_need {
    GPU_NEED_AROUND, /* those within `reach` rows, by the border */
    GPU_NEED_TABLE,  /* first_row[y] and `row_count` - 1 more, by the border */
    GPU_NEED_WHOLE   /* any */
};

/* Images that passes read and write. */
enum gpu_role { GPU_INPUT, GPU_OUTPUT, GPU_TEMPORARY, GPU_KEPT, GPU_VALUES };
struct gpu_picture {
    enum gpu_role role;
    int32_t index; /* of the graph's input or output */
    int64_t width, height;
    int32_t type, channels; /* TYPE_* */
    int32_t node;           /* whose image it is */
    int32_t stage;          /* in which it is made */
    bool scratch;           /* what one pass puts aside for itself */
};

struct gpu_pass {
    int32_t kernel;             /* row of weft_gpu_kernels */
    int32_t unit;
    const struct gpu_kernel *code; /* of the device, once the plan is whole */
    struct gpu_launch launch;   /* all but addresses; image[i] is picture[i] */
    int32_t picture[LAUNCH_IMAGES], picture_count; /* indices of the plan's pictures */
    int32_t result;             /* the picture whose rows say which rows this pass must make */
    int32_t node;               /* the filter that the kernel is for; -1 for a point program by itself */
    int32_t tile_width, tile_height; /* pixels of the result that a block makes; rows that it steps by when it walks */
    int32_t depth;              /* blocks along z, 1 unless the lowering says more */
    double iterations;               /* of loops that a thread goes through, where there may be many */
    const char *why;            /* it is this kernel; NULL where there was no choice */
    int32_t path;                /* of the kernel, where it has several (kernels/gpu/dialect/code_path.h) */
    bool walks;                 /* blocks walk down: tile_height is a step, the launcher chooses how many (launch.walk) */
    bool along;                 /* they walk along rows instead: tile_width is the step; first rows are multiples of 16 */
    int32_t occupancy;           /* of those, how many a multiprocessor is to have at most; 0: what the driver says */
    int32_t ahead;              /* blocks begin so many rows before a multiple of tile_height; -1: from the first row made on */
    float border_scale;         /* border_value is this times the filter's: 1 but for sums of what is outside */
    bool spreads; /* blocks, all in one row, share the input's rows out among them (kernels/gpu/dialect/grid_stride.h) */
    bool in_place;              /* changes the picture that it reads: its result is picture[0] */
    enum gpu_need need;
    int32_t reach;
    int32_t aside, aside_step;  /* number of the image that only this pass writes and reads, -1 without: as many rows as it
                                   makes, rounded up to a multiple of aside_step */
    bool for_next;              /* makes a picture that the next pass reads beside its input, and needs the same rows of */
    int32_t beside, beside_more; /* number of the image that the pass before has made for this one so, -1 without; rows of it
                                    that are needed behind those */
    int32_t table_image;        /* number of the image that is read as a whole whatever rows are made, -1 without */
    int32_t *first_row;         /* owned; one for each row of the result */
    int32_t row_count;
    struct gpu_pass_table {
        void *data; /* owned */
        size_t size;
        size_t field; /* offset in the launch of the address that says where it lies */
    } table[GPU_TABLES + 1]; /* uploaded with the plan; the last place takes one too many, which fails the plan */
    int32_t table_count;
};

/* What the lowering of a node is given. */
struct gpu_node_context {
    const struct weft_typed_graph *typed;
    int32_t node;
    const struct weft_filter *filter;
    const void *block;           /* the plan's parameters: those that decide the plan */
    weft_image_info in, out;     /* of its input and result */
    int32_t table;               /* LOOKUP: the picture that is its second input */
    int32_t steps;               /* 255 or 65535 when the input's values are whole numbers of these steps, else 0 */
    int32_t between;             /* the type of images between its passes: TYPE_F32, unless the lowering says less */
    const struct gpu_limits *limits;
};

struct gpu_builder;

/* Adds the next pass of a context. The first one reads the filter's input; each further one reads what the one before it
 * makes, an image of `between` (width, height, channels) of the context's type, or what it has changed in place. The last one's
 * result is the filter's. `constants` are the
 * kernel's own, as in its variants. Fills in sizes, channels, border and its value, block, radii 0, tile 32 x 8, need
 * AROUND with reach 0; the lowering changes what it must. */
weft_status weft_gpu_pass_add(struct gpu_builder *builder, const struct gpu_node_context *context, const weft_image_info *between,
                              const char *kernel, const int32_t *constants, int32_t constant_count,
                              struct gpu_pass **pass, weft_error *error);

/* Why the unit's passes that follow have the kernels that they have, which `weft plan --explain` prints. */
void weft_gpu_explain(struct gpu_builder *builder, const char *why);

/* The pass of a context whose filter changes nothing: its pixels go on to the programs. */
weft_status weft_gpu_pass_add_point(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error);

/* Uploads data with the plan and has its address put into a field of the pass's launch, LAUNCH_FIELD(box.sums) say. The pass owns
 * it from now on. Without data, NULL, the field stays 0. More than GPU_TABLES of a pass fail the plan. */
#define LAUNCH_FIELD(member) offsetof(struct gpu_launch, member)
void weft_gpu_give_table(struct gpu_pass *pass, size_t field, void *data, size_t size);

/* Tells the kernel which of its code paths to take (kernels/gpu/dialect/code_path.h). */
void weft_gpu_choose_path(struct gpu_pass *pass, int32_t path);

/* Whether the context's filter reads an image of a type in memory and makes an image of the same type, and nothing else is done
 * on the way. For bytes: also what kernels require that read bytes as stored (kernels/gpu/dialect/packed.h). */
bool weft_gpu_is_direct(const struct gpu_builder *builder, const struct gpu_node_context *context, int32_t type);
/* The same where the image that it makes is of another type. */
bool weft_gpu_is_direct_between(const struct gpu_builder *builder, const struct gpu_node_context *context, int32_t from,
                                int32_t to);

/* Whether it does so, or only multiplies by alpha when a pixel is read and divides by it when it is written. */
bool weft_gpu_is_direct_but_alpha(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                  int32_t type);

/* Whether what the filter takes for places outside, where its border takes something, is a byte's value too. */
bool weft_gpu_border_is_byte(const struct gpu_node_context *context);

/* Gives the newest pass an image of bytes of its own, as high as its result and of so many bytes a row, that others neither
 * read nor write; rows in multiples of `step`. */
weft_status weft_gpu_put_aside(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_pass *pass,
                               int64_t row_bytes, int32_t step, weft_error *error);

/* The number of `picture` among the pass's images; -1 when there is no place for it. */
int32_t weft_gpu_image_slot(const struct gpu_builder *builder, struct gpu_pass *pass, int32_t picture);

/* Lowerings, by kind: each in its file. They add passes for context's filter. */
/* Of windows those of squares, and the guided filter of an image by itself. */
weft_status weft_gpu_lower_squares(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error);
weft_status weft_gpu_lower_guided(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error);
weft_status weft_gpu_lower_body(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error); /* stencil,
                                                                                                window, warp, lookup */
/* Where a pass is a stencil that can walk (kernels/gpu/stencil/walk.h) and nothing else: makes its launch that form's. */
bool weft_gpu_stencil_walks(const struct weft_filter *filter, const struct gpu_limits *limits, struct gpu_pass *pass);
/* Boxes of bytes as int8 tensor-core products. `radius`: of both axes. */
weft_status weft_gpu_lower_box_mma(struct gpu_builder *builder, const struct gpu_node_context *context, const int64_t *radius,
                                   weft_error *error);
/* Boxes too, where choose/box.c says so. */
weft_status weft_gpu_lower_separable(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error);
weft_status weft_gpu_lower_box(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error);
/* 3 x 3 windows of f32 as stored, in registers: whether the images fit that, and the pass, by a kernel with such constants. */
bool weft_gpu_fits_register_rows(const struct gpu_builder *builder, const struct gpu_node_context *context);
weft_status weft_gpu_add_register_rows(struct gpu_builder *builder, const struct gpu_node_context *context, const char *kernel,
                                       const int32_t *constants, int32_t count, weft_error *error);
weft_status weft_gpu_lower_extremum(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error);
weft_status weft_gpu_lower_rank(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error);
weft_status weft_gpu_lower_global(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error);
weft_status weft_gpu_lower_resample(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error);

#endif
