/* SPDX-License-Identifier: MIT
 * Filters of the program's own: a description like those of the catalogue, and a function that makes a piece of a row.
 * A catalog holds them; graphs that are made with it know them beside weft's own, in text and in calls. They check their
 * parameters, fuse with their neighbors, take borders, alpha and every format, run in threads, strips and streams and are
 * bound to measured numbers as all others are. Their functions are code of the CPU: "cpu", "auto" (which then chooses the
 * CPU) and "reference" run them, and a plan for a GPU is refused with WEFT_ERROR_UNSUPPORTED. */
#ifndef WEFT_CUSTOM_H
#define WEFT_CUSTOM_H
#include "weft/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_CUSTOM_INPUTS 2
#define WEFT_CUSTOM_RADIUS 3

/* A piece of a row: `count` pixels from x, y of an image of width x height. Levels are in [0, 1] by full scale, but
 * filters before this one may make others. */
typedef struct weft_custom_pixels {
    const void *parameters; /* the struct whose members weft_custom_parameter.offset says */
    void *user;
    /* Red, green, blue and alpha of each input, `count` numbers each. Grey is in all three; without alpha there are ones.
     * The colors are straight, that is independent of alpha. */
    const float *in[WEFT_CUSTOM_INPUTS][4];
    /* The same of the result, not the same memory as any of `in`. All four may be written; the first `colors` must be,
     * and the last when `alpha` is set. */
    float *out[4];
    int32_t colors; /* 1 or 3 */
    bool alpha;
    int32_t count;
    int64_t x, y, width, height;
} weft_custom_pixels;

/* A piece of a row of one channel with what lies around it: rows[dy + radius][i + dx] is the neighbor dx to the right
 * and dy below pixel i, for dx and dy from -radius to radius. Colors are multiplied by alpha, which is a channel too. */
typedef struct weft_custom_around {
    const void *parameters;
    void *user;
    const float *rows[2 * WEFT_CUSTOM_RADIUS + 1];
    float *out; /* `count` numbers, not the memory of any row */
    int32_t count;
} weft_custom_around;

/* A pixel by itself in double precision, for the device "reference". in[i] and out are red, green, blue, alpha. */
typedef struct weft_custom_pixel {
    const void *parameters;
    void *user;
    double in[WEFT_CUSTOM_INPUTS][4], out[4];
    int64_t x, y, width, height;
} weft_custom_pixel;

/* The same for a neighborhood: around[dy + radius][dx + radius] is the neighbor dx to the right and dy below. */
typedef struct weft_custom_neighborhood {
    const void *parameters;
    void *user;
    double around[2 * WEFT_CUSTOM_RADIUS + 1][2 * WEFT_CUSTOM_RADIUS + 1], out;
} weft_custom_neighborhood;

typedef struct weft_custom_parameter {
    weft_parameter_info info; /* name, type (FLOAT, INT, BOOL, CHOICE or COLOR), range, defaults, choices, and whether it
                                 is automatic or dynamic. unit and doc may be NULL; count and default_text are not read */
    size_t offset;            /* of its member: a float; int32_t for INT, BOOL and CHOICE; float[4] for COLOR */
} weft_custom_parameter;

/* Which channels the result has. */
typedef enum weft_custom_channels {
    WEFT_CUSTOM_SAME = 0, /* as the input with the most */
    WEFT_CUSTOM_COLOR,    /* at least three colors; alpha as the inputs */
    WEFT_CUSTOM_GREY      /* one color; alpha as the inputs */
} weft_custom_channels;

/* A filter: `pixels` makes it a point filter, `around` a stencil; one of them must be set. Functions are called from
 * several threads at a time and must depend on nothing but what they are given. */
typedef struct weft_custom_filter {
    const char *name;    /* small letters, digits and '_', a letter first; no other filter's name or alias. A prefix of the
                            program's keeps it apart from filters that later versions of weft bring */
    const char *summary; /* one sentence; NULL for none */
    const weft_custom_parameter *parameters;
    int32_t parameter_count;
    size_t parameter_size; /* of the struct with the parameters; members that no parameter names are 0 in it */
    void *user;            /* handed to the functions */

    void (*pixels)(const weft_custom_pixels *row);
    int32_t inputs; /* of a point filter: 1 or 2 images of one size; 0 stands for 1 */
    weft_custom_channels channels;

    /* Stencils have the parameters border and border_value after their own; border=shrink is the nearest pixel inside. */
    void (*around)(const weft_custom_around *row);
    int32_t radius; /* 1 to WEFT_CUSTOM_RADIUS */
    bool luminance; /* color images become their luminance first, and the result is one plane without alpha */

    /* How "reference" makes a pixel; NULL: by the functions above, in single precision. */
    void (*pixel)(weft_custom_pixel *pixel);
    void (*neighborhood)(weft_custom_neighborhood *pixel);
} weft_custom_filter;

typedef struct weft_catalog weft_catalog;

/* Makes an empty catalog. Filters may be added as long as no other thread uses it. Graphs that were made with
 * it and their plans hold it: it goes when the last of them does. */
WEFT_API weft_status weft_catalog_create(weft_catalog **catalog, weft_error *error);
/* Destroys a catalog and sets *catalog to NULL; NULL is allowed. */
WEFT_API void weft_catalog_destroy(weft_catalog **catalog);
/* Adds a filter. The description and its texts are copied, `user` is not. WEFT_ERROR_ARGUMENT says what is wrong with it
 * and leaves the catalog as it was. */
WEFT_API weft_status weft_catalog_add(weft_catalog *catalog, const weft_custom_filter *filter, weft_error *error);
/* The filter of that name, of the catalog or weft's own; NULL when there is none. As good as the catalog. */
WEFT_API const weft_filter_info *weft_catalog_find(const weft_catalog *catalog, const char *name);
/* weft_graph_create and weft_graph_parse for graphs that know the catalog's filters too. */
WEFT_API weft_status weft_catalog_graph(const weft_catalog *catalog, weft_graph **graph, weft_error *error);
WEFT_API weft_status weft_catalog_parse(const weft_catalog *catalog, const char *text, size_t length,
                                        weft_graph **graph, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
