/* SPDX-License-Identifier: MIT
 * One case: a graph on a device, with an instruction set and a number of threads drawn by chance, against the
 * reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "graphs.h"

/* By which inputs move: up, down, and a rounding up or down, where what is divided by may be next to nothing. */
static const double moves[MOVES] = {2e-5, -2e-5, 6e-8};
#define SMALLEST_MOVE 2

static const char *const isas[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};

static void pictures_clear(struct picture *pictures, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        picture_destroy(&pictures[i]);
}

/* The inputs as f32, moved. */
static bool move_inputs(const struct graph *g, const struct picture *inputs, struct picture *moved_inputs, int32_t move,
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
                                    moves[move] * (0.25 + 0.75 * chance_unit(chance)) *
                                        (move == SMALLEST_MOVE && chance_once_in(chance, 2) ? -1 : 1));
    }
    return true;
}

static bool fail(const struct graph *g, const char *name, const char *what, const char *why) {
    printf("FAILED %s: %s: %s\n", name, what, why);
    print_graph(g);
    fflush(stdout);
    return false;
}

/* What a case compares with: what the reference makes of the inputs, and of inputs that have moved up and down. */
struct model {
    struct picture inputs[INPUTS], expected[OUTPUTS], others[MOVES * OUTPUTS];
    weft_type floats[OUTPUTS];
};

static void model_clear(struct model *model) {
    pictures_clear(model->inputs, INPUTS);
    pictures_clear(model->expected, OUTPUTS);
    pictures_clear(model->others, MOVES * OUTPUTS);
}

static bool model_run(struct fuzz *fuzz, const struct graph *g, const weft_image_info *infos,
                      const struct picture *inputs, const weft_type *types, struct picture *outputs,
                      struct chance *chance, weft_error *error) {
    weft_plan *plan = make_plan(fuzz->reference, g, infos, types, error);
    bool ok = plan && run_plan(plan, inputs, outputs, &(struct manner){.plain = true}, chance, error);
    weft_plan_destroy(&plan);
    return ok;
}

static bool model_make(struct fuzz *fuzz, const struct graph *g, struct model *model, const char *name,
                       struct chance *chance) {
    weft_error error = {0};
    for (int32_t i = 0; i < g->output_count; i++)
        model->floats[i] = is_values(g, g->outputs[i]) ? 0 : WEFT_F32;
    for (int32_t i = 0; i < g->input_count; i++) {
        if (!picture_create(&g->inputs[i], chance_once_in(chance, 3), chance, &model->inputs[i]))
            return fail(g, name, "inputs", "no memory");
        struct chance pixels = {.state = chance_next(chance)};
        picture_fill(&model->inputs[i], g->contents[i], &pixels);
    }
    if (!model_run(fuzz, g, g->inputs, model->inputs, model->floats, model->expected, chance, &error))
        return fail(g, name, "reference", error.message);
    for (int32_t k = 0; k < MOVES; k++) {
        weft_image_info infos[INPUTS];
        struct picture moved[INPUTS] = {{.memory = NULL}};
        struct chance pixels = {.state = chance_next(chance)};
        bool ok = move_inputs(g, model->inputs, moved, k, infos, &pixels) &&
                  model_run(fuzz, g, infos, moved, model->floats, model->others + k * OUTPUTS, chance, &error);
        pictures_clear(moved, INPUTS);
        if (!ok)
            return fail(g, name, "reference of moved inputs", error.message);
    }
    return true;
}

/* The sizes that the null device tells are those that every device makes. */
static bool same_sizes(const struct graph *g, const weft_plan *plan, const char *name, const char *what) {
    for (int32_t i = 0; i < g->output_count; i++) {
        const weft_image_info *told = &g->info[g->outputs[i]];
        weft_image_info info = {0};
        if (weft_plan_output_info(plan, i, &info, NULL) != WEFT_OK || info.width != told->width ||
            info.height != told->height || info.format.channels != told->format.channels || info.alpha != told->alpha)
            return fail(g, name, what, "the null device tells another size or format");
    }
    return true;
}

/* Whether output i is what it should be, at once or once it is known what roundings make of it. */
static bool agrees(struct fuzz *fuzz, const struct graph *g, const struct model *model, int32_t i, const struct picture *got,
                   char *why, size_t size) {
    const struct picture *expected = &model->expected[i], *others = &model->others[i];
    struct picture rounded = {.memory = NULL};
    if (agree(fuzz, g, g->outputs[i], got, expected, others, NULL, why, size))
        return true;
    enum roundings known = roundings_between(fuzz, g, g->outputs[i], model->inputs, &rounded);
    fuzz->beyond += known == ROUNDINGS_BEYOND;
    bool ok = known == ROUNDINGS_BEYOND ||
              (known == ROUNDINGS_TOLD && agree(fuzz, g, g->outputs[i], got, expected, others, &rounded, why, size));
    picture_destroy(&rounded);
    return ok;
}

