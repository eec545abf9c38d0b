/* SPDX-License-Identifier: MIT
 * Completion for bash and zsh: commands, their options, and in graphs the names of filters and of their parameters. */
#include <stdio.h>
#include "generate/completion_lists.h"
#include "generate/generate.h"
#include "show/topics.h"

/* case $1 in gaussian) echo "sigma= ..." ;; of every filter, in the words that bash and zsh share. */
static void put_parameter_cases(void) {
    puts("_weft_parameters() {\n    case $1 in");
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        printf("    %s) echo '", filter->name);
        completion_put_parameters(filter, "=");
        puts("' ;;");
    }
    const struct topic *word;
    for (int i = 0; (word = topic_word_at(i)) != NULL; i++)
        printf("    %s) echo '%s=' ;;\n", word->name, word->parameter);
    puts("    esac\n}");
}

/* Options of commands; of filters, which are commands, too, their parameters and the options of weft run. */
static void put_option_cases(void) {
    const struct command *command;
    puts("_weft_options() {\n    local parameter\n    case $1 in");
    for (int i = 0; (command = command_at(i)) != NULL; i++) {
        printf("    %s) echo '", command->name);
        completion_put_options(command);
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
    for (int i = 0; i < COMPLETION_WORDED; i++) {
        printf("    --%s) echo '", completion_worded[i]);
        completion_put_option_words(completion_worded[i]);
        puts("' ;;");
    }
    puts("    --*) _weft_choices \"$1\" \"${2#--}\" ;;\n    esac\n}");
}

/* What bash and zsh share. */
static void put_shared(void) {
    fputs("_weft_filters='", stdout);
    completion_put_filters(" ");
    fputs("'\n_weft_commands='", stdout);
    completion_put_commands();
    fputs("'\n_weft_topics='", stdout);
    completion_put_topics();
    puts("'");
    put_parameter_cases();
    completion_put_choice_cases("_weft_choices() {\n    case $1:$2 in", "    ", " | ", ") echo '", "' ;;");
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
