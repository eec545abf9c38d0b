/* SPDX-License-Identifier: MIT
 * Completion for fish: commands, their options, and in graphs the names of filters and of their parameters. */
#include <stdio.h>
#include <string.h>
#include "generate/completion_lists.h"
#include "generate/generate.h"
#include "show/topics.h"

/* Text between single quotes of fish. */
static void put_fish(const char *text) {
    putchar('\'');
    for (; *text; text++)
        printf("%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    putchar('\'');
}

void generate_fish(void) {
    const struct command *command;
    const struct option *option;
    puts("# fish completion for weft; made by 'weft generate fish'\n"
         "function __weft_parameters\n"
         "    switch $argv[1]");
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        printf("        case %s\n            printf '%%s\\n' ", filter->name);
        completion_put_parameters(filter, "=");
        putchar('\n');
    }
    const struct topic *word;
    for (int i = 0; (word = topic_word_at(i)) != NULL; i++)
        printf("        case %s\n            printf '%%s\\n' %s=\n", word->name, word->parameter);
    puts("    end\n"
         "end");
    completion_put_choice_cases("function __weft_choices\n    switch $argv[1]", "        case ", " ",
                                "\n            printf '%s\\n' ", "");
    puts("    end\n"
         "end\n"
         "function __weft_values\n"
         "    switch $argv[2]");
    for (int i = 0; i < COMPLETION_WORDED; i++) {
        printf("        case --%s\n            printf '%%s\\n' ", completion_worded[i]);
        completion_put_option_words(completion_worded[i]);
        putchar('\n');
    }
    puts("        case '--*'\n"
         "            __weft_choices $argv[1]:(string sub -s 3 -- $argv[2])\n"
         "    end\n"
         "end\n"
         "function __weft_is_filter\n"
         "    set -l words (commandline -opc)\n"
         "    test (count $words) -ge 2; and test -n \"$(__weft_parameters $words[2])\"\n"
         "end\n"
         "function __weft_filter_words\n"
         "    set -l words (commandline -opc)\n"
         "    set -l token (commandline -ct)\n"
         "    if string match -q -- '--*=*' $token\n"
         "        set -l key (string replace -r '=.*' '' -- $token)\n"
         "        printf \"$key=%s\\n\" (__weft_values $words[2] $key)\n"
         "    else if string match -q -- '-*' $token\n"
         "        printf '%s\\n' --(string replace = '' -- (__weft_parameters $words[2])) \\");
    fputs("            ", stdout);
    completion_put_options(command_find("run"));
    puts("\n"
         "    else\n"
         "        __weft_values $words[2] $words[-1]\n"
         "    end\n"
         "end\n"
         "function __weft_graph\n"
         "    set -l token (commandline -ct | string trim -l -c '\\'\"')\n"
         "    set -l piece (string replace -r '.*[\\],;]' '' -- $token)\n"
         "    set -l before (string sub -l (math (string length -- $token) - (string length -- $piece)) -- $token)\n"
         "    if string match -q '*=*' -- $piece\n"
         "        set -l value (string replace -r '.*[=:]' '' -- $piece)\n"
         "        set before $before(string sub -l (math (string length -- $piece) - (string length -- $value)) -- $piece)\n"
         "        set -l filter (string replace -r '=.*' '' -- $piece)\n"
         "        set -l values (string replace -r '^[^=]*=' '' -- $piece)\n"
         "        set -l last (string replace -r '.*:' '' -- $values)\n"
         "        if string match -q '*=*' -- $last\n"
         "            printf \"$before%s\\n\" (__weft_choices $filter:(string replace -r '=.*' '' -- $last))\n"
         "        else\n"
         "            set -l place (string replace -ra '[^:]' '' -- $values | string length)\n"
         "            printf \"$before%s\\n\" (__weft_parameters $filter) (__weft_choices $filter:$place)\n"
         "        end\n"
         "    else");
    fputs("        printf \"$before%s\\n\" ", stdout);
    completion_put_filters(" ");
    puts("\n"
         "    end\n"
         "end\n"
         "complete -c weft -n '__fish_use_subcommand' -f");
    for (int i = 0; (command = command_at(i)) != NULL; i++) {
        printf("complete -c weft -n '__fish_use_subcommand' -a %s -d ", command->name);
        put_fish(command->summary);
        putchar('\n');
        for (int k = 0; (option = option_at(k)) != NULL; k++)
            if ((command->takes | OPTION_HELP) & option->flag) {
                printf("complete -c weft -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
                if (option->letter)
                    printf(" -s %c", option->letter);
                printf("%s -d ", option->value ? " -r" : "");
                put_fish(option->doc);
                for (int w = 0; w < COMPLETION_WORDED; w++)
                    if (!strcmp(option->name, completion_worded[w])) {
                        fputs(" -f -a '", stdout);
                        completion_put_option_words(option->name);
                        putchar('\'');
                    }
                putchar('\n');
            }
    }
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        if (filter->step_of[0])
            continue;
        printf("complete -c weft -n '__fish_use_subcommand' -a %s -d ", filter->name);
        put_fish(filter->summary);
        putchar('\n');
    }
    for (int i = 0; (word = topic_word_at(i)) != NULL; i++) {
        printf("complete -c weft -n '__fish_use_subcommand' -a %s -d ", word->name);
        put_fish(word->summary);
        putchar('\n');
    }
    puts("complete -c weft -n __weft_is_filter -a '(__weft_filter_words)'\n"
         "complete -c weft -n '__fish_seen_subcommand_from run plan bench kernels' -a '(__weft_graph)'");
    fputs("complete -c weft -n '__fish_seen_subcommand_from help' -f -a '", stdout);
    completion_put_filters(" ");
    putchar(' ');
    completion_put_commands();
    completion_put_topics();
    puts("'\n"
         "complete -c weft -n '__fish_seen_subcommand_from generate' -f -a 'man man-filters bash zsh fish builders'\n"
         "complete -c weft -n '__fish_seen_subcommand_from list devices' -f");
}
