/* SPDX-License-Identifier: MIT
 * The file formats of this build. */
#include <stdio.h>
#include <string.h>
#include "io/format.h"

const weft_codec *const weft_codecs[] = {
#ifdef WEFT_HAVE_PNG
    &weft_codec_png,
#endif
#ifdef WEFT_HAVE_JPEG
    &weft_codec_jpeg,
#endif
#ifdef WEFT_HAVE_TIFF
    &weft_codec_tiff,
#endif
#ifdef WEFT_HAVE_WEBP
    &weft_codec_webp,
#endif
#ifdef WEFT_HAVE_EXR
    &weft_codec_exr,
#endif
#ifdef WEFT_HAVE_AVIF
    &weft_codec_avif,
#endif
#ifdef WEFT_HAVE_HEIF
    &weft_codec_heif,
#endif
#ifdef WEFT_HAVE_JXL
    &weft_codec_jxl,
#endif
    &weft_codec_pnm,  &weft_codec_pam, &weft_codec_pfm, &weft_codec_cube, &weft_codec_acv, &weft_codec_csv,
#ifdef WEFT_HAVE_TEXT
    &weft_codec_text,
#endif
    NULL};

const weft_file_format *weft_file_format_at(int32_t index) {
    const int32_t count = (int32_t)(sizeof weft_codecs / sizeof *weft_codecs) - 1;
    return index >= 0 && index < count ? &weft_codecs[index]->format : NULL;
}

static bool has_word(const char *words, const char *word, size_t length) {
    while (*words) {
        size_t next = strcspn(words, " ");
        if (next == length && memcmp(words, word, length) == 0)
            return true;
        words += next;
        words += *words == ' ';
    }
    return false;
}

const weft_codec *weft_codec_find(const char *word) {
    for (const weft_codec *const *codec = weft_codecs; *codec; codec++)
        if (strcmp((*codec)->format.name, word) == 0 || has_word((*codec)->format.extensions, word, strlen(word)))
            return *codec;
    return NULL;
}

void weft_codec_list(char *text, size_t size, bool writable_extensions) {
    size_t used = 0;
    text[0] = 0;
    for (const weft_codec *const *codec = weft_codecs; *codec; codec++) {
        const char *words = writable_extensions ? (*codec)->format.extensions : (*codec)->format.name;
        if (!(writable_extensions ? (*codec)->format.writes : (*codec)->format.reads))
            continue;
        while (*words) {
            int length = (int)strcspn(words, " ");
            if (used < size)
                used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? ", " : "", length, words);
            words += length;
            words += *words == ' ';
        }
    }
}
