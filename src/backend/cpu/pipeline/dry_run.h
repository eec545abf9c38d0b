/* SPDX-License-Identifier: MIT
 * A dry run of a stage, without pixels: for each part of its height, which rows of each step are asked for and which are made. */
#ifndef CPU_DRY_RUN_H
#define CPU_DRY_RUN_H
#include "backend/cpu/pipeline/pipeline.h"

struct interval {
    int64_t low, high; /* empty when low > high */
};

struct walk {
    const struct stage *stage;
    struct interval *now;    /* asked of each step in this part */
    struct interval *before; /* in the part before */
    struct interval *made;   /* rows of each step that this part makes; a sink's are those that it consumes */
    /* of each step in this part: the lowest row that may be asked for where no ring holds rows of the parts before. Where readers
     * of a step are far apart, the rows between them were never made, and they take turns to fill its ring and those before it */
    int64_t *lowest;
    /* the sizes of rings are known: rows that a ring holds are not made again. Rows that a step folds into its state count as asked
     * for in the part where the fold begins */
    bool kept;
    bool late;               /* rows that may be read later are */
    int64_t fold_begins;     /* the last part in which a step that folds began: it then reads back as far as its window reaches */
    int32_t strip, strips;   /* only sinks with columns in this strip of so many ask for rows; 0 strips: all do */
};

/* Whether a sink has columns in a strip. */
bool weft_sink_in_strip(const struct step *step, int32_t strip, int32_t strips);

weft_status weft_walk_open(struct walk *walk, const struct stage *stage, weft_error *error);
void weft_walk_close(struct walk *walk);
/* Forgets what was made. */
void weft_walk_restart(struct walk *walk);
void weft_walk_part(struct walk *walk, int64_t part);

void weft_interval_extend(struct interval *interval, int64_t low, int64_t high);
/* Rows of input i that row v of the step reads, where v may lie beyond the image (wrap). */
struct interval weft_step_reads(const struct stage *stage, const struct step *step, int32_t i, int64_t v);

#endif
