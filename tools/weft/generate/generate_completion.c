/* SPDX-License-Identifier: MIT
 * Completion for shells: commands, their options, and in graphs the names of filters and of their parameters. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "command.h"
#include "generate/generate.h"
#include "show/topics.h"

/* The names of all filters but building blocks, or of one's parameters with the '=' after them. */
static void put_filters(const char *between) {
    for (int32_t i = 0, some = 0; i < weft_filter_count(); i++)
        if (!weft_filter_at(i)->step_of[0])
            printf("%s%s", some++ ? between : "", weft_filter_at(i)->name);
    const struct topic *word;
    for (int i = 0; (word = topic_word_at(i)) != NULL; i++)
        printf("%s%s", between, word->name);
}
static void put_parameters(const weft_filter_info *filter, const char *after) {
    const weft_parameter_info *parameter;
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++)
        printf("%s%s%s", i ? " " : "", parameter->name, after);
    if (filter->inputs > 0)
        printf("%sspace%s", filter->parameters ? " " : "", after);
}

static void put_commands(void) {
    const struct command *command;
    for (int i = 0; (command = command_at(i)) != NULL; i++)
        printf("%s%s", i ? " " : "", command->name);
}

/* "--device --threads" of a command. */
static void put_options(const struct command *command) {
    const struct option *option;
    for (int i = 0; (option = option_at(i)) != NULL; i++)
        if ((command->takes | OPTION_HELP) & option->flag)
            printf("--%s ", option->name);
}

/* case $1 in gaussian) echo "sigma= ..." ;; of every filter, in the words that bash and zsh share. */
static void put_parameter_cases(void) {
    puts("_weft_parameters() {\n    case $1 in");
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        printf("    %s) echo '", filter->name);
        put_parameters(filter, "=");
        puts("' ;;");
    }
    const struct topic *word;
    for (int i = 0; (word = topic_word_at(i)) != NULL; i++)
        printf("    %s) echo '%s=' ;;\n", word->name, word->parameter);
    puts("    esac\n}");
}

/* The words that a parameter takes; false for one of numbers. */
static bool put_choices(const weft_parameter_info *parameter) {
    if (parameter->type == WEFT_PARAMETER_BOOL)
        fputs("0 1", stdout);
    else if (parameter->type != WEFT_PARAMETER_CHOICE)
        return false;
    for (const char *c = parameter->type == WEFT_PARAMETER_CHOICE ? parameter->choices : ""; *c; c++)
        putchar(*c == '|' ? ' ' : *c);
    return true;
}

static bool has_choices(const weft_parameter_info *parameter) {
    return parameter->type == WEFT_PARAMETER_CHOICE || parameter->type == WEFT_PARAMETER_BOOL;
}

/* What a parameter takes, by its name or, as the values of graphs go, by its place. */
static void put_choice_cases(const char *head, const char *label, const char *between, const char *say, const char *end) {
    const weft_parameter_info *parameter;
    puts(head);
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        for (int32_t k = 0; (parameter = weft_filter_parameter(filter, k)) != NULL; k++)
            if (has_choices(parameter)) {
                printf("%s%s:%s%s%s:%d%s", label, filter->name, parameter->name, between, filter->name, (int)k, say);
                put_choices(parameter);
                puts(end);
            }
    }
    const struct topic *word;
    for (int i = 0; (word = topic_word_at(i)) != NULL; i++)
        printf("%s%s:%s%s%s:0%s%s%s\n", label, word->name, word->parameter, between, word->name, say, word->choice, end);
}

/* The words that values of an option are taken from. */
static void put_option_words(const char *option) {
    const weft_file_format *format;
    for (int32_t i = 0; !strcmp(option, "to") && (format = weft_file_format_at(i)) != NULL; i++)
        if (format->writes)
            printf("%s ", format->name);
    if (!strcmp(option, "type"))
        fputs("u8 u16 f16 f32", stdout);
    if (!strcmp(option, "device"))
        fputs("auto cpu cuda vulkan reference", stdout);
}
static const char *const worded_options[] = {"to", "type", "device"};
enum { WORDED = sizeof worded_options / sizeof *worded_options };

