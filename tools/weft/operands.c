/* SPDX-License-Identifier: MIT
 * Which of the arguments of weft run is the graph. The graph is the first argument that is no file and reads like a
 * graph: it parses, or has a sign that only graphs have, or begins with a filter's name. */
#include "operands.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool exists(const char *word) {
    struct stat status;
    return !strcmp(word, "-") || (stat(word, &status) == 0 && !S_ISDIR(status.st_mode));
}

static bool parses(const char *word) {
    weft_graph *graph = NULL;
    bool good = weft_graph_parse(word, strlen(word), &graph, NULL) == WEFT_OK;
    weft_graph_destroy(&graph);
    return good;
}

/* True when `extension` is one of the words of `list`. */
static bool listed(const char *list, const char *extension) {
    size_t length = strlen(extension);
    while (*list) {
        size_t size = strcspn(list, " ");
        if (size == length && !strncasecmp(list, extension, size))
            return true;
        list += size;
        list += strspn(list, " ");
    }
    return false;
}

static bool known_extension(const char *word) {
    const char *dot = strrchr(word, '.');
    const weft_file_format *format;
    if (!dot)
        return false;
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++)
        if (listed(format->extensions, dot + 1))
            return true;
    return listed("csv json txt", dot + 1);
}

/* The filter that `word` begins with, NULL when it begins with none. */
static const weft_filter_info *leading_filter(const char *word) {
    char name[64];
    size_t length = 0;
    word += strspn(word, " \t\r\n");
    while (length < sizeof name - 1 && (isalnum((unsigned char)word[length]) || word[length] == '_'))
        length++;
    memcpy(name, word, length);
    name[length] = 0;
    return length && strchr("=,;[:# \t\r\n", word[length]) ? weft_filter_find(name) : NULL; /* or its end */
}

static bool reads_like_graph(const char *word) {
    if (!strcmp(word, "-"))
        return false;
    if (parses(word) || leading_filter(word))
        return true;
    if (known_extension(word))
        return false;
    const char *sign = strpbrk(word, "=,;[");
    return sign && !memchr(word, '/', (size_t)(sign - word));
}

/* The place of the graph among the operands, or -1. */
static int find_graph(const struct options *options) {
    for (int i = 0; i < options->operand_count; i++)
        if (!exists(options->operands[i]) && reads_like_graph(options->operands[i]))
            return i;
    /* A file may have the name of a filter; then there is nothing else that could be the graph. */
    for (int i = 0; i < options->operand_count; i++)
        if (reads_like_graph(options->operands[i]))
            return i;
    return -1;
}

/* Says which argument was probably meant as the graph. */
static int no_graph(const struct options *options) {
    const char *candidate = NULL;
    if (options->operand_count == 0)
        return message_usage("'weft run' needs inputs, a graph and outputs; see 'weft help run'");
    for (int i = 0; i < options->operand_count; i++) {
        const char *word = options->operands[i];
        if (exists(word) || known_extension(word) || strchr(word, '/'))
            continue;
        const weft_filter_info *near = weft_filter_nearest(word);
        if (near)
            return message_usage("no graph among the arguments: '%s' is not a filter: did you mean '%s'?", word,
                                 near->name);
        if (!candidate)
            candidate = word;
    }
    /* The last argument is where the result was to go, unless it is alone. */
    for (int i = 0; i < options->operand_count - 1; i++)
        if (!candidate && !exists(options->operands[i]))
            return message_unable("cannot open '%s': no such file; and there is no graph among the arguments",
                                  options->operands[i]);
    if (candidate)
        return message_usage("no graph among the arguments: '%s' is neither a file nor a filter; 'weft list' shows the "
                             "filters",
                             candidate);
    return message_usage("no graph among the arguments, only files; it stands between inputs and outputs, as in: "
                         "weft run in.png 'gaussian=4' out.png");
}

int operands_read(struct operands *operands, struct graph *graph, const struct options *options) {
    *graph = (struct graph){.graph = NULL};
    bool given = options->graph || options->graph_file;
    int place = given ? -1 : find_graph(options);
    if (!given && place < 0)
        return no_graph(options);
    int status = graph_open(graph, options, given ? NULL : options->operands[place]);
    if (status != EXIT_DONE)
        return status;

    int wanted = weft_graph_inputs(graph->graph);
    int found = given ? wanted < options->operand_count ? wanted : options->operand_count : place;
    int after = given ? found : place + 1;
    *operands = (struct operands){.inputs = options->operands, .input_count = found};
    operands->outputs = options->operands + after;
    operands->output_count = options->operand_count - after;
    if (found != wanted)
        return message_usage("the graph takes %d input%s and %d %s given before it", wanted, wanted == 1 ? "" : "s",
                             found, found == 1 ? "is" : "are");

    int standard = options->graph_file && !strcmp(options->graph_file, "-");
    for (int i = 0; i < operands->input_count; i++)
        standard += !strcmp(operands->inputs[i], "-");
    if (standard > 1)
        return message_usage("standard input can be read only once, and %d arguments are '-'", standard);
    return EXIT_DONE;
}
