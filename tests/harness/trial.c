/* SPDX-License-Identifier: MIT
 * Runs a graph on the device and on the reference and compares: pixels, guard bytes, inputs left alone, a second run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness.h"

void harness_count(struct harness *harness, enum outcome outcome) {
    if (outcome == PASSED)
        harness->passed++;
    else if (outcome == FAILED)
        harness->failed++;
    else
        harness->refused++;
}

static const char *alpha_name(weft_alpha alpha) {
    return alpha == WEFT_ALPHA_NONE ? "none" : alpha == WEFT_ALPHA_STRAIGHT ? "straight" : "premultiplied";
}

/* What goes in and what is to come out. */
static void describe(const struct trial *trial) {
    for (int32_t i = 0; i < trial->inputs; i++) {
        char format[16];
        weft_format_print(trial->infos[i].format, format, sizeof format);
        printf("  input   %lldx%lld %s, alpha %s, %s, %s\n", (long long)trial->infos[i].width,
               (long long)trial->infos[i].height, format, alpha_name(trial->infos[i].alpha),
               trial->infos[i].space == WEFT_SPACE_LINEAR ? "linear" : "encoded", content_name(trial->contents[i]));
    }
    if (trial->output_type)
        printf("  output  %s\n", weft_type_name(trial->output_type));
}

static void complain(struct harness *harness, const struct trial *trial, int32_t threads, const char *why) {
    printf("FAILED %s: %s\n  graph   %s\n", trial->name, why, trial->graph);
    describe(trial);
    printf("  again   harness --device %s --against %s --seed %llu --filter %s --case %lld%s%.0d   (%d threads)\n",
           harness->device, harness->against, (unsigned long long)harness->seed, trial->name, (long long)trial->number,
           harness->threads ? " --threads " : "", (int)harness->threads, (int)threads);
    fflush(stdout);
}

weft_plan *harness_plan(weft_device *device, const char *graph, const weft_image_info *infos, int32_t inputs,
                        weft_type type, weft_error *error) {
    weft_graph *parsed = NULL;
    weft_plan *plan = NULL;
    weft_plan_options options = {.inputs = infos, .input_count = inputs};
    weft_type types[HARNESS_IMAGES] = {0};
    if (weft_graph_parse(graph, strlen(graph), &parsed, error) != WEFT_OK)
        return NULL;
    weft_status status = weft_plan_create(device, parsed, &options, &plan, error);
    int32_t count = plan ? weft_plan_output_count(plan) : 0;
    if (status == WEFT_OK && type && count <= HARNESS_IMAGES) {
        for (int32_t i = 0; i < count; i++)
            types[i] = weft_plan_output_is_values(plan, i) ? 0 : type;
        options.output_types = types, options.output_type_count = count;
        weft_plan_destroy(&plan);
        weft_plan_create(device, parsed, &options, &plan, error);
    }
    weft_graph_destroy(&parsed);
    return plan;
}

struct workspace {
    unsigned char *memory;
    size_t size;
};
enum { TAIL = 256 };

static bool workspace_create(const weft_plan *plan, struct workspace *workspace) {
    workspace->size = weft_plan_workspace_size(plan);
    workspace->memory = aligned_alloc(64, (workspace->size + TAIL + 63) / 64 * 64);
    if (workspace->memory)
        memset(workspace->memory, 0xA5, workspace->size + TAIL);
    return workspace->memory != NULL;
}

static bool workspace_intact(const struct workspace *workspace) {
    for (size_t i = 0; i < TAIL; i++)
        if (workspace->memory[workspace->size + i] != 0xA5)
            return false;
    return true;
}

