/* SPDX-License-Identifier: MIT
 * The options of file formats. */
#include "io/settings.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/status.h"

static bool same(const char *word, const char *text, size_t length) {
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

/* The place of a word among those of `choices`, -1 when it is none. */
static int32_t find_choice(const char *choices, const char *text, size_t length) {
    for (int32_t place = 0; *choices; place++) {
        size_t size = strcspn(choices, " ");
        if (size == length && memcmp(choices, text, size) == 0)
            return place;
        choices += size;
        choices += *choices == ' ';
    }
    return -1;
}

static bool read_number(const char *text, size_t length, int32_t *value) {
    int64_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || number > INT32_MAX / 10)
            return false;
        number = 10 * number + (text[i] - '0');
    }
    *value = (int32_t)number;
    return length > 0 && number <= INT32_MAX;
}

static weft_status fail_unknown(const weft_file_format *format, const char *text, size_t length, const char *name,
                                weft_error *error) {
    char known[256] = "none";
    size_t used = 0;
    for (int32_t i = 0; i < format->option_count && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", format->options[i].name);
    return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: a %s file has no option '%.*s'; it has %s", name, format->name,
                     (int)(length < 40 ? length : 40), text, known);
}

static weft_status read_value(const weft_file_option *option, const char *text, size_t length, const char *name,
                              int32_t *value, weft_error *error) {
    const int shown = (int)(length < 40 ? length : 40);
    if (option->choices) {
        *value = find_choice(option->choices, text, length);
        return *value >= 0 ? WEFT_OK
                           : weft_fail(error, WEFT_ERROR_PARAMETER, "%s: %s is one of %s, not '%.*s'", name,
                                       option->name, option->choices, shown, text);
    }
    if (!read_number(text, length, value) || *value < option->minimum || *value > option->maximum)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: %s is a whole number from %d to %d, not '%.*s'", name,
                         option->name, (int)option->minimum, (int)option->maximum, shown, text);
    return WEFT_OK;
}

weft_status weft_settings_read(const weft_file_format *format, const char *text, int32_t quality, bool strip, const char *name,
                               int32_t values[WEFT_OPTIONS], weft_error *error) {
    for (int32_t i = 0; i < format->option_count; i++)
        values[i] = quality && strcmp(format->options[i].name, "quality") == 0 ? quality
                    : strip && strcmp(format->options[i].name, "exif") == 0
                        ? find_choice(format->options[i].choices, "off", 3)
                        : format->options[i].preset;
    while (text && *text) {
        size_t length = strcspn(text, ","), key = strcspn(text, "=,");
        const weft_file_option *option = NULL;
        int32_t i = 0;
        for (; i < format->option_count && !option; i++)
            if (same(format->options[i].name, text, key))
                option = &format->options[i];
        if (!option)
            return fail_unknown(format, text, key, name, error);
        /* A switch needs no value to be on. */
        if (key == length && option->choices && find_choice(option->choices, "on", 2) >= 0) {
            values[i - 1] = find_choice(option->choices, "on", 2);
        } else {
            size_t skip = key < length ? key + 1 : key;
            weft_status status = read_value(option, text + skip, length - skip, name, &values[i - 1], error);
            if (status != WEFT_OK)
                return status;
        }
        text += length;
        text += *text == ',';
    }
    return WEFT_OK;
}
