/* SPDX-License-Identifier: MIT
 * The definition of windows without a body. Means weighted by patches: for one offset at a time the squared differences of all
 * pixels, and their mean over the patch around each. Means of squares: of the four that have a pixel at a corner, the mean of the
 * one in which colors vary least. */
#include <math.h>
#include "backend/reference/model.h"
#include "base/memory.h"
#include "base/status.h"
#include "filter/help/patches.h"

/* The image's colors with what is around it, and the sums of the result. */
struct field {
    const struct weft_patches *p;
    int64_t width, height, around, stride;
    int32_t colors;
    double *color[3], *apart, *weights, *sums[3];
};

static double at(const struct field *f, int32_t k, int64_t x, int64_t y) {
    return f->color[k][(y + f->around) * f->stride + x + f->around];
}

static void add_offset(const struct field *f, int64_t dx, int64_t dy) {
    int64_t patch = f->p->patch, side = 2 * patch + 1, wide = f->width + 2 * patch;
    double h = (double)f->p->h, sigma = (double)f->p->sigma;
    for (int64_t y = -patch; y < f->height + patch; y++)
        for (int64_t x = -patch; x < f->width + patch; x++) {
            double sum = 0;
            for (int32_t k = 0; k < f->colors; k++)
                sum += pow(at(f, k, x, y) - at(f, k, x + dx, y + dy), 2);
            f->apart[(y + patch) * wide + x + patch] = sum / f->colors;
        }
    for (int64_t y = 0; y < f->height + 2 * patch; y++) /* in place: what is read lies to the right, then below */
        for (int64_t x = 0; x < f->width; x++)
            for (int64_t k = 1; k < side; k++)
                f->apart[y * wide + x] += f->apart[y * wide + x + k];
    for (int64_t y = 0; y < f->height; y++)
        for (int64_t x = 0; x < f->width; x++) {
            double sum = 0;
            for (int64_t k = 0; k < side; k++)
                sum += f->apart[(y + k) * wide + x];
            double mean = sum / (double)(side * side) - 2 * sigma * sigma, away = (mean > 0 ? mean : 0) / (h * h);
            double weight = away > (double)f->p->cutoff ? 0 : exp(-away);
            f->weights[y * f->width + x] += weight;
            for (int32_t k = 0; k < f->colors; k++)
                f->sums[k][y * f->width + x] += weight * at(f, k, x + dx, y + dy);
        }
}

static void load(const struct field *f, const struct reference_call *call) {
    struct reference_surroundings around = reference_around(call);
    struct weft_reference_view view = {.at = reference_look, .user = &around, .planes = call->out->info.format.channels};
    view.radius_x = view.radius_y = (int)f->around;
    for (int32_t k = 0; k < f->colors; k++)
        for (int64_t y = -f->around; y < f->height + f->around; y++)
            for (int64_t x = -f->around; x < f->width + f->around; x++) {
                int counts = 1;
                f->color[k][(y + f->around) * f->stride + x + f->around] = reference_look(&view, k, x, y, &counts);
            }
}

weft_status reference_patch(const struct reference_call *call, weft_error *error) {
    const struct weft_patches *p = call->block;
    const weft_image_info *info = &call->out->info;
    struct field f = {.p = p, .width = info->width, .height = info->height, .around = (int64_t)p->patch + p->search};
    f.stride = f.width + 2 * f.around;
    f.colors = info->format.channels < 3 ? 1 : 3;
    size_t all = (size_t)f.stride * (size_t)(f.height + 2 * f.around), pixels = (size_t)f.width * (size_t)f.height;
    size_t count = all * (size_t)(f.colors + 1) + pixels * (size_t)(f.colors + 1);
    double *room = weft_allocate(count, sizeof *room);
    if (!room)
        return weft_fail_memory(error, count * sizeof *room, "patches");
    f.apart = room;
    f.weights = room + all * (size_t)(f.colors + 1);
    for (int32_t k = 0; k < f.colors; k++) {
        f.color[k] = room + all * (size_t)(k + 1);
        f.sums[k] = f.weights + pixels * (size_t)(k + 1);
    }
    load(&f, call);
    for (int64_t dy = -p->search; dy <= p->search; dy++)
        for (int64_t dx = -p->search; dx <= p->search; dx++)
            add_offset(&f, dx, dy);
    for (int64_t y = 0; y < f.height; y++)
        for (int32_t k = 0; k < info->format.channels; k++) {
            double *out = reference_row(call->out, k, y);
            for (int64_t x = 0; x < f.width; x++)
                out[x] =
                    k < f.colors ? f.sums[k][y * f.width + x] / f.weights[y * f.width + x] : reference_row(call->in[0], k, y)[x];
        }
    weft_free(room);
    return WEFT_OK;
}

/* The means of the colors of the square whose first pixel is left and top of the view's, and how much they vary. */
static double mean_of(const struct weft_reference_view *view, int64_t left, int64_t top, int64_t side, int32_t colors,
                      double *mean) {
    double varies = 0, count = (double)(side * side);
    for (int32_t k = 0; k < colors; k++) {
        double sum = 0, squares = 0;
        for (int64_t y = 0; y < side; y++)
            for (int64_t x = 0; x < side; x++) {
                int counts = 1;
                double v = reference_look(view, k, left + x, top + y, &counts);
                sum += v, squares += v * v;
            }
        mean[k] = sum / count;
        double variance = squares / count - mean[k] * mean[k];
        varies += variance < 0 ? -variance : variance;
    }
    return varies;
}

weft_status reference_squares(const struct reference_call *call, weft_error *error) {
    const struct reference_image *out = call->out;
    struct reference_surroundings around = reference_around(call);
    struct weft_reference_view view = {.at = reference_look, .user = &around, .planes = out->info.format.channels};
    int32_t radius = ((const struct weft_squares *)call->block)->radius, colors = out->info.format.channels < 3 ? 1 : 3;
    (void)error;
    view.radius_x = view.radius_y = radius;
    for (view.y = 0; view.y < out->info.height; view.y++)
        for (view.x = 0; view.x < out->info.width; view.x++) {
            double best[3] = {0}, mean[3] = {0}, least = 0;
            for (int place = 0; place < 4; place++) {
                int64_t left = place % 2 ? 0 : -radius, top = place / 2 ? 0 : -radius;
                double varies = mean_of(&view, left, top, radius + 1, colors, mean);
                if (place > 0 && !(varies < least))
                    continue;
                least = varies;
                for (int32_t k = 0; k < colors; k++)
                    best[k] = mean[k];
            }
            for (int32_t k = 0; k < out->info.format.channels; k++)
                reference_row(out, k, view.y)[view.x] = k < colors ? best[k] : reference_row(call->in[0], k, view.y)[view.x];
        }
    return WEFT_OK;
}
