/* SPDX-License-Identifier: MIT
 * weft FILTER: a run of one filter, whose parameters are options: weft gaussian in.png out.png --sigma 4. */
#include "tasks/filter.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "command.h"
#include "common/message.h"
#include "common/nearest.h"
#include "show/topics.h"

/* The parameter that an option's word names; *value points at what is joined to it, or is NULL. */
static const char *find_parameter(const weft_filter_info *filter, const char *word, const char **value) {
    const weft_parameter_info *parameter;
    if (strncmp(word, "--", 2) != 0)
        return NULL;
    size_t length = strcspn(word + 2, "=");
    *value = word[2 + length] ? word + 3 + length : NULL;
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++)
        if (strlen(parameter->name) == length && !strncmp(parameter->name, word + 2, length))
            return parameter->name;
    return filter->inputs > 0 && length == 5 && !strncmp(word + 2, "space", 5) ? "space" : NULL;
}

static bool is_switch(const weft_filter_info *filter, const char *name) {
    const weft_parameter_info *parameter;
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++)
        if (!strcmp(parameter->name, name))
            return parameter->type == WEFT_PARAMETER_BOOL;
    return false;
}

/* An option that is neither a parameter nor one of weft run: what the filter has instead. */
static int unknown(const weft_filter_info *filter, const char *word) {
    const weft_parameter_info *parameter;
    const char *names[64];
    char list[400] = "";
    int count = 0;
    for (size_t used = 0; count < 63 && (parameter = weft_filter_parameter(filter, count)) != NULL; count++) {
        names[count] = parameter->name;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s--%s", count ? ", " : "", parameter->name);
    }
    names[count] = NULL;
    const char *near = nearest_word(word + 2, names);
    if (near)
        return message_usage("'weft %s' has no option '%s': did you mean '--%s'?", filter->name, word, near);
    return message_usage("'weft %s' has no option '%s'; of its own it has %s, and all of 'weft help run'", filter->name,
                         word, count ? list : "none");
}

static bool is_option(const char *word) {
    const struct option *option;
    size_t length = strcspn(word + 2, "=");
    for (int i = 0; (option = option_at(i)) != NULL; i++)
        if ((option->flag & (command_find("run")->takes | OPTION_HELP)) && strlen(option->name) == length &&
            !strncmp(option->name, word + 2, length))
            return true;
    return false;
}

/* A number that is no file's name. */
static bool is_number(const char *word) {
    char *end;
    struct stat status;
    strtod(word, &end);
    return end != word && !*end && stat(word, &status) != 0;
}

static int bare_number(const weft_filter_info *filter, const char *word) {
    const weft_parameter_info *first = weft_filter_parameter(filter, 0);
    if (!first)
        return message_usage("'%s' is no file, and %s has no parameters", word, filter->name);
    return message_usage("'%s' is no file; parameters are options: weft %s IN OUT --%s %s", word, filter->name, first->name, word);
}

/* -sigma, where --sigma is meant. */
static bool lacks_dash(const weft_filter_info *filter, const char *word) {
    const weft_parameter_info *parameter;
    bool found = false;
    for (int32_t i = 0; word[0] == '-' && word[1] && (parameter = weft_filter_parameter(filter, i)) != NULL; i++)
        found = found || (word[2] && !strcmp(parameter->name, word + 1));
    return found;
}

/* Graph text: what would end a value is escaped. */
static void put_value(FILE *file, const char *value) {
    for (; *value; value++)
        fprintf(file, "%s%c", strchr(":,;[]'\\", *value) ? "\\" : "", *value);
}

