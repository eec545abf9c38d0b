/* SPDX-License-Identifier: MIT
 * Rows in a settled order. Where a step reads an image and what a blur makes of it, the one looks at a row and the other at rows
 * around it. If the first asks first, the image's rows are made from that row on, and then again from above it, and so at every
 * step of a chain: rings that hold it all grow with the length of the chain. In a stage that is `ordered` a step has what it reads
 * made beforehand, from the last of the steps that it reads to the first, each from top to bottom: then every step makes its
 * rows once, one after the other, and rings hold what one row reads. */
#ifndef CPU_SETTLE_H
#define CPU_SETTLE_H
#include "backend/cpu/pipeline/pipeline.h"

/* Whether every step of a stage reads the same rows around each of its own, so that its rows can be made in this order; and how
 * many rows each ring then takes, in rings[]. made[] has room for two numbers of each step. */
bool weft_settled_rings(const struct stage *stage, int64_t *rings, int64_t *made);

#endif
