/* SPDX-License-Identifier: MIT
 * Whole images of a run that do not fit its memory: they lie in temporary files, mapped, and pages of them that are in
 * memory are given back when they come to more than the run may take. */
#ifndef CPU_SPILL_H
#define CPU_SPILL_H
#include "backend/cpu/pipeline/run.h"
#include "base/temporary.h"

struct spill {
    struct weft_temporary kept;    /* images between stages */
    struct weft_temporary *inputs; /* of the graph, where they are streams that are read whole */
    int32_t count;
    int statm;                     /* /proc/self/statm, or -1 */
    int64_t before, most;          /* bytes of files in memory: of the process when the run began, and of these at most */
    _Atomic int64_t touched;       /* since the last look */
};

/* Opens what the plan says that a run needs. NULL in run->spill: nothing. */
weft_status weft_spill_open(struct cpu_run *run, weft_error *error);
/* Puts input i, a stream, into a file; run->inputs[i] is an image then. */
weft_status weft_spill_input(struct cpu_run *run, int32_t i, weft_error *error);
/* To be called now and then, with how many bytes of these images have been read or written since: any thread may. */
void weft_spill_look(const struct cpu_run *run, int64_t bytes);
/* Gives all pages back. */
void weft_spill_release(const struct cpu_run *run);
/* What one part of one strip of run->stage reads and writes of these images, roughly. */
int64_t weft_spill_touches(const struct cpu_run *run);
void weft_spill_close(struct cpu_run *run);
/* Bytes that images of the plan take whole: its inputs and outputs. */
size_t weft_plan_image_bytes(const struct cpu_plan *plan);

#endif
