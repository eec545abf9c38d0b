/* SPDX-License-Identifier: MIT
 * weft/builders.h: for each filter a struct of its parameters, the macro that fills it with defaults, and the function
 * that adds the filter to a graph. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "command.h"
#include "generate/generate.h"

static void put_upper(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        putchar(isalnum((unsigned char)text[i]) ? toupper((unsigned char)text[i]) : '_');
}
static void put_name(const char *text) { put_upper(text, strlen(text)); }

/* Comments cannot hold their own end. */
static void put_words(const char *text) {
    for (; *text; text++)
        if (!(text[0] == '*' && text[1] == '/') && !(text[0] == '/' && text[1] == '*'))
            putchar(*text);
}

/* Every filter with an input can work in linear light, but where it has a parameter of its own with that name. */
static bool has_space(const weft_filter_info *filter) {
    const weft_parameter_info *parameter;
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++)
        if (!strcmp(parameter->name, "space"))
            return false;
    return filter->inputs > 0;
}

/* Borders are the same everywhere and have their type in weft/image.h. */
static bool is_border(const weft_parameter_info *parameter) {
    return parameter->type == WEFT_PARAMETER_CHOICE && !strcmp(parameter->name, "border");
}
static bool is_bindable(const weft_parameter_info *parameter) {
    return parameter->type == WEFT_PARAMETER_FLOAT && parameter->dynamic;
}

static void put_choice(const weft_filter_info *filter, const weft_parameter_info *parameter, const char *choice) {
    fputs("WEFT_", stdout);
    if (!is_border(parameter)) {
        put_name(filter->name);
        putchar('_');
    }
    put_name(parameter->name);
    putchar('_');
    put_upper(choice, strcspn(choice, "|"));
}

static void put_enum(const weft_filter_info *filter, const weft_parameter_info *parameter) {
    const char *choice = parameter->choices;
    printf("typedef enum weft_%s_%s {", filter->name, parameter->name);
    for (const char *separator = " ";; separator = ", ") {
        fputs(separator, stdout);
        put_choice(filter, parameter, choice);
        choice += strcspn(choice, "|");
        if (!*choice++)
            break;
    }
    printf(" } weft_%s_%s;\n", filter->name, parameter->name);
}

/* The default as C; lists are NULL, which stands for theirs. */
static void put_default(const weft_filter_info *filter, const weft_parameter_info *parameter) {
    const char *choice = parameter->choices;
    switch (parameter->type) {
    case WEFT_PARAMETER_CHOICE:
        for (int skip = (int)parameter->defaults[0]; skip > 0 && *choice; skip--) {
            choice += strcspn(choice, "|");
            choice += *choice == '|';
        }
        put_choice(filter, parameter, choice);
        break;
    case WEFT_PARAMETER_BOOL: fputs(parameter->defaults[0] != 0 ? "true" : "false", stdout); break;
    case WEFT_PARAMETER_LIST: fputs("{NULL, 0}", stdout); break;
    case WEFT_PARAMETER_FLOATS:
        putchar('{');
        for (const char *c = parameter->default_text; *c; c++)
            fputs(*c == '|' ? ", " : (char[]){*c, 0}, stdout);
        putchar('}');
        break;
    case WEFT_PARAMETER_COLOR:
        putchar('{');
        for (int i = 0; i < 4; i++) {
            fputs(i ? ", " : "", stdout);
            json_print_number(stdout, parameter->defaults[i]);
        }
        putchar('}');
        break;
    default:
        if (parameter->automatic && parameter->defaults[0] == WEFT_AUTO)
            fputs(parameter->type == WEFT_PARAMETER_INT ? "(int32_t)WEFT_AUTO" : "WEFT_AUTO", stdout);
        else
            json_print_number(stdout, parameter->defaults[0]);
    }
}

