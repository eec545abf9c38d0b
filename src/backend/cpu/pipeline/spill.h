/* SPDX-License-Identifier: MIT
 * Whole images of a run that do not fit its memory. They lie in mapped temporary files; when their pages in memory exceed what the
 * run may take, they are given back to the system. */
#ifndef CPU_SPILL_H
#define CPU_SPILL_H
#include "backend/cpu/pipeline/run.h"
#include "base/temporary.h"

struct spill {
    struct weft_temporary kept;    /* images between stages */
    struct weft_temporary *inputs; /* of the graph, where they are streams that are read whole, in rows */
    struct weft_temporary *tiled;  /* and in tiles */
    struct weft_temporary rings;   /* run->strips, where that is there */
    int32_t count;
    int statm;                     /* /proc/self/statm, or -1 */
    int64_t most;                  /* bytes of these files in memory, at most; runs begin to give back before */
    int64_t look;                  /* bytes between two looks at what is in memory */
    _Atomic int64_t touched;       /* since the last look */
};

/* Opens what the plan says that a run needs. NULL in run->spill: nothing. */
weft_status weft_spill_open(struct cpu_run *run, weft_error *error);
/* Puts run->strips, of so many bytes, into a file; it goes with weft_spill_end_rings. */
weft_status weft_spill_rings(struct cpu_run *run, size_t size, weft_error *error);
void weft_spill_end_rings(struct cpu_run *run);
/* Whether so many bytes of rings are better put there. */
static inline bool weft_rings_apart(const struct cpu_plan *plan, size_t size) {
    return plan->typed->memory > 0 && size > plan->typed->memory / 4;
}
/* Puts input i, a stream, into a file; run->inputs[i] is an image then. */
weft_status weft_spill_input(struct cpu_run *run, int32_t i, weft_error *error);
/* To be called now and then, with how many bytes of these images have been read or written since: any thread may. */
void weft_spill_look(const struct cpu_run *run, int64_t bytes);
/* About how many bytes of these images one part of one strip of run->stage writes, and reads at any place. Rows that steps read are
 * counted when they are fetched, since one part may fetch all rows of the image. */
int64_t weft_spill_touches(const struct cpu_run *run);
void weft_spill_close(struct cpu_run *run);
/* Bytes that images of the plan take whole: its inputs and outputs. */
size_t weft_plan_image_bytes(const struct cpu_plan *plan);

#endif
