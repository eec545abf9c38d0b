/* SPDX-License-Identifier: MIT
 * The option color_profile, which files of all formats have. */
#include "io/profile/profile.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "weft/graph.h"

static const char key[] = WEFT_COLOR_PROFILE "=";
enum { KEY = sizeof key - 1 };

/* Takes the option out of a text that may be changed. */
static weft_status take(char *text, char **wanted, weft_error *error) {
    while (*text) {
        const size_t length = strcspn(text, ",");
        if (length > KEY && memcmp(text, key, KEY) == 0) {
            const size_t gone = length + (text[length] == ',');
            weft_free(*wanted);
            *wanted = weft_duplicate_text(text + KEY, length - KEY);
            if (!*wanted)
                return weft_fail_memory(error, length, "options of a file");
            memmove(text, text + gone, strlen(text + gone) + 1);
            continue;
        }
        text += length;
        text += *text == ',';
    }
    return WEFT_OK;
}

weft_status weft_profile_ask(const char **wanted, const char *asked, const char *name, weft_error *error) {
    if (asked && *wanted)
        return weft_fail(error, WEFT_ERROR_PARAMETER,
                         "%.200s: color_profile is asked for twice, as %.60s and as %.60s: remove one", name, *wanted, asked);
    *wanted = asked ? asked : *wanted;
    return WEFT_OK;
}

weft_status weft_profile_split(const char *settings, const char *given, const char *name, char **wanted, char **rest,
                               weft_error *error) {
    weft_status status = WEFT_OK;
    *wanted = *rest = NULL;
    if (settings) {
        *rest = weft_duplicate_text(settings, strlen(settings));
        status = *rest ? take(*rest, wanted, error) : weft_fail_memory(error, strlen(settings) + 1, "options of a file");
    }
    if (status == WEFT_OK)
        status = weft_profile_ask(&given, *wanted, name, error);
    if (status != WEFT_OK || given == *wanted)
        return status;
    *wanted = weft_duplicate_text(given, strlen(given));
    return *wanted ? WEFT_OK : weft_fail_memory(error, strlen(given) + 1, "options of a file");
}

#ifndef WEFT_HAVE_LCMS
weft_status weft_profile_open(const char *wanted, const char *name, const weft_image_info *info,
                              weft_metadata *metadata, weft_profile_change **change, weft_error *error) {
    (void)info;
    *change = NULL;
    if (strcmp(wanted, "srgb") == 0 && !metadata->profile)
        return WEFT_OK;
    return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: color_profile=%.60s needs Little CMS, which this build lacks",
                     name, wanted);
}
const void *weft_profile_row(weft_profile_change *change, const void *row, int64_t width) {
    (void)change, (void)width;
    return row;
}
void weft_profile_close(weft_profile_change **change) { (void)change; }
#endif
