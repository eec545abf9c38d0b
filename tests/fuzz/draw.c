/* SPDX-License-Identifier: MIT
 * Draws graphs: forks, joins, other sizes, bound parameters, several outputs. */
#include <stdio.h>
#include <string.h>
#include "graphs.h"

#define LARGEST 60
#define JUMPS 0.01 /* tolerances above it are of filters that jump, in which no share of full scale is told */

/* Sets the parameters of "name=a=1:b=2" one by one. */
static weft_status add_filter(weft_graph *graph, const struct node *node, const weft_node *inputs, weft_node *made,
                              weft_error *error) {
    char text[SPEC];
    snprintf(text, sizeof text, "%s", node->text);
    char *next = strchr(text, '=');
    if (next)
        *next++ = 0;
    weft_status status = weft_graph_add(graph, text, inputs, node->input_count, made, error);
    while (status == WEFT_OK && next) {
        char *name = next, *value = strchr(name, '=');
        next = strchr(name, ':');
        if (next)
            *next++ = 0;
        *value++ = 0;
        status = weft_graph_set_text(graph, *made, name, value, error);
    }
    return status;
}

/* The first `count` nodes, with the outputs given. */
weft_graph *build_graph(const struct graph *g, int32_t count, const int32_t *outputs, int32_t output_count,
                        weft_error *error) {
    weft_graph *graph = NULL;
    weft_node made[NODES];
    weft_status status = weft_graph_create(&graph, error);
    for (int32_t n = 0; n < count && status == WEFT_OK; n++) {
        const struct node *node = &g->nodes[n];
        weft_node inputs[2] = {0};
        for (int32_t i = 0; i < node->input_count; i++)
            inputs[i] = made[node->inputs[i]];
        if (!node->text[0])
            status = weft_graph_input(graph, &made[n], error);
        else
            status = add_filter(graph, node, inputs, &made[n], error);
        if (status == WEFT_OK && node->bound[0])
            status = weft_graph_bind(graph, made[n], node->bound, made[node->from], node->index, node->scale, error);
    }
    for (int32_t i = 0; i < output_count && status == WEFT_OK; i++)
        status = weft_graph_output(graph, made[outputs[i]], error);
    if (status != WEFT_OK)
        weft_graph_destroy(&graph);
    return graph;
}

/* Whether the graph so far can be planned, and the sizes of its images. */
static weft_status measure(struct fuzz *fuzz, struct graph *g, weft_error *error) {
    int32_t all[NODES];
    weft_plan *plan = NULL;
    weft_plan_options options = {.inputs = g->inputs, .input_count = g->input_count};
    for (int32_t n = 0; n < g->count; n++)
        all[n] = n;
    weft_graph *graph = build_graph(g, g->count, all, g->count, error);
    weft_status status = graph ? weft_plan_create(fuzz->null, graph, &options, &plan, error) : error->status;
    for (int32_t n = 0; n < g->count && status == WEFT_OK; n++)
        status = weft_plan_output_info(plan, n, &g->info[n], error);
    for (int32_t n = 0; n < g->count && status == WEFT_OK; n++)
        if (g->info[n].width > 400 || g->info[n].height > 400)
            status = WEFT_ERROR_FORMAT;
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    return status;
}

bool is_values(const struct graph *g, int32_t n) { return g->info[n].format.type == WEFT_F64; }

/* A node that can be read, later ones more often. */
static int32_t draw_node(const struct graph *g, bool values, struct chance *chance) {
    for (int32_t tries = 0; tries < 40; tries++) {
        int32_t span = chance_once_in(chance, 3) ? g->count : g->count < 3 ? g->count : 3;
        int32_t n = g->count - 1 - (int32_t)chance_below(chance, span);
        if (is_values(g, n) == values)
            return n;
    }
    return -1;
}

/* Filters whose results jump, or divide by what may be nothing. */
static bool jumps(const weft_filter_info *filter) {
    static const char *const names[] = {"threshold",  "levels",    "gamma",           "unpremultiply",
                                        "histogram",  "srgb",      "canny",           "opacity",
                                        "boost",      "bilateral", "color_matrix",    "blend_color",
                                        "luminosity", "blend_hue", "blend_saturation"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(filter->name, names[i]))
            return true;
    return filter->tolerance > JUMPS;
}

