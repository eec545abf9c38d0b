/* SPDX-License-Identifier: MIT
 * The two ends of a stage: steps that read images (source.c), and steps that write them (sink.c). */
#ifndef CPU_SOURCE_SINK_H
#define CPU_SOURCE_SINK_H
#include "backend/cpu/pipeline/whole_image.h"

/* source.c */
/* Rows y .. y + count - 1 of a source step whose rows are the image's own memory. */
void weft_source_rows(const struct lane *lane, const struct step *step, int64_t y, int32_t count, struct row *rows);
/* Bytes from one of its rows to the next. */
ptrdiff_t weft_source_stride(const struct lane *lane, const struct step *step);
/* One such row. It does not call the function above, which writes pointers one by one: loading them from there as a vector would
 * stall. */
struct row weft_source_row(const struct lane *lane, const struct step *step, int64_t y);
/* interleaved: rows of whole pixels, of the image's own type. */
weft_status weft_lower_source(struct builder *b, const struct whole *whole, enum weft_row_type type, bool interleaved,
                              int32_t *result, weft_error *error);
int32_t weft_source_input(const struct step *step);
/* What such an input is made of; for other steps 0. */
weft_type weft_source_type(const struct step *step);
/* lookup.c: the graph's input that is the table of a step, -1 for other steps and tables. */
int32_t weft_lookup_input(const struct step *step);
/* Loads pixels x .. x + count - 1 of a row that weft_source_row gave into planes `stride` floats apart. */
void weft_source_load(const struct lane *lane, const struct step *step, const struct row *row, int64_t x, int count,
                      float *planes, size_t stride);

/* sink.c */
weft_status weft_lower_store(struct builder *b, int32_t input, int32_t output, weft_error *error);
weft_status weft_lower_keep(struct builder *b, int32_t input, int32_t node, weft_error *error);
int32_t weft_sink_output(const struct step *step);
/* What such an output is made of; for other steps 0. */
weft_type weft_sink_type(const struct step *step);
/* Marks the steps of a finished stage that write straight to an output. */
void weft_sinks_take(struct stage *stage);

#endif
