/* SPDX-License-Identifier: MIT
 * The color profiles that files bring their colors to at the ends of a graph. */
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "graph/graph.h"

static weft_status at_text(const struct weft_graph_profile *profile, weft_status status, weft_error *error) {
    weft_error_at(error, -1, WEFT_COLOR_PROFILE, NULL);
    if (error) {
        error->offset = profile->offset;
        error->length = profile->length;
    }
    return status;
}

static const struct weft_graph_profile *find(const struct weft_graph *graph, int32_t end) {
    for (int32_t i = 0; i < graph->profile_count; i++)
        if (graph->profiles[i].end == end)
            return &graph->profiles[i];
    return NULL;
}

const char *weft_graph_profile_at(const struct weft_graph *graph, int32_t end) {
    const struct weft_graph_profile *found = find(graph, end);
    return found ? found->wanted : NULL;
}

weft_status weft_graph_add_profile(struct weft_graph *graph, const struct weft_graph_profile *profile, weft_error *error) {
    const struct weft_graph_profile *other = find(graph, profile->end);
    if (other && strcmp(other->wanted, profile->wanted) == 0)
        return WEFT_OK;
    if (other) {
        char one[WEFT_QUOTE_SIZE], two[WEFT_QUOTE_SIZE];
        weft_fail(error, WEFT_ERROR_GRAPH, "input %d of the graph is brought to two color profiles, '%s' and '%s'",
                  (int)profile->end, weft_text_quote(one, other->wanted, strlen(other->wanted)),
                  weft_text_quote(two, profile->wanted, strlen(profile->wanted)));
        return at_text(profile, WEFT_ERROR_GRAPH, error);
    }
    struct weft_graph_profile added = *profile, *grown;
    char *wanted = weft_duplicate_text(profile->wanted, strlen(profile->wanted));
    added.wanted = wanted;
    grown = wanted ? weft_reallocate(graph->profiles, (size_t)graph->profile_count + 1, sizeof *grown) : NULL;
    if (!grown) {
        weft_free(wanted);
        return weft_fail_memory(error, sizeof *grown, "a color profile");
    }
    graph->profiles = grown;
    grown[graph->profile_count++] = added;
    return WEFT_OK;
}

void weft_graph_drop_profiles(struct weft_graph *graph, int32_t count) {
    while (graph->profile_count > count)
        weft_free((void *)graph->profiles[--graph->profile_count].wanted);
    if (count == 0) {
        weft_free(graph->profiles);
        graph->profiles = NULL;
    }
}

static weft_status fail_plain(const struct weft_graph_profile *profile, weft_error *error) {
    weft_fail(error, WEFT_ERROR_GRAPH,
              "one graph brings input %d to a color profile and another reads it as it is: bring it in both",
              (int)profile->end);
    return at_text(profile, WEFT_ERROR_GRAPH, error);
}

weft_status weft_graph_join_profiles(struct weft_graph *graph, const struct weft_graph *other, int32_t inputs, int32_t outputs,
                                     int64_t offset, weft_error *error) {
    const int32_t had = graph->profile_count;
    weft_status status = WEFT_OK;
    for (int32_t i = 0; status == WEFT_OK && i < had; i++)
        if (graph->profiles[i].end >= 0 && graph->profiles[i].end < other->input_count && !find(other, graph->profiles[i].end))
            status = fail_plain(&graph->profiles[i], error);
    for (int32_t i = 0; status == WEFT_OK && i < other->profile_count; i++) {
        struct weft_graph_profile profile = other->profiles[i];
        profile.offset += offset;
        if (profile.end < 0)
            profile.end -= outputs;
        else if (profile.end < inputs && !find(graph, profile.end))
            status = fail_plain(&profile, error);
        if (status == WEFT_OK)
            status = weft_graph_add_profile(graph, &profile, error);
    }
    if (status != WEFT_OK)
        weft_graph_drop_profiles(graph, had);
    return status;
}

weft_status weft_graph_refuse_profiles(const struct weft_graph *graph, weft_error *error) {
    if (graph->profile_count == 0)
        return WEFT_OK;
    weft_fail(error, WEFT_ERROR_GRAPH,
              WEFT_COLOR_PROFILE " is done as files of pictures are read and written, by weft run and the calls of weft/files.h, "
                                 "and there are none here: leave it out");
    return at_text(&graph->profiles[0], WEFT_ERROR_GRAPH, error);
}
