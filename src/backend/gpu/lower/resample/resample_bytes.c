/* SPDX-License-Identifier: MIT
 * Halving and doubling bytes as tensor-core products (kernels/gpu/resample/resample_bytes.gpu): the weights of tiles of outputs,
 * in whole numbers, laid out as the threads of a warp have them. Tiles at the ends have weights of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "backend/gpu/lower/resample/weighted_sums.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/resample/resample_bytes.h"

#define WARP 32
#define WARPS RESAMPLE_BYTES_WARPS
#define MADE RESAMPLE_BYTES_MADE
#define PART RESAMPLE_BYTES_PART
#define MOST_PARTS 3
#define MOST_WEIGHTS 12 /* of an output: what is rounded adds up */
#define TRIALS 1024     /* of factors of weights; */
#define SAMPLE 4        /* they are judged by so many outputs at each end and in the middle */
#define MOST_OF_MEANS 65535
#define LARGEST 32600 /* a weight in two bytes with signs; what a sum was rounded by may come to it */

static bool lies_inside(const struct gpu_axis *axis) {
    return axis->ordered && axis->outputs > 0 && axis->first[0] >= 0 &&
           axis->first[axis->outputs - 1] + axis->count <= axis->inputs;
}

static float weight_at(const struct gpu_axis *axis, int32_t output, int32_t place) {
    int32_t k = place - axis->first[output];
    return k >= 0 && k < axis->count ? axis->weight[(size_t)output * (size_t)axis->count + (size_t)k] : 0;
}

/* The first pixel with a weight in a tile, or the last one. */
static int32_t end_of(const struct gpu_axis *axis, int32_t tile, bool last) {
    int32_t end = last ? 0 : INT32_MAX;
    for (int32_t i = tile * MADE; i < (tile + 1) * MADE && i < axis->outputs; i++)
        for (int32_t k = 0; k < axis->count; k++)
            if (axis->weight[(size_t)i * (size_t)axis->count + (size_t)k] != 0) {
                int32_t place = axis->first[i] + k;
                end = last ? (place > end ? place : end) : (place < end ? place : end);
            }
    return end;
}

static int32_t tiles_of(const struct gpu_axis *axis) { return (axis->outputs + MADE - 1) / MADE; }

static double largest_of(const struct gpu_axis *axis) {
    double largest = 0;
    for (size_t i = 0; i < (size_t)axis->outputs * (size_t)axis->count; i++)
        largest = fmax(largest, fabs((double)axis->weight[i]));
    return largest;
}

/* Whether sums are what bytes and room for what is beyond them hold. */
static bool fits_room(const struct gpu_axis *axis) {
    for (int32_t i = 0; i < axis->outputs; i++) {
        double above = 0, below = 0;
        for (int32_t k = 0; k < axis->count; k++) {
            double weight = (double)axis->weight[(size_t)i * (size_t)axis->count + (size_t)k];
            above += fmax(weight, 0), below += fmax(-weight, 0);
        }
        if (!(fabs(above - below - 1) < 1e-4) || above > 1.45)
            return false;
    }
    return true;
}

static bool is_mean(const struct gpu_axis *axis) {
    for (size_t i = 0; i < (size_t)axis->outputs * (size_t)axis->count; i++)
        if (!(axis->weight[i] >= 0))
            return false;
    return true;
}

/* The column from which on a tile's warp reads: a multiple of 8, where whole sectors of memory begin, or of 4; -1 where
 * those that it needs are not among them. */
static int32_t begin_of(const struct gpu_axis *x, int32_t tile, int32_t parts) {
    int32_t first = end_of(x, tile, false), last = end_of(x, tile, true);
    int32_t begin = last < (first & ~7) + parts * PART ? first & ~7 : first & ~3;
    return last < begin + parts * PART ? begin : -1;
}
static bool fits_along(const struct gpu_axis *x, int32_t parts) {
    for (int32_t i = 0; i < tiles_of(x); i++)
        if (begin_of(x, i, parts) < 0)
            return false;
    return true;
}
/* The same for rows. The rows of a tile are a fixed number of rows below those of the tile above. */
static bool fits_below(const struct gpu_axis *y, int32_t parts, int32_t *first_row) {
    int32_t advance = RESAMPLE_BYTES_ADVANCE(parts), tiles = tiles_of(y);
    int64_t from = INT32_MAX;
    for (int32_t i = 0; i < tiles; i++) {
        int64_t begin = end_of(y, i, false) - (int64_t)i * advance;
        from = begin < from ? begin : from;
    }
    for (int32_t i = 0; i < tiles; i++)
        if (end_of(y, i, true) >= from + (int64_t)i * advance + parts * PART)
            return false;
    *first_row = (int32_t)from;
    return from > INT32_MIN / 2;
}