static void draw_binding(const struct graph *g, struct node *node, const weft_filter_info *filter,
                         struct chance *chance) {
    int32_t from = draw_node(g, chance_below(chance, 4) > 0, chance);
    int32_t k = filter->parameters ? (int32_t)chance_below(chance, filter->parameters) : 0;
    const weft_parameter_info *parameter = weft_filter_parameter(filter, k);
    if (from < 0 || g->info[from].width == 0 || !parameter || parameter->type != WEFT_PARAMETER_FLOAT ||
        !parameter->dynamic)
        return;
    int64_t numbers = g->info[from].width * g->info[from].height * g->info[from].format.channels;
    snprintf(node->bound, sizeof node->bound, "%s", parameter->name);
    node->from = from, node->index = (int32_t)chance_below(chance, numbers > 30 ? 30 : numbers);
    node->scale = chance_unit(chance) + 0.25;
}

static void trace(struct graph *g, int32_t n) {
    struct node *node = &g->nodes[n];
    node->made_of = (uint32_t)1 << n;
    for (int32_t i = 0; i < node->input_count; i++)
        node->made_of |= g->nodes[node->inputs[i]].made_of;
    if (node->bound[0])
        node->made_of |= g->nodes[node->from].made_of;
}

/* Adds a filter, resized first where two images differ; false when what was drawn cannot be. */
static bool grow(struct fuzz *fuzz, struct graph *g, const char *family, struct chance *chance) {
    struct graph before = *g;
    weft_error error = {0};
    const weft_filter_info *filter;
    bool respaced;
    do
        filter = weft_filter_at((int32_t)chance_below(chance, weft_filter_count()));
    while (family && strcmp(filter->kind, family) != 0 && chance_below(chance, 4) > 0);
    struct node node = {.input_count = filter->inputs};
    if (filter->inputs > 2 || (jumps(filter) && chance_below(chance, 3) > 0))
        return false;
    for (int32_t i = 0; i < filter->inputs; i++) {
        node.inputs[i] = draw_node(g, chance_once_in(chance, 60), chance);
        if (node.inputs[i] < 0)
            return false;
    }
    if (filter->inputs == 2 && g->count < NODES - 1) {
        const weft_image_info *a = &g->info[node.inputs[0]], *b = &g->info[node.inputs[1]];
        if (a->width != b->width || a->height != b->height) {
            struct node *resize = &g->nodes[g->count];
            *resize = (struct node){.inputs = {node.inputs[1]}, .input_count = 1};
            snprintf(resize->text, sizeof resize->text, "resize=width=%d:height=%d", (int)a->width, (int)a->height);
            node.inputs[1] = g->count++;
        }
    }
    const weft_image_info *info = filter->inputs ? &g->info[node.inputs[0]] : &g->info[0];
    variation_write(filter, info, chance_once_in(chance, 8), chance, node.text, sizeof node.text, &respaced);
    if (filter->inputs == 0 && !strstr(node.text, "width") && weft_filter_parameter(filter, 0) && g->input_count > 0)
        snprintf(node.text + strlen(node.text), sizeof node.text - strlen(node.text), "%cwidth=%d:height=%d",
                 strchr(node.text, '=') ? ':' : '=', (int)info->width, (int)info->height);
    if (chance_once_in(chance, 3))
        draw_binding(g, &node, filter, chance);
    g->nodes[g->count++] = node;
    if (measure(fuzz, g, &error) != WEFT_OK) {
        *g = before;
        return false;
    }
    struct node *added = &g->nodes[g->count - 1];
    added->tolerance = filter->tolerance > JUMPS ? 0 : filter->tolerance;
    added->rough = jumps(filter);
    /* By itself, bilateral_divide divides by any image. */
    added->wild = strstr(filter->name, "threshold") || strstr(filter->name, "histogram") ||
                  strstr(filter->name, "gamma") || strstr(filter->name, "_divide");
    for (int32_t n = before.count; n < g->count; n++)
        trace(g, n);
    fuzz->bound += node.bound[0] != 0;
    return true;
}

