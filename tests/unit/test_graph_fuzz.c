/* SPDX-License-Identifier: MIT
 * Hostile graph text: thousands of mutations of good texts are either graphs or errors, never anything else. Run it
 * under the sanitizers. `test_graph_fuzz SEED COUNT` repeats or prolongs a run. */
#include "check.h"
#include <stdlib.h>
#include <string.h>
#include "graph/graph.h"

enum { LIMIT = 400 };

static uint64_t state;
static uint32_t pick(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % below;
}

static const char *const seeds[] = {
    "contrast=1.5,sobel",
    "split[a][b];[b]gamma=2[c];[a][c]blend_multiply",
    "bilateral=sigma_space=3:sigma_color=0.1:border=cv:reflect101 # note\n,transpose=yes:no",
    "[0]contrast[m];[1]gamma=@m[3]*0.5[out];solid_color=#ff8000:width=16,[m]blend_multiply=opacity=@out*-1e-3",
    "[b]gamma='2'[a];solid_color=color=1|0.5|0 1[b];[a],saturation=space=linear",
    "sobel=component=magnitude:edge_strength=1\\.5:border=np:reflect;gamma[x],split=2[y],contrast",
};
static const char *const pieces[] = {"[",
                                     "]",
                                     "=",
                                     ":",
                                     ";",
                                     ",",
                                     "'",
                                     "\\",
                                     "#",
                                     "@",
                                     "*",
                                     "|",
                                     " ",
                                     "\n",
                                     "[0]",
                                     "[1]",
                                     "[a]",
                                     "[b]",
                                     "split",
                                     "split=2",
                                     "gamma",
                                     "sobel",
                                     "1e999",
                                     "nan",
                                     "auto",
                                     "-1",
                                     "[out]",
                                     "@a[1]",
                                     "\xff",
                                     "\xc3\xa9",
                                     "cv:",
                                     "np:reflect",
                                     "#fff",
                                     "[in]",
                                     "blend_multiply",
                                     "space=linear",
                                     "opacity=@a"};

static size_t mutate(char *text, size_t length) {
    size_t at = pick((uint32_t)length + 1), count = 1 + pick(4);
    switch (pick(5)) {
    case 0: /* one byte becomes another */
        if (at < length)
            text[at] = (char)pick(256);
        return length;
    case 1: /* some go */
        if (count > length - at)
            count = length - at;
        memmove(text + at, text + at + count, length - at - count);
        return length - count;
    case 2: /* a piece of another text comes */
    case 3: {
        const char *piece =
            pick(4) ? pieces[pick(sizeof pieces / sizeof *pieces)] : seeds[pick(sizeof seeds / sizeof *seeds)];
        size_t size = strlen(piece);
        if (length + size > LIMIT)
            return length;
        memmove(text + at + size, text + at, length - at);
        memcpy(text + at, piece, size);
        return length + size;
    }
    default: /* the rest is cut off */
        return pick(4) ? length : at;
    }
}

/* Everything a parse may promise. */
static bool sound(const char *text, size_t length) {
    weft_graph *graph = NULL;
    weft_error error;
    char *exact = malloc(length ? length : 1); /* so that a sanitizer sees a byte too far */
    if (!exact)
        return false;
    memcpy(exact, text, length);
    memset(&error, 0x55, sizeof error);
    weft_status status = weft_graph_parse(exact, length, &graph, &error);
    bool good;
    if (status == WEFT_OK) {
        weft_graph *copy = NULL;
        good = graph && graph->output_count > 0 && weft_graph_copy(graph, &copy, &error) == WEFT_OK &&
               weft_graph_validate(copy, &error) == WEFT_OK;
        for (int32_t i = 0; good && i < graph->count; i++)
            good = !graph->nodes[i].filter || (graph->nodes[i].offset >= 0 && graph->nodes[i].length > 0 &&
                                               graph->nodes[i].offset + graph->nodes[i].length <= (int64_t)length);
        weft_graph_destroy(&copy);
    } else {
        const char *message = error.message;
        good = !graph && error.status == status && memchr(message, 0, sizeof error.message) && message[0] &&
               !strpbrk(message, "\n\x1b") && error.offset >= 0 && error.offset + error.length <= (int64_t)length &&
               (error.length > 0 || length == 0) && (status == WEFT_ERROR_GRAPH || status == WEFT_ERROR_PARAMETER);
        if (!good)
            fprintf(stderr, "  %s at %lld, %lld long\n", message, (long long)error.offset, (long long)error.length);
    }
    weft_graph_destroy(&graph);
    free(exact);
    return good;
}