/* Options of commands; of filters, which are commands, too, their parameters and the options of weft run. */
static void put_option_cases(void) {
    const struct command *command;
    puts("_weft_options() {\n    local parameter\n    case $1 in");
    for (int i = 0; (command = command_at(i)) != NULL; i++) {
        printf("    %s) echo '", command->name);
        put_options(command);
        puts("' ;;");
    }
    puts("    *)\n"
         "        for parameter in $(_weft_parameters $1); do echo \"--${parameter%=}\"; done\n"
         "        _weft_options run ;;\n"
         "    esac\n}");
}

/* _weft_values COMMAND OPTION: what the option takes. */
static void put_value_cases(void) {
    puts("_weft_values() {\n    case $2 in");
    for (int i = 0; i < WORDED; i++) {
        printf("    --%s) echo '", worded_options[i]);
        put_option_words(worded_options[i]);
        puts("' ;;");
    }
    puts("    --*) _weft_choices \"$1\" \"${2#--}\" ;;\n    esac\n}");
}

static void put_topics(void) {
    const struct topic *topic;
    for (int i = 0; (topic = topic_at(i)) != NULL; i++)
        if (!topic->family) /* those are among the filters */
            printf(" %s", topic->name);
}

/* What bash and zsh share. */
static void put_shared(void) {
    fputs("_weft_filters='", stdout);
    put_filters(" ");
    fputs("'\n_weft_commands='", stdout);
    put_commands();
    fputs("'\n_weft_topics='", stdout);
    put_topics();
    puts("'");
    put_parameter_cases();
    put_choice_cases("_weft_choices() {\n    case $1:$2 in", "    ", " | ", ") echo '", "' ;;");
    puts("    esac\n}");
    put_option_cases();
    put_value_cases();
    puts("# What may follow in a filter of a graph, of which $1 is there: parameters, and words that they take.\n"
         "_weft_in_filter() {\n"
         "    local filter=${1%%=*} values=${1#*=} last colons\n"
         "    last=${values##*:} colons=${values//[^:]/}\n"
         "    case $last in\n"
         "    *=*) _weft_choices \"$filter\" \"${last%%=*}\" ;;\n"
         "    *) echo $(_weft_parameters \"$filter\") $(_weft_choices \"$filter\" ${#colons}) ;;\n"
         "    esac\n"
         "}");
}

void generate_bash(void) {
    puts("# bash completion for weft; made by 'weft generate bash'");
    put_shared();
    puts("_weft() {\n"
         "    local line=${COMP_LINE:0:COMP_POINT} token piece replaced before words word previous command=${COMP_WORDS[1]}\n"
         "    token=${line##*[[:space:]]}\n"
         "    previous=${line%\"$token\"} previous=${previous%\"${previous##*[![:space:]]}\"} previous=${previous##*[[:space:]]}\n"
         "    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -le 1 ]; then\n"
         "        COMPREPLY=($(compgen -W \"$_weft_commands $_weft_filters\" -- \"$token\"))\n"
         "        return\n"
         "    fi\n"
         "    case $token in\n"
         "    --*=*)\n"
         "        COMPREPLY=($(compgen -W \"$(_weft_values \"$command\" \"${token%%=*}\")\" -- \"${token#*=}\"))\n"
         "        return ;;\n"
         "    -*)\n"
         "        COMPREPLY=($(compgen -W \"$(_weft_options \"$command\")\" -- \"$token\"))\n"
         "        return ;;\n"
         "    [\\'\\\"]*) token=${token#?} replaced=$token ;; # readline replaces all of what is quoted\n"
         "    *) replaced=${token##*[=:;]} ;;\n"
         "    esac\n"
         "    words=$(_weft_values \"$command\" \"$previous\")\n"
         "    if [ -n \"$words\" ]; then\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$token\"))\n"
         "        return\n"
         "    fi\n"
         "    piece=${token##*[],;]}\n"
         "    case $command:$piece in\n"
         "    help:*) words=\"$_weft_filters $_weft_commands $_weft_topics\" ;;\n"
         "    generate:*) words='man man-filters bash zsh fish builders' ;;\n"
         "    run:*=* | plan:*=* | bench:*=* | kernels:*=*)\n"
         "        words=$(_weft_in_filter \"$piece\")\n"
         "        piece=${piece##*[=:]} ;;\n"
         "    run:* | plan:* | bench:* | kernels:*) words=$_weft_filters ;;\n"
         "    *) return ;; # files\n"
         "    esac\n"
         "    before=${replaced%\"$piece\"}\n"
         "    for word in $(compgen -W \"$words\" -- \"$piece\"); do\n"
         "        COMPREPLY+=(\"$before$word\")\n"
         "    done\n"
         "    case $command in run | plan | bench | kernels) compopt -o nospace 2>/dev/null ;; esac\n"
         "    [ \"$token\" = \"$piece\" ] && [ \"$command\" = run ] &&\n"
         "        COMPREPLY+=($(compgen -f -- \"$token\"))\n"
         "    return 0\n"
         "}\n"
         "complete -o default -F _weft weft");
}

