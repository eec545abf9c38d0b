/* SPDX-License-Identifier: MIT
 * Parameters by chance, within the ranges that the descriptor gives and with sizes that end before the night does. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness.h"

static void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void append(char *text, size_t size, const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* The largest length in pixels to try, by what the reference would make of it. */
static double longest(const weft_filter_info *filter, const weft_image_info *info, struct chance *chance) {
    double area = (double)info->width * (double)info->height * info->format.channels;
    double side = (double)(info->width > info->height ? info->width : info->height);
    double limit = 2.5 * side + 5;
    if (strcmp(filter->kind, "window") == 0)
        limit = sqrt(4e6 / area) / 2;
    else if (chance_below(chance, 3) > 0)
        limit = 4;
    return limit < 1 ? 1 : limit > 60 ? 60 : limit;
}

/* How many places to look at along each axis of a pixel of the result, for as long as a fraction of a second. Each takes up to
 * 6 x 6 pixels. */
static double most_places(double area) { return fmax(1, floor(sqrt(12e6 / 36 / area))); }

static double between(struct chance *chance, double low, double high) {
    int64_t draw = chance_below(chance, 12);
    return draw == 0 ? low : draw == 1 ? high : low + (high - low) * chance_unit(chance);
}

/* One number of a parameter; `area`: pixels of the result as far as the parameters before say. */
static double number(const weft_filter_info *filter, const weft_parameter_info *parameter, const weft_image_info *info,
                     double area, struct chance *chance) {
    double low = parameter->minimum, high = parameter->maximum;
    bool length = strcmp(parameter->unit, "px") == 0;
    if (strcmp(parameter->name, "border_value") == 0)
        low = -0.5, high = 1.5;
    else if (length && (strcmp(parameter->name, "x") == 0 || strcmp(parameter->name, "y") == 0))
        low = fmax(low, -60), high = fmin(high, (double)(parameter->name[0] == 'x' ? info->width : info->height) * 0.6);
    else if (length && (strstr(parameter->name, "width") || strstr(parameter->name, "height")))
        high = fmin(high, 40);
    else if (length)
        low = fmax(low, -60), high = fmin(high, longest(filter, info, chance));
    else if (strcmp(parameter->unit, "places") == 0)
        high = fmin(high, most_places(area));
    else if (parameter->type == WEFT_PARAMETER_COLOR)
        low = fmax(low, strstr(parameter->name, "_max") ? 0.55 : 0),
        high = fmin(high, strstr(parameter->name, "_min") ? 0.45 : 1); /* the two in their order */
    else if (parameter->type == WEFT_PARAMETER_INT)
        high = fmin(high, low + 300);
    else if (strcmp(parameter->unit, "degrees") != 0) {
        low = fmax(low, -2);
        high = fmin(high, fmax(low, 0) + 3);
    }
    if (high < low)
        high = low;
    double v = between(chance, low, high);
    /* Some sizes are those that have kernels of their own: half and twice the picture's, and so on; and many radii are small.
     * No draws for this: what comes from a tape keeps its place. */
    static const double common[] = {0.5, 2, 1 / 3.0, 4};
    double side = (double)(strstr(parameter->name, "width") ? info->width : info->height);
    int64_t whole = (int64_t)v;
    if (length && (strstr(parameter->name, "width") || strstr(parameter->name, "height")) && whole > 0 && whole % 3 == 0)
        v = fmin(fmax(floor(side * common[whole / 3 % 4]), parameter->minimum), parameter->maximum);
    else if (length && strcmp(filter->kind, "window") == 0 && whole > 4 && whole % 2 == 0)
        v = fmax((double)(1 + whole / 2 % 4), low);
    return parameter->type == WEFT_PARAMETER_INT ? floor(v + 0.5) : v;
}

static void write_choice(const weft_parameter_info *parameter, struct chance *chance, char *text, size_t size) {
    int64_t count = 1;
    const char *at = parameter->choices;
    for (const char *p = at; *p; p++)
        count += *p == '|';
    for (int64_t skip = chance_below(chance, count); skip > 0; skip--)
        at = strchr(at, '|') + 1;
    append(text, size, "%.*s", (int)strcspn(at, "|"), at);
}

static void write_value(const weft_filter_info *filter, const weft_parameter_info *parameter,
                        const weft_image_info *info, double area, struct chance *chance, char *text, size_t size) {
    int64_t count = parameter->count;
    switch (parameter->type) {
    case WEFT_PARAMETER_BOOL:
        append(text, size, "%d", (int)chance_below(chance, 2));
        return;
    case WEFT_PARAMETER_CHOICE:
        write_choice(parameter, chance, text, size);
        return;
    case WEFT_PARAMETER_LIST:
        count = 1 + 2 * chance_below(chance, 5);
        break;
    case WEFT_PARAMETER_FLOAT:
    case WEFT_PARAMETER_INT:
        if (parameter->automatic && chance_once_in(chance, 2)) {
            append(text, size, "auto");
            return;
        }
        break;
    case WEFT_PARAMETER_COLOR:
    case WEFT_PARAMETER_FLOATS:
        break;
    }
    for (int64_t i = 0; i < count; i++) {
        double v = parameter->type == WEFT_PARAMETER_LIST ? chance_unit(chance) - 0.15
                                                          : number(filter, parameter, info, area, chance);
        /* Few digits in the text, and never past the range by rounding. */
        append(text, size, parameter->type == WEFT_PARAMETER_INT ? "%s%.0f" : "%s%.9g", i ? "|" : "", v);
    }
}

/* What a side of the result is when the text ends in its parameter. */
static double side_after(const weft_parameter_info *parameter, const char *name, const char *text, double side) {
    double written = strcmp(parameter->name, name) == 0 ? strtod(strrchr(text, '=') + 1, NULL) : 0;
    return written > 0 ? written : side;
}

void variation_write(const weft_filter_info *filter, const weft_image_info *info, bool plain, struct chance *chance,
                     char *text, size_t size, bool *respaced) {
    char separator = '=';
    double width = (double)info->width, height = (double)info->height;
    snprintf(text, size, "%s", filter->name);
    *respaced = false;
    for (int32_t i = 0; !plain && i < filter->parameters; i++) {
        const weft_parameter_info *parameter = weft_filter_parameter(filter, i);
        bool size_of_picture = filter->inputs == 0 && strcmp(parameter->unit, "px") == 0;
        if (parameter->type != WEFT_PARAMETER_CHOICE && !size_of_picture && chance_once_in(chance, 3))
            continue;
        append(text, size, "%c%s=", separator, parameter->name);
        write_value(filter, parameter, info, width * height, chance, text, size);
        width = side_after(parameter, "width", text, width), height = side_after(parameter, "height", text, height);
        separator = ':';
    }
    if (!plain && chance_once_in(chance, 12)) {
        append(text, size, "%cspace=linear", separator);
        *respaced = true;
    }
}