bool harness_run(const weft_plan *plan, const struct picture *inputs, struct picture *outputs, bool plain,
                 bool own_workspace, struct chance *chance, char *why, size_t size) {
    weft_run_input run_inputs[HARNESS_IMAGES] = {0};
    weft_run_output run_outputs[HARNESS_IMAGES] = {0};
    struct workspace workspace = {0};
    weft_error error = {0};
    weft_run run = {.inputs = run_inputs,
                    .input_count = weft_plan_input_count(plan),
                    .outputs = run_outputs,
                    .output_count = weft_plan_output_count(plan)};
    for (int32_t i = 0; i < run.input_count; i++)
        run_inputs[i].image = inputs[i].image;
    for (int32_t i = 0; i < run.output_count; i++) {
        weft_image_info info;
        if (weft_plan_output_info(plan, i, &info, &error) != WEFT_OK ||
            !picture_create(&info, plain, chance, &outputs[i])) {
            snprintf(why, size, "no output picture");
            return false;
        }
        run_outputs[i].image = outputs[i].image;
    }
    if (own_workspace && workspace_create(plan, &workspace)) {
        run.workspace = workspace.memory;
        run.workspace_size = workspace.size;
    }
    if (weft_plan_run(plan, &run, &error) != WEFT_OK) {
        snprintf(why, size, "run: %s: %.440s", weft_status_name(error.status), error.message);
        free(workspace.memory);
        return false;
    }
    bool intact = !workspace.memory || workspace_intact(&workspace);
    free(workspace.memory);
    if (!intact)
        snprintf(why, size, "wrote past the end of its workspace");
    for (int32_t i = 0; i < run.output_count && intact; i++)
        if (picture_damage(&outputs[i]) > 0) {
            snprintf(why, size, "output %d: %zu bytes outside the image overwritten", (int)i,
                     picture_damage(&outputs[i]));
            intact = false;
        }
    return intact;
}

static bool same_pixels(const struct picture *a, const struct picture *b) {
    size_t row = (size_t)a->image.info.width * weft_format_size(a->image.info.format);
    for (int64_t y = 0; y < a->image.info.height; y++)
        if (memcmp((const char *)a->image.data + y * a->image.stride, (const char *)b->image.data + y * b->image.stride,
                   row) != 0)
            return false;
    return true;
}

/* True when the reference takes more steps for straight alpha than for none: the colors go through premultiplied form.
 */
static bool divides_by_alpha(const struct harness *harness, const struct trial *trial, const weft_plan *plan) {
    weft_image_info opaque[HARNESS_IMAGES];
    bool has_alpha = false;
    for (int32_t i = 0; i < trial->inputs; i++) {
        opaque[i] = trial->infos[i];
        if (opaque[i].alpha != WEFT_ALPHA_NONE) {
            has_alpha = true;
            opaque[i].alpha = WEFT_ALPHA_NONE;
            opaque[i].format.channels--;
        }
    }
    if (!has_alpha)
        return false;
    weft_plan *other = harness_plan(harness->reference, trial->graph, opaque, trial->inputs, 0, NULL);
    bool more = !other || weft_plan_passes(other) < weft_plan_passes(plan);
    weft_plan_destroy(&other);
    return more;
}

static enum outcome compare_outputs(struct harness *harness, const struct trial *trial, weft_plan *plan,
                                    weft_plan *model, const struct picture *inputs, int32_t which,
                                    struct chance *chance) {
    int32_t threads = harness->device_threads[which];
    struct picture got[HARNESS_IMAGES] = {{.memory = NULL}}, again[HARNESS_IMAGES] = {{.memory = NULL}};
    struct picture expected[HARNESS_IMAGES] = {{.memory = NULL}};
    char why[512] = "";
    int32_t count = weft_plan_output_count(plan);
    bool divides = divides_by_alpha(harness, trial, model);
    bool ok = harness_run(plan, inputs, got, trial->plain, chance_once_in(chance, 2), chance, why, sizeof why);
    ok = ok && harness_run(model, inputs, expected, true, false, chance, why, sizeof why);
    for (int32_t i = 0; i < count && ok; i++) {
        const weft_image_info *info = &got[i].image.info;
        struct nearness near = {.exact = trial->exact && !divides,
                                .tolerance = trial->tolerance,
                                .steady = trial->steady,
                                .weigh_by_alpha = divides && info->alpha == WEFT_ALPHA_STRAIGHT};
        char text[384];
        if (memcmp(&info->width, &expected[i].image.info.width, 2 * sizeof info->width) != 0 ||
            info->format.channels != expected[i].image.info.format.channels ||
            info->alpha != expected[i].image.info.alpha || info->space != expected[i].image.info.space) {
            snprintf(why, sizeof why, "output %d: the two devices plan different pictures", (int)i);
            ok = false;
            continue;
        }
        bool agree = pictures_agree(&got[i], &expected[i], &near, text, sizeof text);
        if (!agree && trial->tolerance >= 0.5 && !near.exact) {
            bool *unsteady = calloc((size_t)(info->width * info->height * info->format.channels), sizeof *unsteady);
            if (unsteady) {
                find_unsteady(model, inputs, &expected[i], i, chance, unsteady);
                near.unsteady = unsteady;
                agree = pictures_agree(&got[i], &expected[i], &near, text, sizeof text);
            }
            free(unsteady);
        }
        if (!agree) {
            char format[16];
            weft_format_print(info->format, format, sizeof format);
            snprintf(why, sizeof why, "output %d, %lldx%lld %s: %s", (int)i, (long long)info->width,
                     (long long)info->height, format, text);
            ok = false;
        }
    }
    if (ok && chance_once_in(chance, 4)) {
        ok = harness_run(plan, inputs, again, trial->plain, true, chance, why, sizeof why);
        for (int32_t i = 0; i < count && ok; i++)
            if (!same_pixels(&got[i], &again[i])) {
                snprintf(why, sizeof why, "output %d: a second run gave other pixels", (int)i);
                ok = false;
            }
    }
    if (!ok)
        complain(harness, trial, threads, why);
    for (int32_t i = 0; i < HARNESS_IMAGES; i++) {
        picture_destroy(&got[i]);
        picture_destroy(&again[i]);
        picture_destroy(&expected[i]);
    }
    return ok ? PASSED : FAILED;
}

