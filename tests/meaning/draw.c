/* SPDX-License-Identifier: MIT
 * Draws the filters and pictures of the meaning test, and runs graphs of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "meaning.h"
#include "filter/catalog/registry.h"

bool meaning_open(struct meaning *m, const char *device) {
    weft_error error = {0};
    bool cpu = strcmp(device, "cpu") == 0;
    weft_device_options one = {.threads = 1}, three = {.threads = 3}, few = {.memory_limit = 1 << 16};
    m->name = device;
    if (weft_device_open(device, cpu ? &one : NULL, &m->device, &error) != WEFT_OK ||
        weft_device_open(device, cpu ? &three : &few, &m->others, &error) != WEFT_OK) {
        fprintf(stderr, "meaning: %s\n", error.message);
        return false;
    }
    return true;
}

void meaning_close(struct meaning *m) {
    weft_device_close(&m->device);
    weft_device_close(&m->others);
}

bool meaning_picture(struct meaning *m, struct picture *picture) {
    static const weft_type types[] = {WEFT_F32, WEFT_F32, WEFT_U8, WEFT_U16};
    struct chance *chance = &m->chance;
    weft_image_info info = {.width = 4 + chance_below(chance, 40), .height = 4 + chance_below(chance, 40)};
    info.format = (weft_format){types[chance_below(chance, 4)], 1 + (int32_t)chance_below(chance, 4)};
    info.alpha = info.format.channels % 2 == 0 ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
    if (!picture_create(&info, true, chance, picture))
        return false;
    int32_t last = info.format.channels - 1;
    for (int64_t y = 0; y < info.height; y++)
        for (int64_t x = 0; x < info.width; x++) {
            int64_t kind = chance_below(chance, 4);
            double alpha = kind == 0 ? 0 : kind == 1 ? 1 : 0.05 + 0.95 * chance_unit(chance);
            for (int32_t c = 0; c <= last; c++) {
                double v = chance_unit(chance);
                v = info.alpha == WEFT_ALPHA_NONE ? v : c == last ? alpha : alpha > 0 ? v : 0;
                picture_set(picture, x, y, c, v);
            }
        }
    return true;
}

static weft_plan *plan_of(weft_device *device, const char *text, const weft_image_info *info, weft_error *error) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_plan_options options = {.inputs = info, .input_count = 1};
    if (weft_graph_parse(text, strlen(text), &graph, error) == WEFT_OK)
        weft_plan_create(device, graph, &options, &plan, error);
    weft_graph_destroy(&graph);
    return plan;
}

void meaning_draw(struct meaning *m, const weft_image_info *info, struct drawn *drawn) {
    bool respaced;
    const struct weft_filter *filter;
    do {
        filter = weft_registry[chance_below(&m->chance, weft_registry_count)];
        variation_write(&filter->info, info, chance_once_in(&m->chance, 6), &m->chance, drawn->text, sizeof drawn->text,
                        &respaced);
        /* What is not there has no value that pixels could be moved from. */
    } while (filter->info.inputs != 1 || filter->info.tolerance > 0.01 ||
             (filter->kind == WEFT_KIND_RESAMPLE && strstr(drawn->text, "border=shrink")));
    drawn->filter = &filter->info;
    bool border = strstr(drawn->text, "border=constant") || strstr(drawn->text, "border=shrink");
    weft_error error;
    weft_image_info made = {0};
    weft_plan *plan = plan_of(m->device, drawn->text, info, &error);
    if (plan)
        weft_plan_output_info(plan, 0, &made, &error);
    weft_plan_destroy(&plan);
    drawn->picture = made.width > 0 && made.format.type != WEFT_F64;
    drawn->alpha = made.alpha != WEFT_ALPHA_NONE;
    drawn->even = !border && (filter->kind == WEFT_KIND_STENCIL || filter->kind == WEFT_KIND_WINDOW ||
                              filter->kind == WEFT_KIND_SEPARABLE || filter->kind == WEFT_KIND_BOX ||
                              filter->kind == WEFT_KIND_EXTREMUM || filter->kind == WEFT_KIND_RANK ||
                              (filter->kind == WEFT_KIND_POINT && !filter->placed));
    drawn->apart = filter->kind == WEFT_KIND_POINT && !filter->placed;
}

bool meaning_run(struct meaning *m, weft_device *device, const char *text, const struct picture *in,
                 struct picture *out) {
    weft_error error = {0};
    weft_image_info info;
    bool good = false;
    weft_plan *plan = plan_of(device, text, &in->image.info, &error);
    if (plan && weft_plan_output_info(plan, 0, &info, &error) == WEFT_OK && info.width < 2000 && info.height < 2000 &&
        picture_create(&info, true, &m->chance, out)) {
        weft_run_input input = {.image = in->image};
        weft_run_output output = {.image = out->image};
        weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
        good = weft_plan_run(plan, &run, &error) == WEFT_OK;
        if (!good)
            meaning_count(m, false, "a run", in, text, text, error.message);
    }
    weft_plan_destroy(&plan);
    return good;
}

void meaning_count(struct meaning *m, bool good, const char *what, const struct picture *picture, const char *text,
                   const char *other, const char *why) {
    const weft_image_info *info = &picture->image.info;
    char format[16];
    m->passed += good;
    m->failed += !good;
    if (good)
        return;
    weft_format_print(info->format, format, sizeof format);
    printf("FAILED %s: %lldx%lld %s: %s\n  %s\n", what, (long long)info->width, (long long)info->height, format, why,
           text);
    if (strcmp(text, other) != 0)
        printf("  %s\n", other);
    printf("  repeat: meaning --device %s --case %lld\n", m->name, (long long)m->number);
    fflush(stdout);
}

static bool copy(struct meaning *m, const struct picture *from, const weft_image_info *info, struct picture *to,
                 double (*change)(double v, double alpha, bool color)) {
    if (!picture_create(info, true, &m->chance, to))
        return false;
    int32_t last = info->format.channels - 1;
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++) {
            double alpha = info->alpha == WEFT_ALPHA_NONE ? 1 : picture_get(from, x, y, last);
            for (int32_t c = 0; c <= last; c++) {
                bool color = info->alpha == WEFT_ALPHA_NONE || c < last;
                picture_set(to, x, y, c, change(picture_get(from, x, y, c), alpha, color));
            }
        }
    return true;
}

static double move(double v, double alpha, bool color) {
    (void)alpha;
    return v + 1e-6 * v + (color ? 1e-8 : 0);
}
static double multiply(double v, double alpha, bool color) { return color ? v * alpha : v; }
static double divide(double v, double alpha, bool color) { return !color ? v : alpha > 1e-30 ? v / alpha : 0; }

bool picture_moved(struct meaning *m, const struct picture *from, struct picture *to) {
    return copy(m, from, &from->image.info, to, move);
}
bool picture_multiplied(struct meaning *m, const struct picture *from, struct picture *to) {
    weft_image_info info = from->image.info;
    info.alpha = WEFT_ALPHA_PREMULTIPLIED;
    return copy(m, from, &info, to, multiply);
}
bool picture_divided(struct meaning *m, const struct picture *from, struct picture *to) {
    weft_image_info info = from->image.info;
    info.alpha = WEFT_ALPHA_STRAIGHT;
    return copy(m, from, &info, to, divide);
}
