/* SPDX-License-Identifier: MIT
 * One row of a box filter, as it is passed between the sums down the columns and what is made of them. */
#ifndef CPU_BOX_H
#define CPU_BOX_H
#include "backend/cpu/steps/halo.h"
#include "kernels/cpu/box/box.h"

struct box {
    int64_t radius_x, radius_y; /* with constant and shrink no larger than the image */
    double window;              /* pixels in the rectangle, all of it */
    weft_border border;
    enum weft_box_sums sums;
    enum weft_row_type in;
    bool down;
    uint16_t factor; /* 1 / window in 2^-(16 + shift), where that is exact enough for box_line_few; otherwise 0 */
    int shift;
    bool few_u16; /* whether sums of u16 go by box_line_few_u16 */
};

/* The pieces of a lane's memory. */
struct box_pieces {
    double *inside, *share;       /* of each output column near an edge: columns inside, and the factor of its mean */
    float *zeros;                 /* a row that is not there */
    char *line, *spare[2], *sums; /* line: of plane k at line + k * line_bytes, pads and all; sums: along the row */
    char *running, *ends;         /* f32: of plane k the running sums, at doubles_bytes * k; and of the end of a block */
    char *blocks;                 /* f32, per plane: window + 1 rows of row_bytes, the last of which stays 0 */
    size_t line_bytes, row_bytes, doubles_bytes;
};

struct box_memory {
    bool valid;
    int64_t last; /* the row that was made last */
    struct box_pieces pieces;
};

/* Bytes of a sum down a column, and of one along a row. */
static inline size_t box_column_size(const struct box *box) {
    return box->sums == WEFT_BOX_U16 ? sizeof(uint16_t) : sizeof(uint32_t);
}
static inline size_t box_sum_size(const struct box *box) {
    return box->sums == WEFT_BOX_U64 ? sizeof(uint64_t) : sizeof(uint32_t);
}
static inline bool box_has_zeros(const struct box *box) {
    return box->border == WEFT_BORDER_CONSTANT || box->border == WEFT_BORDER_SHRINK;
}

/* One row's work, as it is passed along. */
struct box_row {
    struct lane *lane;
    const struct step *step;
    const struct box *box;
    struct box_pieces p;
    int64_t y, first, end;      /* the row, and the columns of the output */
    int64_t in_first, in_count; /* the columns of the input that it reads; all in pixels where rows are interleaved */
};

/* Lays out the memory of a step whose strips have up to `columns`, in `memory` unless NULL; returns its size. */
size_t weft_box_lay_out(const struct step *step, int64_t columns, char *memory, struct box_pieces *p);
/* The sums of the columns around row y, integers of all planes to w->p.line; goes_on: row y - 1 was the last. */
void weft_box_slide(const struct box_row *w, bool goes_on);
/* The same for numbers, in three parts: before the first plane, for a plane, and after the last. */
void weft_box_catch_up(const struct box_row *w);
void weft_box_join(const struct box_row *w, const struct row *last, int32_t k);
void weft_box_end_row(const struct box_row *w);
/* Row v of the input, plane[0] NULL where there is none. */
struct row weft_box_fetch(const struct box_row *w, int64_t v);

#endif