enum outcome trial_run(struct harness *harness, const struct trial *trial, struct chance *chance) {
    int32_t which = (int32_t)chance_below(chance, harness->device_count);
    weft_error error = {0}, model_error = {0};
    weft_type type = trial->output_type ? trial->output_type : trial->inputs ? trial->infos[0].format.type : WEFT_U8;
    enum outcome outcome = REFUSED;
    char why[768];
    if (harness->verbose) {
        printf("%s case %lld: %s\n", trial->name, (long long)trial->number, trial->graph);
        describe(trial);
    }
    weft_plan *plan = harness_plan(harness->devices[which], trial->graph, trial->infos, trial->inputs, type, &error);
    /* The reference is asked for numbers before any rounding, unless every bit counts. */
    weft_plan *model = harness_plan(harness->reference, trial->graph, trial->infos, trial->inputs,
                                    trial->exact ? type : WEFT_F32, &model_error);
    /* Software GPUs stop long loops, and plans that would have them are refused with that reason. */
    bool limited = !plan && model && harness->software && error.status == WEFT_ERROR_UNSUPPORTED;
    if (limited) {
        outcome = REFUSED;
    } else if (!plan != !model || (!plan && error.status != model_error.status)) {
        snprintf(why, sizeof why, "one device refuses what the other takes: %.512s",
                 plan ? model_error.message : error.message);
        complain(harness, trial, harness->device_threads[which], why);
        outcome = FAILED;
    } else if (!plan && error.status != WEFT_ERROR_PARAMETER && error.status != WEFT_ERROR_FORMAT) {
        snprintf(why, sizeof why, "no plan: %s: %.512s", weft_status_name(error.status), error.message);
        complain(harness, trial, harness->device_threads[which], why);
        outcome = FAILED;
    } else if (plan) {
        struct picture inputs[HARNESS_IMAGES] = {{.memory = NULL}};
        unsigned char *copies[HARNESS_IMAGES] = {NULL};
        bool ok = true;
        for (int32_t i = 0; i < trial->inputs && ok; i++) {
            ok = picture_create(&trial->infos[i], trial->plain, chance, &inputs[i]);
            copies[i] = ok ? malloc(inputs[i].size) : NULL;
            ok = copies[i] != NULL;
            if (ok) {
                picture_fill(&inputs[i], trial->contents[i], chance);
                memcpy(copies[i], inputs[i].memory, inputs[i].size);
            }
        }
        outcome = FAILED;
        if (ok)
            outcome = compare_outputs(harness, trial, plan, model, inputs, which, chance);
        for (int32_t i = 0; i < trial->inputs; i++) {
            if (ok && memcmp(copies[i], inputs[i].memory, inputs[i].size) != 0) {
                complain(harness, trial, harness->device_threads[which], "an input was written to");
                outcome = FAILED;
            }
            picture_destroy(&inputs[i]);
            free(copies[i]);
        }
    }
    weft_plan_destroy(&plan);
    weft_plan_destroy(&model);
    return outcome;
}
