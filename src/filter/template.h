/* SPDX-License-Identifier: MIT
 * What all kinds' headers share. A filter's file defines, before it includes its kind's header,
 *
 *   NAME      the filter's name, which is the file's                      #define NAME contrast
 *   SUMMARY   one sentence                                                #define SUMMARY "Scale ..."
 *   PARAMS    its parameters, one macro each, or nothing                  #define PARAMS FLOAT(...) INT(...)
 * and where they differ from the defaults below
 *   ALIASES EXAMPLE SOURCE STEP_OF CHANNELS ALPHA TOLERANCE STEADY_TOLERANCE EXACT ROLE CHECK INFER EXPAND PLACED APART AFFINE
 *   BINARY MUTUAL BY_DISTANCE BORDERS (filter/help/border.h)
 *
 * Parameters:
 *   FLOAT(name, default, minimum, maximum, unit, doc)    INT(...) the same
 *   FIXED_FLOAT, FIXED_INT                               decide the plan; cannot change between its runs
 *   AUTO_FLOAT, AUTO_INT(name, minimum, maximum, unit, doc)   default auto (WEFT_AUTO): the filter chooses
 *   BOOL(name, default, doc)   CHOICE(name, default index, "a|b|c", doc)   FIXED_CHOICE
 *   COLOR(name, r, g, b, a, minimum, maximum, doc)
 *   FLOATS(name, count, "default numbers", minimum, maximum, doc)   LIST(name, "default numbers", doc), host only
 *
 * The build compiles the file several times for different parts of the program: PART_DESCRIPTOR (once, for the
 * registry), PART_ROWS (once per instruction set), PART_REFERENCE (once, in double precision), and GLSL and CUDA.
 * No include guard: it belongs to the file that is being compiled, of which there is one at a time. */
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CAT4_(a, b, c, d) a##b##c##d
#define CAT4(a, b, c, d) CAT4_(a, b, c, d)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#define BLOCK CAT(NAME, _parameters)

#ifndef PARAMS
#define PARAMS
#define NO_PARAMS
#endif
#ifndef KIND_PARAMS
#define KIND_PARAMS
#else
#undef NO_PARAMS
#endif

#define UNBOUNDED 3.0e38f

#if defined(PART_DESCRIPTOR) || defined(PART_ROWS) || defined(PART_REFERENCE)
#include "filter/filter.h"
#endif

/* ---- the parameter block, as a struct of the same layout everywhere */
#define FLOAT(name, value, low, high, unit, doc) float name;
#define FIXED_FLOAT FLOAT
#define AUTO_FLOAT(name, low, high, unit, doc) float name;
#define INT(name, value, low, high, unit, doc) int name;
#define FIXED_INT INT
#define AUTO_INT(name, low, high, unit, doc) int name;
#define BOOL(name, value, doc) int name;
#define CHOICE(name, value, choices, doc) int name;
#define FIXED_CHOICE CHOICE
#define FLOATS(name, count, values, low, high, doc) float name[count];
#define LIST(name, values, doc) weft_list name;
/* Host files without a body keep the C library's names: the dialect takes over min, pow and others. */
#if defined(HAS_BODY) && !defined(PART_REFERENCE)
#include "kernels/dialect.h"
#define COLOR(name, r, g, b, a, low, high, doc) vec4 name;
#else
#define COLOR(name, r, g, b, a, low, high, doc) struct { float x, y, z, w; } name;
#endif
struct BLOCK {
    PARAMS KIND_PARAMS
#ifdef NO_PARAMS
    int none;
#endif
};

#if defined(PART_REFERENCE)
/* ---- the block in double precision: the same members, widened one by one */
#define DIALECT_DOUBLE
#include "kernels/dialect.h"
#include "kernels/reference.h"
#undef COLOR
#define COLOR(name, r, g, b, a, low, high, doc) vec4 name;
struct block_f64 {
    PARAMS KIND_PARAMS
#ifdef NO_PARAMS
    int none;
#endif
};
#undef FLOAT
#undef AUTO_FLOAT
#undef INT
#undef AUTO_INT
#undef BOOL
#undef CHOICE
#undef FLOATS
#undef COLOR
#define FLOAT(name, value, low, high, unit, doc) wide.name = p->name;
#define AUTO_FLOAT(name, low, high, unit, doc) wide.name = p->name;
#define INT(name, value, low, high, unit, doc) wide.name = p->name;
#define AUTO_INT(name, low, high, unit, doc) wide.name = p->name;
#define BOOL(name, value, doc) wide.name = p->name;
#define CHOICE(name, value, choices, doc) wide.name = p->name;
#define FLOATS(name, count, values, low, high, doc)                                                                    \
    for (int i = 0; i < count; i++)                                                                                    \
        wide.name[i] = p->name[i];
