/* SPDX-License-Identifier: MIT
 * Reducing bytes to floats by whole numbers, as the beginning of a wide gaussian of bytes does, as tensor-core products
 * (kernels/gpu/multirate/decimate_bytes.gpu): the weights of tiles of outputs, laid out as the threads of a warp have them. In
 * tiles at the ends of rows a pixel that stands for others outside has their weights too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "backend/gpu/lower/resample/weighted_sums.h"
#include "base/memory.h"
#include "base/status.h"
#include "image/border.h"
#include "kernels/gpu/multirate/multirate_bytes.h"

#define WARP 32
#define MADE DECIMATE_BYTES_MADE
#define MOST_PIECES 7   /* DECIMATE_BYTES_PIECES of any count of channels, */
#define MOST_PIXELS 256 /* and the most pixels that all have */
#define LARGEST 65000.0 /* a weight: its upper byte, rounded, is a byte even where a sum's rounding is worked into it */

#define MOST_SCALE 8e6  /* so that 255 times what weights sum to is an int */

struct tile {
    int32_t count, begin[MOST_PIECES]; /* pieces */
    double weight[MADE][MOST_PIXELS], outside[MADE];
};

static int compare(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Where weight k of output i of a tile is in a row of `size` pixels; -1 without. */
static int32_t place_of(const struct gpu_axis *axis, int32_t tile, int32_t i, int32_t k, weft_border border) {
    int64_t place = axis->start + ((int64_t)tile * MADE + i) * axis->advance + k;
    return (int32_t)weft_border_map(place, axis->inputs, border);
}

/* Tiles all of whose pixels are inside have the same weights, of pixels as far away. */
static bool lies_inside(const struct gpu_axis *axis, int32_t index) {
    int64_t first = axis->start + (int64_t)index * MADE * axis->advance;
    return first >= 0 && first + (MADE - 1) * axis->advance + axis->count <= axis->inputs && (index + 1) * MADE <= axis->outputs;
}

/* The places of all pixels that a tile is made of, in order. */
static size_t find_places(const struct gpu_axis *axis, int32_t index, weft_border border, int32_t *places) {
    size_t count = 0;
    if (lies_inside(axis, index)) {
        for (int32_t k = 0; k < (MADE - 1) * axis->advance + axis->count; k++)
            places[count++] = axis->start + index * MADE * axis->advance + k;
        return count;
    }
    for (int32_t i = 0; i < MADE && index * MADE + i < axis->outputs; i++)
        for (int32_t k = 0; k < axis->count; k++) {
            int32_t place = place_of(axis, index, i, k, border);
            if (place >= 0)
                places[count++] = place;
        }
    qsort(places, count, sizeof *places, compare);
    return count;
}

/* The pieces that hold all pixels that a tile is made of; false where it needs more than there are. */
static bool find_pieces(const struct gpu_axis *axis, int32_t index, weft_border border, int32_t planes, struct tile *tile) {
    int32_t places[MADE * DECIMATE_BYTES_ACTIVE * MULTIRATE_BYTES_STEPS], end = 0;
    size_t count = find_places(axis, index, border, places);
    tile->count = 0;
    for (size_t n = 0; n < count; n++) {
        if (places[n] < end)
            continue;
        if (tile->count == DECIMATE_BYTES_PIECES(planes))
            return false;
        tile->begin[tile->count++] = places[n] / DECIMATE_BYTES_ALIGNMENT * DECIMATE_BYTES_ALIGNMENT;
        end = tile->begin[tile->count - 1] + DECIMATE_BYTES_PIECE(planes);
    }
    return true;
}

static void add_weights(const struct gpu_axis *axis, int32_t index, weft_border border, int32_t planes, struct tile *tile) {
    memset(tile->weight, 0, sizeof tile->weight);
    memset(tile->outside, 0, sizeof tile->outside);
    for (int32_t i = 0; i < MADE && index * MADE + i < axis->outputs; i++)
        for (int32_t k = 0; k < axis->count; k++) {
            int32_t place = place_of(axis, index, i, k, border), piece = 0, width = DECIMATE_BYTES_PIECE(planes);
            if (place < 0) {
                tile->outside[i] += (double)axis->weight[k];
                continue;
            }
            while (place < tile->begin[piece] || place >= tile->begin[piece] + width)
                piece++;
            tile->weight[i][piece * width + place - tile->begin[piece]] += (double)axis->weight[k];
        }
}

/* Its weights in whole numbers; what is outside times the byte that stands there goes to `added`. What an output's weights sum
 * to stays what it was, whatever was rounded. Returns what the whole numbers are to be multiplied by. */
static double make_whole(struct tile *tile, int32_t byte, int32_t *added) {
    double most = 0;
    for (int32_t i = 0; i < MADE; i++)
        for (int32_t n = 0; n < MOST_PIXELS; n++)
            most = fmax(most, tile->weight[i][n]);
    double scale = LARGEST / fmax(most, LARGEST / MOST_SCALE);
    for (int32_t i = 0; i < MADE; i++) {
        double all = 0, sum = 0;
        int32_t largest = 0;
        for (int32_t n = 0; n < MOST_PIXELS; n++) {
            largest = tile->weight[i][n] > tile->weight[i][largest] ? n : largest;
            all += tile->weight[i][n] * scale;
            sum += tile->weight[i][n] = nearbyint(tile->weight[i][n] * scale);
        }
        if (tile->weight[i][largest] > 0)
            tile->weight[i][largest] += nearbyint(all - sum);
        added[i] = (int32_t)nearbyint(tile->outside[i] * scale * byte);
    }
    return 1 / (255 * scale);
}

static int32_t upper_byte(int32_t weight) { return (weight + 128) / 256; }

/* Four words of a thread: of outputs g and g + 8, of both halves of a matrix of a piece. */
static uint32_t band_word(const struct tile *tile, int32_t planes, int32_t piece, int32_t matrix, int32_t thread, int32_t w,
                          bool lower) {
    uint32_t word = 0;
    for (int32_t i = 0; i < 4; i++) {
        int32_t place = DECIMATE_BYTES_PLACE(planes, matrix, w / 2, thread % 4, i);
        int32_t weight = (int32_t)tile->weight[thread / 4 + w % 2 * 8][piece * DECIMATE_BYTES_PIECE(planes) + place];
        int32_t upper = upper_byte(weight);
        word |= (uint32_t)((lower ? weight - 256 * upper : upper) & 255) << (8 * i);
    }
    return word;
}

static void lay_out(const struct tile *tile, int32_t planes, uint32_t *words) {
    for (int32_t piece = 0; piece < DECIMATE_BYTES_PIECES(planes); piece++)
        for (int32_t n = 0; n < 2 * DECIMATE_BYTES_MATRICES(planes); n++)
            for (int32_t thread = 0; thread < WARP; thread++)
                for (int32_t w = 0; w < 4; w++)
                    *words++ = band_word(tile, planes, piece, n / 2, thread, w, n % 2 == 1);
}

static size_t words_of_tile(int32_t planes) {
    return (size_t)(DECIMATE_BYTES_PIECES(planes) * DECIMATE_BYTES_MATRICES(planes)) * 2 * WARP * 4;
}

/* The tables of tiles. */
static weft_status give_tiles(struct gpu_pass *pass, const struct gpu_axis *axis, const struct gpu_node_context *context,
                              struct tile *tile, weft_error *error) {
    weft_border border = weft_filter_border(context->filter, context->block);
    int32_t planes = context->in.format.channels, tiles = (axis->outputs + MADE - 1) / MADE, kinds = 0, inner = -1;
    int32_t byte = (int32_t)lround((double)weft_filter_border_value(context->filter, context->block) * 255);
    for (int32_t i = 0; i < tiles; i++)
        kinds += !lies_inside(axis, i) || (i > 0 ? !lies_inside(axis, i - 1) : true);
    size_t words = words_of_tile(planes), count = (size_t)tiles * DECIMATE_BYTES_TILE;
    uint32_t *weights = weft_allocate((size_t)kinds, words * sizeof *weights);
    union {
        int32_t number;
        float factor;
    } *of_tile = weft_allocate(count, sizeof *of_tile);
    int32_t *added = weft_allocate((size_t)tiles, MADE * sizeof *added);
    weft_gpu_give_table(pass, LAUNCH_FIELD(multirate.matrices_x), weights, (size_t)kinds * words * sizeof *weights);
    weft_gpu_give_table(pass, LAUNCH_FIELD(multirate.tiles), of_tile, count * sizeof *of_tile);
    weft_gpu_give_table(pass, LAUNCH_FIELD(multirate.added), added, (size_t)tiles * MADE * sizeof *added);
    if (!weights || !of_tile || !added)
        return weft_fail_memory(error, (size_t)kinds * words * sizeof *weights, "the weights of a row's tiles");
    kinds = 0;
    for (int32_t i = 0; i < tiles; i++, of_tile += DECIMATE_BYTES_TILE) {
        find_pieces(axis, i, border, planes, tile);
        bool inside = lies_inside(axis, i);
        if (tile->count > pass->launch.multirate.pieces)
            pass->launch.multirate.pieces = tile->count;
        for (int32_t p = 0; p < tile->count; p++)
            of_tile[DECIMATE_BYTES_BEGIN + p].number = tile->begin[p];
        if (inside && inner >= 0) {
            of_tile[DECIMATE_BYTES_WEIGHTS].number = of_tile[DECIMATE_BYTES_WEIGHTS - (i - inner) * DECIMATE_BYTES_TILE].number;
            of_tile[DECIMATE_BYTES_FACTOR].factor = of_tile[DECIMATE_BYTES_FACTOR - (i - inner) * DECIMATE_BYTES_TILE].factor;
        } else {
            add_weights(axis, i, border, planes, tile);
            of_tile[DECIMATE_BYTES_FACTOR].factor = (float)make_whole(tile, byte, added + (size_t)i * MADE);
            of_tile[DECIMATE_BYTES_WEIGHTS].number = kinds;
            lay_out(tile, planes, weights + (size_t)kinds++ * words);
            inner = inside ? i : inner;
        }
    }
    return WEFT_OK;
}

static weft_status give_down(struct gpu_pass *pass, const struct gpu_axis *axis, weft_error *error) {
    size_t count = (size_t)MULTIRATE_BYTES_STEPS * DECIMATE_BYTES_ACTIVE;
    float *weights = weft_allocate(count, sizeof *weights);
    for (int32_t i = 0; weights && i < axis->count; i++)
        weights[i % axis->advance * DECIMATE_BYTES_ACTIVE + DECIMATE_BYTES_ACTIVE - 1 - i / axis->advance] = axis->weight[i];
    return weft_gpu_take_table(pass, LAUNCH_FIELD(multirate.weights_y), weights, count, error);
}

static bool reduces(const struct gpu_axis *axis) {
    return axis->advance >= MULTIRATE_BYTES_LEAST_STEP && axis->advance <= MULTIRATE_BYTES_STEPS &&
           axis->count <= DECIMATE_BYTES_ACTIVE * axis->advance && weft_gpu_makes_means(axis);
}

/* Whether no tile needs more pieces than there are. */
static bool all_fit(const struct gpu_axis *axis, weft_border border, int32_t planes, struct tile *tile) {
    for (int32_t i = 0; i < (axis->outputs + MADE - 1) / MADE; i++)
        if (!find_pieces(axis, i, border, planes, tile))
            return false;
    return true;
}

weft_status weft_gpu_decimates_bytes(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                     const struct gpu_axis *axes, bool *fits, weft_error *error) {
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    *fits = false;
    if (!weft_gpu_has_mma(context) || !reduces(x) || !reduces(y) || !weft_gpu_border_is_byte(context) ||
        !weft_gpu_is_direct_between(builder, context, TYPE_U8, TYPE_F32))
        return WEFT_OK;
    struct tile *tile = weft_allocate(1, sizeof *tile);
    if (!tile)
        return weft_fail_memory(error, sizeof *tile, "the weights of a row's tile");
    *fits = all_fit(x, weft_filter_border(context->filter, context->block), context->in.format.channels, tile);
    weft_free(tile);
    return WEFT_OK;
}

weft_status weft_gpu_add_decimate_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                        weft_error *error) {
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    int32_t planes = context->in.format.channels;
    struct gpu_pass *pass;
    struct tile *tile = weft_allocate(1, sizeof *tile);
    if (!tile)
        return weft_fail_memory(error, sizeof *tile, "the weights of a row's tile");
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "decimate_bytes", &planes, 1, &pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(pass, y, error);
    if (status == WEFT_OK)
        status = give_tiles(pass, x, context, tile, error);
    if (status == WEFT_OK)
        status = give_down(pass, y, error);
    weft_free(tile);
    if (status != WEFT_OK)
        return status;
    pass->tile_width = MULTIRATE_BYTES_WARPS * MADE;
    pass->tile_height = 1;
    pass->walks = true;
    pass->launch.multirate.steps_y = y->advance;
    pass->launch.multirate.start_y = y->start;
    pass->launch.multirate.rows = y->count;
    return WEFT_OK;
}