/* A tile's weights in whole numbers: those of means have no sign, so that one byte holds those of bilinear ones. */
struct tile {
    bool means;
    int32_t weight[MADE][MOST_PARTS * PART];
};
static void make_whole(const struct gpu_axis *axis, int32_t index, int64_t begin, double scale, struct tile *tile) {
    memset(tile->weight, 0, sizeof tile->weight);
    for (int32_t i = 0; i < MADE && index * MADE + i < axis->outputs; i++) {
        int32_t *weight = tile->weight[i], largest = 0, left = (int32_t)lrint(scale);
        for (int32_t n = 0; n < MOST_PARTS * PART; n++) {
            weight[n] = (int32_t)lrint((double)weight_at(axis, index * MADE + i, (int32_t)(begin + n)) * scale);
            largest = weight[n] > weight[largest] ? n : largest;
            left -= weight[n];
        }
        weight[largest] += left;
        if (weight[largest] > MOST_OF_MEANS) /* a whole: what is left out is less than a hundredth of a step */
            weight[largest] = MOST_OF_MEANS;
    }
}

static int32_t upper_byte(const struct tile *tile, int32_t weight) { return (weight + (tile->means ? 0 : 128)) >> 8; }
static int32_t lower_byte(const struct tile *tile, int32_t weight) { return weight - 256 * upper_byte(tile, weight); }

/* What a byte may be off, in steps, where weights times `scale` are rounded; along y also for products of lower bytes,
 * whose units are `unit` steps. Of the outputs at both ends and some in the middle. */
static double most_off(const struct gpu_axis *axis, double scale, double unit) {
    static const struct tile signs = {.means = false};
    double most = 0;
    for (int32_t n = 0; n < 3 * SAMPLE; n++) {
        int32_t i = n % SAMPLE + n / SAMPLE * (axis->outputs - SAMPLE) / 2;
        double off = fabs(lrint(scale) - scale) * 320 / scale, left = rint(scale);
        for (int32_t k = 0; k < axis->count && i >= 0 && i < axis->outputs; k++) {
            double exact = (double)axis->weight[(size_t)i * (size_t)axis->count + (size_t)k] * scale;
            int32_t weight = (int32_t)lrint(exact);
            off += fabs(exact - weight) * 192 / scale + abs(lower_byte(&signs, weight)) * unit * 127.5;
            left -= weight;
        }
        off += fabs(left) * 192 / scale; /* the largest weight takes it */
        most = fmax(most, off);
    }
    return most;
}

/* Weights are multiplied by whatever makes them nearly whole numbers of small lower bytes, as long as both axes'
 * factors make a power of two, whose exponent is returned. Sums along x, up to 512, are to fit 24 bits. */
static int32_t choose_scales(const struct gpu_axis *x, const struct gpu_axis *y, double scales[2]) {
    double most_x = fmin(LARGEST / largest_of(x), 1 << 15), most_y = fmin(LARGEST / largest_of(y), 1 << 16),
           best = INFINITY;
    int32_t bits = (int32_t)floor(log2(most_x * most_y));
    double both = ldexp(1, bits), least_x = ceil(both / most_y);
    for (int32_t n = 0; n < TRIALS; n++) {
        double scale_x = floor(least_x + (most_x - least_x) * n / TRIALS), scale_y = both / scale_x;
        double off = most_off(x, scale_x, 0) + most_off(y, scale_y, 256 / both);
        if (off < best)
            best = off, scales[WEFT_X] = scale_x, scales[WEFT_Y] = scale_y;
    }
    return bits;
}

/* Word w of four of a thread. */
static uint32_t word_of(const struct tile *tile, bool along, int32_t part, int32_t thread, int32_t output, bool lower) {
    uint32_t word = 0;
    for (int32_t i = 0; i < 4; i++) {
        int32_t place = along ? RESAMPLE_BYTES_ALONG(thread % 4, i) : RESAMPLE_BYTES_BELOW(thread % 4, i);
        int32_t weight = tile->weight[along ? RESAMPLE_BYTES_COLUMN(output) : output][part * PART + place];
        word |= (uint32_t)((lower ? lower_byte(tile, weight) : upper_byte(tile, weight)) & 255) << (8 * i);
    }
    return word;
}

/* What is added to the sums of an output along y: it stands for the products of lower bytes, as if those between the
 * axes were 127.5, and unless sums along x did so takes the middle away and rounds. */
static int32_t added_to(const struct tile *tile, int32_t output, int32_t shift) {
    double lower = 0;
    for (int32_t n = 0; n < MOST_PARTS * PART; n++)
        lower += lower_byte(tile, tile->weight[output][n]);
    return (tile->means ? 0 : (1 << (shift - 1)) - (RESAMPLE_BYTES_MIDDLE << shift)) +
           (int32_t)lrint(lower * 127.5 / 256);
}

static bool has_lower(const struct tile *tile) {
    for (int32_t i = 0; i < MADE * MOST_PARTS * PART; i++)
        if (lower_byte(tile, tile->weight[i / (MOST_PARTS * PART)][i % (MOST_PARTS * PART)]) != 0)
            return true;
    return false;
}

