/* SPDX-License-Identifier: MIT
 * A filter's description as JSON, for bindings and user interfaces. */
#include <string.h>
#include "command.h"

static const char *type_name(weft_parameter_type type) {
    switch (type) {
    case WEFT_PARAMETER_FLOAT:
        return "float";
    case WEFT_PARAMETER_INT:
        return "int";
    case WEFT_PARAMETER_BOOL:
        return "bool";
    case WEFT_PARAMETER_CHOICE:
        return "choice";
    case WEFT_PARAMETER_COLOR:
        return "color";
    case WEFT_PARAMETER_FLOATS:
        return "floats";
    case WEFT_PARAMETER_LIST:
        return "list";
    }
    return "unknown";
}

/* An array of the pieces of `text` between separators. */
static void pieces(struct json *json, const char *key, const char *text, const char *separators) {
    json_array(json, key);
    while (text && *text) {
        char piece[128];
        size_t length = strcspn(text, separators);
        snprintf(piece, sizeof piece, "%.*s", (int)length, text);
        if (length)
            json_text(json, NULL, piece);
        text += length;
        text += strspn(text, separators);
    }
    json_array_end(json);
}

const char *describe_default(const weft_parameter_info *parameter, char *text, size_t size) {
    const char *choice = parameter->choices;
    if (parameter->type != WEFT_PARAMETER_CHOICE || strspn(parameter->default_text, "0123456789") == 0)
        return parameter->default_text;
    for (int skip = (int)parameter->defaults[0]; skip > 0 && *choice; skip--) {
        choice += strcspn(choice, "|");
        choice += *choice == '|';
    }
    snprintf(text, size, "%.*s", (int)strcspn(choice, "|"), choice);
    return text;
}

static void describe_parameter(struct json *json, const weft_parameter_info *parameter) {
    char name[64];
    json_object(json, NULL);
    json_text(json, "name", parameter->name);
    json_text(json, "type", type_name(parameter->type));
    json_number(json, "count", parameter->count);
    if (parameter->type == WEFT_PARAMETER_CHOICE) {
        pieces(json, "choices", parameter->choices, "|");
    } else if (parameter->type != WEFT_PARAMETER_BOOL) {
        json_number(json, "minimum", parameter->minimum);
        json_number(json, "maximum", parameter->maximum);
    }
    json_text(json, "default", describe_default(parameter, name, sizeof name));
    json_text(json, "unit", parameter->unit);
    json_text(json, "doc", parameter->doc);
    json_bool(json, "automatic", parameter->automatic);
    json_bool(json, "dynamic", parameter->dynamic);
    json_object_end(json);
}

void describe_filter(struct json *json, const weft_filter_info *filter) {
    json_object(json, NULL);
    json_text(json, "name", filter->name);
    json_text(json, "family", filter->family);
    json_text(json, "kind", filter->kind);
    json_text(json, "summary", filter->summary);
    pieces(json, "aliases", filter->aliases, " ");
    json_text(json, "source", filter->source);
    json_text(json, "alpha", filter->alpha);
    json_text(json, "step_of", filter->step_of);
    json_text(json, "example", filter->example);
    json_number(json, "inputs", filter->inputs);
    json_bool(json, "exact", filter->exact);
    json_number(json, "tolerance", filter->tolerance);
    json_array(json, "parameters");
    for (int32_t i = 0; i < filter->parameters; i++)
        describe_parameter(json, weft_filter_parameter(filter, i));
    json_array_end(json);
    json_object_end(json);
}
