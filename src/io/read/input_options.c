/* SPDX-License-Identifier: MIT
 * The options that every file has when it is read. */
#include "io/read/input_options.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

enum { LINEAR, ALPHA, DROP };
enum { LINEAR_FILE, LINEAR_ON, LINEAR_OFF };
enum { ALPHA_FILE, ALPHA_STRAIGHT, ALPHA_PREMULTIPLIED, ALPHA_NONE };
enum { DROP_NONE, DROP_ALPHA, DROP_FIRST };

static const weft_file_option options[WEFT_INPUT_OPTIONS] = {
    [LINEAR] = {"linear", "the numbers are light, not sRGB; off: sRGB", "file on off", 0, 0, LINEAR_FILE},
    [ALPHA] = {"alpha", "what the last channel is; none: a channel like the others", "file straight premultiplied none",
               0, 0, ALPHA_FILE},
    [DROP] = {"drop", "a channel that is left out: alpha where there is one, or by its place", "none alpha 1 2 3 4", 0,
              0, DROP_NONE},
};

const weft_file_option *weft_input_option_at(int32_t index) {
    return index >= 0 && index < WEFT_INPUT_OPTIONS ? &options[index] : NULL;
}

/* The option whose name the setting has, -1 for one of the format. */
static int32_t find(const char *setting, size_t length) {
    for (int32_t i = 0; i < WEFT_INPUT_OPTIONS; i++)
        if (strlen(options[i].name) == length && memcmp(options[i].name, setting, length) == 0)
            return i;
    return -1;
}

weft_status weft_input_options_read(weft_input_options *chosen, const char *text, const char *name, char **rest,
                                    weft_error *error) {
    size_t used = 0;
    *rest = NULL;
    *chosen = (weft_input_options){.dropped = -1};
    for (int32_t i = 0; i < WEFT_INPUT_OPTIONS; i++)
        chosen->values[i] = options[i].preset;
    if (!text || !*text)
        return WEFT_OK;
    *rest = weft_allocate(strlen(text) + 1, 1);
    if (!*rest)
        return weft_fail_memory(error, strlen(text) + 1, "options of a file");
    while (*text) {
        size_t length = strcspn(text, ","), key = strcspn(text, "=,");
        int32_t i = find(text, key);
        if (i >= 0) {
            weft_status status = weft_setting_read(&options[i], text, length, key, name, &chosen->values[i], error);
            if (status != WEFT_OK)
                return status;
        } else {
            if (used > 0)
                (*rest)[used++] = ',';
            memcpy(*rest + used, text, length);
            used += length;
        }
        text += length;
        text += *text == ',';
    }
    return WEFT_OK;
}

weft_status weft_input_options_apply(weft_input_options *chosen, const char *name, weft_image_info *info, weft_error *error) {
    const int32_t alpha = chosen->values[ALPHA], drop = chosen->values[DROP], channels = info->format.channels;
    if (chosen->values[LINEAR] != LINEAR_FILE)
        info->space = chosen->values[LINEAR] == LINEAR_ON ? WEFT_SPACE_LINEAR : WEFT_SPACE_ENCODED;
    if (alpha != ALPHA_FILE && alpha != ALPHA_NONE && channels != 2 && channels != 4)
        return weft_fail(error, WEFT_ERROR_PARAMETER,
                         "%s: it has %d channel%s, and only images of 2 or 4 channels have alpha: remove the option alpha", name,
                         (int)channels, channels == 1 ? "" : "s");
    if (alpha != ALPHA_FILE)
        info->alpha = alpha == ALPHA_STRAIGHT        ? WEFT_ALPHA_STRAIGHT
                      : alpha == ALPHA_PREMULTIPLIED ? WEFT_ALPHA_PREMULTIPLIED
                                                     : WEFT_ALPHA_NONE;
    if (drop == DROP_NONE || (drop == DROP_ALPHA && info->alpha == WEFT_ALPHA_NONE))
        return WEFT_OK;
    chosen->dropped = drop == DROP_ALPHA ? channels - 1 : drop - DROP_FIRST;
    if (chosen->dropped >= channels || channels == 1)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: it has %d channel%s, so channel %d cannot be dropped", name,
                         (int)channels, channels == 1 ? "" : "s", (int)chosen->dropped + 1);
    if (chosen->dropped == channels - 1 || channels == 2) /* alpha alone is a mask */
        info->alpha = WEFT_ALPHA_NONE;
    info->format.channels--;
    if (info->alpha != WEFT_ALPHA_NONE && info->format.channels == 3)
        return weft_fail(error, WEFT_ERROR_PARAMETER,
                         "%s: two colors and alpha would be left without channel %d, which is no picture that weft "
                         "knows: drop alpha instead, or say alpha=none, too",
                         name, (int)chosen->dropped + 1);
    return WEFT_OK;
}

void weft_input_options_row(const weft_input_options *chosen, const void *source, int64_t width, int32_t channels, size_t size,
                            void *target) {
    const unsigned char *from = source;
    unsigned char *to = target;
    for (int64_t x = 0; x < width; x++)
        for (int32_t c = 0; c < channels; c++, from += size)
            if (c != chosen->dropped) {
                memcpy(to, from, size);
                to += size;
            }
}
