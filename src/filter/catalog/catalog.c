/* SPDX-License-Identifier: MIT
 * Catalogs of the program's own filters. */
#include "filter/catalog/catalog.h"
#include <string.h>
#include "base/reference_count.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "filter/catalog/custom.h"
#include "filter/catalog/registry.h"

struct weft_catalog {
    struct weft_custom **filters; /* each by itself: graphs point at them */
    int32_t count, capacity;
    weft_reference_count holders; /* graphs beside the caller */
};

const struct weft_filter *weft_catalog_lookup(const weft_catalog *catalog, const char *name, size_t length) {
    for (int32_t i = 0; catalog && i < catalog->count; i++) {
        const struct weft_filter *filter = &catalog->filters[i]->filter;
        if (strlen(filter->info.name) == length && memcmp(filter->info.name, name, length) == 0)
            return filter;
    }
    return weft_registry_find(name, length);
}

const struct weft_filter *weft_catalog_nearest(const weft_catalog *catalog, const char *name, size_t length) {
    int32_t least = WEFT_TEXT_FAR;
    const struct weft_filter *nearest = NULL;
    for (int32_t i = 0; catalog && i < catalog->count; i++) {
        const struct weft_filter *filter = &catalog->filters[i]->filter;
        int32_t distance = weft_text_distance(name, length, filter->info.name, strlen(filter->info.name));
        if (distance < least)
            least = distance, nearest = filter;
    }
    return weft_registry_nearer(name, length, nearest, &least);
}

weft_status weft_catalog_create(weft_catalog **catalog, weft_error *error) {
    if (!catalog)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "catalog is NULL");
    *catalog = weft_allocate(1, sizeof **catalog);
    return *catalog ? WEFT_OK : weft_fail_memory(error, sizeof **catalog, "a catalog");
}

void weft_catalog_hold(const weft_catalog *catalog) {
    if (catalog)
        weft_reference_count_add(&((weft_catalog *)(uintptr_t)catalog)->holders);
}

void weft_catalog_leave(const weft_catalog *catalog) {
    weft_catalog *c = (weft_catalog *)(uintptr_t)catalog;
    if (!c || !weft_reference_count_drop(&c->holders))
        return;
    for (int32_t i = 0; i < c->count; i++)
        weft_custom_destroy(c->filters[i]);
    weft_free(c->filters);
    weft_free(c);
}

void weft_catalog_destroy(weft_catalog **catalog) {
    if (!catalog || !*catalog)
        return;
    weft_catalog_leave(*catalog);
    *catalog = NULL;
}

weft_status weft_catalog_add(weft_catalog *catalog, const weft_custom_filter *filter, weft_error *error) {
    struct weft_custom *made;
    if (!catalog || !filter)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s is NULL", catalog ? "filter" : "catalog");
    weft_status status = weft_custom_check(filter, error);
    if (status != WEFT_OK)
        return status;
    if (weft_catalog_lookup(catalog, filter->name, strlen(filter->name))) {
        weft_fail(error, WEFT_ERROR_ARGUMENT, "there is a filter '%s' already: choose another name", filter->name);
        weft_error_at(error, -1, filter->name, NULL);
        return WEFT_ERROR_ARGUMENT;
    }
    if (catalog->count == catalog->capacity) {
        int32_t capacity = catalog->capacity < INT32_MAX / 4 ? catalog->capacity * 2 + 8 : catalog->capacity;
        struct weft_custom **filters = NULL;
        if (capacity > catalog->capacity)
            filters = weft_reallocate(catalog->filters, (size_t)capacity, sizeof *filters);
        if (!filters)
            return weft_fail_memory(error, (size_t)capacity * sizeof *filters, "a catalog");
        catalog->filters = filters, catalog->capacity = capacity;
    }
    status = weft_custom_make(filter, &made, error);
    if (status == WEFT_OK)
        catalog->filters[catalog->count++] = made;
    return status;
}

const weft_filter_info *weft_catalog_find(const weft_catalog *catalog, const char *name) {
    const struct weft_filter *filter = name ? weft_catalog_lookup(catalog, name, strlen(name)) : NULL;
    return filter ? &filter->info : NULL;
}
