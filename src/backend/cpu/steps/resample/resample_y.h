/* SPDX-License-Identifier: MIT
 * What the two forms of resampling along y share. */
#ifndef CPU_RESAMPLE_Y_H
#define CPU_RESAMPLE_Y_H
#include "backend/cpu/steps/resample/resample.h"

/* How input rows are added into the output rows that they reach, in order, each fetched once. At most `slots` outputs
 * are begun and not finished at a time. */
struct resample_fold {
    int32_t slots;  /* 0: not this form */
    bool precise;   /* sums of so many rows that they are made in two steps */
    int64_t *first; /* the first row to add for output y and all after it: never decreases */
    int64_t *last;  /* the last one to add before y is finished: never decreases */
    int64_t low;    /* input row r is in the outputs reach[start[r - low]] .. reach[start[r - low + 1]], ascending, */
    size_t *start;
    int32_t *reach;
    float *weight; /* with these weights */
};

struct resample_y {
    struct resample_table table;
    float *scale; /* of the border value, per column; NULL for 1 */
    struct resample_fold fold;
};

/* The row that stands for rows outside (border=constant), in the step's state: made once per tile. */
struct resample_outside {
    bool made;
    float row[];
};
const float *weft_resample_outside(struct lane *lane, const struct step *step, struct resample_outside *outside);
size_t weft_resample_outside_size(const struct step *step, int64_t columns); /* 0 where none is needed */

void weft_resample_y_rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last);

/* resample_fold.c: makes data->fold where it is the better form. */
weft_status weft_resample_fold(struct resample_y *data, weft_error *error);
void weft_resample_unfold(struct resample_y *data);
void weft_resample_fold_rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last);
size_t weft_resample_fold_state(const struct step *step, int64_t columns, int64_t in_columns);
void weft_resample_fold_run(struct lane *lane, const struct step *step, int64_t y, const struct row *out);

#endif
