/* SPDX-License-Identifier: MIT
 * Runs a graph on the device and on the reference and compares: pixels, guard bytes, inputs left alone, a second run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness.h"
#include "poison/poison.h"

void harness_count(struct harness *harness, enum outcome outcome) {
    if (outcome == PASSED)
        harness->passed++;
    else if (outcome == FAILED)
        harness->failed++;
    else
        harness->refused++;
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
        poison_fill(workspace->memory, workspace->size + TAIL), poison_undefine(workspace->memory, workspace->size);
    return workspace->memory != NULL;
}

static bool workspace_intact(const struct workspace *workspace) {
    const unsigned char *tail = workspace->memory + workspace->size;
    for (size_t i = 0; i < TAIL; i++)
        if (tail[i] != poison_byte(tail + i))
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

enum { MANY_STEPS = 100 };

/* What the reference makes of a trial's inputs. */
struct truth {
    weft_plan *plan; /* NULL: refused, as the error says */
    weft_error error;
    struct picture pictures[HARNESS_IMAGES];
    bool divides;
};

/* What a tolerance of values cannot say, the only comparisons that rounding in the steps before may widen (steady.c):
 * either side of a jump, quotients by little alpha, and steps that follow one another so often that what rounding leaves of one may
 * grow in the next. Of images of four numbers without alpha the fourth stands for it where two are mixed. */
static bool rounding_moves(const struct trial *trial, const struct truth *truth) {
    bool fourth = trial->inputs > 1 && trial->infos[0].alpha == WEFT_ALPHA_NONE && trial->infos[0].format.channels == 4;
    return trial->tolerance >= 0.5 || truth->divides || fourth || weft_plan_passes(truth->plan) > MANY_STEPS;
}

static bool output_agrees(const struct trial *trial, const struct truth *truth, const struct picture *inputs,
                          const struct picture *got, int32_t output, struct chance *chance, char *why, size_t size) {
    const weft_image_info *info = &got->image.info;
    const struct picture *expected = &truth->pictures[output];
    struct nearness near = {.exact = trial->exact && !truth->divides,
                            .tolerance = trial->tolerance,
                            .steady = trial->steady,
                            .weigh_by_alpha = truth->divides && info->alpha == WEFT_ALPHA_STRAIGHT};
    char text[384], format[16];
    if (memcmp(&info->width, &expected->image.info.width, 2 * sizeof info->width) != 0 ||
        info->format.channels != expected->image.info.format.channels || info->alpha != expected->image.info.alpha ||
        info->space != expected->image.info.space) {
        snprintf(why, size, "output %d: the two devices plan different pictures", (int)output);
        return false;
    }
    bool agree = pictures_agree(got, expected, &near, text, sizeof text);
    bool jumps = trial->tolerance >= 0.5;
    if (!agree && rounding_moves(trial, truth) && !near.exact) {
        double *motion = calloc((size_t)(info->width * info->height * info->format.channels), sizeof *motion);
        if (motion) {
            find_motion(truth->plan, inputs, expected, output, !jumps, chance, motion);
            near.motion = motion;
            agree = pictures_agree(got, expected, &near, text, sizeof text);
        }
        free(motion);
    }
    weft_format_print(info->format, format, sizeof format);
    if (!agree)
        snprintf(why, size, "output %d, %lldx%lld %s: %s", (int)output, (long long)info->width, (long long)info->height,
                 format, text);
    return agree;
}

static enum outcome compare_outputs(const struct harness *harness, const struct trial *trial, weft_plan *plan,
                                    const struct truth *truth, const struct picture *inputs, int32_t which,
                                    struct chance *chance) {
    struct picture got[HARNESS_IMAGES] = {{.memory = NULL}}, again[HARNESS_IMAGES] = {{.memory = NULL}};
    char why[512] = "";
    int32_t count = weft_plan_output_count(plan);
    bool ok = harness_run(plan, inputs, got, trial->plain, chance_once_in(chance, 2), chance, why, sizeof why);
    for (int32_t i = 0; i < count && ok; i++)
        ok = output_agrees(trial, truth, inputs, &got[i], i, chance, why, sizeof why);
    if (ok && chance_once_in(chance, 4)) {
        ok = harness_run(plan, inputs, again, trial->plain, true, chance, why, sizeof why);
        for (int32_t i = 0; i < count && ok; i++)
            if (!same_pixels(&got[i], &again[i])) {
                snprintf(why, sizeof why, "output %d: a second run gave other pixels", (int)i);
                ok = false;
            }
    }
    if (!ok)
        trial_complain(harness, trial, which, why);
    for (int32_t i = 0; i < HARNESS_IMAGES; i++) {
        picture_destroy(&got[i]);
        picture_destroy(&again[i]);
    }
    return ok ? PASSED : FAILED;
}