void generate_zsh(void) {
    puts("#compdef weft\n"
         "# zsh completion for weft; made by 'weft generate zsh'");
    put_shared();
    puts("_weft() {\n"
         "    local values piece command=$words[2]\n"
         "    if (( CURRENT == 2 )); then\n"
         "        compadd -- ${=_weft_commands} ${=_weft_filters}\n"
         "        return\n"
         "    fi\n"
         "    if [[ $PREFIX == --*=* ]]; then\n"
         "        values=$(_weft_values $command ${PREFIX%%=*})\n"
         "        compset -P '*='\n"
         "        compadd -- ${=values}\n"
         "        return\n"
         "    fi\n"
         "    if [[ $PREFIX == -* ]]; then\n"
         "        compadd -- ${=$(_weft_options $command)}\n"
         "        return\n"
         "    fi\n"
         "    values=$(_weft_values $command $words[CURRENT-1])\n"
         "    if [[ -n $values ]]; then\n"
         "        compadd -- ${=values}\n"
         "        return\n"
         "    fi\n"
         "    case $command in\n"
         "    help) compadd -- ${=_weft_filters} ${=_weft_commands} ${=_weft_topics} ;;\n"
         "    generate) compadd -- man man-filters bash zsh fish builders ;;\n"
         "    list|devices) ;;\n"
         "    run|plan|bench|kernels)\n"
         "        [[ $command == run ]] && _files\n"
         "        compset -P '*[],;]'\n"
         "        if [[ $PREFIX == *=* ]]; then\n"
         "            piece=$PREFIX\n"
         "            compset -P '*[=:]'\n"
         "            compadd -S '' -- ${=$(_weft_in_filter $piece)}\n"
         "        else\n"
         "            compadd -S '' -- ${=_weft_filters}\n"
         "        fi ;;\n"
         "    *) _files ;;\n"
         "    esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _weft ]; then\n"
         "    _weft \"$@\"\n"
         "else\n"
         "    compdef _weft weft\n"
         "fi");
}

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
        put_parameters(filter, "=");
        putchar('\n');
    }
    const struct topic *word;
    for (int i = 0; (word = topic_word_at(i)) != NULL; i++)
        printf("        case %s\n            printf '%%s\\n' %s=\n", word->name, word->parameter);
    puts("    end\n"
         "end");
    put_choice_cases("function __weft_choices\n    switch $argv[1]", "        case ", " ", "\n            printf '%s\\n' ", "");
    puts("    end\n"
         "end\n"
         "function __weft_values\n"
         "    switch $argv[2]");
    for (int i = 0; i < WORDED; i++) {
        printf("        case --%s\n            printf '%%s\\n' ", worded_options[i]);
        put_option_words(worded_options[i]);
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
    put_options(command_find("run"));
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
    put_filters(" ");
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
                for (int w = 0; w < WORDED; w++)
                    if (!strcmp(option->name, worded_options[w])) {
                        fputs(" -f -a '", stdout);
                        put_option_words(option->name);
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
    put_filters(" ");
    putchar(' ');
    put_commands();
    put_topics();
    puts("'\n"
         "complete -c weft -n '__fish_seen_subcommand_from generate' -f -a 'man man-filters bash zsh fish builders'\n"
         "complete -c weft -n '__fish_seen_subcommand_from list devices' -f");
}
