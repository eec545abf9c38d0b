/* SPDX-License-Identifier: MIT
 * Looking filters and parameters up by name, and the public view of the catalogue. The list itself is made by the
 * build. */
#include "filter/catalog/registry.h"
#include <string.h>
#include "base/text.h"

/* As strcmp, of `length` bytes of text without an end and a name with one. */
static int compare(const char *text, size_t length, const char *name) {
    size_t name_length = strlen(name);
    int order = memcmp(text, name, length < name_length ? length : name_length);
    return order ? order : (length > name_length) - (length < name_length);
}

/* Moves *words past its next word and returns that word; NULL after the last. */
static const char *next_word(const char **words, size_t *length) {
    const char *word = *words + strspn(*words, " ");
    *length = strcspn(word, " ");
    *words = word + *length;
    return *length ? word : NULL;
}

int32_t weft_registry_index(const struct weft_filter *filter) {
    int32_t index = 0;
    while (weft_registry[index] != filter)
        index++;
    return index;
}

const struct weft_filter *weft_registry_find(const char *name, size_t length) {
    int32_t low = 0, high = weft_registry_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        int order = compare(name, length, weft_registry[middle]->info.name);
        if (order == 0)
            return weft_registry[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    for (int32_t i = 0; i < weft_registry_count; i++) {
        const char *aliases = weft_registry[i]->info.aliases, *alias;
        size_t alias_length;
        while ((alias = next_word(&aliases, &alias_length)))
            if (alias_length == length && memcmp(alias, name, length) == 0)
                return weft_registry[i];
    }
    return NULL;
}

const struct weft_filter *weft_registry_nearer(const char *name, size_t length, const struct weft_filter *before,
                                               int32_t *least) {
    const struct weft_filter *nearest = before;
    for (int32_t i = 0; i < weft_registry_count; i++) {
        const weft_filter_info *info = &weft_registry[i]->info;
        const char *aliases = info->aliases, *word = info->name;
        size_t word_length = strlen(word);
        for (; word; word = next_word(&aliases, &word_length)) {
            int32_t distance = weft_text_distance(name, length, word, word_length);
            /* A single word that matches one word of an alias is weak evidence: `extract` should suggest channel_extract, not
             * crop. */
            if (word != info->name && distance >= WEFT_TEXT_INSIDE)
                continue;
            if (distance < *least) {
                *least = distance;
                nearest = weft_registry[i];
            }
        }
    }
    return nearest;
}

const struct weft_filter *weft_registry_role(enum weft_role role) {
    for (int32_t i = 0; i < weft_registry_count; i++)
        if (weft_registry[i]->role == role)
            return weft_registry[i];
    return NULL;
}

int32_t weft_parameter_find(const struct weft_filter *filter, const char *name, size_t length) {
    for (int32_t i = 0; i < filter->info.parameters; i++)
        if (compare(name, length, filter->parameters[i].info.name) == 0)
            return i;
    return -1;
}

const struct weft_parameter *weft_parameter_nearest(const struct weft_filter *filter, const char *name, size_t length) {
    const struct weft_parameter *nearest = NULL;
    int32_t least = WEFT_TEXT_FAR;
    for (int32_t i = 0; i < filter->info.parameters; i++) {
        const char *word = filter->parameters[i].info.name;
        int32_t distance = weft_text_distance(name, length, word, strlen(word));
        if (distance < least) {
            least = distance;
            nearest = &filter->parameters[i];
        }
    }
    return nearest;
}

/* ---- include/weft/filter.h. The public description is the first member of the descriptor. */

static const weft_filter_info *info_of(const struct weft_filter *filter) { return filter ? &filter->info : NULL; }

int32_t weft_filter_count(void) { return weft_registry_count; }

const weft_filter_info *weft_filter_at(int32_t index) {
    return index >= 0 && index < weft_registry_count ? &weft_registry[index]->info : NULL;
}

const weft_filter_info *weft_filter_find(const char *name) {
    return name ? info_of(weft_registry_find(name, strlen(name))) : NULL;
}

const weft_parameter_info *weft_filter_parameter(const weft_filter_info *filter, int32_t index) {
    if (!filter || index < 0 || index >= filter->parameters)
        return NULL;
    return &((const struct weft_filter *)filter)->parameters[index].info;
}

const weft_filter_info *weft_filter_nearest(const char *name) {
    int32_t least = WEFT_TEXT_FAR;
    return name ? info_of(weft_registry_nearer(name, strlen(name), NULL, &least)) : NULL;
}
