/* SPDX-License-Identifier: MIT
 * Results between filters are rounded by every device in its own way, and inputs that move do not tell what that makes: a filter
 * of places, or of large numbers that cancel, does not move with them. So where a device is not as near as it should be, the
 * reference runs again for each filter on the way, from what that one makes, rounded otherwise. */
#include <math.h>
#include "graphs.h"

#define ROUNDED 1.2e-7 /* of a number: a step of f32 */
#define BEYOND 1e18    /* the squares of such numbers are infinite in f32, but not in the reference */

/* What the reference makes of the graph's inputs and, where `cut` is a node, of that one's image in place of its filter. */
static bool make(struct fuzz *fuzz, const struct graph *g, int32_t node, int32_t cut, const struct picture *inputs,
                 struct picture *made, struct chance *chance) {
    static struct graph part; /* large */
    struct picture outputs[OUTPUTS] = {{.memory = NULL}};
    weft_image_info infos[FED];
    weft_error error = {0};
    part = *g;
    part.outputs[0] = node, part.types[0] = is_values(g, node) ? 0 : WEFT_F32;
    part.output_count = 1;
    for (int32_t i = 0; i < g->input_count; i++)
        infos[i] = inputs[i].image.info;
    if (cut >= 0) {
        part.nodes[cut] = (struct node){.input_count = 0};
        infos[part.input_count++] = inputs[g->input_count].image.info;
    }
    for (int32_t i = 0; i < part.input_count; i++) { /* nobody else may read them */
        part.outputs[part.output_count] = i < g->input_count ? i : cut;
        part.types[part.output_count++] = 0;
    }
    weft_plan *plan = make_plan(fuzz->reference, &part, infos, part.types, &error);
    bool ok = plan && run_plan(plan, inputs, outputs, &(struct manner){.plain = true}, chance, &error);
    weft_plan_destroy(&plan);
    *made = outputs[0];
    for (int32_t i = 1; i < OUTPUTS; i++)
        picture_destroy(&outputs[i]);
    return ok;
}

static double largest_of(const struct picture *picture) {
    const weft_image_info *info = &picture->image.info;
    double largest = 0;
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++)
            for (int32_t c = 0; c < info->format.channels; c++)
                largest = fmax(largest, fabs(picture_get(picture, x, y, c)));
    return largest;
}

/* Rounds the numbers of an image otherwise, `by` 1 in one direction each and by -1 in the other. A filter rounds as well what
 * cancels in it: numbers as large as those that it reads. */
static void round_otherwise(const struct picture *from, double read, double by, struct picture *to, struct chance chance) {
    const weft_image_info *info = &from->image.info;
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++)
            for (int32_t c = 0; c < info->format.channels; c++) {
                double v = picture_get(from, x, y, c);
                picture_set(to, x, y, c, v + by * ROUNDED * fmax(fabs(v), read) * (2 * chance_unit(&chance) - 1));
            }
}

/* Adds to each number of `sum` how far that of `a` is from the farther one of `b` and `other`, or where they are NULL `by`. */
static void add_difference(const struct picture *a, const struct picture *b, const struct picture *other, double by,
                           struct picture *sum) {
    const weft_image_info *info = &sum->image.info;
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++)
            for (int32_t c = 0; c < info->format.channels; c++) {
                double v = a ? picture_get(a, x, y, c) : 0;
                double apart = a ? fmax(fabs(v - picture_get(b, x, y, c)), fabs(v - picture_get(other, x, y, c))) : by;
                picture_set(sum, x, y, c, picture_get(sum, x, y, c) + apart);
            }
}

/* What comes of other roundings of node n's image, to be added to the sum. Each number is rounded up once and down once: a filter
 * may jump in one direction only, as a logarithm does at 0. */
static bool add_rounding(struct fuzz *fuzz, const struct graph *g, int32_t node, int32_t n, struct picture *fed, double read,
                         struct picture *sum, struct chance *chance) {
    struct picture image = fed[g->input_count], rounded = {.memory = NULL}, exact = {.memory = NULL};
    struct picture others[2] = {{.memory = NULL}, {.memory = NULL}};
    const struct chance same = *chance;
    bool ok = picture_create(&image.image.info, true, chance, &rounded) && make(fuzz, g, node, n, fed, &exact, chance);
    for (int i = 0; ok && i < 2; i++) {
        round_otherwise(&image, read, i ? -1 : 1, &rounded, same);
        fed[g->input_count] = rounded;
        ok = make(fuzz, g, node, n, fed, &others[i], chance);
        fed[g->input_count] = image;
    }
    if (ok)
        add_difference(&exact, &others[0], &others[1], 0, sum);
    picture_destroy(&rounded);
    picture_destroy(&exact);
    for (int i = 0; i < 2; i++)
        picture_destroy(&others[i]);
    return ok;
}

enum roundings roundings_between(struct fuzz *fuzz, const struct graph *g, int32_t node, const struct picture *inputs,
                                 struct picture *sum) {
    struct chance chance = {.state = 1};
    enum roundings result = ROUNDINGS_TOLD;
    double largest[NODES] = {0};
    weft_image_info info = g->info[node];
    info.format.type = is_values(g, node) ? WEFT_F64 : WEFT_F32;
    if (!picture_create(&info, true, &chance, sum))
        return ROUNDINGS_UNKNOWN;
    for (int64_t y = 0; y < info.height; y++)
        for (int64_t x = 0; x < info.width; x++)
            for (int32_t c = 0; c < info.format.channels; c++)
                picture_set(sum, x, y, c, 0);
    for (int32_t n = 0; n <= node && result == ROUNDINGS_TOLD; n++) {
        struct picture fed[FED] = {{.memory = NULL}}, *image = &fed[g->input_count];
        double read = 0;
        for (int32_t i = 0; i < g->input_count; i++)
            fed[i] = inputs[i];
        for (int32_t i = 0; i < g->nodes[n].input_count; i++)
            read = fmax(read, largest[g->nodes[n].inputs[i]]);
        if (n < g->input_count)
            largest[n] = largest_of(&inputs[n]);
        else if (n == node)
            add_difference(NULL, NULL, NULL, ROUNDED * read, sum);
        else if (g->nodes[node].made_of >> n & 1) {
            bool ok = make(fuzz, g, n, -1, inputs, image, &chance);
            largest[n] = ok ? largest_of(image) : 0;
            if (largest[n] > BEYOND)
                result = ROUNDINGS_BEYOND;
            else if (!ok || (!is_values(g, n) && !add_rounding(fuzz, g, node, n, fed, read, sum, &chance)))
                result = ROUNDINGS_UNKNOWN;
        }
        picture_destroy(image);
    }
    return result;
}