static enum outcome try_device(const struct harness *harness, const struct trial *trial, const struct truth *truth,
                               weft_type type, const struct picture *inputs, int32_t which, struct chance *chance) {
    weft_error error = {0};
    char why[768];
    enum outcome outcome = REFUSED;
    weft_plan *plan = harness_plan(harness->devices[which], trial->graph, trial->infos, trial->inputs, type, &error);
    /* Software GPUs stop long loops, and plans that would have them are refused with that reason. */
    bool limited = !plan && truth->plan && harness->software && error.status == WEFT_ERROR_UNSUPPORTED;
    if (limited) {
        outcome = REFUSED;
    } else if (!plan != !truth->plan || (!plan && error.status != truth->error.status)) {
        snprintf(why, sizeof why, "one device refuses what the other takes: %.512s",
                 plan ? truth->error.message : error.message);
        trial_complain(harness, trial, which, why);
        outcome = FAILED;
    } else if (!plan && error.status != WEFT_ERROR_PARAMETER && error.status != WEFT_ERROR_FORMAT) {
        snprintf(why, sizeof why, "no plan: %s: %.512s", weft_status_name(error.status), error.message);
        trial_complain(harness, trial, which, why);
        outcome = FAILED;
    } else if (plan) {
        outcome = compare_outputs(harness, trial, plan, truth, inputs, which, chance);
    }
    weft_plan_destroy(&plan);
    return outcome;
}

static bool draw_inputs(const struct trial *trial, struct chance *chance, struct picture *inputs,
                        unsigned char **copies) {
    for (int32_t i = 0; i < trial->inputs; i++) {
        if (!picture_create(&trial->infos[i], trial->plain, chance, &inputs[i]))
            return false;
        copies[i] = malloc(inputs[i].size);
        if (!copies[i])
            return false;
        picture_fill(&inputs[i], trial->contents[i], chance);
        memcpy(copies[i], inputs[i].memory, inputs[i].size);
    }
    return true;
}

enum outcome trial_run(struct harness *harness, const struct trial *trial, struct chance *chance) {
    int32_t which = (int32_t)chance_below(chance, harness->device_count);
    int32_t first = harness->widths ? 0 : which, last = harness->widths ? harness->device_count - 1 : which;
    weft_type type = trial->output_type ? trial->output_type : trial->inputs ? trial->infos[0].format.type : WEFT_U8;
    struct truth truth = {.plan = NULL};
    struct picture inputs[HARNESS_IMAGES] = {{.memory = NULL}};
    unsigned char *copies[HARNESS_IMAGES] = {NULL};
    enum outcome outcome = REFUSED;
    char why[512] = "no memory";
    if (harness->verbose) {
        printf("%s case %lld: %s\n", trial->name, (long long)trial->number, trial->graph);
        trial_describe(trial);
    }
    watchdog_start(harness, trial);
    /* The reference is asked for numbers before any rounding, unless every bit counts. */
    truth.plan = harness_plan(harness->reference, trial->graph, trial->infos, trial->inputs,
                              trial->exact ? type : WEFT_F32, &truth.error);
    bool ok = draw_inputs(trial, chance, inputs, copies);
    if (ok && truth.plan) {
        truth.divides = divides_by_alpha(harness, trial, truth.plan);
        ok = harness_run(truth.plan, inputs, truth.pictures, true, false, chance, why, sizeof why);
    }
    if (!ok) {
        trial_complain(harness, trial, first, why);
        outcome = FAILED;
    }
    for (int32_t i = first; ok && i <= last; i++) {
        struct chance own = *chance; /* what one device draws moves no other */
        watchdog_device(harness, trial, i);
        enum outcome one = try_device(harness, trial, &truth, type, inputs, i, &own);
        outcome = outcome == FAILED || one == REFUSED ? outcome : one;
        for (int32_t k = 0; k < trial->inputs; k++)
            if (memcmp(copies[k], inputs[k].memory, inputs[k].size) != 0) {
                trial_complain(harness, trial, i, "an input was written to");
                memcpy(inputs[k].memory, copies[k], inputs[k].size);
                outcome = FAILED;
            }
    }
    watchdog_stop();
    for (int32_t i = 0; i < HARNESS_IMAGES; i++) {
        picture_destroy(&inputs[i]);
        picture_destroy(&truth.pictures[i]);
        free(copies[i]);
    }
    weft_plan_destroy(&truth.plan);
    return outcome;
}
