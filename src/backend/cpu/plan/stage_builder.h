/* SPDX-License-Identifier: MIT
 * One stage in the making: what compile.c and node.c share. */
#ifndef CPU_MAKING_H
#define CPU_MAKING_H
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/run.h"

struct making {
    struct builder b;
    struct cpu_plan *plan;
    int32_t stage;
    bool *member;
    int32_t *group;
    int32_t *native, *f32; /* of each node: the step that makes its rows as they are, or as f32; -1 */
};

/* The step that makes the rows of node n: native keeps integers where n has them. */
weft_status weft_rows_of(struct making *m, int32_t n, bool native, int32_t *step, weft_error *error);
/* Adds the steps of node n, in the form that suits it. */
weft_status weft_lower_node(struct making *m, int32_t n, weft_error *error);
/* node.c: true when an integer result of node n goes to images of that type and nowhere else. */
bool weft_only_stored(const struct making *m, int32_t n);
/* extremum_unions.c: the program that joins extremum n and others of its kind, into which it goes; -1 where none is. */
int32_t weft_union_of(const struct making *m, int32_t n);
/* Such a program as one step; *result is -1 for other programs. */
weft_status weft_lower_joined(struct making *m, int32_t root, int32_t *result, weft_error *error);

#endif
