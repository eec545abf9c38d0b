/* SPDX-License-Identifier: MIT
 * Which of the arguments of weft run is the graph. The graph is the first argument that is no file and reads like a
 * graph: it parses, or has a sign that only graphs have, or begins with a filter's name. */
#include "run/operands.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "common/extension.h"
#include "show/formats.h"
#include "run/paths.h"
#include "run/output_names.h"

/* The name may have options behind it. */
static bool exists(const char *word) {
    struct stat status;
    if (formats_is_text(word))
        return true;
    size_t length = formats_input_length(word);
    char *name = strndup(word, length);
    bool there = name && (!strcmp(name, "-") || (stat(name, &status) == 0 && !S_ISDIR(status.st_mode)));
    free(name);
    return there;
}

static bool parses(const char *word) {
    weft_graph *graph = NULL;
    bool good = weft_graph_parse(word, strlen(word), &graph, NULL) == WEFT_OK;
    weft_graph_destroy(&graph);
    return good;
}

/* Whether `word` begins with the name of a filter, or of what stands as one does. */
static bool leads_filter(const char *word) {
    char name[64];
    size_t length = 0;
    word += strspn(word, " \t\r\n");
    while (length < sizeof name - 1 && (isalnum((unsigned char)word[length]) || word[length] == '_'))
        length++;
    memcpy(name, word, length);
    name[length] = 0;
    return length && strchr("=,;[:# \t\r\n", word[length]) && /* or its end */
           (weft_filter_find(name) || !strcmp(name, WEFT_COLOR_PROFILE));
}

static bool reads_like_graph(const char *word) {
    if (!strcmp(word, "-"))
        return false;
    if (!word[strspn(word, " ")])
        return true; /* the graph that keeps its image */
    if (parses(word) || leads_filter(word))
        return true;
    if (extension_known(word))
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
        if (exists(word) || extension_known(word) || strchr(word, '/'))
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

/* Whether the graph is to be run on many files. A name after the graph is a folder only if it ends in a slash: otherwise it is the
 * output file, even where a folder has that name. */
static bool is_batch(const struct operands *operands, const struct options *options, int wanted) {
    bool batch = options->output_count > 0 && operands->input_count > wanted;
    for (int i = 0; i < operands->input_count; i++)
        batch = batch || paths_many(operands->inputs[i]);
    for (int i = 0; i < operands->output_count; i++) {
        const char *output = operands->outputs[i];
        size_t length = strlen(output);
        batch = batch || pattern_given(output) || (length && output[length - 1] == '/') ||
                (options->output_count > 0 && pattern_folder(output));
    }
    return batch;
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

    int wanted = weft_graph_inputs(graph->graph), count = options->operand_count;
    int found = !given ? place : options->output_count > 0 || wanted > count ? count : wanted;
    int after = given ? found : place + 1;
    *operands = (struct operands){.inputs = options->operands, .input_count = found};
    operands->outputs = (const char *const *)(options->operands + after);
    operands->output_count = count - after;
    if (options->output_count > 0 && operands->output_count > 0)
        return message_usage("'%s' stands after the graph, and --output says where outputs go: remove one of them",
                             operands->outputs[0]);
    if (options->output_count > 0) {
        operands->outputs = options->outputs;
        operands->output_count = options->output_count;
    }
    operands->batch = options->newer || options->dry_run || is_batch(operands, options, wanted);
    if (found != wanted && !(operands->batch && wanted == 1 && found > 0))
        return message_usage("the graph takes %d input%s and %d %s given before it%s", wanted, wanted == 1 ? "" : "s",
                             found, found == 1 ? "is" : "are",
                             !given && found > wanted && operands->output_count == 0
                                 ? "; files for outputs stand behind it, as in: weft run in.png GRAPH out.png"
                                 : "");

    int standard = options->graph_file && !strcmp(options->graph_file, "-");
    for (int i = 0; i < operands->input_count; i++)
        standard += !strcmp(operands->inputs[i], "-");
    if (standard > 1)
        return message_usage("standard input can be read only once, and %d arguments are '-'", standard);
    return EXIT_DONE;
}
