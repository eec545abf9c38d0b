/* SPDX-License-Identifier: MIT
 * The ladder of programs of point filters: what they come to where one value, one byte or a weighted sum decides, else
 * filter by filter in f32. */
#include "backend/cpu/choose/point.h"

static bool is_threshold(const struct cpu_point_case *p, weft_type type) {
    return p->binary && p->in_channels == 1 && p->channels == 1 && p->in == type && p->made == type;
}
static bool fits_threshold_u16(const void *facts) {
    const struct cpu_point_case *p = facts;
    return is_threshold(p, WEFT_U16) && !p->in_place;
}
/* One filter only: sums of several may be NaN where the value is infinite, which is neither side of a threshold. */
static bool fits_threshold_f32(const void *facts) {
    const struct cpu_point_case *p = facts;
    return is_threshold(p, WEFT_F32) && p->in_place && p->filters == 1 && p->kernels->threshold_f32_past_caches;
}
static bool reads_bytes(const struct cpu_point_case *p) { return p->in == WEFT_U8 && !p->in_place; }
static bool fits_byte_tables(const void *facts) {
    const struct cpu_point_case *p = facts;
    return p->made == WEFT_U8 && reads_bytes(p) && p->apart && p->in_channels == p->channels &&
           p->filters >= p->kernels->byte_table_filters && !(p->affine && p->kernels->matrix_first);
}
static bool fits_matrix(const void *facts) {
    const struct cpu_point_case *p = facts;
    return p->made == WEFT_U8 && reads_bytes(p) && (p->affine || p->binary) && p->filters >= p->kernels->matrix_filters;
}
static bool fits_packed(const void *facts) {
    const struct cpu_point_case *p = facts;
    return p->made == WEFT_U8 && p->packed;
}
static bool fits_float_tables(const void *facts) {
    const struct cpu_point_case *p = facts;
    return reads_bytes(p) && p->apart && (p->in_channels == p->channels || p->in_channels == 1) &&
           p->filters >= p->kernels->float_table_filters;
}

static const struct weft_rung rungs[] = {
    {CPU_POINT_THRESHOLD_U16, "threshold_u16", "one channel of 16 bits that becomes one of two values: a threshold",
     fits_threshold_u16},
    {CPU_POINT_THRESHOLD_F32, "threshold_f32_past_caches",
     "one channel of f32 that becomes one of two values: a threshold", fits_threshold_f32},
    {CPU_POINT_BYTE_TABLES, "bytes_map", "bytes of bytes, component by component: tables of 256 bytes",
     fits_byte_tables},
    {CPU_POINT_MATRIX, "matrix_map", "bytes of bytes, weighted sums of components: one matrix", fits_matrix},
    {CPU_POINT_PACKED, "weft_body", "one filter of pixels of four bytes: whole pixels", fits_packed},
    {CPU_POINT_FLOAT_TABLES, "bytes_to_floats", "bytes, component by component: tables of 256 floats",
     fits_float_tables},
    {CPU_POINT_FILTERS, "weft_body", "filter by filter, in f32", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_point(const struct cpu_point_case *point) {
    return weft_first_that_fits(rungs, point);
}
