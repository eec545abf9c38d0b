/* SPDX-License-Identifier: MIT
 * The graph of a command. */
#include "graph.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "list_files.h"

enum { LARGEST = 1 << 24 }; /* bytes; a larger file is a picture given by mistake */

static int read_file(struct graph *graph, const char *path) {
    bool standard = !strcmp(path, "-");
    FILE *file = standard ? stdin : fopen(path, "rb");
    size_t size = 0, room = 0;
    if (!file)
        return message_unable("cannot open '%s': %s", path, strerror(errno));
    int status = EXIT_DONE;
    do {
        if (size == room) {
            room = room ? room * 2 : 4096;
            char *grown = room > LARGEST ? NULL : realloc(graph->owned, room);
            if (!grown) {
                status = message_unable("'%s' is too large for a graph", path);
                break;
            }
            graph->owned = grown;
        }
        size += fread(graph->owned + size, 1, room - size, file);
    } while (!feof(file) && !ferror(file));
    if (status == EXIT_DONE && ferror(file))
        status = message_unable("cannot read '%s': %s", path, strerror(errno));
    if (!standard)
        fclose(file);
    graph->text = (struct graph_text){graph->owned, size, standard ? "standard input" : path};
    return status;
}

/* Whether `text`, which may have no end but `length`, holds spaces alone. */
static bool is_empty(const char *text, size_t length) {
    size_t spaces = 0;
    while (spaces < length && strchr(" \t\r\n", text[spaces]) && text[spaces] != '\0')
        spaces++;
    return spaces == length;
}

/* No text at all is the graph that keeps its image. */
static weft_status parse(const char *text, size_t length, weft_graph **graph, weft_error *error) {
    weft_node node;
    if (!is_empty(text, length))
        return weft_graph_parse(text, length, graph, error);
    weft_status status = weft_graph_create(graph, error);
    if (status == WEFT_OK)
        status = weft_graph_input(*graph, &node, error);
    return status == WEFT_OK ? weft_graph_output(*graph, node, error) : status;
}

/* Takes one of the graphs of -g in, whose text goes behind the others' as a line. */
static int join_graph(struct graph *graph, const char *text, size_t length) {
    size_t used = graph->text.length;
    weft_graph *one = NULL;
    weft_error error;
    char *grown = realloc(graph->owned, used + length + 1);
    if (!grown)
        return message_unable("not enough memory");
    graph->owned = grown;
    memcpy(grown + used, text, length);
    grown[used + length] = '\n';
    graph->text = (struct graph_text){grown, used + length, NULL};
    weft_status status = parse(text, length, &one, &error);
    if (status != WEFT_OK && error.offset >= 0)
        error.offset += (int64_t)used;
    if (status == WEFT_OK)
        status = weft_graph_join(graph->graph, one, (int64_t)used, &error);
    weft_graph_destroy(&one);
    if (status != WEFT_OK)
        return message_library(&error, NULL, &graph->text);
    graph->text.length++;
    return EXIT_DONE;
}

/* The graphs of -g as one, whose outputs follow one another. */
static int join_graphs(struct graph *graph, const struct options *options) {
    weft_error error;
    if (weft_graph_create(&graph->graph, &error) != WEFT_OK)
        return message_library(&error, NULL, NULL);
    int status = EXIT_DONE;
    for (int i = 0; i < options->graph_count && status == EXIT_DONE; i++) {
        const char *text = options->graphs[i];
        size_t size = strlen(text);
        char *written;
        status = lists_write(text, size, &written, &size);
        if (status == EXIT_DONE)
            status = join_graph(graph, written ? written : text, size);
        free(written);
    }
    return status;
}

int graph_open(struct graph *graph, const struct options *options, const char *operand) {
    *graph = (struct graph){.graph = NULL};
    if (options->graph_count > 1)
        return join_graphs(graph, options);
    if (options->graph_file) {
        int status = read_file(graph, options->graph_file);
        if (status != EXIT_DONE)
            return status;
    } else {
        const char *text = options->graph ? options->graph : operand;
        graph->text = (struct graph_text){text, strlen(text), NULL};
    }
    weft_error error;
    char *written = NULL;
    size_t size = 0;
    int status = lists_write(graph->text.text, graph->text.length, &written, &size);
    if (written) {
        free(graph->owned);
        graph->owned = written;
        graph->text = (struct graph_text){written, size, graph->text.file};
    }
    if (status != EXIT_DONE)
        return status;
    if (parse(graph->text.text, graph->text.length, &graph->graph, &error) != WEFT_OK)
        return message_library(&error, NULL, &graph->text);
    return EXIT_DONE;
}

void graph_close(struct graph *graph) {
    weft_graph_destroy(&graph->graph);
    free(graph->owned);
    graph->owned = NULL;
}

int graph_open_only(struct graph *graph, const struct options *options, const char *command) {
    int expected = options->graph || options->graph_file ? 0 : 1;
    *graph = (struct graph){.graph = NULL};
    if (options->operand_count < expected)
        return message_usage("'weft %s' needs a graph; see 'weft help %s'", command, command);
    if (options->operand_count > expected)
        return message_usage("'weft %s' takes one graph and no files: '%s' is too much", command,
                             options->operands[expected]);
    return graph_open(graph, options, expected ? options->operands[0] : NULL);
}