/* Two runs of one plan on a device that is drawn, the second with parameters and other bytes in the workspace. */
static bool try_device(struct fuzz *fuzz, const struct graph *g, const struct model *model, bool first_round,
                       const char *name, struct chance *chance, int32_t only_threads) {
    struct picture first[OUTPUTS] = {{.memory = NULL}}, second[OUTPUTS] = {{.memory = NULL}};
    weft_error error = {0};
    char what[128], why[600], place[700];
    int32_t isa = (int32_t)chance_below(chance, ISAS), threads = 1 + (int32_t)chance_below(chance, THREADS);
    threads = only_threads ? only_threads : threads;
    while (!fuzz->cpu[isa][threads - 1])
        isa--;
    weft_plan *plan = make_plan(fuzz->cpu[isa][threads - 1], g, g->inputs, g->types, &error);
    if (!plan && fuzz->device && error.status == WEFT_ERROR_MEMORY) { /* it cannot be cut into bands that small */
        threads = 1;
        plan = make_plan(fuzz->cpu[isa][0], g, g->inputs, g->types, &error);
    }
    if (!plan && fuzz->device && error.status == WEFT_ERROR_UNSUPPORTED &&
        (strstr(error.message, "iterations of loops") || strstr(error.message, "border_value of"))) {
        fuzz->refused++;
        return true;
    }
    bool can = plan && weft_plan_can_stream(plan);
    struct manner manner = {.plain = chance_once_in(chance, 3),
                            .workspace = first_round || chance_once_in(chance, 2),
                            .fill = 0xff,
                            .sources = can && chance_once_in(chance, 3),
                            .sinks = chance_once_in(chance, 4)};
    snprintf(what, sizeof what, "%s, %d threads%s%s", fuzz->device ? fuzz->device : isas[isa], (int)threads,
             manner.sources ? ", sources" : "", manner.sinks ? ", sinks" : "");
    fuzz->streamed += manner.sources || manner.sinks;
    struct chance draws = *chance;
    bool ok = plan && run_plan(plan, model->inputs, first, &manner, &draws, &error);
    manner.fill = 0x3f, manner.parameters = true;
    draws = *chance;
    ok = ok && run_plan(plan, model->inputs, second, &manner, &draws, &error);
    ok = ok ? same_sizes(g, plan, name, what) : fail(g, name, what, error.message);
    for (int32_t i = 0; i < g->output_count && ok; i++) {
        if (!agrees(fuzz, g, model, i, &first[i], why, sizeof why)) {
            snprintf(place, sizeof place, "output %d: %s", (int)i, why);
            ok = fail(g, name, what, place);
        } else if (!same_bytes(&first[i], &second[i])) {
            snprintf(place, sizeof place, "output %d: a second run gave other bytes", (int)i);
            ok = fail(g, name, what, place);
        }
    }
    weft_plan_destroy(&plan);
    pictures_clear(first, OUTPUTS);
    pictures_clear(second, OUTPUTS);
    return ok;
}

bool try_graph(struct fuzz *fuzz, const char *name, struct chance *chance, int32_t threads) {
    static struct graph graph; /* large, and there is one case at a time */
    struct model model = {.inputs = {{.memory = NULL}}};
    draw_graph(fuzz, &graph, chance);
    if (fuzz->verbose) {
        printf("%s\n", name);
        print_graph(&graph);
        fflush(stdout);
    }
    bool ok = model_make(fuzz, &graph, &model, name, chance);
    for (int32_t round = 0; round < 2 && ok; round++)
        ok = try_device(fuzz, &graph, &model, round == 0, name, chance, threads);
    model_clear(&model);
    fuzz->passed += ok;
    fuzz->failed += !ok;
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

bool open_devices(struct fuzz *fuzz) {
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

void close_devices(struct fuzz *fuzz) {
    for (int32_t i = 0; i < ISAS; i++)
        for (int32_t t = 0; t < THREADS; t++)
            weft_device_close(&fuzz->cpu[i][t]);
    weft_device_close(&fuzz->reference);
    weft_device_close(&fuzz->null);
}
