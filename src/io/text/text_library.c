/* SPDX-License-Identifier: MIT
 * The libraries of text, opened when they are needed. */
#include "io/text/text_library.h"
#include <stdbool.h>
#include "base/library.h"

static const char freetype[] = "libfreetype.so.6", harfbuzz[] = "libharfbuzz.so.0";

static void open_fontconfig(struct weft_text_library *library) {
#ifdef WEFT_HAVE_FONTCONFIG
    bool good = (library->fontconfig = weft_library_open("libfontconfig.so.1")) != NULL;
#define FIND(name) good = good && weft_library_find(library->fontconfig, #name, &library->name, sizeof library->name);
    WEFT_FONTCONFIG(FIND)
#undef FIND
    if (!good) {
        weft_library_close(library->fontconfig);
        library->fontconfig = NULL;
    }
#else
    (void)library;
#endif
}

weft_status weft_text_library_open(struct weft_text_library *library, weft_error *error) {
    *library = (struct weft_text_library){.freetype = weft_library_open(freetype), .harfbuzz = weft_library_open(harfbuzz)};
    if (!library->freetype || !library->harfbuzz)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "text needs the libraries %s and %s, which are not installed; on Debian they are in "
                         "libfreetype6 and libharfbuzz0b",
                         freetype, harfbuzz);
    bool good = true;
#define FIND(name) good = good && weft_library_find(library->freetype, #name, &library->name, sizeof library->name);
    WEFT_FREETYPE(FIND)
#undef FIND
#define FIND(name) good = good && weft_library_find(library->harfbuzz, #name, &library->name, sizeof library->name);
    WEFT_HARFBUZZ(FIND)
#undef FIND
    if (!good)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s or %s lacks functions that weft needs for text", freetype,
                         harfbuzz);
    open_fontconfig(library);
    return WEFT_OK;
}

void weft_text_library_close(struct weft_text_library *library) {
    weft_library_close(library->fontconfig);
    weft_library_close(library->harfbuzz);
    weft_library_close(library->freetype);
    *library = (struct weft_text_library){.freetype = NULL};
}