/* Texts that would break a parser that calls itself, or compares everything with everything. */
static void test_limits(void) {
    enum { LENGTH = 1 << 20 };
    char *text = malloc(LENGTH + 1);
    weft_graph *graph = NULL;
    weft_error error;
    size_t used = 0;
    if (!CHECK(text))
        return;
    for (int i = 0; i < 10000; i++) /* each reads what the next one makes */
        used += (size_t)snprintf(text + used, LENGTH - used, "[l%d]gamma[l%d];", i + 1, i);
    CHECK(weft_graph_parse(text, used, &graph, &error) == WEFT_ERROR_GRAPH && strstr(error.message, "[l10000]"));
    used -= strlen("[l10000]gamma[l9999];");
    used += (size_t)snprintf(text + used, LENGTH - used, "[0]gamma[l9999]");
    if (CHECK(weft_graph_parse(text, used, &graph, &error) == WEFT_OK))
        CHECK(graph->count == 10001 && graph->nodes[1].offset > graph->nodes[2].offset);
    weft_graph_destroy(&graph);
    used += (size_t)snprintf(text + used, LENGTH - used, ";[0]gamma");
    CHECK(weft_graph_parse(text, used, &graph, &error) == WEFT_ERROR_GRAPH && strstr(error.message, "10000"));
    memset(text, '[', LENGTH);
    CHECK(weft_graph_parse(text, LENGTH, &graph, &error) == WEFT_ERROR_GRAPH);
    CHECK(weft_graph_parse(text, LENGTH + 1, &graph, &error) == WEFT_ERROR_GRAPH &&
          strstr(error.message, "bytes long"));
    memset(text, 'a', LENGTH);
    CHECK(weft_graph_parse(text, LENGTH, &graph, &error) == WEFT_ERROR_GRAPH && error.length == LENGTH);
    for (size_t i = 0; i < LENGTH; i += 4)
        memcpy(text + i, i == 0 ? "[0]s" : i == 4 ? "plit" : "[aa]", 4);
    CHECK(weft_graph_parse(text, LENGTH, &graph, &error) == WEFT_ERROR_GRAPH && strstr(error.message, "twice"));
    memset(text, '1', LENGTH);
    memcpy(text, "gamma=", 6);
    CHECK(weft_graph_parse(text, LENGTH, &graph, &error) == WEFT_ERROR_PARAMETER && error.length == LENGTH - 6);
    memset(text, ':', LENGTH);
    CHECK(weft_graph_parse(text, LENGTH, &graph, &error) == WEFT_ERROR_GRAPH);
    free(text);
}

int main(int count, char **arguments) {
    uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 0) : 20240229;
    long rounds = count > 2 ? strtol(arguments[2], NULL, 0) : 40000, graphs = 0;
    test_limits();
    for (long i = 0; i < rounds; i++) {
        char text[LIMIT + 1];
        state = (seed + (uint64_t)i) * 0x9e3779b97f4a7c15u | 1;
        pick(2);
        const char *base = seeds[pick(sizeof seeds / sizeof *seeds)];
        size_t length = strlen(base);
        memcpy(text, base, length);
        for (uint32_t mutations = pick(6); mutations > 0; mutations--)
            length = mutate(text, length);
        if (!CHECK(sound(text, length))) {
            fprintf(stderr, "  seed %llu:\n%.*s\n", (unsigned long long)(seed + (uint64_t)i), (int)length, text);
            break;
        }
        weft_graph *graph = NULL;
        graphs += weft_graph_parse(text, length, &graph, NULL) == WEFT_OK;
        weft_graph_destroy(&graph);
    }
    CHECK(graphs > rounds / 20); /* enough of them go all the way */
    return check_done("graph_fuzz");
}
