/* SPDX-License-Identifier: MIT
 * The list of all filters. The build makes it from the files under src/filters/. */
#ifndef FILTER_REGISTRY_H
#define FILTER_REGISTRY_H
#include "filter/filter.h"

/* In order of name, ended by NULL; made by the build. */
extern const struct weft_filter *const weft_registry[];
extern const int32_t weft_registry_count;

/* The place of one of weft's own filters in the registry; tables of bodies have the same order. */
int32_t weft_registry_index(const struct weft_filter *filter);

/* By name or alias, `length` bytes of it; NULL when there is none. */
const struct weft_filter *weft_registry_find(const char *name, size_t length);
/* The filter whose name is nearest, when it is nearer than *least; *least is then how far it is. Otherwise `before`. */
const struct weft_filter *weft_registry_nearer(const char *name, size_t length, const struct weft_filter *before,
                                               int32_t *least);
/* The filter of that role; every role is filled, a test sees to it. */
const struct weft_filter *weft_registry_role(enum weft_role role);
/* The parameter's index by name, -1 when there is none; and the nearest one, NULL when none is near. */
int32_t weft_parameter_find(const struct weft_filter *filter, const char *name, size_t length);
const struct weft_parameter *weft_parameter_nearest(const struct weft_filter *filter, const char *name, size_t length);

#endif
