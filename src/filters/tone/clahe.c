/* SPDX-License-Identifier: MIT
 * Each tile is a histogram of its own; the histograms lie below one another in one table, which becomes the table of levels. */
#define NAME clahe
#define SUMMARY "Equalize the histogram tile by tile, limiting how much contrast grows: bring out local detail"
#define SOURCE "Zuiderveld 1994; OpenCV's createCLAHE, of luminance in color"
#define EXAMPLE "clahe=3"
#define TOLERANCE 1 /* where a value lies between two bins */
#define STEADY_TOLERANCE 3e-2
#define PARAMS                                                                                                         \
    FLOAT(clip_limit, 40, 0, 100000, "", "a bin counts no more than this, times the mean of all; 0: no limit")         \
    INT(tiles, 8, 1, 16, "", "tiles from left to right")                                                               \
    AUTO_INT(tiles_y, 1, 16, "", "tiles from top to bottom; auto is as many")                                          \
    CHOICE(channels, 0, "luminance|each", "equalize the luminance of color, or each channel by itself")                \
    AUTO_INT(bins, 256, 512, "", "parts of [0, 1] that are counted; auto is 256 for 8 bits, 512 for others")
#include "filters/tone/cumulative.h"
#include "filter/composite.h"

#define MOST_TILES 16 /* along each axis */

struct tiling {
    int32_t across, down, bins;
    int64_t width, height; /* of a tile */
};

static struct tiling tiling_of(const struct BLOCK *p, const weft_image_info *info) {
    struct tiling t = {.across = p->tiles, .down = p->tiles_y > 0 ? p->tiles_y : p->tiles, .bins = p->bins};
    if (p->bins < 0)
        t.bins = info->format.type == WEFT_U8 ? 256 : 512;
    /* As in OpenCV: where either side is no whole number of tiles, both grow to the next one. */
    int64_t more = info->width % t.across != 0 || info->height % t.down != 0;
    t.width = info->width / t.across + more;
    t.height = info->height / t.down + more;
    return t;
}

/* Puts the rows of `count` tables, each of `rows` rows, below one another. */
static weft_status stack(weft_graph *graph, const weft_node *tables, int32_t count, int32_t rows, weft_node *result,
                         weft_error *error) {
    weft_node pair[2] = {-1, -1};
    weft_status status = WEFT_OK;
    for (int32_t i = 0; status == WEFT_OK && i < count; i++) {
        status = SUBGRAPH_ADD("pad", &tables[i], 1, &pair[1], {"top", i * rows}, {"bottom", (count - 1 - i) * rows},
                              {"border", WEFT_BORDER_CONSTANT});
        if (status == WEFT_OK && i > 0)
            status = weft_graph_add(graph, "sum_of", pair, 2, &pair[0], error);
        else
            pair[0] = pair[1];
    }
    *result = pair[0];
    return status;
}

/* The counts of all tiles, a row for each: of the image, filled up to whole tiles by its mirror image. */
static weft_status count_tiles(weft_graph *graph, const struct tiling *t, weft_node plane, const weft_image_info *info,
                               weft_node *counts, weft_error *error) {
    weft_node whole = plane, row[MOST_TILES], rows[MOST_TILES];
    weft_status status = SUBGRAPH_ADD("pad", &plane, 1, &whole, {"right", (double)(t->width * t->across - info->width)},
                                      {"bottom", (double)(t->height * t->down - info->height)}, {"border", WEFT_BORDER_MIRROR});
    for (int32_t j = 0; status == WEFT_OK && j < t->down; j++) {
        for (int32_t i = 0; status == WEFT_OK && i < t->across; i++) {
            status = SUBGRAPH_ADD("crop", &whole, 1, &row[i], {"x", (double)(i * t->width)}, {"y", (double)(j * t->height)},
                                  {"width", (double)t->width}, {"height", (double)t->height});
            if (status == WEFT_OK)
                status = SUBGRAPH_ADD("histogram", &row[i], 1, &row[i], {"bins", t->bins});
        }
        if (status == WEFT_OK)
            status = stack(graph, row, t->across, 1, &rows[j], error);
    }
    return status == WEFT_OK ? stack(graph, rows, t->down, t->across, counts, error) : status;
}

/* Equalizes one channel. */
static weft_status equalize(weft_graph *graph, const struct BLOCK *p, weft_node plane, const weft_image_info *info,
                            weft_node *result, weft_error *error) {
    struct tiling t = tiling_of(p, info);
    double pixels = (double)t.width * (double)t.height;
    weft_node counts = -1, places[2] = {-1, -1}, look[2] = {-1, -1};
    weft_status status = count_tiles(graph, &t, plane, info, &counts, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "place_map", &counts, 1, &places[0], error);
    places[1] = counts;
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("clahe_table", places, 2, &look[1], {"clip_limit", p->clip_limit}, {"pixels", pixels});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "place_map", &plane, 1, &look[0], error);
    return status == WEFT_OK ? SUBGRAPH_ADD("clahe_look", look, 2, result, {"across", t.across}, {"down", t.down},
                                            {"width", (double)t.width}, {"height", (double)t.height})
                             : status;
}

static weft_status each(weft_graph *graph, const struct BLOCK *p, weft_node colors, const weft_image_info *info,
                        weft_node *result, weft_error *error) {
    double pick[16] = {0};
    weft_node plane = -1, mapped = -1, pair[2] = {-1, -1};
    weft_status status = WEFT_OK;
    for (int k = 0; status == WEFT_OK && k < 3; k++) {
        double weights[3] = {k == 0, k == 1, k == 2};
        status = weft_graph_add(graph, "grayscale", &colors, 1, &plane, error);
        if (status == WEFT_OK)
            status = weft_graph_set(graph, plane, "weights", weights, 3, error);
        if (status == WEFT_OK)
            status = equalize(graph, p, plane, info, &mapped, error);
        for (int i = 0; i < 16; i++) /* the plane as that color alone */
            pick[i] = i == 5 * k || i == 15;
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("swizzle", &mapped, 1, &mapped, {"green", 0}, {"blue", 0});
        if (status == WEFT_OK)
            status = weft_graph_add(graph, "color_matrix", &mapped, 1, &pair[1], error);
        if (status == WEFT_OK)
            status = weft_graph_set(graph, pair[1], "matrix", pick, 16, error);
        if (status == WEFT_OK && k > 0)
            status = weft_graph_add(graph, "sum_of", pair, 2, &pair[0], error);
        else
            pair[0] = pair[1];
    }
    *result = pair[0];
    return status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    bool alpha = info->alpha != WEFT_ALPHA_NONE, color = info->format.channels - alpha >= 3;
    weft_node colors = *inputs, plane = -1, ends[2] = {*inputs, -1};
    weft_status status = alpha ? weft_graph_add(graph, "alpha_remove", inputs, 1, &colors, error) : WEFT_OK;
    plane = colors;
    if (status == WEFT_OK && color && p->channels == 0)
        status = weft_graph_add(graph, "grayscale", &colors, 1, &plane, error);
    if (status == WEFT_OK)
        status = color && p->channels == 1 ? each(graph, p, colors, info, &ends[1], error)
                                           : equalize(graph, p, plane, info, &ends[1], error);
    *result = ends[1];
    if (status == WEFT_OK && (alpha || (color && p->channels == 0)))
        status = weft_graph_add(graph, color && p->channels == 0 ? "replace_luminance" : "kuwahara_show", ends, 2, result,
                                error);
    return status;
}
