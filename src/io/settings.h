/* SPDX-License-Identifier: MIT
 * The options of file formats, as text: "quality=90,subsampling=444". */
#ifndef IO_SETTINGS_H
#define IO_SETTINGS_H
#include <stdbool.h>
#include "weft/file.h"

static inline bool weft_option_is_text(const weft_file_option *option) {
    return !option->choices && option->minimum > option->maximum;
}

/* The most options that a format may have. */
enum { WEFT_OPTIONS = 8 };

/* The values of a format's options of writing or of reading, in the order of its table: what `text` gives, which may be
 * NULL, and the presets of the others. `quality`, unless 0, is the preset of an option of that name, and `strip` makes
 * exif=off one. `name` is the file's, for messages. The value of an option of any text is where that stands in `text`,
 * 0 for none. */
weft_status weft_settings_read(const weft_file_format *format, bool reading, const char *text, int32_t quality,
                               bool strip, const char *name, int32_t values[WEFT_OPTIONS], weft_error *error);

/* The value of a setting that is `length` long, "KEY=VALUE" or "KEY" for a switch; the key is `key` long. Not of options of any
 * text. */
weft_status weft_setting_read(const weft_file_option *option, const char *text, size_t length, size_t key,
                              const char *name, int32_t *value, weft_error *error);

#endif
