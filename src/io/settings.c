/* SPDX-License-Identifier: MIT
 * The options of file formats. */
#include "io/settings.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/status.h"

enum { LONGEST = 1 << 20 }; /* of settings */

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

/* The options of one format, for writing or for reading. */
struct table {
    const weft_file_format *format;
    const weft_file_option *options;
    int32_t count;
    bool reading;
};

static weft_status fail_unknown(const struct table *table, const char *text, size_t length, const char *name,
                                weft_error *error) {
    char known[256] = "none";
    size_t used = 0;
    const weft_file_option *option = table->options;
    for (int32_t i = 0; i < table->count && used < sizeof known; i++, option++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", option->name);
    for (int32_t i = 0; table->reading && used < sizeof known && (option = weft_input_option_at(i)) != NULL; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", option->name);
    const char *format = table->format->name, *reading = table->reading ? " that is read" : "";
    return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: %s %s file%s has no option '%.*s'; it has %s", name,
                     strchr("aeiou", format[0]) ? "an" : "a", format, reading, (int)(length < 40 ? length : 40), text,
                     known);
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

weft_status weft_setting_read(const weft_file_option *option, const char *text, size_t length, size_t key,
                              const char *name, int32_t *value, weft_error *error) {
    const size_t skip = key < length ? key + 1 : key;
    const int32_t on = key == length && option->choices ? find_choice(option->choices, "on", 2) : -1;
    if (on < 0)
        return read_value(option, text + skip, length - skip, name, value, error);
    *value = on; /* a switch needs no value to be on */
    return WEFT_OK;
}

weft_status weft_settings_read(const weft_file_format *format, bool reading, const char *text, int32_t quality,
                               bool strip, const char *name, int32_t values[WEFT_OPTIONS], weft_error *error) {
    const struct table table = {format, reading ? format->reader_options : format->options,
                                reading ? format->reader_option_count : format->option_count, reading};
    const char *start = text;
    for (int32_t i = 0; i < table.count; i++) {
        const weft_file_option *option = &table.options[i];
        values[i] = quality && strcmp(option->name, "quality") == 0 ? quality
                    : strip && strcmp(option->name, "exif") == 0    ? find_choice(option->choices, "off", 3)
                                                                    : option->preset;
    }
    while (text && *text) {
        size_t length = strcspn(text, ","), key = strcspn(text, "=,");
        const weft_file_option *option = NULL;
        int32_t i = 0;
        for (; i < table.count && !option; i++)
            if (same(table.options[i].name, text, key))
                option = &table.options[i];
        if (!option)
            return fail_unknown(&table, text, key, name, error);
        if (weft_option_is_text(option)) {
            if (length < key + 2 || text - start > LONGEST)
                return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: %s has no value", name, option->name);
            values[i - 1] = (int32_t)(text - start) + (int32_t)key + 1;
        } else {
            weft_status status = weft_setting_read(option, text, length, key, name, &values[i - 1], error);
            if (status != WEFT_OK)
                return status;
        }
        text += length;
        text += *text == ',';
    }
    return WEFT_OK;
}
