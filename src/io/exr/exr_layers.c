/* SPDX-License-Identifier: MIT
 * Layers of OpenEXR files: channels whose names have the layer's before a dot, or a part of that name. */
#include "io/exr/exr_layers.h"
#include <stdio.h>
#include <string.h>
#include "base/status.h"

const weft_file_option weft_exr_reader_options[WEFT_EXR_READER_OPTIONS] = {
    [WEFT_EXR_PART] = {"part", "which of several, counted from 1; 0 for the first that has the layer", NULL, 0, 65535,
                       0},
    [WEFT_EXR_LAYER] = {"layer", "which of several, or a channel; none for what is of no layer", NULL, 1, 0, 0},
};

/* What makes a picture, the most of it first. */
static const char *const sets[][4] = {{"R", "G", "B", "A"},
                                      {"R", "G", "B", NULL},
                                      {"X", "Y", "Z", NULL},
                                      {"Y", "A", NULL, NULL},
                                      {"Y", NULL, NULL, NULL}};

static const exr_attr_chlist_t *channels_of(exr_const_context_t context, int part) {
    const exr_attr_chlist_t *list = NULL;
    return exr_get_channels(context, part, &list) == EXR_ERR_SUCCESS ? list : NULL;
}

/* The channel of a layer, whose name is so long; 0 for those of no layer. NULL when there is none. */
static const exr_attr_chlist_entry_t *find(const exr_attr_chlist_t *list, const char *layer, size_t length,
                                           const char *name) {
    for (int i = 0; i < list->num_channels; i++) {
        const char *full = list->entries[i].name.str;
        if (length > 0 && (strncmp(full, layer, length) != 0 || full[length] != '.'))
            continue;
        if (strcmp(length > 0 ? full + length + 1 : full, name) == 0)
            return &list->entries[i];
    }
    return NULL;
}

static bool choose_set(const exr_attr_chlist_t *list, const char *layer, size_t length, weft_exr_layer *chosen) {
    if (find(list, layer, length, "RY")) /* colors at half the resolution */
        return false;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        int32_t count = 0;
        while (count < 4 && sets[s][count] && (chosen->channels[count] = find(list, layer, length, sets[s][count])))
            count++;
        if (count == 4 || !sets[s][count]) {
            chosen->count = count;
            return true;
        }
    }
    return false;
}

/* A channel of that name, or the only one of a layer. */
static bool choose_channel(const exr_attr_chlist_t *list, const char *layer, size_t length, weft_exr_layer *chosen) {
    int of_layer = 0;
    for (int i = 0; i < list->num_channels; i++) {
        const char *full = list->entries[i].name.str;
        if (strncmp(full, layer, length) != 0 || (full[length] && full[length] != '.') ||
            (full[length] && strchr(full + length + 1, '.')))
            continue;
        chosen->channels[0] = &list->entries[i];
        of_layer++;
        if (!full[length])
            break;
    }
    chosen->count = 1;
    return of_layer == 1;
}

static bool choose_in(exr_const_context_t context, int part, const char *layer, size_t length, weft_exr_layer *chosen) {
    const exr_attr_chlist_t *list = channels_of(context, part);
    const char *name = NULL;
    chosen->part = part;
    if (!list)
        return false;
    if (choose_set(list, layer, length, chosen))
        return true;
    if (length == 0)
        return false;
    if (exr_get_name(context, part, &name) == EXR_ERR_SUCCESS && name && strlen(name) == length &&
        memcmp(name, layer, length) == 0 && choose_set(list, "", 0, chosen))
        return true;
    return choose_channel(list, layer, length, chosen);
}

/* Adds a name to a list of words unless it is there. */
static void add_name(char *text, size_t size, const char *name, size_t length) {
    size_t used = strlen(text);
    for (const char *at = text; *at;) {
        size_t word = strcspn(at, ",");
        if (word == length && memcmp(at, name, length) == 0)
            return;
        at += word;
        at += strspn(at, ", ");
    }
    snprintf(text + used, size - used, "%s%.*s", used ? ", " : "", (int)(length < 40 ? length : 40), name);
}

/* The layers of those parts, and the channels of none that make no picture by themselves. */
static void list_layers(exr_const_context_t context, int first, int last, char *text, size_t size) {
    text[0] = 0;
    for (int part = first; part < last; part++) {
        const exr_attr_chlist_t *list = channels_of(context, part);
        const char *name = NULL;
        if (last - first > 1 && exr_get_name(context, part, &name) == EXR_ERR_SUCCESS && name)
            add_name(text, size, name, strlen(name));
        for (int i = 0; list && i < list->num_channels; i++) {
            const char *full = list->entries[i].name.str, *dot = strrchr(full, '.');
            if (dot || !strchr("RGBA", full[0]) || full[1])
                add_name(text, size, full, dot ? (size_t)(dot - full) : strlen(full));
        }
    }
}

weft_status weft_exr_choose(exr_const_context_t context, const weft_coding *coding, weft_exr_layer *layer,
                            weft_error *error) {
    const int32_t part = coding->values[WEFT_EXR_PART], place = coding->values[WEFT_EXR_LAYER];
    const char *name = place ? coding->settings + place : "";
    const size_t length = strcspn(name, ",");
    char layers[160];
    int parts = 0, first = part > 0 ? part - 1 : 0, last;
    if (exr_get_count(context, &parts) != EXR_ERR_SUCCESS || parts < 1)
        return weft_input_fail(coding->input, error, "no part");
    if (part > parts)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: part is from 1 to %d, for so many there are, not %d",
                         coding->input->name, parts, (int)part);
    last = part > 0 || length == 0 ? first + 1 : parts;
    for (int i = first; i < last; i++)
        if (choose_in(context, i, name, length, layer))
            return WEFT_OK;
    list_layers(context, first, last, layers, sizeof layers);
    if (length > 0)
        return weft_input_fail(coding->input, error, "no layer '%.*s'; there is %s", (int)(length < 40 ? length : 40),
                               name, *layers ? layers : "none");
    return weft_input_fail(coding->input, error, "its channels are neither R, G, B nor Y; a layer can be chosen, of %s",
                           *layers ? layers : "which there is none");
}