#define COLOR(name, r, g, b, a, low, high, doc) wide.name = rgba(p->name.x, p->name.y, p->name.z, p->name.w);
static inline struct block_f64 widen(const void *block) {
    const struct BLOCK *p = block;
    struct block_f64 wide = {0};
    (void)p;
    PARAMS KIND_PARAMS return wide;
}
#define BODY_BLOCK struct block_f64

#elif defined(PART_ROWS)
#include "kernels/rows.h"
#define BODY_BLOCK struct BLOCK

#elif defined(GLSL)
#define BODY_BLOCK BLOCK

#elif defined(__CUDACC__)
#define BODY_BLOCK const BLOCK &
#endif

#ifdef PART_DESCRIPTOR
#define BODY_BLOCK struct BLOCK
/* ---- the parameter rows and the descriptor */
#include "base/status.h"
#ifndef KIND_DYNAMIC
#define KIND_DYNAMIC true
#endif
#undef FLOAT
#undef FIXED_FLOAT
#undef AUTO_FLOAT
#undef INT
#undef FIXED_INT
#undef AUTO_INT
#undef BOOL
#undef CHOICE
#undef FIXED_CHOICE
#undef FLOATS
#undef LIST
#undef COLOR
#define NUMBER(NAME_, TYPE_, VALUE_, TEXT_OF_, LOW_, HIGH_, UNIT_, DOC_, AUTO_, DYNAMIC_)                              \
    {{.name = #NAME_,                                                                                                  \
      .type = WEFT_PARAMETER_##TYPE_,                                                                                  \
      .count = 1,                                                                                                      \
      .minimum = (LOW_),                                                                                               \
      .maximum = (HIGH_),                                                                                              \
      .defaults = {VALUE_},                                                                                            \
      .default_text = TEXT_OF_,                                                                                        \
      .choices = "",                                                                                                   \
      .unit = UNIT_,                                                                                                   \
      .doc = DOC_,                                                                                                     \
      .automatic = AUTO_,                                                                                              \
      .dynamic = DYNAMIC_},                                                                                            \
     offsetof(struct BLOCK, NAME_)},
