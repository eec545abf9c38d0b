/* SPDX-License-Identifier: MIT
 * A filter of the program's own as the library keeps it: a descriptor like all others, and a body that calls the program's
 * function. */
#ifndef FILTER_CUSTOM_H
#define FILTER_CUSTOM_H
#include "filter/filter.h"
#include "kernels/rows.h"
#include "weft/custom.h"

struct weft_custom {
    struct weft_filter filter;
    struct weft_body body;    /* for the CPU; its `user` is this struct */
    weft_custom_filter given; /* the functions, radius and user; its pointers to texts and parameters are not kept */
    struct weft_parameter *parameters;
    char **texts; /* that the descriptor points at */
    int32_t text_count;
};

/* Says what is wrong with a description by itself. */
weft_status weft_custom_check(const weft_custom_filter *filter, weft_error *error);
/* A filter of a description that is right. */
weft_status weft_custom_make(const weft_custom_filter *filter, struct weft_custom **custom, weft_error *error);
void weft_custom_destroy(struct weft_custom *custom);

#endif
