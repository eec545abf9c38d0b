/* SPDX-License-Identifier: MIT
 * weft help: what the tool does, and everything that the descriptors say about a filter. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "command.h"
#include "common/message.h"
#include "common/nearest.h"
#include "show/topics.h"
#include "tasks/filter.h"

void help_usage(FILE *file) {
    fprintf(file, "weft %s: image filters, fused into few passes over memory\n\n", weft_version());
    const struct command *command;
    for (int i = 0; (command = command_at(i)) != NULL; i++) {
        fprintf(file, "  weft %-30s %s\n", command->form, command->summary);
        if (i == 0)
            fprintf(file, "  weft %-30s %s\n", FILTER_FORM, FILTER_SUMMARY);
    }
    fputs("\n"
          "examples\n"
          "  weft run photo.jpg 'gaussian=4' out.png          one filter\n"
          "  weft run photo.jpg 'gaussian=2,sobel' out.png    two, in one pass\n"
          "  weft gaussian photo.jpg out.png --sigma 4        the same as the first\n"
          "  weft run photo.jpg histogram                     numbers are printed\n"
          "  weft run 'in/*.jpg' sobel -o 'out/{stem}.png'    many files\n"
          "A graph is filters joined by commas, each with values: name=value:key=value.\n"
          "'weft help graph' has the rest, 'weft help FILTER' what a filter does.\n"
          "'weft help' also tells of each command, and of",
          file);
    const struct topic *topic;
    for (int i = 0; (topic = topic_at(i)) != NULL; i++)
        fprintf(file, "%s %s", i ? "," : "", topic->name);
    fputs(".\n", file);
    fputs("files ", file);
    const weft_file_format *format;
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++)
        fprintf(file, " %s%s", format->name, !format->writes ? " (read only)" : !format->reads ? " (write only)" : "");
    fputs("\n", file);
}

const char help_graph[] =
    "A graph says which filters run, in which order, on what. It reads like FFmpeg's filtergraph.\n\n"
    "  gaussian=4                     a filter and its first parameter\n"
    "  gaussian=sigma=4:border=wrap   parameters by name, joined by ':'\n"
    "  gaussian=4,sobel               one after the other\n"
    "  [0]gaussian=4[soft];[0][soft]blend_multiply\n"
    "                                 chains, joined by ';'. [0] and [1] are the graph's inputs; other labels\n"
    "                                 name what a filter makes, and what one reads\n"
    "  split[a][b];[a]sobel;[b]invert two outputs: what nothing reads is an output, in order\n"
    "  [0]grayscale,reduce=mean[m];[0]luminance_threshold=@m\n"
    "                                 a parameter that is measured: the first number of [m]; @m[2] is its\n"
    "                                 third, @m*0.5 half of it\n"
    "\n"
    "Values: numbers in [0, 1] for levels of any component type, pixels for sizes; '#rrggbb' or a color's name;\n"
    "'quotes' around what holds : , ; or [ and a backslash before one such character. In files a graph may take\n"
    "several lines, and '#' starts a comment.\n";

int help_about_command(const struct command *command) {
    printf("weft %s [OPTION...]\n%s\n\n%s\n", command->form, command->summary, command->details);
    options_print(stdout, command->takes | OPTION_HELP);
    return EXIT_DONE;
}

/* "0 to 64 px" */
void help_print_limits(const weft_parameter_info *parameter) {
    /* A limit that is only that of the number's type is not printed. */
    double limit = parameter->type == WEFT_PARAMETER_INT ? 2147483646 : 1e30;
    bool low = parameter->minimum > -limit, high = parameter->maximum < limit;
    if (low && high)
        printf("%.10g to %.10g", parameter->minimum, parameter->maximum);
    else if (low)
        printf("at least %.10g", parameter->minimum);
    else if (high)
        printf("at most %.10g", parameter->maximum);
    else
        printf("any number");
    printf("%s%s", parameter->unit[0] ? " " : "", parameter->unit);
    if (parameter->type == WEFT_PARAMETER_INT)
        printf(", whole");
    if (parameter->automatic)
        printf(", or auto");
}

void help_print_range(const weft_parameter_info *parameter) {
    if (parameter->type == WEFT_PARAMETER_CHOICE) {
        printf("%s", parameter->choices);
        return;
    }
    if (parameter->type == WEFT_PARAMETER_BOOL) {
        printf("0 or 1");
        return;
    }
    if (parameter->type == WEFT_PARAMETER_LIST)
        printf("numbers joined by '|', each ");
    else if (parameter->type == WEFT_PARAMETER_FLOATS)
        printf("%d numbers joined by '|', each ", (int)parameter->count);
    else if (parameter->type == WEFT_PARAMETER_COLOR)
        printf("a color, or its components joined by '|', each ");
    help_print_limits(parameter);
}

static void print_parameters(const weft_filter_info *filter) {
    const weft_parameter_info *parameter;
    char text[64];
    int width = 4;
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++) {
        int length = (int)(strlen(parameter->name) + strlen(describe_default(parameter, text, sizeof text))) + 1;
        width = length > width && length < 40 ? length : width;
    }
    puts("\nparameters, in order, with their defaults");
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)) != NULL; i++) {
        int rest = width - (int)strlen(parameter->name) - 1;
        printf("  %s=%-*s  ", parameter->name, rest > 0 ? rest : 0, describe_default(parameter, text, sizeof text));
        help_print_range(parameter);
        printf("\n  %*s  %s%s\n", width, "", parameter->doc, parameter->dynamic ? "" : " (part of the plan)");
    }
}

static void print_inputs(const weft_filter_info *filter) {
    if (filter->inputs == 0)
        puts("inputs     none: it makes the image");
    else
        printf("inputs     %d image%s\n", (int)filter->inputs, filter->inputs > 1 ? "s" : "");
}