/* Takes the parameters out of the words; what is left goes to `rest`. */
static int read_words(const weft_filter_info *filter, int count, char **words, FILE *graph, char **rest, int *left) {
    const char *on = NULL; /* the switch before the word */
    int given = 0;
    for (int i = 0; i < count; i++) {
        const char *value = NULL, *name = find_parameter(filter, words[i], &value);
        if (!strcmp(words[i], "--")) {
            while (i < count)
                rest[(*left)++] = words[i++];
            break;
        }
        if (!name && !strncmp(words[i], "--", 2) && words[i][2] && !is_option(words[i]))
            return unknown(filter, words[i]);
        if (!name && is_number(words[i]) && on)
            return message_usage("--%s takes no value: to give it turns it on, and --%s=0 turns it off", on, on);
        if (!name && is_number(words[i]))
            return bare_number(filter, words[i]);
        on = NULL;
        if (!name && lacks_dash(filter, words[i]))
            return message_usage("'weft %s' has no option '%s': did you mean '-%s'?", filter->name, words[i], words[i]);
        if (!name) {
            rest[(*left)++] = words[i];
            continue;
        }
        if (!value && is_switch(filter, name))
            value = "1", on = name;
        else if (!value && ++i == count)
            return message_usage("--%s needs a value; see 'weft help %s'", name, filter->name);
        fprintf(graph, "%c%s=", given++ ? ':' : '=', name);
        put_value(graph, value ? value : words[i]);
    }
    return EXIT_DONE;
}

/* Runs the graph of one filter, or of a word that stands as one, on files. */
static int run(const char *name, int inputs, char *graph, int count, char **words) {
    struct options options;
    const struct command *command = command_find("run");
    int status = options_read(&options, command->name, command->takes, count, words);
    const weft_filter_info *filter = weft_filter_find(name);
    if (status == EXIT_DONE && options.help && filter)
        return help_about_filter(filter);
    if (status == EXIT_DONE && options.help)
        return topic_find(name)->print(), EXIT_DONE;
    if (status == EXIT_DONE && options.graph_count)
        status = message_usage("'weft %s' is a graph already: remove --graph", name);
    if (status == EXIT_DONE && options.graph_file)
        status = message_usage("'weft %s' is a graph already: remove --file", name);
    if (status == EXIT_DONE && options.operand_count == 0)
        status = message_usage("'weft %s' needs files, as in: weft %s in.png out.png; see 'weft help %s'", name,
                               name, name);
    options.graph = options.graphs[0] = graph;
    options.graph_count = 1;
    if (status == EXIT_DONE && options.output_count == 0 && options.operand_count > inputs)
        options.outputs[options.output_count++] = options.operands[--options.operand_count];
    return status == EXIT_DONE ? run_command(&options) : status;
}

/* Takes the parameter of a word out of the arguments, as read_words does those of a filter. */
static int read_word(const struct topic *word, int count, char **words, FILE *graph, char **rest, int *left) {
    const size_t length = strlen(word->parameter);
    bool ended = false;
    for (int i = 0; i < count; i++) {
        const char *value = NULL;
        ended = ended || !strcmp(words[i], "--");
        if (ended || strncmp(words[i], "--", 2) || strncmp(words[i] + 2, word->parameter, length) ||
            (words[i][2 + length] && words[i][2 + length] != '=')) {
            rest[(*left)++] = words[i];
            continue;
        }
        value = words[i][2 + length] ? words[i] + 3 + length : ++i < count ? words[i] : NULL;
        if (!value || !*value)
            return message_usage("--%s needs a value; see 'weft help %s'", word->parameter, word->name);
        fputc('=', graph);
        put_value(graph, value);
    }
    return EXIT_DONE;
}

/* Runs a filter, or where that is NULL a word that stands as one, with the parameters among the words, on the files. */
static int read_and_run(const weft_filter_info *filter, const struct topic *word, int count, char **words) {
    const char *name = filter ? filter->name : word->name;
    char *text = NULL, **rest = calloc((size_t)count + 1, sizeof *rest);
    size_t size;
    int left = 0, status = EXIT_UNABLE;
    FILE *graph = rest ? open_memstream(&text, &size) : NULL;
    if (!graph) {
        free(rest);
        return message_unable("not enough memory");
    }
    fputs(name, graph);
    status = filter ? read_words(filter, count, words, graph, rest, &left) : read_word(word, count, words, graph, rest, &left);
    if (fclose(graph) != 0)
        status = message_unable("not enough memory");
    else if (status == EXIT_DONE)
        status = run(name, filter ? filter->inputs : 1, text, left, rest);
    free(text);
    free(rest);
    return status;
}

int filter_command(const weft_filter_info *filter, int count, char **words) { return read_and_run(filter, NULL, count, words); }

int word_command(const struct topic *word, int count, char **words) { return read_and_run(NULL, word, count, words); }