static void lay_out(const struct tile *tile, bool along, int32_t parts, int32_t shift, uint32_t *words) {
    for (int32_t n = 0; n < RESAMPLE_BYTES_QUADS(parts); n++)
        for (int32_t thread = 0; thread < WARP; thread++)
            for (int32_t w = 0; w < 4; w++) {
                int32_t output = thread / 4 + w % 2 * 8;
                if (n == RESAMPLE_BYTES_QUADS(parts) - 1)
                    *words++ = w < 2 ? (uint32_t)(along ? 0 : added_to(tile, output, shift)) : has_lower(tile);
                else if (n == RESAMPLE_BYTES_QUADS(parts) - 2)
                    *words++ = word_of(tile, along, parts - 1, thread, output, w / 2 == 1);
                else
                    *words++ = word_of(tile, along, w / 2, thread, output, n == 1);
            }
}

/* The tables of an axis: weights of each kind of tile; of each tile where it begins, along x alone, and its kind;
 * below these where each output begins. */
static weft_status give_axis(struct gpu_pass *pass, const struct gpu_axis *axis, bool along, int32_t parts,
                             double scale, bool means, weft_error *error) {
    int32_t tiles = tiles_of(axis), kinds = 0, shift = pass->launch.resample.shift;
    size_t words = (size_t)RESAMPLE_BYTES_QUADS(parts) * WARP * 4, count = (size_t)tiles * (along ? 3 : 1);
    size_t all = count + (along ? 0 : (size_t)axis->outputs);
    uint32_t *weights = weft_allocate((size_t)tiles * words, sizeof *weights);
    int32_t *of_tile = weft_allocate(all, sizeof *of_tile);
    if (!weights || !of_tile) {
        weft_free(weights);
        weft_free(of_tile);
        return weft_fail_memory(error, (size_t)tiles * words * sizeof *weights, "the weights of a resampling's tiles");
    }
    for (int32_t i = 0; i < tiles; i++) {
        int64_t begin = along ? begin_of(axis, i, parts)
                              : pass->launch.resample.first_row + (int64_t)i * RESAMPLE_BYTES_ADVANCE(parts);
        struct tile tile = {.means = means};
        uint32_t *own = weights + (size_t)kinds * words;
        make_whole(axis, i, begin, scale, &tile);
        lay_out(&tile, along, parts, shift, own);
        if (kinds == 0 || memcmp(own, own - words, words * sizeof *own) != 0)
            kinds++;
        if (along)
            of_tile[3 * i] = (int32_t)begin, of_tile[3 * i + 1] = kinds - 1, of_tile[3 * i + 2] = has_lower(&tile);
        else
            of_tile[i] = kinds - 1;
    }
    for (int32_t i = 0; along && i < tiles; i++) /* of one of a block, of all of it */
        for (int32_t k = i / WARPS * WARPS; k < (i / WARPS + 1) * WARPS && k < tiles; k++)
            of_tile[3 * i + 2] |= of_tile[3 * k + 2];
    for (size_t i = count; i < all; i++)
        of_tile[i] = axis->first[i - count];
    weft_gpu_give_table(pass, along ? LAUNCH_FIELD(resample.bands_x) : LAUNCH_FIELD(resample.bands_y), weights,
                        (size_t)kinds * words * sizeof *weights);
    weft_gpu_give_table(pass, along ? LAUNCH_FIELD(resample.tiles_x) : LAUNCH_FIELD(resample.tiles_y), of_tile,
                        all * sizeof *of_tile);
    return WEFT_OK;
}

int32_t weft_gpu_resample_bytes_parts(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                      const struct gpu_axis *axes) {
    static const int32_t parts_of_variants[] = {1, MOST_PARTS};
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    int32_t first_row;
    if (!weft_gpu_has_mma(context) || x->count > MOST_WEIGHTS || y->count > MOST_WEIGHTS || !lies_inside(x) ||
        !lies_inside(y) || !weft_gpu_is_direct_between(builder, context, TYPE_U8, TYPE_U8) || !fits_room(x) || !fits_room(y))
        return 0;
    for (size_t i = 0; i < 2; i++)
        if (fits_below(y, parts_of_variants[i], &first_row) && fits_along(x, parts_of_variants[i]))
            return parts_of_variants[i];
    return 0;
}

weft_status weft_gpu_add_resample_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                        int32_t parts, weft_error *error) {
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    int32_t planes = context->in.format.channels, first_row = 0;
    bool means = is_mean(x) && is_mean(y);
    double scales[2] = {1 << 16, 1 << 16};
    int32_t bits = means ? 32 : choose_scales(x, y, scales);
    struct gpu_pass *pass;
    fits_below(y, parts, &first_row);
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "resample_bytes", (const int32_t[]){parts, means, planes}, 3,
                                           &pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(pass, y, error);
    if (status != WEFT_OK)
        return status;
    pass->launch.resample =
        (struct resample_launch){.shift = bits - 16,
                                 .added = (means ? 0 : (int32_t)lrint(RESAMPLE_BYTES_MIDDLE * scales[WEFT_X])) + 128,
                                 .first_row = first_row,
                                 .tiles = tiles_of(y),
                                 .count_y = y->count};
    pass->tile_width = WARPS * MADE, pass->tile_height = MADE;
    pass->walks = true;
    status = give_axis(pass, x, true, parts, scales[WEFT_X], means, error);
    return status == WEFT_OK ? give_axis(pass, y, false, parts, scales[WEFT_Y], means, error) : status;
}
