/* SPDX-License-Identifier: MIT
 * Results of reductions. Each tile of a stage has a place of its own for each reducing step, so that no lock is needed
 * and the outcome does not depend on which thread did what; the places are merged in the order of tiles when the stage
 * ends. */
#ifndef CPU_REDUCTION_H
#define CPU_REDUCTION_H
#include "backend/cpu/pipeline/pipeline.h"

/* A tile's partial result is `bins` doubles per plane (histogram: counts; sum, mean: the sum; min, max: the value). */
double *weft_lane_partial(struct lane *lane, const struct step *step);
/* Bytes of one partial result of the step. */
size_t weft_reduction_size(const struct step *step);
/* Sets a partial result, or a total, to the neutral element. */
void weft_reduction_clear(const struct step *step, double *partial);
void weft_reduction_clear_total(const struct step *step, double *total);
/* Brings a partial result, to which nothing comes any more, into the form that merges: where a histogram counts in
 * several tables, the first gets all. A total has that form from the beginning. */
void weft_reduction_close(const struct step *step, double *partial);
/* Adds a closed partial result to a total. */
void weft_reduction_merge(const struct step *step, double *total, const double *other);
/* Turns the total of a stage into the result: numbers as the node's image holds them, component by component, pixel by
 * pixel (mean divided by the pixels, integer types scaled to [0, 1], counts as they are). */
void weft_reduction_finish(const struct step *step, const double *total, double *numbers);

#endif
