/* SPDX-License-Identifier: MIT
 * Checks a program's description of a filter, so that all other code may rely on it as on those of weft's own filters. */
#include <math.h>
#include <string.h>
#include "base/status.h"
#include "base/text.h"
#include "filter/catalog/catalog.h"
#include "filter/catalog/custom.h"

#define NAME_LIMIT 60
#define PARAMETER_LIMIT 256
#define SIZE_LIMIT ((size_t)1 << 16)

static bool is_name(const char *name) {
    size_t length = name ? strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;
    return length > 0 && length <= NAME_LIMIT && !name[length] && name[0] >= 'a' && name[0] <= 'z';
}

/* Numbers of four bytes that a parameter takes in the block. */
static size_t numbers_of(weft_parameter_type type) { return type == WEFT_PARAMETER_COLOR ? 4 : 1; }

static weft_status wrong(weft_error *error, const char *filter, const char *parameter, const char *what) {
    if (parameter)
        weft_fail(error, WEFT_ERROR_ARGUMENT, "the parameter %s of %s %s", parameter, filter, what);
    else
        weft_fail(error, WEFT_ERROR_ARGUMENT, "the filter %s %s", filter, what);
    weft_error_at(error, -1, filter, parameter);
    return WEFT_ERROR_ARGUMENT;
}

static int32_t count_choices(const char *choices) {
    int32_t count = 1;
    for (const char *c = choices; *c; c++) {
        if (*c == '|')
            count++;
        if ((*c == '|' && (c == choices || c[1] == '|' || !c[1])) || (*c != '|' && strchr(" :,;[]='\\@#", *c)))
            return 0; /* an empty one, or one that graph text cannot say */
    }
    return *choices ? count : 0;
}

/* The default is one of the values that the parameter can have. */
static bool has_default(const weft_parameter_info *info, double high) {
    bool whole = info->type != WEFT_PARAMETER_FLOAT && info->type != WEFT_PARAMETER_COLOR;
    for (size_t i = 0; i < numbers_of(info->type); i++) {
        double value = info->defaults[i];
        if (info->automatic && value == WEFT_AUTO)
            continue;
        if (!(value >= info->minimum && value <= high) || (whole && value != floor(value)))
            return false;
    }
    return true;
}

static weft_status check_parameter(const weft_custom_filter *filter, int32_t index, weft_error *error) {
    const weft_custom_parameter *parameter = &filter->parameters[index];
    const weft_parameter_info *info = &parameter->info;
    size_t size = 4 * numbers_of(info->type);
    double high = info->maximum;
    if (!is_name(info->name))
        return wrong(error, filter->name, "without a name",
                     "is not named by small letters, digits and '_', a letter first");
    if (strcmp(info->name, "space") == 0 ||
        (filter->around && (strcmp(info->name, "border") == 0 || strcmp(info->name, "border_value") == 0)))
        return wrong(error, filter->name, info->name, "has the name of one that weft adds");
    for (int32_t i = 0; i < index; i++) {
        const weft_custom_parameter *other = &filter->parameters[i];
        if (strcmp(other->info.name, info->name) == 0)
            return wrong(error, filter->name, info->name, "is there twice");
        if (other->offset < parameter->offset + size &&
            parameter->offset < other->offset + 4 * numbers_of(other->info.type))
            return wrong(error, filter->name, info->name, "lies on another one: see its offset");
    }
    if ((unsigned)info->type > WEFT_PARAMETER_COLOR)
        return wrong(error, filter->name, info->name, "must be a FLOAT, INT, BOOL, CHOICE or COLOR");
    if (parameter->offset % 4 != 0 || parameter->offset > filter->parameter_size ||
        filter->parameter_size - parameter->offset < size)
        return wrong(error, filter->name, info->name,
                     "is not at a multiple of 4 bytes inside parameter_size: see its offset");
    if (info->automatic && info->type != WEFT_PARAMETER_FLOAT && info->type != WEFT_PARAMETER_INT)
        return wrong(error, filter->name, info->name, "can be automatic as a FLOAT or INT only");
    if (info->type == WEFT_PARAMETER_CHOICE) {
        int32_t count = info->choices ? count_choices(info->choices) : 0;
        if (count == 0)
            return wrong(error, filter->name, info->name, "needs choices as \"one|other\", without blanks and :,;[]='\\@#");
        high = count - 1;
    } else if (info->type != WEFT_PARAMETER_BOOL && !(info->minimum <= high && fabs(high) <= 3.4e38 &&
                                                      fabs(info->minimum) <= 3.4e38)) {
        return wrong(error, filter->name, info->name, "needs a range from a finite minimum to a finite maximum");
    } else if (info->type == WEFT_PARAMETER_INT && !(info->minimum >= -2147483646.0 && high <= 2147483647.0)) {
        return wrong(error, filter->name, info->name, "has a range beyond -2147483646 to 2147483647");
    }
    weft_parameter_info ranged = *info;
    if (info->type == WEFT_PARAMETER_BOOL || info->type == WEFT_PARAMETER_CHOICE)
        ranged.minimum = 0, high = info->type == WEFT_PARAMETER_BOOL ? 1 : high;
    if (!has_default(&ranged, high))
        return wrong(error, filter->name, info->name, "has a default that it cannot have");
    return WEFT_OK;
}

weft_status weft_custom_check(const weft_custom_filter *filter, weft_error *error) {
    if (!is_name(filter->name))
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "a filter is named by at most %d small letters, digits and '_', a letter first", NAME_LIMIT);
    if (strcmp(filter->name, WEFT_SPLIT_WORD) == 0 || strcmp(filter->name, WEFT_COLOR_PROFILE) == 0)
        return wrong(error, filter->name, NULL, "has a name that means something else in graphs");
    if (!filter->pixels == !filter->around)
        return wrong(error, filter->name, NULL, "needs one function: pixels of a point filter or around of a stencil");
    if (filter->pixels && (filter->inputs < 0 || filter->inputs > WEFT_CUSTOM_INPUTS))
        return wrong(error, filter->name, NULL, "must take 1 or 2 inputs");
    if ((unsigned)filter->channels > WEFT_CUSTOM_GREY)
        return wrong(error, filter->name, NULL, "has unknown channels");
    if (filter->around && (filter->inputs < 0 || filter->inputs > 1 || filter->channels != WEFT_CUSTOM_SAME))
        return wrong(error, filter->name, NULL, "is a stencil, which takes 1 input and keeps its channels");
    if (filter->around && (filter->radius < 1 || filter->radius > WEFT_CUSTOM_RADIUS))
        return wrong(error, filter->name, NULL, "is a stencil and must have a radius of 1 to 3");
    if (filter->pixels && (filter->radius != 0 || filter->luminance || filter->neighborhood))
        return wrong(error, filter->name, NULL, "is a point filter and has no radius, luminance or neighborhood");
    if (filter->around && filter->pixel)
        return wrong(error, filter->name, NULL, "is a stencil, whose form for the reference is neighborhood, not pixel");
    if (filter->parameter_count < 0 || filter->parameter_count > PARAMETER_LIMIT ||
        (filter->parameter_count > 0 && !filter->parameters))
        return wrong(error, filter->name, NULL, "must have 0 to 256 parameters");
    if (filter->parameter_size > SIZE_LIMIT)
        return wrong(error, filter->name, NULL, "must have parameters of at most 65536 bytes");
    for (int32_t i = 0; i < filter->parameter_count; i++) {
        weft_status status = check_parameter(filter, i, error);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}