static void draw_info(weft_image_info *info, struct chance *chance) {
    static const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32};
    int64_t shape = chance_below(chance, 10);
    *info = (weft_image_info){.width = 1 + chance_below(chance, LARGEST), .height = 1 + chance_below(chance, LARGEST)};
    if (shape <= 1)
        info->width = 1 + chance_below(chance, 2);
    if (shape == 0 || shape == 2)
        info->height = 1 + chance_below(chance, 2);
    if (shape == 3)
        info->height = 100 + chance_below(chance, 200);
    if (shape == 4)
        info->width = 100 + chance_below(chance, 200);
    info->format = (weft_format){types[chance_below(chance, 4)], 1 + (int32_t)chance_below(chance, 4)};
    if (info->format.channels % 2 == 0)
        info->alpha = (weft_alpha)chance_below(chance, 3);
    if (chance_once_in(chance, 8))
        info->space = WEFT_SPACE_LINEAR;
}

void draw_graph(struct fuzz *fuzz, struct graph *g, struct chance *chance) {
    static const char *const families[] = {NULL, NULL, "point", "resample", "separable", "box", "extremum"};
    static const weft_type types[] = {0, WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32, WEFT_F32, WEFT_F32, WEFT_F32};
    const char *family = families[chance_below(chance, (int64_t)(sizeof families / sizeof *families))];
    memset(g, 0, sizeof *g);
    g->input_count = 1 + (int32_t)chance_below(chance, INPUTS);
    for (int32_t i = 0; i < g->input_count; i++) {
        draw_info(&g->inputs[i], chance);
        if (i > 0 && chance_below(chance, 3) > 0)
            g->inputs[i].width = g->inputs[0].width, g->inputs[i].height = g->inputs[0].height;
        g->contents[i] = (enum content)chance_below(chance, CONTENTS);
        g->info[i] = g->inputs[i];
        trace(g, i);
    }
    g->count = g->input_count;
    int32_t wanted = 1 + (int32_t)chance_below(chance, 12), made = 0;
    for (int32_t tries = 0; tries < 60 && made < wanted && g->count < NODES - 1; tries++)
        made += grow(fuzz, g, family, chance);
    bool read[NODES] = {false};
    for (int32_t n = 0; n < g->count; n++) {
        for (int32_t i = 0; i < g->nodes[n].input_count; i++)
            read[g->nodes[n].inputs[i]] = true;
        if (g->nodes[n].bound[0])
            read[g->nodes[n].from] = true;
    }
    /* Filters that nobody reads are outputs as long as there is room; inputs that nobody reads must be. */
    for (int32_t n = 0; n < g->count; n++)
        if (!read[n] && g->output_count < (n < g->input_count ? OUTPUTS : OUTPUTS - 2))
            g->outputs[g->output_count++] = n;
    while (g->output_count < OUTPUTS && (g->output_count == 0 || chance_once_in(chance, 4)))
        g->outputs[g->output_count++] = (int32_t)chance_below(chance, g->count);
    for (int32_t i = 0; i < g->output_count; i++)
        g->types[i] = is_values(g, g->outputs[i]) ? 0 : types[chance_below(chance, 8)];
}

void print_graph(const struct graph *g) {
    static const char *const alphas[] = {"no alpha", "straight", "premultiplied"};
    for (int32_t n = 0; n < g->count; n++) {
        const struct node *node = &g->nodes[n];
        char format[16];
        weft_format_print(g->info[n].format, format, sizeof format);
        printf("  %2d %lldx%lld %s %s%s: %s", (int)n, (long long)g->info[n].width, (long long)g->info[n].height, format,
               alphas[g->info[n].alpha], g->info[n].space == WEFT_SPACE_LINEAR ? " linear" : "",
               node->text[0] ? node->text : content_name(g->contents[n]));
        for (int32_t i = 0; i < node->input_count; i++)
            printf(" [%d]", (int)node->inputs[i]);
        if (node->bound[0])
            printf(" %s=@%d[%d]*%g", node->bound, (int)node->from, (int)node->index, node->scale);
        printf("\n");
    }
    for (int32_t i = 0; i < g->output_count; i++)
        printf("  output %d: node %d as %s\n", (int)i, (int)g->outputs[i], weft_type_name(g->types[i]));
}
