/* SPDX-License-Identifier: MIT
 * The forms of dilation and erosion: by rows in the input's ring, by three of these rows in one loop, and by blocks of rows; and
 * what they share. */
#ifndef CPU_EXTREMUM_H
#define CPU_EXTREMUM_H
#include "backend/cpu/steps/halo.h"

struct extremum {
    int64_t radius_x, radius_y, window_y;
    weft_border border;
    bool maximum;
};

/* A lane's memory, all in one piece: this, then rows of `stride` bytes. */
struct extremum_rows {
    size_t stride;
    char *line, *spare, *outside, *blocks; /* blocks: per plane the prefix, then the rows of a block */
};
struct extremum_memory {
    bool valid;   /* with blocks the rows are */
    int64_t last; /* the row that was made last */
    struct extremum_rows rows;
    int64_t first, end; /* columns that are read */
};

/* extremum_direct.c, extremum_blocks.c */
extern const struct step_kind weft_extremum_direct, weft_extremum_square, weft_extremum_blocks;

/* extremum_along.c: rows and columns of input that an output needs. */
void weft_extremum_rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last);
void weft_extremum_columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end);
/* Bytes of a row of a lane's memory; of all of it without blocks; and its beginning. */
size_t weft_extremum_stride(const struct step *step, int64_t columns);
size_t weft_extremum_size(const struct step *step, int64_t columns, int64_t in_columns);
void weft_extremum_begin(struct lane *lane, const struct step *step);

/* wrap: along x, from the whole line, around whose columns the image goes on: the radius is at most half the width, and all of it
 * is there. */
void weft_extremum_finish(struct lane *lane, const struct step *step, const struct extremum_memory *memory, void *out);

/* Makes extrema down the columns of `count` elements of a row, from number `first` of those that are read on. */
typedef void extremum_down(struct lane *lane, const struct step *step, const void *row, int64_t first, int64_t count,
                           void *out);
/* A row down and then along, piece by piece; not for wrap. Columns that two pieces see are made for both. */
void weft_extremum_run_pieces(struct lane *lane, const struct step *step, extremum_down *down, const void *row,
                              char *out);

#endif
