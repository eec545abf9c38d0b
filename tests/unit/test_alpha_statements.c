/* SPDX-License-Identifier: MIT
 * What help says of alpha is true: a walk over the registry, where each statement is asked of every filter that makes it.
 * Colors that are straight do not change with alpha; where they count by it, those that are hidden do not show; luminance
 * over black is that of colors times alpha; and an alpha that is kept, or that there is none, is what comes out. And what
 * a parameter says keeps the image keeps it, with the colors under an alpha of 0. */
#include <math.h>
#include "run_graph.h"

enum { WIDTH = 13, HEIGHT = 11, PIXELS = WIDTH * HEIGHT };

struct made {
    float *pixels;
    weft_image_info info;
};

static float colors[PIXELS * 4];
static int asked;

/* Random numbers without much of a generator; alpha is often 0 and often 1. */
static void draw_colors(void) {
    uint32_t state = 12345;
    for (int i = 0; i < PIXELS * 4; i++) {
        state = state * 1664525 + 1013904223;
        float v = (float)(state >> 8) / (1 << 24);
        colors[i] = i % 4 < 3 ? v : v < .3f ? 0 : v < .6f ? 1 : v;
    }
}

/* Nothing where the graph cannot be planned for such a picture, or makes none. */
static struct made run(weft_device *device, const char *text, const float *pixels, weft_alpha alpha) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_error error = {0};
    struct made made = {NULL, {0}};
    weft_image_info info = {.width = WIDTH,
                            .height = HEIGHT,
                            .format = {WEFT_F32, alpha == WEFT_ALPHA_NONE ? 3 : 4},
                            .alpha = alpha};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    bool good = weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
                weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
                weft_plan_input_count(plan) == 1 && weft_plan_output_info(plan, 0, &made.info, &error) == WEFT_OK &&
                made.info.format.type == WEFT_F32 && made.info.width * made.info.height < 1 << 20;
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    if (good)
        made.pixels = run_graph(device, text, &info, (void *[]){(void *)(uintptr_t)pixels}, 1, WEFT_F32, &made.info);
    return made;
}

/* How many components differ: of colors, by as much as counts under their alpha, or of alpha too. */
static int64_t differences(const struct made *a, const struct made *b, double tolerance, bool alpha_too) {
    int32_t channels = a->info.format.channels, last = channels - (a->info.alpha != WEFT_ALPHA_NONE), others;
    int64_t count = 0;
    others = b->info.format.channels;
    if (a->info.width != b->info.width || a->info.height != b->info.height ||
        last != others - (b->info.alpha != WEFT_ALPHA_NONE))
        return INT64_MAX;
    for (int64_t i = 0; i < a->info.width * a->info.height; i++)
        for (int32_t c = 0; c < (alpha_too ? channels : last); c++) {
            double x = a->pixels[i * channels + c], y = b->pixels[i * others + c];
            /* Below an alpha of 0, which sums of weights below 0 make, there are no straight colors. */
            bool weighs = alpha_too && last < channels && c < last;
            double weight = weighs ? fmin(fmax(a->pixels[i * channels + last], 0), 1) : 1;
            count += !(fabs(x - y) * weight <= tolerance * fmax(1, fabs(y)) || x == y);
        }
    return count;
}

static void check_same(const weft_filter_info *filter, const char *text, const struct made *a, const struct made *b,
                       bool alpha_too) {
    bool jumps = filter->tolerance >= .5;
    double tolerance = 10 * (jumps ? filter->steady_tolerance : filter->tolerance) + 1e-5;
    asked++;
    if (!CHECK(a->pixels && b->pixels && differences(a, b, tolerance, alpha_too) <= (jumps ? PIXELS / 10 : 0)))
        fprintf(stderr, "%s: '%s' is not so\n", text, filter->alpha);
}

/* The picture with alpha 1, with other colors where alpha is 0, without such, that in the other form of alpha, and colors times
 * alpha without it. */
enum change { OPAQUE, OTHERS_HIDDEN, ALL_SEEN, MULTIPLIED, OVER_BLACK };

static struct made run_changed(weft_device *device, const char *text, enum change change) {
    static float changed[PIXELS * 4];
    int channels = change == OVER_BLACK ? 3 : 4;
    for (int i = 0; i < PIXELS; i++) {
        const float *from = colors + 4 * (ptrdiff_t)i;
        for (int c = 0; c < channels; c++) {
            float alpha = change == ALL_SEEN || change == MULTIPLIED ? fmaxf(from[3], .25f) : from[3];
            float v = c == 3 ? alpha : change >= MULTIPLIED ? from[c] * alpha : from[c];
            v = change == OPAQUE && c == 3 ? 1 : v;
            changed[i * channels + c] = change == OTHERS_HIDDEN && c < 3 && from[3] <= 0 ? 1 - v : v;
        }
    }
    static const weft_alpha forms[] = {[MULTIPLIED] = WEFT_ALPHA_PREMULTIPLIED, [OVER_BLACK] = WEFT_ALPHA_NONE};
    return run(device, text, changed, change < MULTIPLIED ? WEFT_ALPHA_STRAIGHT : forms[change]);
}

