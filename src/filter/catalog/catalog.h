/* SPDX-License-Identifier: MIT
 * Filters by name in a catalog of the program's and among weft's own. */
#ifndef FILTER_CATALOG_H
#define FILTER_CATALOG_H
#include "filter/filter.h"
#include "weft/custom.h"

/* `length` bytes of a name or alias; NULL when there is none, or none near. `catalog` may be NULL. */
const struct weft_filter *weft_catalog_lookup(const weft_catalog *catalog, const char *name, size_t length);
const struct weft_filter *weft_catalog_nearest(const weft_catalog *catalog, const char *name, size_t length);

/* A word of graph text that stands where a filter may and is none, as WEFT_COLOR_PROFILE; no filter has their names. */
#define WEFT_SPLIT_WORD "split"

/* Take and drop a reference to a catalog (NULL is allowed) while a graph points to its filters. */
void weft_catalog_hold(const weft_catalog *catalog);
void weft_catalog_leave(const weft_catalog *catalog);

#endif
