/* SPDX-License-Identifier: MIT
 * The fixed order of rows, for long chains that fork and join again.
 *
 * A step that joins an image with a blur of it reads one row of the image and several rows of the blur. By default a step asks
 * for a row when it needs it. The image's rows are then asked for twice, from different places, and the rings that serve both grow
 * with the length of the chain. In a stage that is `ordered` (pipeline.h) a step first has all rows made that it reads: the inputs
 * from the last step to the first, the rows of each from top to bottom. Each step then makes its rows once, one after the other,
 * and a ring holds only what one row of its readers reads. */
#ifndef CPU_ROW_ORDER_H
#define CPU_ROW_ORDER_H
#include "backend/cpu/pipeline/pipeline.h"

/* How many rows each ring takes in the fixed order, in rings[]. made[] has room for two numbers of each step. False where the
 * order is not possible. The result is valid where weft_reads_evenly holds. */
bool weft_fixed_order_rings(const struct stage *stage, int64_t *rings, int64_t *made);

/* Whether every step reads the same rows around each of its own, cut off at the edges. Looks at all rows of all steps. */
bool weft_reads_evenly(const struct stage *stage);

#endif
