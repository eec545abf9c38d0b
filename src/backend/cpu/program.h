/* SPDX-License-Identifier: MIT */
#ifndef CPU_PROGRAM_H
#define CPU_PROGRAM_H
#include "backend/cpu/pipeline.h"

/* Adds the point program of all nodes n with group[n] == root; step_of[i] makes the f32 rows of each node i outside it
 * that it reads. */
weft_status weft_lower_program(struct builder *b, int32_t root, const int32_t *group, const int32_t *step_of,
                               const struct weft_body *const *bodies, int32_t *result, weft_error *error);

/* The nodes that a program step runs, in order; none for other steps. nodes has room for WEFT_PROGRAM_NODES. */
void weft_program_nodes(const struct step *step, int32_t *nodes, int32_t *count);

/* lower_source.c */
struct whole;
weft_status weft_lower_source(struct builder *b, const struct whole *whole, enum weft_row_type type, int32_t *result,
                              weft_error *error);
weft_status weft_lower_store(struct builder *b, int32_t input, int32_t output, weft_error *error);
weft_status weft_lower_keep(struct builder *b, int32_t input, int32_t node, weft_error *error);
int32_t weft_source_input(const struct step *step);
int32_t weft_sink_output(const struct step *step);

#endif