static void put_member(const weft_filter_info *filter, const weft_parameter_info *parameter) {
    static const char *const types[] = {
        [WEFT_PARAMETER_FLOAT] = "double", [WEFT_PARAMETER_INT] = "int32_t",     [WEFT_PARAMETER_BOOL] = "bool",
        [WEFT_PARAMETER_COLOR] = "weft_color", [WEFT_PARAMETER_FLOATS] = "double", [WEFT_PARAMETER_LIST] = "weft_numbers"};
    fputs("    ", stdout);
    if (is_border(parameter))
        fputs("weft_border", stdout);
    else if (parameter->type == WEFT_PARAMETER_CHOICE)
        printf("weft_%s_%s", filter->name, parameter->name);
    else
        fputs(types[parameter->type], stdout);
    printf(" %s", parameter->name);
    if (parameter->type == WEFT_PARAMETER_FLOATS)
        printf("[%d]", (int)parameter->count);
    fputs(" WEFT_DEFAULT(", stdout);
    put_default(filter, parameter);
    fputs("); /* ", stdout);
    put_words(parameter->doc);
    if (parameter->type != WEFT_PARAMETER_CHOICE && parameter->type != WEFT_PARAMETER_BOOL) {
        fputs("; ", stdout);
        help_print_limits(parameter);
    }
    puts(" */");
    if (is_bindable(parameter))
        printf("    weft_from %s_from WEFT_DEFAULT({false, 0, 0, 0}); /* a number that sets %s at every run */\n",
               parameter->name, parameter->name);
}

static void put_struct(const weft_filter_info *filter) {
    const weft_parameter_info *parameter;
    printf("typedef struct weft_%s_options {\n", filter->name);
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++)
        put_member(filter, parameter);
    if (has_space(filter))
        puts("    weft_space space WEFT_DEFAULT(WEFT_SPACE_ENCODED); /* in what the filter works */");
    else if (filter->parameters == 0)
        puts("    char none WEFT_DEFAULT(0); /* it has no parameters */");
    printf("} weft_%s_options;\n", filter->name);
    fputs("#ifdef __cplusplus\n#define WEFT_", stdout);
    put_name(filter->name);
    printf("(...) weft_%s_options{__VA_ARGS__}\n#else\n#define WEFT_", filter->name);
    put_name(filter->name);
    printf("(...) WEFT_OPTIONS_BEGIN(weft_%s_options) ", filter->name);
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++) {
        printf(".%s = ", parameter->name);
        put_default(filter, parameter);
        fputs(", ", stdout);
    }
    if (has_space(filter))
        fputs(".space = WEFT_SPACE_ENCODED, ", stdout);
    else if (filter->parameters == 0)
        fputs(".none = 0, ", stdout);
    puts("__VA_ARGS__ WEFT_OPTIONS_END\n#endif");
}

/* The numbers of a parameter as a pointer and a count. */
static void put_numbers(const weft_parameter_info *parameter, int32_t *used) {
    if (parameter->type == WEFT_PARAMETER_LIST)
        printf("options.%s.values, options.%s.count", parameter->name, parameter->name);
    else if (parameter->type == WEFT_PARAMETER_FLOATS)
        printf("options.%s, %d", parameter->name, (int)parameter->count);
    else
        printf("&numbers[%d], %d", (int)*used, (int)parameter->count);
    if (parameter->type < WEFT_PARAMETER_FLOATS)
        *used += parameter->count;
}

static void put_function(const weft_filter_info *filter) {
    static const char *const inputs[][5] = {{""}, {"input"}, {"first", "second"}, {"first", "second", "third"},
                                            {"first", "second", "third", "fourth"}};
    const weft_parameter_info *parameter;
    int32_t used = 0, values = filter->parameters + has_space(filter);
    printf("static inline weft_status weft_add_%s(weft_graph *graph, ", filter->name);
    for (int32_t i = 0; i < filter->inputs; i++)
        printf("weft_node %s, ", inputs[filter->inputs][i]);
    printf("weft_%s_options options, weft_node *node, weft_error *error) {\n", filter->name);
    if (filter->inputs) {
        fputs("    const weft_node inputs[] = {", stdout);
        for (int32_t i = 0; i < filter->inputs; i++)
            printf("%s%s", i ? ", " : "", inputs[filter->inputs][i]);
        puts("};");
    }
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++) {
        const char *name = parameter->name;
        if (parameter->type >= WEFT_PARAMETER_FLOATS)
            continue;
        fputs(used ? ", " : "    const double numbers[] = {", stdout);
        if (parameter->type == WEFT_PARAMETER_COLOR)
            printf("options.%s.red, options.%s.green, options.%s.blue, options.%s.alpha", name, name, name, name);
        else
            printf("(double)options.%s", name);
        used += parameter->count;
    }
    if (has_space(filter))
        printf("%s(double)options.space", used ? ", " : "    const double numbers[] = {");
    if (used || has_space(filter))
        puts("};");
    if (values == 0)
        puts("    (void)options;");
    else
        puts("    const weft_value values[] = {");
    used = 0;
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++) {
        printf("        {\"%s\", ", parameter->name);
        put_numbers(parameter, &used);
        if (is_bindable(parameter))
            printf(", options.%s_from},\n", parameter->name);
        else
            puts(", {false, 0, 0, 0}},");
    }
    if (has_space(filter))
        printf("        {\"space\", &numbers[%d], 1, {false, 0, 0, 0}},\n", (int)used);
    if (values)
        puts("    };");
    printf("    return weft_graph_add_with(graph, \"%s\", %s, %d, %s, %d, node, error);\n}\n\n", filter->name,
           filter->inputs ? "inputs" : "NULL", (int)filter->inputs, values ? "values" : "NULL", (int)values);
}

