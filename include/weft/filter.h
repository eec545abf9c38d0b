/* SPDX-License-Identifier: MIT
 * The catalogue, as data: everything that help texts, bindings and user interfaces need to know about a filter. */
#ifndef WEFT_FILTER_H
#define WEFT_FILTER_H
#include <stdbool.h>
#include "weft/image.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_parameter_type {
    WEFT_PARAMETER_FLOAT,
    WEFT_PARAMETER_INT,
    WEFT_PARAMETER_BOOL,   /* 0 or 1; the text "true", "false", "yes", "no" too */
    WEFT_PARAMETER_CHOICE, /* one of `choices` by name */
    WEFT_PARAMETER_COLOR,  /* four numbers: red, green, blue, alpha; "#rrggbb", a name, or one number for all */
    WEFT_PARAMETER_FLOATS, /* exactly `count` numbers */
    WEFT_PARAMETER_LIST    /* one or more numbers */
} weft_parameter_type;

/* The value that lets the filter choose, for parameters with `automatic` set; the text "auto". */
#define WEFT_AUTO (-2147483647.0)

typedef struct weft_parameter_info {
    const char *name;
    weft_parameter_type type;
    int32_t count;            /* numbers that make the value; 0 for a list */
    double minimum, maximum;  /* of each number, inclusive */
    double defaults[4];       /* the default value: FLOAT .. COLOR */
    const char *default_text; /* the default as graph text; for CHOICE the index of its name */
    const char *choices;      /* "mirror|wrap", for CHOICE */
    const char *unit;         /* "px", "degrees", ""; never NULL */
    const char *doc;          /* one sentence */
    bool automatic;           /* WEFT_AUTO is allowed */
    bool dynamic;             /* may change between runs of one plan */
} weft_parameter_info;

typedef struct weft_filter_info {
    const char *name;
    const char *family;  /* the room of the catalogue: "blur", "color" */
    const char *kind;    /* how an output pixel depends on its inputs: "point", "separable" */
    const char *summary; /* one sentence */
    const char *aliases; /* other names, separated by spaces; never NULL */
    const char *source;  /* the paper, standard or system that defines it; never NULL */
    const char *example; /* a graph that shows it on a photograph */
    int32_t inputs;      /* images taken; 0 for a generator */
    bool exact;          /* integer formats come out bit-identical on every device */
    double tolerance;    /* largest difference between devices, as a fraction of full scale, in f32; 1: it jumps */
    double steady_tolerance; /* of a filter that jumps: the same wherever it does not */
    int32_t parameters;  /* number of parameters */
    const char *alpha;   /* what it makes of alpha, in words; empty where it reads none; never NULL */
    const char *step_of; /* of a building block the filters that are made of it, in words; else empty; never NULL */
} weft_filter_info;

/* The number of filters, and filter `index` in order of name; NULL past the end. The pointer is good for ever. */
WEFT_API int32_t weft_filter_count(void);
WEFT_API const weft_filter_info *weft_filter_at(int32_t index);
/* The filter of that name or alias, NULL when there is none. */
WEFT_API const weft_filter_info *weft_filter_find(const char *name);
/* Parameter `index` of a filter, NULL past the end. */
WEFT_API const weft_parameter_info *weft_filter_parameter(const weft_filter_info *filter, int32_t index);
/* The filter whose name is nearest to a mistyped one, NULL when none is near. */
WEFT_API const weft_filter_info *weft_filter_nearest(const char *name);

#ifdef __cplusplus
}
#endif
#endif