#define FLOAT(name, value, low, high, unit, doc)                                                                       \
    NUMBER(name, FLOAT, value, #value, low, high, unit, doc, false, KIND_DYNAMIC)
#define FIXED_FLOAT(name, value, low, high, unit, doc)                                                                 \
    NUMBER(name, FLOAT, value, #value, low, high, unit, doc, false, false)
#define AUTO_FLOAT(name, low, high, unit, doc)                                                                         \
    NUMBER(name, FLOAT, WEFT_AUTO, "auto", low, high, unit, doc, true, false)
#define INT(name, value, low, high, unit, doc)                                                                         \
    NUMBER(name, INT, value, #value, low, high, unit, doc, false, KIND_DYNAMIC)
#define FIXED_INT(name, value, low, high, unit, doc)                                                                   \
    NUMBER(name, INT, value, #value, low, high, unit, doc, false, false)
#define AUTO_INT(name, low, high, unit, doc) NUMBER(name, INT, WEFT_AUTO, "auto", low, high, unit, doc, true, false)
#define BOOL(name, value, doc) NUMBER(name, BOOL, value, #value, 0, 1, "", doc, false, KIND_DYNAMIC)
#define CHOICE_ROW(NAME_, VALUE_, CHOICES_, DOC_, DYNAMIC_)                                                            \
    {{.name = #NAME_,                                                                                                  \
      .type = WEFT_PARAMETER_CHOICE,                                                                                   \
      .count = 1,                                                                                                      \
      .maximum = 1e6,                                                                                                  \
      .defaults = {VALUE_},                                                                                            \
      .default_text = #VALUE_,                                                                                         \
      .choices = CHOICES_,                                                                                             \
      .unit = "",                                                                                                      \
      .doc = DOC_,                                                                                                     \
      .dynamic = DYNAMIC_},                                                                                            \
     offsetof(struct BLOCK, NAME_)},
#define CHOICE(name, value, choices, doc) CHOICE_ROW(name, value, choices, doc, KIND_DYNAMIC)
#define FIXED_CHOICE(name, value, choices, doc) CHOICE_ROW(name, value, choices, doc, false)
#define COLOR(NAME_, r, g, b, a, LOW_, HIGH_, DOC_)                                                                    \
    {{.name = #NAME_,                                                                                                  \
      .type = WEFT_PARAMETER_COLOR,                                                                                    \
      .count = 4,                                                                                                      \
      .minimum = LOW_,                                                                                                 \
      .maximum = HIGH_,                                                                                                \
      .defaults = {r, g, b, a},                                                                                        \
      .default_text = #r "|" #g "|" #b "|" #a,                                                                         \
      .choices = "",                                                                                                   \
      .unit = "",                                                                                                      \
      .doc = DOC_,                                                                                                     \
      .dynamic = KIND_DYNAMIC},                                                                                        \
     offsetof(struct BLOCK, NAME_)},
#define NUMBERS(NAME_, TYPE_, COUNT_, VALUES_, LOW_, HIGH_, DOC_, DYNAMIC_)                                            \
    {{.name = #NAME_,                                                                                                  \
      .type = WEFT_PARAMETER_##TYPE_,                                                                                  \
      .count = COUNT_,                                                                                                 \
      .minimum = LOW_,                                                                                                 \
      .maximum = HIGH_,                                                                                                \
      .default_text = VALUES_,                                                                                         \
      .choices = "",                                                                                                   \
      .unit = "",                                                                                                      \
      .doc = DOC_,                                                                                                     \
      .dynamic = DYNAMIC_},                                                                                            \
     offsetof(struct BLOCK, NAME_)},
#define FLOATS(name, count, values, low, high, doc) NUMBERS(name, FLOATS, count, values, low, high, doc, KIND_DYNAMIC)
#define LIST(name, values, doc) NUMBERS(name, LIST, 0, values, -UNBOUNDED, UNBOUNDED, doc, false)

static const struct weft_parameter parameter_rows[] = {PARAMS KIND_PARAMS{{0}, 0}};
#define PARAMETER_COUNT ((int32_t)(sizeof parameter_rows / sizeof *parameter_rows) - 1)

#ifndef ALIASES
#define ALIASES ""
#endif
#ifndef SOURCE
#define SOURCE ""
#endif
#ifndef STEP_OF
#define STEP_OF "" /* for users; else the filters that are made of it */
#endif
#ifndef EXAMPLE
#define EXAMPLE TEXT(NAME)
#endif
#ifndef CHANNELS
#define CHANNELS SAME
#endif
#ifndef ALPHA
#define ALPHA ANY
#endif
#ifndef ROLE
#define ROLE NONE
#endif
/* What help says about alpha: files and kinds that do more than take colors in some form say so themselves. */
#define ALPHA_DOC_ANY "pixels are taken as they are, transparent ones too"
#define ALPHA_DOC_STRAIGHT "colors are taken straight, whatever their alpha"
#define ALPHA_DOC_HIDDEN "colors count by their alpha, which is mixed too; those that an alpha of 0 hides mix apart"
#define ALPHA_DOC_PREMULTIPLIED "colors count by their alpha, which is filtered too; where it comes to 0 they are black"
#ifndef ALPHA_DOC
#define ALPHA_DOC CAT(ALPHA_DOC_, ALPHA)
#endif
/* An expression of the parameters P. */
#ifdef NEED
static enum weft_alpha_need need_of(const void *block) {
    const struct BLOCK P = *(const struct BLOCK *)block;
    return NEED;
}
#define NEED_FUNCTION need_of
#else
#define NEED_FUNCTION NULL
#endif
#ifndef EXACT
#define EXACT false
#endif
#ifndef STEADY_TOLERANCE
#define STEADY_TOLERANCE 1e-5
#endif
#ifndef TOLERANCE
#define TOLERANCE 2e-6
#endif
/* Functions that a filter supplies are named in its file: #define CHECK check, and then static ... check(...). */
#ifdef CHECK
static weft_status CHECK(const void *block, weft_error *error);
#else
#define CHECK NULL
#endif
#ifdef INFER
static weft_status INFER(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error);
#else
#define INFER NULL
#endif
#ifdef EXPAND
static weft_status EXPAND(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error);
#else
#define EXPAND NULL
#endif
/* Begins the descriptor; the kind adds what is its own and closes the brace. KIND is the kind in words. */
#define DESCRIPTOR(KIND, INPUTS)                                                                                       \
    const struct weft_filter CAT(weft_filter_, NAME) = {.info = {.name = TEXT(NAME),                                   \
                                                                 .family = FAMILY,                                     \
                                                                 .kind = KIND,                                         \
                                                                 .summary = SUMMARY,                                   \
                                                                 .aliases = ALIASES,                                   \
                                                                 .source = SOURCE,                                     \
                                                                 .example = EXAMPLE,                                   \
                                                                 .inputs = INPUTS,                                     \
                                                                 .exact = EXACT,                                       \
                                                                 .steady_tolerance = STEADY_TOLERANCE,                 \
                                                                 .tolerance = TOLERANCE,                               \
                                                                 .parameters = PARAMETER_COUNT,                        \
                                                                 .alpha = ALPHA_DOC,                                   \
                                                                 .step_of = STEP_OF},                                  \
                                                        .channels = CAT(WEFT_CHANNELS_, CHANNELS),                     \
                                                        .alpha = CAT(WEFT_NEED_, ALPHA),                               \
                                                        .role = CAT(WEFT_ROLE_, ROLE),                                 \
                                                        .need = NEED_FUNCTION,                                         \
                                                        .parameters = parameter_rows,                                  \
                                                        .block_size = sizeof(struct BLOCK),                            \
                                                        .check = CHECK,                                                \
                                                        .infer = INFER,                                                \
                                                        .expand = EXPAND,
#endif
