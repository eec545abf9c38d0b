/* SPDX-License-Identifier: MIT
 * Graphs by chance: forks, joins, other sizes, bound parameters, several outputs, streams. Each is run on the CPU with
 * an instruction set and a number of threads drawn by chance, in a workspace of exactly the stated size, and compared
 * with the reference. --device takes another device, a GPU then also with so little memory that plans run in bands.
 *
 * How far the two may be apart is measured: the reference runs twice more on inputs that differ by EPSILON. Where its
 * own result moves, as next to a threshold, so may the device's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "weft/weft.h"
#include "harness/harness.h"

#define NODES 16
#define INPUTS 3
#define OUTPUTS 8
#define SPEC 1024
#define LARGEST 60
#define EPSILON 2e-5
#define MOVED 8.0  /* times what the reference moves by EPSILON */
#define ROUGH 0.02 /* of the numbers may be elsewhere when a filter of the graph jumps */
#define TAIL 64

static const char *const isas[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
enum { ISAS = 3, THREADS = 5 };

struct node {
    char text[SPEC]; /* as variation_write makes it; empty for an input */
    int32_t inputs[2], input_count;
    char bound[64];  /* a parameter that is bound, empty for none */
    int32_t from, index;
    double scale;
};

struct graph {
    struct node nodes[NODES];
    int32_t count, outputs[OUTPUTS], output_count, input_count;
    weft_image_info inputs[INPUTS], info[NODES];
    enum content contents[INPUTS];
    weft_type types[OUTPUTS];
    double tolerance;
    bool rough, wild; /* of the results some jump, or all may */
};

struct fuzz {
    weft_device *cpu[ISAS][THREADS], *reference, *null;
    const char *device; /* NULL: the processor */
    int64_t passed, failed, streamed, bound;
    double numbers, loose; /* compared; of these with a tolerance that says little */
    bool verbose;
};

/* ---- making graphs */

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
static weft_graph *build(const struct graph *g, int32_t count, const int32_t *outputs, int32_t output_count,
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
    weft_graph *graph = build(g, g->count, all, g->count, error);
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

static bool is_values(const struct graph *g, int32_t n) { return g->info[n].format.type == WEFT_F64; }

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
    static const char *const names[] = {"threshold", "levels", "gamma", "unpremultiply", "histogram", "srgb", "canny",
                                        "opacity", "boost", "bilateral", "color_matrix"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(filter->name, names[i]))
            return true;
    return filter->tolerance > 0.01;
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
    g->tolerance += filter->tolerance < 0.01 ? filter->tolerance : 0;
    g->rough = g->rough || jumps(filter);
    g->wild = g->wild || strstr(filter->name, "threshold") || strstr(filter->name, "histogram") ||
              strstr(filter->name, "gamma");
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

static void draw_graph(struct fuzz *fuzz, struct graph *g, struct chance *chance) {
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

static void print_graph(const struct graph *g) {
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

/* ---- running */

/* An image as a stream, which looks at how it is called. */
struct stream {
    const struct picture *picture;
    int64_t next;
};

static weft_status stream_row(struct stream *s, int64_t y, int64_t count, weft_error *error) {
    bool good = y == s->next && count > 0 && y + count <= s->picture->image.info.height;
    s->next = y + count;
    if (!good && error) {
        error->status = WEFT_ERROR_FILE;
        snprintf(error->message, sizeof error->message, "a stream was asked for rows %lld+%lld, row %lld being next",
                 (long long)y, (long long)count, (long long)(s->next - count));
    }
    return good ? WEFT_OK : WEFT_ERROR_FILE;
}

static weft_status stream_read(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    struct stream *s = user;
    const weft_image *image = &s->picture->image;
    weft_status status = stream_row(s, y, count, error);
    for (int64_t i = 0; i < count && status == WEFT_OK; i++)
        memcpy((char *)rows + i * stride, (const char *)image->data + (y + i) * image->stride,
               (size_t)image->info.width * weft_format_size(image->info.format));
    return status;
}

static weft_status stream_write(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                                weft_error *error) {
    struct stream *s = user;
    const weft_image *image = &s->picture->image;
    weft_status status = stream_row(s, y, count, error);
    for (int64_t i = 0; i < count && status == WEFT_OK; i++)
        memcpy((char *)image->data + (y + i) * image->stride, (const char *)rows + i * stride,
               (size_t)image->info.width * weft_format_size(image->info.format));
    return status;
}

struct manner {
    bool plain, workspace, parameters, sources, sinks;
    int fill; /* what the workspace holds before */
};

static weft_plan *make_plan(weft_device *device, const struct graph *g, const weft_image_info *inputs,
                            const weft_type *types, weft_error *error) {
    weft_plan *plan = NULL;
    weft_graph *graph = build(g, g->count, g->outputs, g->output_count, error);
    weft_plan_options options = {.inputs = inputs, .input_count = g->input_count, .output_types = types,
                                 .output_type_count = g->output_count};
    if (graph)
        weft_plan_create(device, graph, &options, &plan, error);
    weft_graph_destroy(&graph);
    return plan;
}

static bool run_plan(const weft_plan *plan, const struct picture *inputs, struct picture *outputs,
                     const struct manner *manner, struct chance *chance, weft_error *error) {
    weft_run_input run_inputs[INPUTS] = {0};
    weft_run_output run_outputs[OUTPUTS] = {0};
    struct stream streams[INPUTS + OUTPUTS] = {{0}};
    weft_run run = {.inputs = run_inputs, .input_count = weft_plan_input_count(plan), .outputs = run_outputs,
                    .output_count = weft_plan_output_count(plan)};
    weft_parameters *parameters = NULL;
    void *memory = NULL;
    size_t size = weft_plan_workspace_size(plan);
    bool ok = true;
    for (int32_t i = 0; i < run.input_count; i++) {
        run_inputs[i].image = inputs[i].image;
        streams[i].picture = &inputs[i];
        if (manner->sources && chance_below(chance, 3) > 0)
            run_inputs[i].source = (weft_source){stream_read, &streams[i]};
    }
    for (int32_t i = 0; i < run.output_count && ok; i++) {
        weft_image_info info;
        ok = weft_plan_output_info(plan, i, &info, error) == WEFT_OK &&
             picture_create(&info, manner->plain, chance, &outputs[i]);
        run_outputs[i].image = outputs[i].image;
        streams[INPUTS + i].picture = &outputs[i];
        if (manner->sinks && chance_below(chance, 3) > 0)
            run_outputs[i].sink = (weft_sink){stream_write, &streams[INPUTS + i]};
    }
    if (ok && manner->workspace) {
        ok = posix_memalign(&memory, 64, size + TAIL) == 0;
        if (ok)
            memset(memory, manner->fill, size + TAIL);
        run.workspace = memory, run.workspace_size = size;
    }
    if (ok && manner->parameters)
        ok = weft_parameters_create(plan, &parameters, error) == WEFT_OK;
    run.parameters = parameters;
    ok = ok && weft_plan_run(plan, &run, error) == WEFT_OK;
    for (int32_t i = 0; i < run.input_count + run.output_count && ok; i++) {
        const struct stream *s = &streams[i < run.input_count ? i : INPUTS + i - run.input_count];
        bool used = i < run.input_count ? run_inputs[i].source.read != NULL
                                        : run_outputs[i - run.input_count].sink.write != NULL;
        if (used && s->next != s->picture->image.info.height) {
            snprintf(error->message, sizeof error->message, "stream %d ended at row %lld", (int)i, (long long)s->next);
            ok = false;
        }
    }
    for (size_t i = 0; memory && i < TAIL && ok; i++)
        if (((unsigned char *)memory)[size + i] != (unsigned char)manner->fill) {
            snprintf(error->message, sizeof error->message, "wrote past the end of its workspace");
            ok = false;
        }
    for (int32_t i = 0; i < run.output_count && ok; i++)
        if (picture_damage(&outputs[i]) > 0) {
            snprintf(error->message, sizeof error->message, "output %d: guard bytes overwritten", (int)i);
            ok = false;
        }
    weft_parameters_destroy(&parameters);
    free(memory);
    return ok;
}

/* ---- comparing */

static void pictures_clear(struct picture *pictures, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        picture_destroy(&pictures[i]);
}

static bool same_bytes(const struct picture *a, const struct picture *b) {
    const weft_image_info *info = &a->image.info;
    for (int64_t y = 0; y < info->height; y++)
        if (memcmp((const char *)a->image.data + y * a->image.stride, (const char *)b->image.data + y * b->image.stride,
                   (size_t)info->width * weft_format_size(info->format)) != 0)
            return false;
    return true;
}

/* How far results may be apart at a place: by how much the reference moves there and beside it. */
static double moved(const struct picture *expected, const struct picture *other, int64_t x, int64_t y, int32_t c) {
    const weft_image_info *info = &expected->image.info;
    double most = 0;
    for (int64_t j = y - 1; j <= y + 1; j++)
        for (int64_t i = x - 1; i <= x + 1; i++)
            if (i >= 0 && j >= 0 && i < info->width && j < info->height) {
                double by = fabs(picture_get(other, i, j, c) - picture_get(expected, i, j, c));
                most = by > most || isnan(by) ? by : most;
            }
    return most;
}

static bool agree(struct fuzz *fuzz, const struct graph *g, const struct picture *got, const struct picture *expected,
                  const struct picture *others, char *why, size_t size) {
    const weft_image_info *info = &got->image.info;
    double steps = type_steps(info->format.type), apart = 0, worst = 0;
    int64_t numbers = info->width * info->height * info->format.channels;
    why[0] = 0;
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++)
            for (int32_t c = 0; c < info->format.channels; c++) {
                double is = picture_get(got, x, y, c), want = picture_get(expected, x, y, c);
                double by = fmax(moved(expected, &others[0], x, y, c), moved(expected, &others[OUTPUTS], x, y, c));
                double size_of = fmax(1, fabs(want));
                double allowed = (1e-5 + 4 * g->tolerance) * size_of + MOVED * by;
                /* A color matters as much as its alpha: it may have been divided by it. */
                if (info->alpha == WEFT_ALPHA_STRAIGHT && c < info->format.channels - 1)
                    allowed /= fmin(1, fmax(1e-6, picture_get(expected, x, y, info->format.channels - 1)));
                if (steps > 0)
                    want = isnan(want) ? 0 : fmin(fmax(want, 0), 1), allowed += 0.502 / steps;
                if (info->format.type == WEFT_F16)
                    allowed += half_spacing(want);
                fuzz->numbers++;
                fuzz->loose += allowed > 0.02 * size_of;
                if (!isfinite(want) || isnan(allowed) || (info->format.type == WEFT_F16 && fabs(want) > 60000))
                    continue;
                double difference = fabs(is - want);
                if (difference <= allowed)
                    continue;
                apart++;
                if (!(difference - allowed <= worst)) {
                    worst = difference - allowed;
                    snprintf(why, size, "%lld,%lld channel %d is %.9g, not %.9g +- %.3g", (long long)x, (long long)y,
                             (int)c, is, want, allowed);
                }
            }
    if (g->wild || (g->rough && apart <= ROUGH * (double)numbers + 2))
        return true;
    if (apart > 0)
        snprintf(why + strlen(why), size - strlen(why), ", %.0f of %lld", apart, (long long)numbers);
    return apart == 0;
}

/* The inputs as f32, and the same moved by up to EPSILON. */
static bool move_inputs(const struct graph *g, const struct picture *inputs, struct picture *moved_inputs, int32_t sign,
                        weft_image_info *infos, struct chance *chance) {
    for (int32_t i = 0; i < g->input_count; i++) {
        infos[i] = g->inputs[i];
        infos[i].format.type = WEFT_F32;
        if (!picture_create(&infos[i], true, chance, &moved_inputs[i]))
            return false;
        for (int64_t y = 0; y < infos[i].height; y++)
            for (int64_t x = 0; x < infos[i].width; x++)
                for (int32_t c = 0; c < infos[i].format.channels; c++)
                    picture_set(&moved_inputs[i], x, y, c,
                                picture_get(&inputs[i], x, y, c) +
                                    sign * EPSILON * (0.25 + 0.75 * chance_unit(chance)));
    }
    return true;
}

static bool fail(const struct graph *g, uint64_t seed, int64_t number, const char *what, const char *why) {
    printf("FAILED seed %llu case %lld: %s: %s\n", (unsigned long long)seed, (long long)number, what, why);
    print_graph(g);
    fflush(stdout);
    return false;
}

static bool run_case(struct fuzz *fuzz, uint64_t seed, int64_t number, int32_t only_threads) {
    static struct graph graph;
    struct graph *g = &graph;
    struct chance chance = chance_of(seed, "graphs", number);
    struct picture inputs[INPUTS] = {{.memory = NULL}}, copies[2][INPUTS] = {{{.memory = NULL}}};
    struct picture expected[OUTPUTS] = {{.memory = NULL}}, others[2 * OUTPUTS] = {{.memory = NULL}};
    struct picture first[OUTPUTS] = {{.memory = NULL}}, second[OUTPUTS] = {{.memory = NULL}};
    weft_error error = {0}, model_error = {0};
    char why[600] = "";
    bool ok = true;
    draw_graph(fuzz, g, &chance);
    if (fuzz->verbose) {
        printf("case %lld\n", (long long)number);
        print_graph(g);
        fflush(stdout);
    }
    weft_type floats[OUTPUTS] = {0};
    for (int32_t i = 0; i < g->output_count; i++)
        floats[i] = is_values(g, g->outputs[i]) ? 0 : WEFT_F32;
    for (int32_t i = 0; i < g->input_count; i++) {
        if (!picture_create(&g->inputs[i], chance_once_in(&chance, 3), &chance, &inputs[i]))
            return fail(g, seed, number, "memory", "none");
        picture_fill(&inputs[i], g->contents[i], &chance);
    }
    weft_plan *model = make_plan(fuzz->reference, g, g->inputs, floats, &model_error);
    ok = model && run_plan(model, inputs, expected, &(struct manner){.plain = true}, &chance, &model_error);
    if (!ok)
        fail(g, seed, number, "reference", model_error.message);
    for (int32_t k = 0; k < 2 && ok; k++) {
        weft_image_info infos[INPUTS];
        ok = move_inputs(g, inputs, copies[k], k ? -1 : 1, infos, &chance);
        weft_plan *plan = make_plan(fuzz->reference, g, infos, floats, &error);
        ok = ok && plan &&
             run_plan(plan, copies[k], others + k * OUTPUTS, &(struct manner){.plain = true}, &chance, &error);
        weft_plan_destroy(&plan);
        if (!ok)
            fail(g, seed, number, "reference of moved inputs", error.message);
    }
    for (int32_t round = 0; round < 2 && ok; round++) {
        int32_t isa = (int32_t)chance_below(&chance, ISAS), threads = 1 + (int32_t)chance_below(&chance, THREADS);
        threads = only_threads ? only_threads : threads;
        while (!fuzz->cpu[isa][threads - 1])
            isa--;
        char what[128];
        weft_plan *plan = make_plan(fuzz->cpu[isa][threads - 1], g, g->inputs, g->types, &error);
        if (!plan && fuzz->device && error.status == WEFT_ERROR_MEMORY) { /* it cannot be cut into bands that small */
            threads = 1;
            plan = make_plan(fuzz->cpu[isa][0], g, g->inputs, g->types, &error);
        }
        bool can = plan && weft_plan_can_stream(plan);
        struct manner manner = {.plain = chance_once_in(&chance, 3),
                                .workspace = round == 0 || chance_once_in(&chance, 2),
                                .fill = 0xff, .sources = can && chance_once_in(&chance, 3),
                                .sinks = chance_once_in(&chance, 4)};
        snprintf(what, sizeof what, "%s, %d threads%s%s", isas[isa], (int)threads, manner.sources ? ", sources" : "",
                 manner.sinks ? ", sinks" : "");
        fuzz->streamed += manner.sources || manner.sinks;
        struct chance draws = chance;
        ok = plan && run_plan(plan, inputs, first, &manner, &draws, &error);
        manner.fill = 0x3f, manner.parameters = true;
        draws = chance;
        ok = ok && run_plan(plan, inputs, second, &manner, &draws, &error);
        if (!ok)
            fail(g, seed, number, what, error.message);
        for (int32_t i = 0; i < g->output_count && ok; i++) {
            char place[700];
            if (!agree(fuzz, g, &first[i], &expected[i], &others[i], why, sizeof why)) {
                snprintf(place, sizeof place, "output %d: %s", (int)i, why);
                ok = fail(g, seed, number, what, place);
            } else if (!same_bytes(&first[i], &second[i])) {
                snprintf(place, sizeof place, "output %d: a second run gave other bytes", (int)i);
                ok = fail(g, seed, number, what, place);
            }
        }
        weft_plan_destroy(&plan);
        pictures_clear(first, OUTPUTS);
        pictures_clear(second, OUTPUTS);
    }
    weft_plan_destroy(&model);
    pictures_clear(inputs, INPUTS);
    pictures_clear(copies[0], INPUTS);
    pictures_clear(copies[1], INPUTS);
    pictures_clear(expected, OUTPUTS);
    pictures_clear(others, 2 * OUTPUTS);
    return ok;
}

/* Of a GPU several, that may take less and less memory, in place of numbers of threads. */
static bool open_named(struct fuzz *fuzz) {
    weft_error error;
    for (int32_t t = 0; t < THREADS; t++) {
        weft_device_options options = {.memory_limit = t == 0 ? 0 : (uint64_t)1 << (20 - 2 * t)};
        if (weft_device_open(fuzz->device, &options, &fuzz->cpu[0][t], &error) != WEFT_OK) {
            fprintf(stderr, "fuzz: %s\n", error.message);
            return false;
        }
    }
    return true;
}

static bool open_devices(struct fuzz *fuzz) {
    weft_error error;
    if (fuzz->device)
        return open_named(fuzz) && weft_device_open("reference", NULL, &fuzz->reference, &error) == WEFT_OK &&
               weft_device_open("null", NULL, &fuzz->null, &error) == WEFT_OK;
    for (int32_t i = 0; i < ISAS; i++) {
        setenv("WEFT_CPU_ISA", isas[i], 1);
        for (int32_t t = 0; t < THREADS; t++) {
            weft_device_options options = {.threads = t + 1};
            weft_status status = weft_device_open("cpu", &options, &fuzz->cpu[i][t], &error);
            if (status != WEFT_OK && i == 0) { /* no x86-64 */
                unsetenv("WEFT_CPU_ISA");
                weft_device_open("cpu", &options, &fuzz->cpu[i][t], &error);
            }
        }
    }
    unsetenv("WEFT_CPU_ISA");
    return fuzz->cpu[0][0] && weft_device_open("reference", NULL, &fuzz->reference, &error) == WEFT_OK &&
           weft_device_open("null", NULL, &fuzz->null, &error) == WEFT_OK;
}

int main(int argc, char **argv) {
    struct fuzz fuzz = {.passed = 0};
    uint64_t seed = 1;
    int64_t count = 200, only = -1;
    int32_t threads = 0;
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--verbose") == 0) {
            fuzz.verbose = true, i--;
        } else if (strcmp(argv[i], "--seed") == 0) {
            seed = strtoull(value, NULL, 10);
        } else if (strcmp(argv[i], "--count") == 0) {
            count = strtoll(value, NULL, 10);
        } else if (strcmp(argv[i], "--case") == 0) {
            only = strtoll(value, NULL, 10);
        } else if (strcmp(argv[i], "--device") == 0) {
            fuzz.device = value;
        } else if (strcmp(argv[i], "--threads") == 0 && atoi(value) >= 0 && atoi(value) <= THREADS) {
            threads = atoi(value);
        } else {
            fprintf(stderr, "usage: fuzz_graphs [--seed N] [--count N] [--device NAME] [--threads 1-5] [--case N] [--verbose]\n");
            return 2;
        }
    }
    if (!open_devices(&fuzz)) {
        fprintf(stderr, "fuzz: a device cannot be opened\n");
        return 1;
    }
    for (int64_t number = only >= 0 ? only : 0; number < (only >= 0 ? only + 1 : count); number++) {
        if (run_case(&fuzz, seed, number, threads))
            fuzz.passed++;
        else
            fuzz.failed++;
    }
    printf("streams %lld, bindings %lld, loosely compared %.2f%% of %.3g numbers\n", (long long)fuzz.streamed,
           (long long)fuzz.bound, 100 * fuzz.loose / fmax(fuzz.numbers, 1), fuzz.numbers);
    printf("fuzz: %lld passed, %lld failed\n", (long long)fuzz.passed, (long long)fuzz.failed);
    for (int32_t i = 0; i < ISAS; i++)
        for (int32_t t = 0; t < THREADS; t++)
            weft_device_close(&fuzz.cpu[i][t]);
    weft_device_close(&fuzz.reference);
    weft_device_close(&fuzz.null);
    return fuzz.failed > 0;
}
