/* SPDX-License-Identifier: MIT
 * The manual pages, in roff's man macros. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command.h"
#include "generate/generate.h"
#include "show/topics.h"
#include "tasks/filter.h"

/* Text as roff must see it, to print as it is. */
static void put(const char *text) {
    for (bool start = true; *text; text++) {
        if (start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\'')
            fputs("\\(aq", stdout);
        else if (*text == '|')
            fputs("|\\:", stdout); /* long lists may be broken there */
        else if (*text == '^')
            fputs("\\(ha", stdout);
        else if (*text == '~')
            fputs("\\(ti", stdout);
        else
            putchar(*text);
        start = *text == '\n';
    }
}

static void section(const char *name) { printf(".SH %s\n", name); }
static void paragraph(const char *text) {
    fputs(".PP\n", stdout);
    put(text);
    putchar('\n');
}

/* Lines as they stand. */
static void block(const char *text) {
    fputs(".PP\n.nf\n", stdout);
    put(text);
    fputs("\n.fi\n", stdout);
}

static void option_entry(const struct option *option) {
    fputs(".TP\n.B ", stdout);
    if (option->letter) {
        const char letter[] = {'-', option->letter, ',', ' ', 0};
        put(letter);
    }
    put("--");
    put(option->name);
    if (option->value)
        printf(" \\fI%s\\fR", option->value);
    putchar('\n');
    put(option->doc);
    putchar('\n');
}

void generate_manual(void) {
    const struct command *command;
    const struct option *option;
    const weft_file_format *format;
    printf(".TH WEFT 1 \"\" \"weft %s\" \"User Commands\"\n.ad l\n.nh\n", weft_version());
    section("NAME");
    put("weft - image filters, fused into few passes over memory\n");
    section("SYNOPSIS");
    for (int i = 0; (command = command_at(i)) != NULL; i++) {
        printf("%s.B weft\n", i ? ".br\n" : "");
        put(command->form);
        put(" [OPTION...]\n");
        if (i == 0)
            printf(".br\n.B weft\n%s [--PARAMETER VALUE...] [OPTION...]\n", FILTER_FORM);
    }
    section("DESCRIPTION");
    paragraph("A graph of filters is run on images, on the CPU or on a GPU. Filters that can share a walk over memory share "
              "it.");
    section("COMMANDS");
    for (int i = 0; (command = command_at(i)) != NULL; i++) {
        fputs(".SS ", stdout);
        put("weft ");
        put(command->form);
        putchar('\n');
        put(command->summary);
        putchar('\n');
        block(command->details);
        for (int k = 0; (option = option_at(k)) != NULL; k++)
            if ((command->takes | OPTION_HELP) & option->flag)
                option_entry(option);
        if (i == 0) {
            printf(".SS weft %s\n%s\n", FILTER_FORM, FILTER_SUMMARY);
            paragraph("As weft run with a graph of this filter alone. Parameters are those of weft-filters(7); options of weft run "
                      "stand among them.");
            block("  weft gaussian photo.jpg out.png --sigma 4\n"
                  "  weft resize photos/ -o small/ --fit 800x800 --quality 85\n");
        }
    }
    section("GRAPHS");
    block(help_graph);
    section("EXAMPLES");
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        topic_print_cookbook(file);
        if (fclose(file) == 0)
            block(text);
        free(text);
    }
    section("FILES");
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++) {
        fputs(".TP\n.B ", stdout);
        put(format->name);
        putchar('\n');
        put(format->summary);
        puts(format->reads ? format->writes ? "" : ", read only" : ", written only");
    }
    section("EXIT STATUS");
    paragraph("0: done. 1: it could not be done, a file is not there or not what it claims. 2: the command line or the "
              "graph is wrong. An output file appears whole or not at all.");
    section("ENVIRONMENT");
    fputs(".TP\n.B WEFT_CPU_ISA\n", stdout);
    put("The instruction set that the CPU may use at most: x86-64-v2, x86-64-v3, x86-64-v4, neon.\n");
    fputs(".TP\n.B WEFT_NVRTC\n", stdout);
    put("NVRTC, the compiler of CUDA's kernels, or its folder; none says that there is none.\n");
    fputs(".TP\n.B WEFT_KERNEL_CACHE\n", stdout);
    put("The folder of compiled kernels, in place of $XDG_CACHE_HOME/weft/kernels or ~/.cache/weft/kernels; none keeps "
        "nothing.\n");
    fputs(".TP\n.B WEFT_KERNEL_PACK\n", stdout);
    put("A file of kernels that weft kernels --pack wrote.\n");
    fputs(".TP\n.B NO_COLOR\n", stdout);
    put("No colors in lists and messages.\n");
    section("SEE ALSO");
    puts(".BR weft-filters (7)");
}

static void filter_entry(const weft_filter_info *filter) {
    const weft_parameter_info *parameter;
    char text[64];
    fputs(".SS ", stdout);
    put(filter->name);
    putchar('\n');
    put(filter->summary);
    if (filter->aliases[0]) {
        put(". Also called ");
        put(filter->aliases);
    }
    put(".\n");
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++) {
        fputs(".TP\n.B ", stdout);
        put(parameter->name);
        putchar('=');
        put(describe_default(parameter, text, sizeof text));
        putchar('\n');
        put(parameter->doc);
        fputs(" (", stdout);
        help_print_range(parameter);
        puts(parameter->dynamic ? ")" : "; part of the plan)");
    }
    if (filter->example && filter->example[0])
        block(filter->example);
}

void generate_manual_filters(void) {
    printf(".TH WEFT\\-FILTERS 7 \"\" \"weft %s\" \"weft\"\n.ad l\n.nh\n", weft_version());
    section("NAME");
    put("weft-filters - the filters of weft\n");
    section("DESCRIPTION");
    paragraph("Parameters are given in this order or by name, as name=value:key=value, and have the defaults shown. Those "
              "that are part of the plan cannot change between its runs.");
    section("FILTERS");
    for (int32_t i = 0; i < weft_filter_count(); i++)
        filter_entry(weft_filter_at(i));
    const struct topic *word;
    for (int i = 0; (word = topic_word_at(i)) != NULL; i++) {
        fputs(".SS ", stdout);
        put(word->name);
        putchar('\n');
        put(word->summary);
        fputs(".\n.TP\n.B ", stdout);
        put(word->parameter);
        putchar('=');
        put(word->choice);
        puts("\nThat, or the name of a file with an ICC profile (at an end of a graph, from file to file)");
    }
    section("SEE ALSO");
    puts(".BR weft (1)");
}
