/* SPDX-License-Identifier: MIT
 * A GPU plan and what it is made with. The steps, a file each: partition (which unit computes which node), stored_nodes (what
 * is kept in memory, and as what), passes (the passes of each unit), bands (which rows when), arena (what lies where in device
 * memory), transfer (copies to and from the device), launch (launch records and command lists). compile calls them; run/ runs
 * the plan. */
#ifndef BACKEND_GPU_PLAN_H
#define BACKEND_GPU_PLAN_H
#include <pthread.h>
#include "backend/gpu/gpu.h"
#include "backend/gpu/pass/builder.h"

/* destroy.c: frees what the builder holds. */
void weft_gpu_builder_clear(struct gpu_builder *builder);

/* partition.c: units, stores and fused reductions of all stages, and their passes. */
weft_status weft_gpu_partition(struct gpu_builder *builder, weft_error *error);

/* stored_nodes.c: the steps of all nodes. */
void weft_gpu_find_steps(struct gpu_builder *builder);
/* TYPE_* that a node is stored as between passes. */
int32_t weft_gpu_stored_type(const struct gpu_builder *builder, int32_t node);
/* Adds the stores of a node's value. Inputs of the graph are in memory already. */
weft_status weft_gpu_add_stores(struct gpu_builder *builder, int32_t node, int32_t stage, weft_error *error);

/* passes.c: the passes of a unit: loads, lowering. */
weft_status weft_gpu_unit_passes(struct gpu_builder *builder, int32_t unit, weft_error *error);
/* Rows first .. end - 1; none when first == end. */
struct gpu_rows {
    int64_t first, end;
};

/* Where a picture lies in the arena during a stage: `slots` places that bands take turns at. */
struct gpu_place {
    size_t offset[2];
    int32_t slots; /* 0: not in memory in this stage */
    int64_t pitch, rows;
};

/* Launches that kernels read from memory are there so many times, and runs take turns at them: the next run is there when one
 * ends. */
#define GPU_FRAME_SLOTS 4

/* What a band of a stage needs and makes. */
struct gpu_band {
    struct gpu_rows *rows; /* of each picture: what must be there */
    struct gpu_rows *made; /* of each pass of the stage: rows of its result */
    struct gpu_list *lists[GPU_FRAME_SLOTS]; /* alike but for where their launches lie: one for each frame slot */
};

/* A piece of an image on its way between the host and a band's place for it. */
struct gpu_transfer {
    int32_t picture;
    int64_t first, rows;
    int32_t half;     /* of the staging memory of its direction; -1: within the device, from the place of the band before */
    size_t staged;    /* where it is in staging memory */
    struct gpu_list *list;
};

struct gpu_stage {
    int32_t first_pass, pass_count;
    int32_t band_count;
    struct gpu_band *bands;
    struct gpu_place *places; /* of each picture */
    struct gpu_transfer *uploads, *downloads;
    int32_t upload_count, download_count;
    int32_t *upload_first, *download_first; /* of each band, where its transfers begin; band_count + 1 of them */
    size_t end; /* of what it takes of the arena */
};

/* Values of reductions that go to the caller: where in a slot of staging memory. */
struct gpu_value {
    int32_t picture;
    size_t staged;
};
/* Slots for values, which runs use one after another, in so much memory at most: the runs that may be under way at a time. */
#define GPU_VALUE_SLOTS 16
#define GPU_VALUE_BYTES ((size_t)1 << 20)

/* A launch in launch memory. */
struct gpu_launch_record {
    int32_t pass, stage, band; /* pass -1: made by the plan, but for where numbers go; band -1: only the pass's parameters */
    bool for_host;             /* image 1 is numbers, which go to a slot, at `staged` in it */
    size_t staged;
    size_t offset; /* in the launch memory of a frame slot */
};

struct gpu_plan {
    struct gpu_device *device;
    struct gpu_builder b;
    int32_t stage_count;
    struct gpu_stage *stages;
    bool keeps_inputs;        /* inputs are uploaded once, for all stages */
    bool streams;             /* rows of inputs are needed once, from top to bottom */
    int64_t *pulled;          /* of each input: rows that this run has got from its stream */
    struct gpu_memory arena, staging, launches;
    size_t arena_size, staging_half; /* of staging: two halves for uploads, two for downloads, then slots of numbers */
    struct gpu_value *values; /* of a slot */
    int32_t value_count, value_capacity;
    size_t values_at, values_size;   /* where slots begin, and what one takes */
    int32_t slots, slot;               /* how many there are, and the next run's */
    struct gpu_delivery *deliveries;   /* of each slot (values.h) */
    weft_run_output *delivered;        /* theirs */
    size_t *bound;            /* of each pass: where its parameter blocks lie in the arena, SIZE_MAX when in its launch */
    size_t *table[GPU_TABLES];/* of each pass: where its tables lie in the arena */
    struct gpu_list *clear;   /* makes the tables of histograms zero; NULL without any */
    bool is_clear;            /* they are: the last run has come to its end */
    const struct gpu_kernel *bind, *join; /* kernels of the plan's own, where it has numbers to put in and to join */
    struct gpu_launch_record *records;
    int32_t record_count, record_capacity;
    int32_t frame_slots, frame_slot; /* how many there are, and the next run's */
    size_t frame_slot_size;         /* of launch memory */
    pthread_mutex_t lock;     /* a plan runs once at a time: its memory is there once */
    bool has_lock;
    struct gpu_point last[GPU_FRAME_SLOTS]; /* of the run before, in each frame slot */
    struct gpu_point latest;  /* of the run before */
};

static inline const struct gpu_driver *weft_gpu_driver(const struct gpu_plan *plan) {
    return ((const struct gpu_device_base *)(const void *)plan->device)->driver;
}

/* bands.c: cuts a stage into `count` bands: fills in rows and made of stage->bands. */
void weft_gpu_cut(const struct gpu_builder *builder, struct gpu_stage *stage, int32_t index);
weft_status weft_gpu_bands_create(const struct gpu_builder *builder, struct gpu_stage *stage, int32_t count,
                                  weft_error *error);
void weft_gpu_bands_clear(struct gpu_stage *stage);

/* arena.c: what lies where; chooses the number of bands so that it fits. */
weft_status weft_gpu_arrange(struct gpu_plan *plan, weft_error *error);

/* launch.c: the blocks of a pass that makes these rows; *walk, when wanted, gets the rows that a walking block makes. */
void weft_gpu_grid(const struct gpu_plan *plan, const struct gpu_pass *pass, struct gpu_rows made, uint32_t *grid,
                   int32_t *walk);
/* The launches and the lists of commands. */
weft_status weft_gpu_record(struct gpu_plan *plan, weft_error *error);
/* The address of row 0 of a picture in a band, whether or not that row is there. */
uint64_t weft_gpu_address(const struct gpu_plan *plan, int32_t stage, int32_t band, int32_t picture);
int64_t weft_gpu_row_bytes(const struct gpu_picture *picture);

/* transfer.c: the pieces in which images go up and down. */
weft_status weft_gpu_transfers(struct gpu_plan *plan, weft_error *error);

#endif
