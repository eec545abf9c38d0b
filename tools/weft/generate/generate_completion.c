/* SPDX-License-Identifier: MIT
 * Completion for shells: commands, their options, and in graphs the names of filters and of their parameters. */
#include <stdio.h>
#include <string.h>
#include "command.h"
#include "generate/generate.h"

/* The names of all filters, or of one's parameters with the '=' after them. */
static void put_filters(const char *between) {
    for (int32_t i = 0; i < weft_filter_count(); i++)
        printf("%s%s", i ? between : "", weft_filter_at(i)->name);
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
    puts("    case $1 in");
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        printf("    %s) echo '", filter->name);
        put_parameters(filter, "=");
        puts("' ;;");
    }
    puts("    esac");
}

static void put_option_cases(void) {
    const struct command *command;
    puts("    case $1 in");
    for (int i = 0; (command = command_at(i)) != NULL; i++) {
        printf("    %s) echo '", command->name);
        put_options(command);
        puts("' ;;");
    }
    puts("    esac");
}

void generate_bash(void) {
    puts("# bash completion for weft; made by 'weft generate bash'\n"
         "_weft_filters='");
    put_filters(" ");
    fputs("'\n_weft_commands='", stdout);
    put_commands();
    puts("'\n_weft_parameters() {");
    put_parameter_cases();
    puts("}\n_weft_options() {");
    put_option_cases();
    puts("}\n"
         "_weft() {\n"
         "    local line=${COMP_LINE:0:COMP_POINT} token piece replaced before words word\n"
         "    token=${line##*[[:space:]]}\n"
         "    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -le 1 ]; then\n"
         "        COMPREPLY=($(compgen -W \"$_weft_commands\" -- \"$token\"))\n"
         "        return\n"
         "    fi\n"
         "    case $token in\n"
         "    -*)\n"
         "        COMPREPLY=($(compgen -W \"$(_weft_options \"${COMP_WORDS[1]}\")\" -- \"$token\"))\n"
         "        return ;;\n"
         "    [\\'\\\"]*) token=${token#?} replaced=$token ;; # readline replaces all of what is quoted\n"
         "    *) replaced=${token##*[=:;]} ;;\n"
         "    esac\n"
         "    piece=${token##*[],;]}\n"
         "    case ${COMP_WORDS[1]}:$piece in\n"
         "    help:*) words=\"$_weft_filters $_weft_commands graph\" ;;\n"
         "    generate:*) words='man man-filters bash zsh fish builders' ;;\n"
         "    list:* | devices:*) return ;;\n"
         "    *=*)\n"
         "        words=$(_weft_parameters \"${piece%%=*}\")\n"
         "        piece=${piece##*[=:]} ;;\n"
         "    *) words=$_weft_filters ;;\n"
         "    esac\n"
         "    before=${replaced%\"$piece\"}\n"
         "    for word in $(compgen -W \"$words\" -- \"$piece\"); do\n"
         "        COMPREPLY+=(\"$before$word\")\n"
         "    done\n"
         "    case ${COMP_WORDS[1]} in run | plan | bench | kernels) compopt -o nospace 2>/dev/null ;; esac\n"
         "    [ \"$token\" = \"$piece\" ] && [ \"${COMP_WORDS[1]}\" = run ] &&\n"
         "        COMPREPLY+=($(compgen -f -- \"$token\"))\n"
         "    return 0\n"
         "}\n"
         "complete -o default -F _weft weft");
}

void generate_zsh(void) {
    puts("#compdef weft\n"
         "# zsh completion for weft; made by 'weft generate zsh'\n"
         "_weft_parameters() {");
    put_parameter_cases();
    puts("}\n_weft_options() {");
    put_option_cases();
    fputs("}\n"
          "_weft() {\n"
          "    local filters='",
          stdout);
    put_filters(" ");
    fputs("'\n    local commands='", stdout);
    put_commands();
    puts("'\n"
         "    local filter\n"
         "    if (( CURRENT == 2 )); then\n"
         "        compadd -- ${=commands}\n"
         "        return\n"
         "    fi\n"
         "    if [[ $PREFIX == -* ]]; then\n"
         "        compadd -- ${=$(_weft_options $words[2])}\n"
         "        return\n"
         "    fi\n"
         "    case $words[2] in\n"
         "    help) compadd -- ${=filters} ${=commands} graph ;;\n"
         "    generate) compadd -- man man-filters bash zsh fish builders ;;\n"
         "    run|plan|bench|kernels)\n"
         "        [[ $words[2] == run ]] && _files\n"
         "        compset -P '*[],;]'\n"
         "        if [[ $PREFIX == *=* ]]; then\n"
         "            filter=${PREFIX%%=*}\n"
         "            compset -P '*[=:]'\n"
         "            compadd -S '' -- ${=$(_weft_parameters $filter)}\n"
         "        else\n"
         "            compadd -S '' -- ${=filters}\n"
         "        fi ;;\n"
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
    puts("    end\n"
         "end\n"
         "function __weft_graph\n"
         "    set -l token (commandline -ct | string trim -l -c '\\'\"')\n"
         "    set -l piece (string replace -r '.*[\\],;]' '' -- $token)\n"
         "    set -l before (string sub -l (math (string length -- $token) - (string length -- $piece)) -- $token)\n"
         "    if string match -q '*=*' -- $piece\n"
         "        set -l value (string replace -r '.*[=:]' '' -- $piece)\n"
         "        set before $before(string sub -l (math (string length -- $piece) - (string length -- $value)) -- $piece)\n"
         "        printf \"$before%s\\n\" (__weft_parameters (string replace -r '=.*' '' -- $piece))\n"
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
                putchar('\n');
            }
    }
    puts("complete -c weft -n '__fish_seen_subcommand_from run plan bench kernels' -a '(__weft_graph)'");
    fputs("complete -c weft -n '__fish_seen_subcommand_from help' -f -a '", stdout);
    put_filters(" ");
    putchar(' ');
    put_commands();
    puts(" graph'\n"
         "complete -c weft -n '__fish_seen_subcommand_from generate' -f -a 'man man-filters bash zsh fish builders'\n"
         "complete -c weft -n '__fish_seen_subcommand_from list devices' -f");
}