/* A plan of graph text for images of 1920x1080 u8x3, NULL when they do not suit it; *inputs is how many it takes. */
static weft_plan *plan_text(const char *text, weft_device *device, int32_t *inputs) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_image_info images[4];
    for (int32_t i = 0; i < 4; i++)
        images[i] = (weft_image_info){.width = 1920, .height = 1080, .format = {WEFT_U8, 3}};
    *inputs = 1;
    if (weft_graph_parse(text, strlen(text), &graph, NULL) == WEFT_OK && weft_graph_inputs(graph) <= 4) {
        *inputs = weft_graph_inputs(graph);
        weft_plan_options options = {.inputs = images, .input_count = *inputs};
        weft_plan_create(device, graph, &options, &plan, NULL);
    }
    weft_graph_destroy(&graph);
    return plan;
}

/* What a run takes, as the processor plans it: with defaults where that is a whole graph, else in the example. */
static void print_cost(const weft_filter_info *filter, weft_device *device) {
    int32_t inputs;
    weft_plan *plan = plan_text(filter->name, device, &inputs);
    bool alone = plan != NULL;
    if (!plan && filter->example)
        plan = plan_text(filter->example, device, &inputs);
    if (!plan)
        return;
    int passes = (int)weft_plan_passes(plan);
    printf("cost       %d pass%s over memory%s; 1920x1080 u8x3 reads and writes %.1f MB, workspace %.2f MB\n", passes,
           passes == 1 ? "" : "es", alone ? "" : " in the example", (double)weft_plan_bytes(plan) / 1e6,
           (double)weft_plan_workspace_size(plan) / 1e6);
    weft_plan_destroy(&plan);
}

/* The command that runs an example: the graph says how many images it takes, and a plan how many it makes. */
static void print_example(const char *example, weft_device *device) {
    int32_t inputs;
    weft_plan *plan = plan_text(example, device, &inputs);
    int32_t outputs = plan ? weft_plan_output_count(plan) : 1;
    printf("\nexample\n  weft run");
    for (int32_t i = 0; i < inputs; i++)
        printf(" %s", i == 0 ? "photo.jpg" : i == 1 ? "other.jpg" : "another.jpg");
    printf(" '%s'", example);
    for (int32_t i = 0; i < outputs; i++)
        if (!plan || !weft_plan_output_is_values(plan, i)) /* numbers are printed */
            printf(" %s", i == 0 ? "out.png" : i == 1 ? "other.png" : "another.png");
    printf("\n  weft bench '%s'\n", example);
    weft_plan_destroy(&plan);
}

int help_about_filter(const weft_filter_info *filter) {
    weft_device_options one = {.threads = 1};
    weft_device *device = NULL;
    weft_error error;
    if (weft_device_open("cpu", &one, &device, &error) != WEFT_OK)
        return message_library(&error, NULL, NULL);
    printf("%s: %s\n\n", filter->name, filter->summary);
    if (filter->step_of[0])
        printf("building block of %s; 'weft list --all' shows such filters\n\n", filter->step_of);
    if (filter->aliases[0])
        printf("aliases    %s\n", filter->aliases);
    printf("family     %s\n", filter->family);
    printf("kind       %s\n", filter->kind);
    print_inputs(filter);
    if (filter->exact)
        puts("precision  integer formats come out the same on every device");
    else
        printf("precision  devices differ by at most %.2g of full scale in f32\n", filter->tolerance);
    print_cost(filter, device);
    if (filter->alpha[0])
        printf("alpha      %s\n", filter->alpha);
    if (filter->source[0])
        printf("source     %s\n", filter->source);
    if (filter->parameters)
        print_parameters(filter);
    if (filter->example && filter->example[0])
        print_example(filter->example, device);
    topic_print_tasks(stdout, filter->name);
    weft_device_close(&device);
    return EXIT_DONE;
}

static int unknown(const char *word) {
    const char *names[24];
    const struct topic *topic;
    int count = 0;
    const struct command *command;
    const weft_filter_info *filter = weft_filter_nearest(word);
    if (filter)
        return message_usage("there is no filter '%s': did you mean '%s'?", word, filter->name);
    for (; count < 14 && (command = command_at(count)) != NULL; count++)
        names[count] = command->name;
    for (int i = 0; count < 23 && (topic = topic_at(i)) != NULL; i++)
        names[count++] = topic->name;
    names[count] = NULL;
    const char *near = nearest_word(word, names);
    if (near)
        return message_usage("there is no filter, command or topic '%s': did you mean '%s'?", word, near);
    return message_usage("there is no filter, command or topic '%s'; 'weft list' shows all filters, 'weft help cookbook' the "
                         "commands of many tasks",
                         word);
}

int help_command(const struct options *options) {
    if (options->operand_count > 1)
        return message_usage("'weft help' takes one name, not %d", options->operand_count);
    if (options->operand_count == 0) {
        if (options->json)
            return message_usage("'weft help --json' needs the name of a filter; 'weft list --json' has all");
        help_usage(stdout);
        return EXIT_DONE;
    }
    const char *word = options->operands[0];
    const weft_filter_info *filter = weft_filter_find(word);
    const struct command *command = command_find(word);
    if (filter && options->json) {
        struct json json = {.file = stdout};
        describe_filter(&json, filter);
        json_end(&json);
        return EXIT_DONE;
    }
    if (filter)
        return help_about_filter(filter);
    if (command)
        return help_about_command(command);
    const struct topic *topic = topic_find(word);
    if (!topic)
        return unknown(word);
    topic->print();
    return EXIT_DONE;
}
