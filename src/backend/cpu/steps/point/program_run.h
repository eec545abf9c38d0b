/* SPDX-License-Identifier: MIT
 * A program on its way through a row, as running it by chunks and making tables of it see it. */
#ifndef CPU_PROGRAM_RUN_H
#define CPU_PROGRAM_RUN_H
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/point/program.h"

/* Temporaries, a row of ones, then four planes for each input: what is loaded by the chunk. Then what
 * the program's form keeps. */
static inline size_t weft_program_planes_size(const struct step *step) {
    const struct program *program = step->data;
    return ((size_t)program->temporaries + 1 + (size_t)step->input_count * 4) * (size_t)program->chunk * sizeof(float);
}

/* What stays the same for all chunks of a row. */
struct program_context {
    struct lane *lane;
    const struct step *step;
    float *temporaries, *ones, *loaded;
    bool margin; /* the last filter, one with two results, outputs its decision value instead of a color */
    struct row inputs[WEFT_STEP_INPUTS]; /* at the step's first column; of a source loaded by the chunk, its pixels */
    int64_t y, first;
};

/* program_run.c: pulls the rows of the inputs. */
void weft_program_begin(struct program_context *c, struct lane *lane, const struct step *step, int64_t y);
/* Pixels x .. x + count - 1 of the row, from the step's first column, into out[k]; inputs that come by the chunk are
 * loaded already. */
void weft_program_run_loaded(const struct program_context *c, int64_t x, int count, float *const *out);

/* How a program is run that is not run filter by filter (choose/point.c). */
struct program_form {
    size_t state_size; /* bytes of its own in a lane */
    /* Row y from image to image; false where the program is to be run as it is. The rest is as in weft_program_store.
     */
    bool (*store)(struct lane *lane, const struct step *step, int64_t y, float *planes, unsigned char *pixels,
                  bool past_caches);
    /* Or the same as weft_program_run_loaded, from an image whose pixels have not been loaded. */
    void (*run)(const struct program_context *c, int64_t x, int count, float *const *out);
};
/* program_bytes.c, program_packed.c, program_threshold.c */
extern const struct program_form weft_program_byte_tables, weft_program_float_tables, weft_program_matrix,
    weft_program_packed, weft_program_threshold_u16, weft_program_threshold_f32;

/* program_packed.c: whether a program's filter takes whole pixels of four bytes, and all that it reads are such. */
bool weft_program_takes_packed(const struct stage *stage, const struct step *step);

#endif