static const char head[] =
    "/* SPDX-License-Identifier: MIT\n"
    " * A function for each filter, with its parameters by name and type; made by 'weft generate builders' from the filters'\n"
    " * descriptions.\n"
    " *\n"
    " *     weft_add_NAME(graph, input, WEFT_NAME(.parameter = value, ...), &node, &error)\n"
    " *\n"
    " * adds the filter NAME, as weft_graph_add_with does. WEFT_NAME(...) is a struct weft_NAME_options in which every member\n"
    " * that is not named has the filter's default; what is named has that value, 0 too. WEFT_NAME() has only defaults. A\n"
    " * struct that is initialized without the macro, in C, is what C makes of it: members that are not named are 0, and a 0\n"
    " * is taken at its word, never for a default. In C++ every member has its default, and members are named in order\n"
    " * (C++20) or assigned. Arrays are given whole. Numbers that are not in range are refused by the function, as are\n"
    " * parameters that contradict one another when a plan is made.\n"
    " *\n"
    " * A parameter with a member of its name and _from can take its value from a number that another node makes at every\n"
    " * run, such as a reduction: .threshold_from = weft_number(mean, 0, 1.0). */\n"
    "#ifndef WEFT_BUILDERS_H\n"
    "#define WEFT_BUILDERS_H\n"
    "#include \"weft/graph.h\"\n"
    "\n"
    "/* Red, green, blue and alpha, 1 being full scale. */\n"
    "typedef struct weft_color {\n"
    "    double red, green, blue, alpha;\n"
    "} weft_color;\n"
    "\n"
    "/* As many numbers as the caller likes; values NULL: the default. */\n"
    "typedef struct weft_numbers {\n"
    "    const double *values;\n"
    "    int32_t count;\n"
    "} weft_numbers;\n"
    "\n"
    "/* Number `index` of the image that `node` makes, times `scale`. */\n"
    "static inline weft_from weft_number(weft_node node, int32_t index, double scale) {\n"
    "    weft_from from;\n"
    "    from.bound = true, from.node = node, from.index = index, from.scale = scale;\n"
    "    return from;\n"
    "}\n"
    "\n"
    "/* Defaults stand first and named members after them: that one takes the other's place is what is wanted here. */\n"
    "#ifdef __cplusplus\n"
    "#define WEFT_DEFAULT(...) = __VA_ARGS__\n"
    "#else\n"
    "#define WEFT_DEFAULT(...)\n"
    "#ifdef __GNUC__\n"
    "#define WEFT_OPTIONS_BEGIN(type)                                                                                    \\\n"
    "    __extension__({                                                                                                  \\\n"
    "        _Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored \\\"-Woverride-init\\\"\") type weft_options_ = {\n"
    "#define WEFT_OPTIONS_END                                                                                            \\\n"
    "    }                                                                                                                \\\n"
    "    ;                                                                                                                \\\n"
    "    _Pragma(\"GCC diagnostic pop\") weft_options_;                                                                     \\\n"
    "    })\n"
    "#else\n"
    "#define WEFT_OPTIONS_BEGIN(type) ((type){\n"
    "#define WEFT_OPTIONS_END })\n"
    "#endif\n"
    "#endif\n";

void generate_builders(void) {
    const weft_parameter_info *parameter;
    puts(head);
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        printf("/* ---- %s: ", filter->name);
        put_words(filter->summary);
        puts(". */");
        for (int32_t k = 0; (parameter = weft_filter_parameter(filter, k)) != NULL; k++)
            if (parameter->type == WEFT_PARAMETER_CHOICE && !is_border(parameter))
                put_enum(filter, parameter);
        put_struct(filter);
        put_function(filter);
    }
    puts("#endif");
}