static void check_change(weft_device *device, const weft_filter_info *filter, const char *text, const struct made *made,
                         enum change change) {
    struct made other = run_changed(device, text, change);
    check_same(filter, text, made, &other, change == OTHERS_HIDDEN);
    free(other.pixels);
}

static void check_kept(const char *text, const struct made *made) {
    bool kept = made->info.alpha == WEFT_ALPHA_STRAIGHT && made->info.width == WIDTH && made->info.height == HEIGHT;
    for (int i = 0; kept && i < PIXELS; i++)
        kept = fabsf(made->pixels[i * made->info.format.channels + made->info.format.channels - 1] - colors[4 * i + 3]) < 1e-6f;
    asked++;
    if (!CHECK(kept))
        fprintf(stderr, "%s: alpha is not kept\n", text);
}

/* How a file stores colors does not show, but for filters that are about it. */
static void check_forms(weft_device *device, const weft_filter_info *filter, const char *text) {
    struct made a = run_changed(device, text, ALL_SEEN), b = run_changed(device, text, MULTIPLIED);
    int32_t last = a.info.format.channels - 1;
    if (a.pixels && a.info.alpha == WEFT_ALPHA_STRAIGHT && b.info.alpha == WEFT_ALPHA_PREMULTIPLIED) {
        for (int64_t i = 0; i < a.info.width * a.info.height; i++)
            for (int32_t c = 0; c < last; c++)
                a.pixels[i * (last + 1) + c] *= a.pixels[i * (last + 1) + last];
        check_same(filter, text, &a, &b, true);
    }
    free(a.pixels);
    free(b.pixels);
}

static void check_statement(weft_device *device, const weft_filter_info *filter, const char *text) {
    struct made made = run(device, text, colors, WEFT_ALPHA_STRAIGHT);
    const char *says = filter->alpha;
    if (!made.pixels)
        return;
    if (strstr(says, "luminance over black"))
        check_change(device, filter, text, &made, OVER_BLACK);
    if (strncmp(says, "colors are taken straight", 25) == 0 || strncmp(says, "colors are filtered straight", 28) == 0)
        check_change(device, filter, text, &made, OPAQUE);
    if (strncmp(says, "colors count by their alpha", 26) == 0)
        check_change(device, filter, text, &made, OTHERS_HIDDEN);
    if (strstr(says, "which is kept"))
        check_kept(text, &made);
    check_forms(device, filter, text);
    /* A composite is what its filters are. */
    bool none = strstr(says, "result has no") != NULL;
    if (!strstr(says, "as in the filters") && (none || made.info.alpha == WEFT_ALPHA_NONE) &&
        !CHECK(none && made.info.alpha == WEFT_ALPHA_NONE))
        fprintf(stderr, "%s: '%s', but the result has %s alpha\n", text, says, none ? "an" : "no");
    free(made.pixels);
}

/* A parameter whose help says 'N keeps the image'. */
static void check_keeps(weft_device *device, const weft_filter_info *filter, const weft_parameter_info *parameter) {
    const char *keeps = strstr(parameter->doc, " keeps the image"), *number = keeps;
    char text[128];
    while (number && number > parameter->doc && number[-1] >= '0' && number[-1] <= '9')
        number--;
    if (!keeps || number == keeps)
        return;
    snprintf(text, sizeof text, "%s=%s=%.*s", filter->name, parameter->name, (int)(keeps - number), number);
    struct made plain = run(device, "crop", colors, WEFT_ALPHA_STRAIGHT), made = run(device, text, colors, WEFT_ALPHA_STRAIGHT);
    asked++;
    if (!CHECK(made.pixels && made.info.format.channels == 4 && differences(&made, &plain, 1e-6, false) == 0))
        fprintf(stderr, "%s: does not keep the image\n", text);
    free(plain.pixels);
    free(made.pixels);
}

static void test(weft_device *device) {
    draw_colors();
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        if (filter->inputs != 1)
            continue;
        check_statement(device, filter, filter->name);
        if (strncmp(filter->example, filter->name, strlen(filter->name)) == 0 && !strpbrk(filter->example, ",;[@"))
            check_statement(device, filter, filter->example);
        for (int32_t k = 0; k < filter->parameters; k++)
            check_keeps(device, filter, weft_filter_parameter(filter, k));
    }
    CHECK(asked > 150);
}

int main(int argc, char **argv) {
    run_on_devices(argc > 1 ? argc : 2, argc > 1 ? argv : (char *[]){argv[0], "cpu", NULL}, test);
    return check_done("alpha_statements");
}
